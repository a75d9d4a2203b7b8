// OSC 0 and OSC 2, the window title. Both count the same: agents use either, Qwen Code sends both each time. Always true:
// a title that isn't UTF-8 or is over the limit is refused whole. What a title means is a pack's business, and it says
// nothing at all when the printing program isn't the agent.
import { decodeBody } from './sequence.js';

export const TITLE_CODES: readonly number[] = [0, 2];

/** Longest title read, in bytes. Measured titles have at most 200; those padded to the window have 80 columns. */
export const WINDOW_TITLE_BYTES = 2_048;

export type Title =
  | { readonly type: 'title'; readonly text: string }
  | { readonly type: 'refused'; readonly reason: 'title_too_long' | 'title_not_utf8' };

/** Reads the body of OSC 0 or 2. Blanks at the end are padding and go; an empty title is a title. */
export function parseTitle(body: string): Title {
  if (body.length > WINDOW_TITLE_BYTES) return { type: 'refused', reason: 'title_too_long' };
  const text = decodeBody(body);
  if (text === undefined) return { type: 'refused', reason: 'title_not_utf8' };
  return { type: 'title', text: text.trimEnd() };
}
