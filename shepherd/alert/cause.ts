// What an operator should know of now, as a set of standing causes. Always true: one alert a cause and subject, with the time
// since when it holds; a draft that is being typed, and a person who types, are never a cause; nothing here holds text of a
// message, a screen or a row. Pure.
import type { Alert, TimeMs } from '../port.js';

/** A seat that is blocked and owes nothing: a person at it answers sooner than this. */
export const BLOCKED_MS = 60_000;
/** How long something may wait for a floor, for another cause than a person. */
export const HELD_MS = 15 * 60_000;
/** Attempts that failed one after another. */
export const FAILURES = 3;
/** Held messages of one seat, of the hundred that are kept. */
export const NEARLY_FULL = 80;

/** A person is at work: their draft has no time limit and is nobody's alarm. */
const PERSON: ReadonlySet<string> = new Set(['draft_input_busy', 'draft_input_changed', 'human_active']);

export interface SeatState {
  readonly seat: string;
  readonly state: string;
  readonly at: TimeMs;
  /** Open rows are addressed to it. */
  readonly owes: boolean;
  /** Why the first request waits for its floor, and since when. */
  readonly waits: { readonly reason: string; readonly sinceAt: TimeMs } | null;
  /** Text of an earlier message that was never submitted. */
  readonly unsubmittedSince: TimeMs | null;
}

export interface Failing {
  readonly routine: string;
  readonly seat: string;
  readonly failures: number;
  readonly sinceAt: TimeMs;
}

/** By seat. */
export type HeldCounts = ReadonlyMap<string, { readonly held: number; readonly sinceAt: TimeMs }>;

function ofSeat(seat: SeatState, now: TimeMs): Alert[] {
  const alerts: Alert[] = [];
  const name = seat.seat;
  // No grace for a seat that holds work and can't go on without a person.
  if (seat.state === 'blocked' && (seat.owes || now - seat.at >= BLOCKED_MS)) {
    alerts.push({ cause: 'blocked', seat: name, sinceAt: seat.at });
  }
  const { waits, unsubmittedSince } = seat;
  // What a blocked seat makes wait has its alert above.
  const counts = waits !== null && seat.state !== 'blocked' && !PERSON.has(waits.reason);
  if (counts && now - waits.sinceAt >= HELD_MS) {
    alerts.push({
      cause: 'held_too_long',
      seat: name,
      sinceAt: waits.sinceAt,
      detail: { reason: waits.reason },
    });
  }
  if (unsubmittedSince !== null) {
    alerts.push({ cause: 'unsubmitted_text', seat: name, sinceAt: unsubmittedSince });
  }
  return alerts;
}

/** Every cause that stands now. */
export function causesOf(
  seats: readonly SeatState[],
  failing: readonly Failing[],
  held: HeldCounts,
  now: TimeMs,
): Alert[] {
  const alerts = seats.flatMap((seat) => ofSeat(seat, now));
  for (const { routine, seat, failures, sinceAt } of failing) {
    if (failures >= FAILURES)
      alerts.push({ cause: 'routine_failing', routine, seat, sinceAt, detail: { failures } });
  }
  for (const [seat, { held: count, sinceAt }] of held) {
    if (count >= NEARLY_FULL)
      alerts.push({ cause: 'retention_nearly_full', seat, sinceAt, detail: { held: count } });
  }
  return alerts;
}

/** An alert stands under this name until its cause ends. */
export function keyOf({ cause, seat, routine }: Pick<Alert, 'cause' | 'seat' | 'routine'>): string {
  return JSON.stringify([cause, seat ?? null, routine ?? null]);
}

/** What to raise and what to clear, given what stands. */
export function changesOf(
  standing: ReadonlySet<string>,
  alerts: readonly Alert[],
): { readonly raise: readonly Alert[]; readonly clear: readonly string[] } {
  const now = new Map(alerts.map((alert) => [keyOf(alert), alert]));
  return {
    raise: [...now].flatMap(([key, alert]) => (standing.has(key) ? [] : [alert])),
    clear: [...standing].filter((key) => !now.has(key)),
  };
}
