// A screen painted cell by cell, for readers of screens. Always true: a wide character takes two cells; cells keep the
// style they were painted with. Vectors paint with it, and so do the composers of composer-screen.ts.
import {
  BOLD,
  type Color,
  colorOf,
  DIM,
  INVERSE,
  type Line,
  type ScreenSnapshot,
} from '../../runtime/composer/snapshot.js';

export interface Style {
  readonly fg?: string;
  readonly bg?: string;
  readonly flags?: number;
}

interface Cell {
  char: string;
  fg: Color;
  bg: Color;
  flags: number;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += WIDE.test(char) ? 2 : 1;
  return width;
}

export class Canvas {
  readonly cells: Cell[][];
  cursor = { x: 0, y: 0, visible: false };
  screen: 'main' | 'alternate' = 'main';
  syncOpen = false;

  constructor(
    readonly cols: number,
    readonly rows: number,
  ) {
    this.cells = Array.from({ length: rows }, () =>
      Array.from({ length: cols }, () => ({ char: ' ', fg: 0, bg: 0, flags: 0 })),
    );
  }

  /** Paints a text; returns the column behind it. What doesn't fit is cut. */
  put(x: number, y: number, text: string, style: Style = {}): number {
    for (const char of text) {
      const wide = WIDE.test(char);
      const cell = this.cells[y]?.[x];
      if (cell === undefined || (wide && x + 1 >= this.cols)) break;
      cell.char = char;
      this.style(x, x, y, style);
      if (wide) {
        this.cells[y]![x + 1]!.char = '';
        this.style(x + 1, x + 1, y, style);
      }
      x += wide ? 2 : 1;
    }
    return x;
  }

  /** Sets the style of the cells from `from` to `to`, both included; what the style doesn't name stays. */
  style(from: number, to: number, y: number, { fg, bg, flags }: Style): void {
    for (let x = from; x <= to; x++) {
      const cell = this.cells[y]?.[x];
      if (cell === undefined) continue;
      if (fg !== undefined) cell.fg = colorOf(fg);
      if (bg !== undefined) cell.bg = colorOf(bg);
      if (flags !== undefined) cell.flags |= flags;
    }
  }

  snapshot(): ScreenSnapshot {
    const lines = this.cells.map((cells): Line => {
      const chars = cells.map((cell) => cell.char);
      return {
        text: chars.join('').trimEnd(),
        chars,
        fg: cells.map((cell) => cell.fg),
        bg: cells.map((cell) => cell.bg),
        flags: cells.map((cell) => cell.flags),
      };
    });
    const none: Line = { text: '', chars: [], fg: [], bg: [], flags: [] };
    const { rows, cols, screen, syncOpen } = this;
    return { rows, cols, screen, syncOpen, cursor: { ...this.cursor }, line: (y) => lines[y] ?? none };
  }
}

/** `dim bold inverse fg#rrggbb bg#rrggbb`. */
export function styleOf(words: string): Style {
  let style: Style = {};
  for (const word of words.split(' ').filter(Boolean)) {
    const flag = { dim: DIM, bold: BOLD, inverse: INVERSE }[word];
    if (flag !== undefined) style = { ...style, flags: (style.flags ?? 0) | flag };
    else if (/^[fb]g#[0-9a-f]{6}$/.test(word)) style = { ...style, [word.slice(0, 2)]: word.slice(2) };
    else throw new Error(`"${word}" is no style`);
  }
  return style;
}

/** A row of a vector: text, or a line over the whole width with a label in it. */
export type CanvasRow = string | { readonly rule: string; readonly label?: string; readonly style?: string };

export interface CanvasCase {
  readonly cols: number;
  /** Default: as many as `lines`. */
  readonly rows?: number;
  readonly screen: 'main' | 'alternate';
  readonly cursor: readonly [x: number, y: number];
  readonly visible: boolean;
  readonly sync?: boolean;
  readonly lines: readonly CanvasRow[];
  /** `ROWS:COLUMNS STYLE`, rows and columns as `3`, `3-7` or `*`. */
  readonly marks?: readonly string[];
}

export const CANVAS_FIELDS = ['cols', 'rows', 'screen', 'cursor', 'visible', 'sync', 'lines', 'marks'];

function range(text: string, count: number): [number, number] {
  if (text === '*') return [0, count - 1];
  const [from, to] = text.split('-').map(Number);
  return [from!, to ?? from!];
}

export function paintCase(item: CanvasCase): Canvas {
  const canvas = new Canvas(item.cols, item.rows ?? item.lines.length);
  for (const [y, row] of item.lines.entries()) {
    if (typeof row === 'string') canvas.put(0, y, row);
    else {
      canvas.put(0, y, row.rule.repeat(item.cols), styleOf(row.style ?? ''));
      if (row.label !== undefined) canvas.put(2, y, ` ${row.label} `);
    }
  }
  for (const mark of item.marks ?? []) {
    const [place = '', ...words] = mark.split(' ');
    const [ys = '', xs = ''] = place.split(':');
    const [top, bottom] = range(ys, canvas.rows);
    const [from, to] = range(xs, canvas.cols);
    for (let y = top; y <= bottom; y++) canvas.style(from, to, y, styleOf(words.join(' ')));
  }
  const [x, y] = item.cursor;
  canvas.cursor = { x, y, visible: item.visible };
  canvas.screen = item.screen;
  canvas.syncOpen = item.sync === true;
  return canvas;
}
