// What the main thread and the screen worker say to each other. Always true: messages keep their order, so an ask or a
// resize stands exactly between the bytes written before and after it. Only types and the shape of a byte batch.
import type { ReadingPack } from '../composer/reading-pack.js';
import type { CursorPosition, Reading, Snapshot } from './port.js';

/**
 * Bytes of several sessions in the order they came. `entries` holds three numbers for each part: session, length, and
 * the offset at which the part ends; the parts follow each other in `bytes`.
 */
export interface BytesMessage {
  readonly type: 'bytes';
  readonly bytes: Uint8Array;
  readonly entries: readonly number[];
}

export type Question =
  | { readonly kind: 'cursor' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'snapshot'; readonly scrollbackLines: number };

export type ToWorker =
  | BytesMessage
  | {
      readonly type: 'open';
      readonly session: number;
      readonly rows: number;
      readonly cols: number;
      readonly scrollbackLines: number;
    }
  | { readonly type: 'resize'; readonly session: number; readonly rows: number; readonly cols: number }
  | { readonly type: 'pack'; readonly session: number; readonly pack: ReadingPack | undefined }
  | { readonly type: 'ask'; readonly session: number; readonly ask: number; readonly question: Question }
  | { readonly type: 'close'; readonly session: number };

/** A reading as its difference to the one published before: rows that changed, by index. `rows` new ones when `all`. */
export interface ReadingChange extends Omit<Reading, 'text'> {
  readonly session: number;
  readonly all: boolean;
  readonly changed: ReadonlyArray<readonly [row: number, text: string]>;
}

export type Answer =
  | ({ readonly kind: 'cursor' } & CursorPosition)
  | { readonly kind: 'reading' }
  | ({ readonly kind: 'snapshot' } & Snapshot);

export type FromWorker =
  | {
      readonly type: 'progress';
      /** Two numbers for each session that parsed something: session, bytes. */
      readonly parsed: readonly number[];
      readonly readings: readonly ReadingChange[];
      /** Answers come after the readings of their message. */
      readonly answers: ReadonlyArray<{ readonly ask: number; readonly answer: Answer }>;
    }
  | { readonly type: 'lost'; readonly session: number; readonly cause: string };
