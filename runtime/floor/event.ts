// What the floor of one seat hears and what it wants done. Always true: events are facts with nothing decided in them;
// effects are complete, so that the session performs them without looking back. Values only.

import type { Reason } from '../../protocol/reason.js';
import type { GrantJudgement } from './decide.js';
import type { GuardMode } from './mode.js';
import type { Fence } from './plan.js';
import type { Request } from './request.js';
import type { ReadingView, StatusFacts, View } from './view.js';

/** Facts that have no meaning beyond themselves; only what has changed is given. */
export type Facts = Partial<
  Pick<
    View,
    | 'session'
    | 'seatKind'
    | 'gate'
    | 'lifecycleOwed'
    | 'background'
    | 'ledger'
    | 'receivedOffset'
    | 'foreground'
    | 'bracketedPaste'
    | 'kittyFlags'
    | 'termios'
    | 'settings'
  >
>;

export type FloorEvent =
  | { readonly kind: 'submit'; readonly request: Request }
  | {
      readonly kind: 'withdraw';
      readonly id: string;
      readonly reason?: 'withdrawn' | 'draft_wake_superseded';
    }
  | { readonly kind: 'facts'; readonly facts: Facts }
  /** One status transition; a chunk with two gives two events, in order. */
  | ({ readonly kind: 'status' } & StatusFacts)
  | { readonly kind: 'reading'; readonly reading: ReadingView }
  /** A person's key, Enter or click. Motion, focus and replies are no event. The ledger comes as a fact before it. */
  | { readonly kind: 'operator'; readonly input: 'key' | 'enter' | 'pointer' }
  | { readonly kind: 'composing'; readonly untilAt: number | undefined }
  | { readonly kind: 'mode'; readonly mode: GuardMode }
  /** An operator says that the composer is settled. */
  | { readonly kind: 'settle' }
  /** With `audit_sync = "full"`: the intent to grant this request is on the disk. */
  | { readonly kind: 'intent_committed'; readonly id: string }
  | { readonly kind: 'intent_failed'; readonly id: string }
  | { readonly kind: 'recorded'; readonly fence: Fence }
  | { readonly kind: 'audit_unavailable'; readonly fence: Fence }
  | {
      readonly kind: 'paste_written';
      readonly fence: Fence;
      readonly bytes: number;
      readonly complete: boolean;
    }
  | { readonly kind: 'enter_written'; readonly fence: Fence; readonly taken: boolean }
  | { readonly kind: 'write_failed'; readonly fence: Fence }
  | { readonly kind: 'tick' };

/** The final state of a request. */
export interface Ending {
  readonly state: 'complete' | 'indeterminate' | 'held' | 'failed';
  /** A turn start was seen, or the answered dialog has gone. */
  readonly confirmed: boolean;
  readonly reason: Reason;
  readonly cause?: Reason;
  readonly bytesWritten: number;
  /** What went wrong beside it and changed nothing of it, for example a receipt that could not be stored. */
  readonly warnings?: readonly Reason[];
}

/** Why requests wait, and since when. */
export interface WaitState {
  readonly row: number;
  readonly reason: Reason;
  readonly cause?: Reason;
  readonly sinceAt: number;
}

export type FloorEffect =
  /** Store it as `waiting`. Comes before anything else about it. */
  | { readonly kind: 'accepted'; readonly request: Request }
  /** Its idempotency key names a request that is open or has this result; the new one is nothing. */
  | {
      readonly kind: 'duplicate';
      readonly request: Request;
      readonly of: string;
      readonly result: Ending | undefined;
    }
  /** Never accepted. */
  | {
      readonly kind: 'rejected';
      readonly request: Request;
      readonly reason: 'queue_full' | 'idempotency_conflict';
    }
  /** A request that has just come waits. */
  | { readonly kind: 'waits'; readonly request: Request; readonly wait: WaitState }
  /** The reason of all requests of a group has changed; `Floor.members(group)` lists them. */
  | { readonly kind: 'group_waits'; readonly group: string; readonly size: number; readonly wait: WaitState }
  | {
      readonly kind: 'withdraw_answer';
      readonly id: string;
      readonly answer: 'withdrawn' | 'already_granted' | 'unknown';
    }
  | { readonly kind: 'commit_intent'; readonly request: Request }
  /** Append `injection.granted` and the outbox row in one commit, then feed `recorded` or `audit_unavailable`, all in
   *  this turn. */
  | {
      readonly kind: 'grant';
      readonly request: Request;
      readonly fence: Fence;
      readonly pasteBytes: number;
      readonly judgement: GrantJudgement;
      /** What it waited for until now, in order; empty if it did not wait. */
      readonly waits: readonly WaitState[];
    }
  | { readonly kind: 'write_paste'; readonly fence: Fence; readonly bytes: Uint8Array }
  | { readonly kind: 'cut_paste'; readonly fence: Fence }
  | { readonly kind: 'write_enter'; readonly fence: Fence; readonly bytes: Uint8Array }
  /** The final state. `fence` is set if it had been granted: then append `injection.finished`. */
  | {
      readonly kind: 'ended';
      readonly request: Request;
      readonly ending: Ending;
      readonly fence: Fence | undefined;
    }
  /** A turn start came late: the receipt of a complete request becomes confirmed. */
  | { readonly kind: 'upgraded'; readonly request: Request }
  | {
      readonly kind: 'alert';
      readonly alert: 'unsubmitted_text';
      readonly on: boolean;
      readonly sinceAt: number;
    }
  | { readonly kind: 'mode_effective'; readonly mode: GuardMode }
  /** Read the foreground now and feed it as a fact in this turn. */
  | { readonly kind: 'read_foreground' }
  /** Start a reading of the line mode; feed it when it comes. */
  | { readonly kind: 'read_termios' };
