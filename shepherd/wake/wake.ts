// What becomes of a wake. Always true: a wake that was typed and confirmed is over; one that was perhaps typed is unconfirmed
// until a later attempt is confirmed, whatever fails in between; a wake never changes its row's state. Pure.
import type { FloorOutcome, Priority, TimeMs } from '../port.js';
import type { Row, WakeResult } from '../queue/row.js';

/** What a wake that is not with the runtime waits for, after an attempt that wrote nothing. */
export type Until =
  /** The mode held it: until the row changes or somebody asks. */
  | 'asked'
  /** The seat was blocked. */
  | 'unblocked'
  /** The seat had no occupant, or another one. */
  | 'occupied'
  /** The runtime ended or refused: until the next connection or start. */
  | 'pass';

export type WakeState = 'due' | 'asked' | 'parked' | 'over';

export interface Wake {
  readonly id: string;
  readonly rowId: string;
  readonly seat: string;
  /** `notice` for timers and start-up retries. */
  readonly origin: 'wake' | 'notice';
  readonly priority: Priority;
  readonly envelope: string;
  readonly state: WakeState;
  readonly until: Until | null;
  /** With `parked`: when it was. */
  readonly untilAt: TimeMs | null;
  /** Key of the request that carries it, or did last. */
  readonly requestKey: string | null;
  /** An earlier attempt may have been typed. */
  readonly unresolved: boolean;
  readonly result: WakeResult | null;
  readonly dueAt: TimeMs;
  readonly createdAt: TimeMs;
  readonly updatedAt: TimeMs;
}

export type WakeChange = Pick<Wake, 'state' | 'until' | 'untilAt' | 'unresolved' | 'result'>;

/** Ended by us, because the row or the company of the wake changed. */
const WITHDRAWN: ReadonlySet<string> = new Set(['withdrawn', 'superseded', 'draft_wake_superseded']);
const VACANT: ReadonlySet<string> = new Set([
  'session_missing',
  'session_ended',
  'seat_not_found',
  'occupant_changed',
]);
/** The wait is over, and the row is still open: it waits on. */
const WAITED: ReadonlySet<string> = new Set([
  'wait_for_idle_timeout',
  'target_activity_unknown',
  // The runtime never heard of it: Shepherd ended between its record and its request.
  'request_not_found',
]);

/** The wake after its attempt. `retired`: its row needs it no more. */
export function afterOutcome(
  wake: Pick<Wake, 'unresolved'>,
  outcome: FloorOutcome,
  retired: boolean,
  now: TimeMs,
): WakeChange {
  const { state, confirmed, reason } = outcome;
  const over = { state: 'over', until: null, untilAt: null } as const;
  if (state === 'complete' && confirmed) return { ...over, unresolved: false, result: 'confirmed' };
  if (state === 'complete' || state === 'indeterminate') {
    return { ...over, unresolved: true, result: 'unconfirmed' };
  }
  const told = (result: string) => (wake.unresolved ? 'unconfirmed' : result);
  const { unresolved } = wake;
  if (WITHDRAWN.has(reason)) {
    return retired
      ? { ...over, unresolved, result: told('failed:draft_wake_superseded') }
      : {
          state: 'due',
          until: null,
          untilAt: null,
          unresolved,
          result: wake.unresolved ? 'unconfirmed' : null,
        };
  }
  const result = state === 'held' ? 'held' : `failed:${reason}`;
  if (retired) return { ...over, unresolved, result: told(result) };
  if (state === 'failed' && WAITED.has(reason)) {
    return { state: 'due', until: null, untilAt: null, unresolved, result: told(result) };
  }
  return { state: 'parked', until: untilOf(outcome), untilAt: now, unresolved, result: told(result) };
}

function untilOf({ state, reason }: FloorOutcome): Until {
  if (state === 'held') return 'asked';
  if (reason === 'target_needs_input') return 'unblocked';
  return VACANT.has(reason) ? 'occupied' : 'pass';
}

/** Whether the wake still says something true: its row is addressed to that seat and nobody has taken it up. */
export function isCurrent(wake: Pick<Wake, 'seat'>, row: Pick<Row, 'state' | 'destination'>): boolean {
  return (row.state === 'pending' || row.state === 'blocked') && row.destination === wake.seat;
}

/** Whether a start-up pass makes one more attempt (shepherd contract 2). */
export function isRetried(wake: Wake, row: Row): boolean {
  if (!isCurrent(wake, row)) return false;
  if (wake.state === 'over') return wake.result === 'unconfirmed';
  return wake.state === 'parked' && wake.until !== 'asked' && wake.result !== 'held';
}

/** Between two attempts at a seat that refused because of what is on its screen, unless its status has changed. */
export const BLOCKED_SPACING_MS = 5_000;

/** What is known of the seat of a parked wake. */
export interface SeatFacts {
  readonly occupied: boolean;
  readonly blocked: boolean;
  /** Time of the evidence of its status. */
  readonly statusAt: TimeMs;
}

/** Whether a parked wake is due again. */
export function isDueAgain(wake: Pick<Wake, 'until' | 'untilAt'>, seat: SeatFacts, now: TimeMs): boolean {
  const parkedAt = wake.untilAt ?? 0;
  // Its screen can refuse what its status lets through; then it is not asked at every look.
  const news = seat.statusAt > parkedAt || now - parkedAt >= BLOCKED_SPACING_MS;
  switch (wake.until) {
    case 'unblocked':
      return seat.occupied && !seat.blocked && news;
    case 'occupied':
      return seat.occupied && news;
    default:
      return false;
  }
}
