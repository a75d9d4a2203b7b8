// The line of a key in a TOML text, for messages: the parser gives values without places. Headers and plain, quoted and
// dotted keys are found; a key inside an inline table is told by the line of that table. It decides nothing else.

const PART = /"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)/g;
const KEY = /^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=/;

function partsOf(text: string): string[] {
  return [...text.matchAll(PART)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

/** The quotes of a text that begins on this line and ends on a later one. */
function opensText(value: string): string | undefined {
  const quotes = /"""|'''/.exec(value)?.[0];
  return quotes !== undefined && value.indexOf(quotes) === value.lastIndexOf(quotes) ? quotes : undefined;
}

/** Line (from 1) of the key with this path, or of the innermost table on its way; null when neither is found. */
export function lineOf(toml: string, path: readonly string[]): number | null {
  let table: string[] = [];
  let inText: string | undefined;
  let best = { line: 0, depth: 0 };
  toml.split('\n').forEach((line, at) => {
    if (inText !== undefined) {
      if (line.includes(inText)) inText = undefined;
      return;
    }
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line);
    const key = header === null ? KEY.exec(line) : null;
    if (header !== null) table = partsOf(header[1]!);
    else if (key === null) return;
    else inText = opensText(line.slice(key[0].length));
    const here = key === null ? table : [...table, ...partsOf(key[1]!)];
    if (here.length <= path.length && here.length > best.depth && here.every((part, i) => part === path[i])) {
      best = { line: at + 1, depth: here.length };
    }
  });
  return best.depth === 0 ? null : best.line;
}
