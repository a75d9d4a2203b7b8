// What stands in a composer's box: the rows somebody wrote, and what the agent suggests behind the cursor. Always true:
// a suggestion is told by its style and the cursor's place, never by its words; anything else is authored. Blanks behind
// a row's text are authored as far as the cursor has gone. It doesn't know whose text it is.
import type { Box } from './box.js';
import type { Plan } from './plan.js';
import { DIM, endOf, INVERSE, isBlank, type Line, type ScreenSnapshot, textOf } from './snapshot.js';

export interface DraftRow {
  /** Blanks behind the text are kept only on the cursor's row. */
  readonly text: string;
  /** Columns that the text takes. */
  readonly width: number;
  /** Columns of the first word: whether it would have fitted on the row before. */
  readonly head: number;
}

export interface Input {
  /** At least one. */
  readonly rows: readonly DraftRow[];
  readonly suggestionRows: readonly string[];
  /** Row of the input and column of its text, from zero. */
  readonly cursor: { readonly row: number; readonly column: number };
}

function isHint(plan: Plan, line: Line, x: number): boolean {
  const { style, colors } = plan.hint;
  if (style === 'dim') return (line.flags[x]! & DIM) !== 0;
  return style === 'foreground' && colors.includes(line.fg[x]!);
}

/** Whether the text from the cursor to the end of the input is a suggestion. */
function isSuggested(snapshot: ScreenSnapshot, plan: Plan, box: Box): boolean {
  const { x: cursorX, y: cursorY } = snapshot.cursor;
  let hints = 0;
  for (let y = cursorY; y <= box.bottom; y++) {
    const line = snapshot.line(y);
    for (let x = y === cursorY ? cursorX : box.text; x < box.right; x++) {
      if (isBlank(line, x)) continue;
      const caret = y === cursorY && x === cursorX && (line.flags[x]! & INVERSE) !== 0;
      if (isHint(plan, line, x)) hints++;
      // A drawn caret hides the style of its cell; the cells behind it must tell.
      else if (!caret) return false;
    }
  }
  return hints > 0;
}

function rowOf(line: Line, from: number, to: number, right: number): DraftRow {
  let head = from;
  while (head < to && isBlank(line, head)) head++;
  const start = head;
  while (head < to && !isBlank(line, head)) head += line.chars[head + 1] === '' && head + 1 < right ? 2 : 1;
  return { text: textOf(line, from, to), width: to - from, head: head - start };
}

/** The input of a box that the cursor is in. */
export function readInput(snapshot: ScreenSnapshot, plan: Plan, box: Box): Input {
  const { cursor } = snapshot;
  const suggested = isSuggested(snapshot, plan, box);
  const rows: DraftRow[] = [];
  const suggestionRows: string[] = [];
  for (let y = box.top; y <= box.bottom; y++) {
    const line = snapshot.line(y);
    const end = endOf(line, box.text, box.right);
    if (suggested && y > cursor.y) {
      suggestionRows.push(textOf(line, box.text, end));
      continue;
    }
    if (suggested && y === cursor.y) suggestionRows.push(textOf(line, cursor.x, end));
    const authored = y !== cursor.y ? end : suggested ? cursor.x : Math.max(end, cursor.x);
    rows.push(rowOf(line, box.text, authored, box.right));
  }
  return { rows, suggestionRows, cursor: { row: cursor.y - box.top, column: cursor.x - box.text } };
}
