// What a query function says of a complete sequence. Always true: `undefined` means that it asks nothing.
import type { Reply } from './port.js';
import { bytesOf } from './sequence.js';

export interface Answer {
  readonly reply: Reply;
  /** The sequence sets something as well: it is answered and passes. */
  readonly passes: boolean;
}

export const EATEN: Answer = { reply: { kind: 'eaten' }, passes: false };

export function fixed(text: string, passes = false): Answer {
  return { reply: { kind: 'fixed', bytes: bytesOf(text) }, passes };
}

/** How an OSC was ended, and so how its answer is. */
export type Terminator = '\x07' | '\x1b\\';

/** One cell in pixels, as told to programs that ask. Clients differ; 8 by 16 is the classic text cell. */
export const CELL_WIDTH = 8;
export const CELL_HEIGHT = 16;
