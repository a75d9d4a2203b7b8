// What policies see and what they say. Always true: a policy is a function of its routine, these facts and the time; a skip
// has a code of the closed list below and leaves no history row, so that a skip can't spam. Pure; holds no policy.
import type { TimeMs } from '../port.js';
import type { Row } from '../queue/row.js';
import type { Memo } from './routine.js';

/** A seat that has an occupant. */
export interface SeatFacts {
  readonly seat: string;
  readonly generation: number;
  readonly tenure: string | null;
  readonly state: 'working' | 'idle' | 'blocked' | 'unknown';
  readonly hard: boolean;
  readonly done: boolean;
  /** Turns finished in this tenure. */
  readonly turns: number;
  /** Time of the evidence of its status. */
  readonly at: TimeMs;
  /** A lifecycle step of the agent is not finished. */
  readonly lifecycleOwed: boolean;
}

export type RowFacts = Pick<
  Row,
  'id' | 'destination' | 'state' | 'tags' | 'blockedOn' | 'notBefore' | 'closureRequiredAt' | 'updatedAt'
> & {
  /** The timer that will wake its owner while it is blocked. */
  readonly wakeDueAt: TimeMs | null;
};

export interface Facts {
  /** False while the runtime is out of reach: then nothing is known of any seat. */
  readonly connected: boolean;
  /** Undefined for a seat without an occupant. */
  seat(address: string): SeatFacts | undefined;
  /** Open rows addressed to a seat, oldest first. */
  open(address: string): readonly RowFacts[];
  /** Rows in progress past their closure time, of a seat or of all (`*`), the longest overdue first. */
  overdue(of: string): readonly RowFacts[];
}

export const QUIET_SKIPS = [
  'not_due',
  'nothing_actionable',
  'seat_working',
  'seat_needs_input',
  'activity_unknown',
  'active_wake_not_due',
  'healthy',
] as const;
export type QuietSkip = (typeof QUIET_SKIPS)[number];

export type Verdict =
  | {
      readonly kind: 'send';
      readonly text: string;
      /** Rows that it speaks of; it is withdrawn when one of them needs it no more. */
      readonly rows?: readonly string[];
      readonly memo?: Memo;
    }
  | {
      readonly kind: 'skip';
      readonly reason: QuietSkip;
      readonly memo?: Memo;
      /** It stays due, and goes as soon as this is over. */
      readonly stays?: true;
    }
  | { readonly kind: 'terminal'; readonly reason: string };

/** Why a seat is not reminded now; undefined when it is idle beyond doubt. */
export function notIdle(seat: SeatFacts | undefined, connected: boolean): QuietSkip | undefined {
  if (!connected || seat === undefined) return 'activity_unknown';
  if (seat.state === 'working') return 'seat_working';
  if (seat.state === 'blocked') return 'seat_needs_input';
  return seat.state === 'idle' && seat.hard ? undefined : 'activity_unknown';
}

/** Rows named in one line; more are counted. */
const NAMED = 5;

/** `q-1, q-2 and 3 more`. */
export function namesOf(rows: ReadonlyArray<{ readonly id: string }>): string {
  const named = rows.slice(0, NAMED).map(({ id }) => id);
  const more = rows.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** One line that can't act on a terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}
