// What to do for one batch: the wakes of one seat with one origin and one priority, which travel in one message. Always true:
// a batch has at most one request with the runtime; a wake that is to join, leave or live on goes by withdrawing that request
// first, so that nothing is typed twice. Pure.
import type { TimeMs } from '../port.js';
import type { Wake } from './wake.js';

/** Wakes in one message; more wait for the next. */
export const JOINED = 50;
/** How long a request may wait: the runtime's longest wait. */
export const WAIT_MS = 24 * 3_600_000;
/** A waiting request is renewed this long before its end. */
export const RENEW_BEFORE_MS = 3_600_000;

/** Wakes are joined only with their like: the guard mode judges a message by its origin and urgency. */
export function batchOf(wake: Pick<Wake, 'seat' | 'origin' | 'priority'>): string {
  return `${wake.seat} ${wake.origin} ${wake.priority}`;
}

/** A batch's request that is with the runtime. */
export interface Carried {
  readonly wakes: readonly string[];
  readonly askedAt: TimeMs;
  /** Its withdrawal has been asked for. */
  readonly withdrawing: boolean;
}

export type BatchPlan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'ask'; readonly wakes: readonly Wake[] }
  | { readonly kind: 'withdraw' };

/**
 * `due`: wakes of the batch that are due, oldest first. `retired`: ids of carried wakes that their rows need no more.
 */
export function planBatch(
  carried: Carried | undefined,
  due: readonly Wake[],
  retired: ReadonlySet<string>,
  now: TimeMs,
): BatchPlan {
  if (carried === undefined) {
    return due.length === 0 ? { kind: 'nothing' } : { kind: 'ask', wakes: due.slice(0, JOINED) };
  }
  if (carried.withdrawing) return { kind: 'nothing' };
  const left = carried.wakes.filter((id) => !retired.has(id)).length;
  const join = due.length > 0 && left < JOINED;
  const renew = now >= carried.askedAt + WAIT_MS - RENEW_BEFORE_MS;
  return join || renew || left < carried.wakes.length ? { kind: 'withdraw' } : { kind: 'nothing' };
}
