// Whether a draft is exactly the text that automation has just written (floor.md 7.4). Always true: `ours` needs every
// character, in order, to the text's end, with the cursor there, in the very box that was seen empty; a row may end only
// where the text has a newline, the row is full, or the next word had no room. A label stands for text only by its count.
import type { DraftComposer } from './composer.js';
import { type Label, squeeze } from './label.js';

export type Ownership = 'ours' | 'other' | 'unknown';

export interface OwnText {
  readonly text: string;
  /** Frame of the composer seen empty before the paste; undefined: it wasn't. */
  readonly frame: string | undefined;
  /** The draft as the first reading after the paste had it; what has changed since isn't ours. */
  readonly staged: DraftComposer | undefined;
}

/** A tail shorter than this could be anybody's. */
const TAIL_CHARACTERS = 48;
/** An inexact count may differ by this share of the true one. */
const TOLERANCE = 0.05;
/** No screen shows more characters than this: a longer text isn't compared. */
const SHOWN_CHARACTERS = 65_536;
/** Columns that composers keep free at the right edge, for the caret and their padding, at most. */
const EDGE_COLUMNS = 4;

/** Whose draft it is. `unknown`: its box is another one than before the paste, so nothing can be told. */
export function ownershipOf(draft: DraftComposer, own: OwnText): Ownership {
  if (own.frame === undefined || own.frame !== draft.frame) return 'unknown';
  if (!cursorAtEnd(draft)) return 'other';
  if (draft.labels.length > 0) return holdsLabelled(draft, own) ? 'ours' : 'other';
  return isWhole(draft, own.text) ? 'ours' : 'other';
}

/** Whether two readings show the same draft. */
export function sameDraft(a: DraftComposer, b: DraftComposer): boolean {
  return (
    a.frame === b.frame &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, index) => row.text === b.rows[index]!.text)
  );
}

function cursorAtEnd({ rows, cursor, columns }: DraftComposer): boolean {
  // Behind a full row the cursor waits on its last column.
  return cursor.row === rows.length - 1 && cursor.column >= Math.min(rows.at(-1)!.width, columns - 1);
}

/** As compared: composed, blanks of one kind, without marks that take no cell. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/gu, '')
    .replaceAll('\u00a0', ' ');
}

function blanksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end - at;
}

/** Where a row's text ends in the own text, if it stands there; a tab is drawn as any number of blanks. */
function rowEnd(text: string, from: number, row: string): number | undefined {
  let at = from;
  for (let index = 0; index < row.length; ) {
    if (text[at] === '\t') {
      at++;
      while (row[index] === ' ') index++;
    } else if (text[at] === row[index]) {
      at++;
      index++;
    } else return undefined;
  }
  return at;
}

function isWhole({ rows, columns }: DraftComposer, own: string): boolean {
  if (own.length > SHOWN_CHARACTERS) return false;
  const text = plain(own);
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const end = rowEnd(text, at, plain(row.text));
    if (end === undefined) return false;
    at = end;
    const next = rows[index + 1];
    if (next === undefined) break;
    const blanks = blanksAt(text, at);
    if (text[at + blanks] === '\n') {
      // Blanks before a newline aren't drawn.
      at += blanks + 1;
      continue;
    }
    const leading = /^ */.exec(plain(next.text))![0].length;
    const dropped = Math.max(0, blanks - leading);
    const full = row.width >= columns - EDGE_COLUMNS;
    const noRoom = blanks > 0 && row.width + 1 + next.head > columns - EDGE_COLUMNS;
    if (!full && !noRoom) return false;
    at += dropped;
  }
  return at === text.length;
}

/** Labels, and behind them nothing or the end of the text. */
function holdsLabelled(draft: DraftComposer, own: OwnText): boolean {
  const text = own.text.normalize('NFC').replace(/\r\n?/g, '\n');
  let rest = squeeze(draft.rows.map((row) => row.text).join('\n'));
  for (const label of draft.labels) {
    if (!rest.startsWith(label.text)) return false;
    rest = rest.slice(label.text.length);
  }
  if (rest === '') {
    const [label] = draft.labels as [Label];
    // Without a word to compare, only that nothing has changed since our paste can tell.
    const unchanged = own.staged !== undefined && sameDraft(own.staged, draft);
    return draft.labels.length === 1 && unchanged && countMatches([label], text);
  }
  if (Array.from(rest).length < TAIL_CHARACTERS) return false;
  const covered = tailStart(text, rest);
  return covered !== undefined && countMatches(draft.labels, text.slice(0, covered));
}

/** Where the end of the text that reads `tail` without blanks begins. */
function tailStart(text: string, tail: string): number | undefined {
  let at = text.length;
  let left = tail.length;
  while (left > 0) {
    if (at === 0) return undefined;
    at--;
    const char = squeeze(text[at]!);
    if (char === '') continue;
    left--;
    if (tail[left] !== char) return undefined;
  }
  return at;
}

function countMatches(labels: readonly Label[], text: string): boolean {
  const [{ unit }] = labels as [Label];
  const shown = labels.reduce((sum, label) => sum + label.count, 0);
  // Agents count code points or UTF-16 units.
  const counts = unit === 'characters' ? [charactersIn(text), text.length] : lineCounts(labels, text);
  const exact = labels.every((label) => label.exact && label.unit === unit);
  return counts.some((count) => (exact ? shown === count : Math.abs(shown - count) <= count * TOLERANCE));
}

function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Lines that labels of this text would add up to: an open last line counts, and each label has its own offset. */
function lineCounts(labels: readonly Label[], text: string): number[] {
  const newlines = text.split('\n').length - 1;
  const offsets = labels.reduce((sum, label) => sum + label.count - label.number, 0);
  return text.endsWith('\n') ? [newlines + offsets] : [newlines + 1];
}
