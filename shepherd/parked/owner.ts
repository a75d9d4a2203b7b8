// Parked owners: seats that wait while they hold open rows. Always true: the first reminder waits until the waiting state has
// stood unchanged for the grace; a seat at a dialog is never reminded, a person is told at once; a success that was confirmed
// to the same occupant rests until its obligations change, any other attempt is made again. Pure.
import type { TimeMs } from '../port.js';
import { isDeliberatelyHeld } from '../queue/row.js';
import { namesOf, type QuietSkip, type RowFacts, type SeatFacts } from '../routine/policy.js';

/** A seat that has just handed work off or asked a person is not interrupted. */
export const GRACE_MS = 5 * 60_000;
/** Between two attempts at one owner. */
export const REPEAT_MS = 5 * 60_000;

/** A waiting state, as long as it stands unchanged. */
export interface Waiting {
  readonly generation: number;
  readonly tenure: string | null;
  readonly turns: number;
  readonly sinceAt: TimeMs;
}

/** What is remembered of the attempts at one owner. */
export interface Attempts {
  readonly attemptedAt: TimeMs | null;
  /** Obligations and occupant of the last confirmed success. */
  readonly confirmed: { readonly fingerprint: string; readonly occupant: string } | null;
  /** The last attempt may have been typed. */
  readonly unresolved: boolean;
}

export const NO_ATTEMPTS: Attempts = { attemptedAt: null, confirmed: null, unresolved: false };

export function occupantOf({ generation, tenure }: Pick<SeatFacts, 'generation' | 'tenure'>): string {
  return `${generation} ${tenure ?? ''}`;
}

/** The waiting state after a look; undefined when the seat doesn't wait at its prompt. */
export function observe(
  before: Waiting | undefined,
  seat: SeatFacts | undefined,
  now: TimeMs,
): Waiting | undefined {
  if (seat?.state !== 'idle') return undefined;
  const { generation, tenure, turns, at } = seat;
  const same = before?.generation === generation && before.tenure === tenure && before.turns === turns;
  return same ? before : { generation, tenure, turns, sinceAt: Math.min(at, now) };
}

/** Rows that the seat owes work on now: open, not set aside on purpose, and without a timer of its own. */
export function obligations(rows: readonly RowFacts[], now: TimeMs): RowFacts[] {
  return rows.filter(
    (row) => !isDeliberatelyHeld(row, now) && (row.wakeDueAt === null || row.wakeDueAt <= now),
  );
}

/** Changes when the set of obligations does. */
export function fingerprintOf(rows: readonly RowFacts[]): string {
  return rows
    .map(({ id, state, blockedOn, updatedAt }) => JSON.stringify([id, state, blockedOn, updatedAt]))
    .sort()
    .join('\n');
}

export interface OwnerCase {
  readonly seat: SeatFacts | undefined;
  readonly waiting: Waiting | undefined;
  /** Open rows addressed to it. */
  readonly rows: readonly RowFacts[];
  readonly attempts: Attempts;
  /** A reminder of it is with the runtime. */
  readonly asked: boolean;
  readonly graceMs: number;
  readonly repeatMs: number;
}

export type OwnerVerdict =
  | {
      readonly kind: 'remind';
      readonly text: string;
      readonly rows: readonly string[];
      readonly fingerprint: string;
    }
  | { readonly kind: 'alert'; readonly sinceAt: TimeMs }
  | { readonly kind: 'skip'; readonly reason: QuietSkip };

const skip = (reason: QuietSkip): OwnerVerdict => ({ kind: 'skip', reason });

export function judgeOwner(one: OwnerCase, now: TimeMs): OwnerVerdict {
  const { seat, waiting, attempts } = one;
  const rows = obligations(one.rows, now);
  if (rows.length === 0) return skip('nothing_actionable');
  if (seat === undefined || seat.state === 'unknown') return skip('activity_unknown');
  if (seat.state === 'working') return skip('seat_working');
  if (seat.state === 'blocked') return { kind: 'alert', sinceAt: seat.at };
  if (one.asked) return skip('active_wake_not_due');
  if (seat.lifecycleOwed) return skip('not_due');
  if (waiting === undefined || now - waiting.sinceAt < one.graceMs) return skip('not_due');
  const fingerprint = fingerprintOf(rows);
  const { confirmed, attemptedAt } = attempts;
  if (confirmed?.fingerprint === fingerprint && confirmed.occupant === occupantOf(seat))
    return skip('healthy');
  // A repeat is for the same obligations; a seat whose last word it was has its grace instead.
  if (confirmed === null && attemptedAt !== null && now - attemptedAt < one.repeatMs) {
    return skip('active_wake_not_due');
  }
  const count = rows.length === 1 ? 'an open row' : `${rows.length} open rows`;
  const text = `you hold ${count} and wait: ${namesOf(rows)}. Go on, or close, hand off or block: openfloor queue show ${rows[0]?.id}`;
  return { kind: 'remind', text, rows: rows.map(({ id }) => id), fingerprint };
}

/** What is remembered after an attempt. `outcome` is null while it is under way, and stays so when nobody hears of its end. */
export function afterAttempt(
  before: Attempts,
  outcome: 'confirmed' | 'unconfirmed' | 'held' | 'failed' | null,
  at: { readonly fingerprint: string; readonly occupant: string },
  now: TimeMs,
): Attempts {
  if (outcome === null) return { ...before, attemptedAt: now, confirmed: null };
  if (outcome === 'confirmed') return { ...before, confirmed: at, unresolved: false };
  return { ...before, confirmed: null, unresolved: before.unresolved || outcome === 'unconfirmed' };
}
