// The screen as rows of a dialog: text without frames and bars at its sides, and where the dialog begins. Always true: one
// row of the screen is one row here. It recognises nothing.
import { fillOf, ruleAt } from './box.js';
import type { DIALOG_EDGES } from './reading-pack.js';
import { DEFAULT_COLOR, type ScreenSnapshot } from './snapshot.js';

export interface DialogRow {
  /** Column in which the text begins. */
  readonly indent: number;
  /** Without frames at the sides, runs of blanks as one; empty for a row that is only a frame. */
  readonly text: string;
  /** As drawn, without frames at the sides. */
  readonly drawn: string;
}

const SIDES = /^[\s\u00a0]*(?:[│┃║][\s\u00a0]*)*|[\s\u00a0]*(?:[│┃║][\s\u00a0]*)*$/g;
/** Only lines, corners and half blocks. */
const FRAME = /^[\s\u2500-\u259f]*$/;

export function dialogRows(snapshot: ScreenSnapshot): readonly DialogRow[] {
  const rows: DialogRow[] = [];
  for (let y = 0; y < snapshot.rows; y++) {
    const { text } = snapshot.line(y);
    const drawn = FRAME.test(text) ? '' : text.replace(SIDES, '');
    rows.push({
      indent: drawn === '' ? 0 : text.indexOf(drawn),
      drawn,
      text: drawn.replace(/[\s\u00a0]+/g, ' '),
    });
  }
  return rows;
}

/** First row of the dialog that has its question at `question`; undefined when its edge isn't on the screen. */
export function bodyTop(
  snapshot: ScreenSnapshot,
  question: number,
  edge: (typeof DIALOG_EDGES)[number],
): number | undefined {
  switch (edge) {
    case 'rule':
      return above(question, (y) => ruleAt(snapshot.line(y), snapshot.cols, '─', true) !== undefined);
    case 'frame': {
      const left = /[│┃]/.exec(snapshot.line(question).text)?.index ?? -1;
      return above(question, (y) => /[╭┌┏╔]/.test(snapshot.line(y).text[left] ?? ''));
    }
    case 'fill':
      return change(question, (y) => fillOf(snapshot.line(y), 0, snapshot.cols));
    case 'bar': {
      const left = snapshot.line(question).text.search(/[│┃]/);
      return left < 0 ? undefined : change(question, (y) => barAt(snapshot, y, left));
    }
  }
}

/** The row below the nearest edge above `from`. */
function above(from: number, isEdge: (y: number) => boolean): number | undefined {
  for (let y = from - 1; y >= 0; y--) if (isEdge(y)) return y + 1;
  return undefined;
}

/** The first row of the stretch around `from` in which a property stays; undefined if it reaches the screen's edge. */
function change(from: number, property: (y: number) => number): number | undefined {
  const value = property(from);
  if (value === DEFAULT_COLOR) return undefined;
  for (let y = from - 1; y >= 0; y--) if (property(y) !== value) return y + 1;
  return undefined;
}

function barAt(snapshot: ScreenSnapshot, y: number, left: number): number {
  const line = snapshot.line(y);
  return line.chars[left] === '┃' || line.chars[left] === '│' ? line.fg[left]! : DEFAULT_COLOR;
}
