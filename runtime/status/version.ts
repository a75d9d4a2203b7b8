// Version ranges of pack rules: comparisons joined by blanks, for example `>=2.1.228 <3`. Always true: an unknown version
// is inside every range, because nothing on the terminal says which version runs. Pre-release tags are ignored.

const COMPARISON = /^(>=|<=|>|<|=)?(\d{1,6}(?:\.\d{1,6}){0,3})$/;

function parts(version: string): readonly number[] {
  return version.split('.').map(Number);
}

function compare(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether the text is `*` or a list of comparisons. */
export function isVersionRange(range: string): boolean {
  return range === '*' || range.split(' ').every((comparison) => COMPARISON.test(comparison));
}

/** The leading number of a version text such as `2.1.332-beta`, or undefined. */
export function parseVersion(text: string): string | undefined {
  return /^v?(\d{1,6}(?:\.\d{1,6}){0,3})/.exec(text)?.[1];
}

/** Whether a version is in a range for which `isVersionRange` holds. */
export function versionInRange(range: string, version: string | undefined): boolean {
  if (range === '*' || version === undefined) return true;
  return range.split(' ').every((text) => {
    const match = COMPARISON.exec(text);
    if (match === null) return false;
    const difference = compare(version, match[2] ?? '');
    switch (match[1]) {
      case '>=':
        return difference >= 0;
      case '<=':
        return difference <= 0;
      case '>':
        return difference > 0;
      case '<':
        return difference < 0;
      default:
        return difference === 0;
    }
  });
}
