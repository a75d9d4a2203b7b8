// How often an attached client may be preempted (attach contract 1.10): the first attach of a generation is free, then a
// fixed number per window. Reconnects to a session that nobody holds cost nothing. Pure: time is an argument.
import { TAKEOVER_WINDOW_MS, TAKEOVERS } from '../../protocol/limit.js';

export interface TakeoverBudget {
  readonly windowStart: number;
  readonly used: number;
}

export const FRESH_BUDGET: TakeoverBudget = { windowStart: 0, used: 0 };

/** The budget after one more takeover at `now`, or undefined when it is spent. */
export function spendTakeover(budget: TakeoverBudget, now: number): TakeoverBudget | undefined {
  const current =
    budget.used === 0 || now - budget.windowStart >= TAKEOVER_WINDOW_MS
      ? { windowStart: now, used: 0 }
      : budget;
  return current.used >= TAKEOVERS ? undefined : { ...current, used: current.used + 1 };
}
