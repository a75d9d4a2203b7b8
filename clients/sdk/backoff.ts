// How long to wait before the next attempt. Doubles from 100 ms to 5 s; half of it is jitter, so that many clients of one
// restarted runtime don't come back in the same instant. Chance is an input.

export const BACKOFF_FIRST_MS = 100;
export const BACKOFF_MAX_MS = 5_000;

/** Delay before attempt `attempt` (0 is the first retry); `chance` is 0..1. */
export function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.max(BACKOFF_FIRST_MS, Math.round(full * (0.5 + chance / 2)));
}
