// Whether a text stands in the composer (floor.md 7.3). Always true: only what is newly visible counts; the same words in
// the transcript or in an older draft prove nothing. Characters are normalised on both sides: blanks, frame lines and
// zero-width marks go, since a composer wraps, indents and frames what it shows.

import { ROWS_ABOVE, ROWS_BELOW, TAIL_CHARACTERS } from './limit.js';
import type { ReadingView } from './view.js';

const BLANKS = /\s|[\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/gu;
const BLANKS_AND_FRAMES = /\s|[\u200b-\u200f\u2060\ufeff\u2500-\u259f]|[\ufe00-\ufe0f]/gu;
/** Enough of a long text's end to hold the tail, whatever blanks it has; more is looked at only if it doesn't. */
const END_CHARACTERS = 4_096;

export interface Mark {
  /** The last normalised characters of the text, or all of it if shorter. */
  readonly tail: string;
  /** The text has characters beside frame lines, so those may be dropped. */
  readonly frames: boolean;
}

function normalise(text: string, frames: boolean): string {
  return text.normalize('NFC').replace(frames ? BLANKS_AND_FRAMES : BLANKS, '');
}

function lastOf(text: string, frames: boolean): string {
  const near = Array.from(normalise(text.slice(-END_CHARACTERS), frames));
  const all = near.length >= TAIL_CHARACTERS || text.length <= END_CHARACTERS;
  const characters = all ? near : Array.from(normalise(text, frames));
  return characters.slice(-TAIL_CHARACTERS).join('');
}

/** What to look for on the screen. */
export function markOf(text: string): Mark {
  const tail = lastOf(text, true);
  return tail === '' ? { tail: lastOf(text, false), frames: false } : { tail, frames: true };
}

/** The whole text as a mark: for an answer typed into a dialog, all of it must be seen. */
export function wholeMark(text: string): Mark {
  const tail = normalise(text, true);
  return tail === '' ? { tail: normalise(text, false), frames: false } : { tail, frames: true };
}

export interface Sighting {
  readonly labels: number;
  /** How often the tail stands in the rows around the cursor. */
  readonly count: number;
  /** The rows down to the cursor's end in the tail. */
  readonly atCursor: boolean;
  /** The rows around the cursor, normalised: equal means unchanged. */
  readonly rows: string;
}

function occurrences(rows: string, tail: string): number {
  if (tail === '') return 0;
  let count = 0;
  for (let at = rows.indexOf(tail); at >= 0; at = rows.indexOf(tail, at + tail.length)) count++;
  return count;
}

/** What the rows around the cursor show of a mark. */
export function sight(reading: ReadingView, mark: Mark): Sighting {
  const first = Math.max(0, reading.cursorRow - ROWS_ABOVE);
  const upTo = normalise(reading.rows.slice(first, reading.cursorRow + 1).join(''), mark.frames);
  const below = normalise(
    reading.rows.slice(reading.cursorRow + 1, reading.cursorRow + 1 + ROWS_BELOW).join(''),
    mark.frames,
  );
  const rows = upTo + below;
  return {
    labels: reading.pasteLabels,
    count: occurrences(rows, mark.tail),
    atCursor: mark.tail !== '' && upTo.endsWith(mark.tail),
    rows,
  };
}

/** Whether the text, or a label that stands for it, is there now and was not before. */
export function isNew(before: Sighting, now: Sighting): boolean {
  if (now.labels > before.labels) return true;
  return now.count > before.count || (now.atCursor && !before.atCursor);
}
