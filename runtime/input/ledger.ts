// The ledger: whether an operator may have left a draft (floor.md 3). Always true: it only vetoes; nothing clears it but
// a current reading that says empty and is newer than the last key, a hard turn start after an Enter with no later key,
// or a new tenure. No timeout: a draft from an hour ago is a draft. It belongs to the tenure; all operators feed it.
import type { Segment } from './segment.js';

export type Ledger =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'draft';
      /** When the ledger became non-empty, ms. */
      readonly sinceMs: number;
      /** Offset of the session's output at the last key that counts, and when that was, ms. */
      readonly keyOffset: number;
      readonly keyAtMs: number;
      /** The last key that counts was Enter: a turn start would mean that it was sent. */
      readonly entered: boolean;
    };

export type LedgerEvent =
  /** An operator's segment went to the program while the output stood at `offset`. */
  | { readonly kind: 'input'; readonly segment: Segment; readonly offset: number; readonly atMs: number }
  /** A hard signal (floor.md 2) began a turn. */
  | { readonly kind: 'turn-started' }
  /** The screen model's word on the composer, `offset` and all bytes received so far. */
  | {
      readonly kind: 'reading';
      readonly composer: 'empty' | 'draft' | 'unknown';
      readonly offset: number;
      readonly received: number;
      readonly atMs: number;
    }
  | { readonly kind: 'tenure-changed' };

/**
 * What is drawn sooner after a key may have been on its way before the program read the key: it proves nothing. Agents draw
 * a key within 20 ms, loaded ones within 200.
 */
export const DRAWN_MS = 300;

export const EMPTY_LEDGER: Ledger = { kind: 'empty' };

/** A key that may leave text in a composer: all but Esc, erasing, scrolling, function keys and releases. */
export function fillsComposer(segment: Segment): boolean {
  switch (segment.kind) {
    case 'key':
      return !['escape', 'erase', 'scroll', 'function', 'release'].includes(segment.key ?? 'edit');
    case 'paste-start':
    case 'paste':
    case 'paste-end':
      return true;
    default:
      return false;
  }
}

/** The ledger after one event. */
export function ledgerAfter(ledger: Ledger, event: LedgerEvent): Ledger {
  switch (event.kind) {
    case 'input': {
      // An erased line end makes the draft go on: a turn start would not mean that it was sent.
      if (event.segment.key === 'erase' && ledger.kind === 'draft') return { ...ledger, entered: false };
      if (!fillsComposer(event.segment)) return ledger;
      return {
        kind: 'draft',
        sinceMs: ledger.kind === 'draft' ? ledger.sinceMs : event.atMs,
        keyOffset: event.offset,
        keyAtMs: event.atMs,
        entered: event.segment.key === 'enter',
      };
    }
    case 'turn-started':
      return ledger.kind === 'draft' && ledger.entered ? EMPTY_LEDGER : ledger;
    case 'reading': {
      const current = event.offset === event.received;
      const drawn =
        ledger.kind === 'draft' && event.offset > ledger.keyOffset && event.atMs - ledger.keyAtMs >= DRAWN_MS;
      return current && drawn && event.composer === 'empty' ? EMPTY_LEDGER : ledger;
    }
    case 'tenure-changed':
      return EMPTY_LEDGER;
  }
}

/** When a reading that stands may clear the ledger at the earliest, ms; undefined when nothing is to be cleared. */
export function ledgerDueMs(ledger: Ledger): number | undefined {
  return ledger.kind === 'draft' ? ledger.keyAtMs + DRAWN_MS : undefined;
}
