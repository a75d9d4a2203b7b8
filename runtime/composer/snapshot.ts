// A screen as the readers of this room take it: rows of cells with characters and style, the cursor, which screen. Always
// true: a column is a cell, so widths are columns and never lengths of strings. It says nothing about what is shown.

/** Style bits of a cell. */
export const DIM = 1;
export const INVERSE = 2;
export const BOLD = 4;

/**
 * A colour: 0 is the terminal's default, `PALETTE | index` one of 256, `RGB | 0xrrggbb` a true colour. Plain numbers, so
 * that two colours are equal exactly if their numbers are.
 */
export type Color = number;
export const DEFAULT_COLOR: Color = 0;
export const PALETTE = 0x1000000;
export const RGB = 0x2000000;

export interface Line {
  /** The row's characters without trailing blanks. */
  readonly text: string;
  /** Characters of each cell: a blank for an empty cell, nothing for the second half of a wide character. */
  readonly chars: readonly string[];
  readonly fg: ArrayLike<Color>;
  readonly bg: ArrayLike<Color>;
  /** DIM, INVERSE and BOLD of each cell. */
  readonly flags: ArrayLike<number>;
}

export interface ScreenSnapshot {
  readonly rows: number;
  readonly cols: number;
  /** Zero-based cell inside the screen. */
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly screen: 'main' | 'alternate';
  /** A synchronized update (DEC 2026) is open: the rows are a half-drawn frame. */
  readonly syncOpen: boolean;
  /** A row of the viewport, top is 0. Rows outside the screen are empty. */
  line(y: number): Line;
}

/** `#rrggbb` as a colour. */
export function colorOf(hex: string): Color {
  return RGB | Number.parseInt(hex.slice(1), 16);
}

/** Whether a cell shows nothing: empty, a blank, a no-break blank, or the second half of a wide character. */
export function isBlank(line: Line, x: number): boolean {
  const char = line.chars[x];
  return char === undefined || char === '' || char === ' ' || char === '\u00a0';
}

/** Whether all cells of `[from, to)` are blank. */
export function areBlank(line: Line, from: number, to: number): boolean {
  for (let x = from; x < to; x++) if (!isBlank(line, x)) return false;
  return true;
}

/** The column behind the last cell of `[from, to)` that shows something; `from` when none does. */
export function endOf(line: Line, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(line, end - 1)) end--;
  // The last character may be wide.
  return end > from && end < to && line.chars[end] === '' ? end + 1 : end;
}

/** The characters of `[from, to)`, no-break blanks as blanks. */
export function textOf(line: Line, from: number, to: number): string {
  return line.chars.slice(from, to).join('').replaceAll('\u00a0', ' ');
}

/** Index of the last row that shows something; -1 on a blank screen. */
export function lastRow(snapshot: ScreenSnapshot): number {
  let y = snapshot.rows - 1;
  while (y >= 0 && snapshot.line(y).text.trim() === '') y--;
  return y;
}
