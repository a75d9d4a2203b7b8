// How many columns a character takes, as terminals count it: one code point at a time, as Unicode 11 widths do. Always
// true: 0, 1 or 2. Sequences of emoji are not joined.

const ZERO = /^(?:\p{Mn}|\p{Me}|\p{Cf})$/u;

/** First and last code points of wide characters; blocks of East Asian text and emoji. */
const WIDE: ReadonlyArray<readonly [number, number]> = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26aa, 0x26ab],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function codeWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Columns of a text that has no control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += codeWidth(character);
  return width;
}

/** A text cut into what stands in cells of its own: a character with the marks that follow it. */
export function cellsOf(text: string): string[] {
  const cells: string[] = [];
  for (const character of text) {
    const last = cells.length - 1;
    if (last >= 0 && character !== '\n' && cells[last] !== '\n' && codeWidth(character) === 0) {
      cells[last] += character;
    } else cells.push(character);
  }
  return cells;
}
