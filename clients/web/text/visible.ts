// Untrusted text made safe to look at. Always true: control and direction characters show as code points, so that no text
// looks like another one or like a part of the page; length is bounded. Markup is lit's business: text goes in as text.

// C0, DEL, C1, soft hyphen, zero-width, bidirectional controls, line separators, tags, BOM.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line, hidden characters as `\u{...}`, at most `limit` characters. */
export function visible(text: string, limit = 240): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Several lines: newlines stay. */
export function visibleLines(text: string, limit = 4_000): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .split('\n')
    .map((line) => visible(line.replace(/\t/g, '  '), limit))
    .join('\n');
}
