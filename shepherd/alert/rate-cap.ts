// How many messages two agents may cause each other. Always true: a pair is the same in both directions; what is refused
// doesn't count; the first refusal of a window is the one that is told. Pure: time is given. It knows nothing of what a
// message says.
import type { TimeMs } from '../port.js';

export const PAIR_MESSAGES = 8;
export const PAIR_WINDOW_MS = 10 * 60_000;
/** Pairs that are counted at once; the one that was silent longest makes room. */
export const PAIRS = 10_000;

export type Admission =
  | { readonly kind: 'admitted' }
  /** `tell`: nobody has been told in this window. */
  | { readonly kind: 'rate_capped'; readonly tell: boolean; readonly sinceAt: TimeMs };

interface Pair {
  readonly times: TimeMs[];
  toldAt: TimeMs | undefined;
}

export class RateCap {
  readonly #pairs = new Map<string, Pair>();

  /** Counts a message from one agent's seat to another's, or refuses it. A seat and itself are no pair. */
  admit(from: string, to: string, now: TimeMs): Admission {
    if (from === to) return { kind: 'admitted' };
    const key = JSON.stringify([from, to].sort());
    const pair = this.#pairs.get(key) ?? { times: [], toldAt: undefined };
    while (pair.times[0] !== undefined && now - pair.times[0] >= PAIR_WINDOW_MS) pair.times.shift();
    const [sinceAt] = pair.times;
    if (sinceAt !== undefined && pair.times.length >= PAIR_MESSAGES) {
      const tell = pair.toldAt === undefined || now - pair.toldAt >= PAIR_WINDOW_MS;
      if (tell) pair.toldAt = now;
      return { kind: 'rate_capped', tell, sinceAt };
    }
    pair.times.push(now);
    // Last in the map is the newest.
    this.#pairs.delete(key);
    this.#pairs.set(key, pair);
    const [oldest] = this.#pairs.keys();
    if (this.#pairs.size > PAIRS && oldest !== undefined) this.#pairs.delete(oldest);
    return { kind: 'admitted' };
  }
}
