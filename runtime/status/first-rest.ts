// The first rest of a tenure: some agents say that they are at rest, work for a moment while they start, and rest again.
// Always true: where the pack names no time, the first rest counts at once; a rest that work interrupts begins anew; what
// once counted counts for the rest of the tenure. It knows no clock: `expire` and `nextDeadline` ask it.
import { baseOf, isAtRest } from './derive.js';
import type { FirstRest, StatusState } from './state.js';

const NONE: FirstRest = { is: 'none' };
const OVER: FirstRest = { is: 'over' };

/** When the first rest counts as idle, milliseconds since the epoch; undefined: nothing is due. */
export function firstRestDue({ tenure, firstRest }: StatusState): number | undefined {
  if (tenure.is === 'none' || firstRest.is !== 'standing') return undefined;
  return firstRest.since + (tenure.pack.first_rest_ms ?? 0);
}

/** The first rest has stood long enough by now. */
export function expireFirstRest(state: StatusState, now: number): StatusState {
  const due = firstRestDue(state);
  return due === undefined || due > now ? state : { ...state, firstRest: OVER };
}

/** Brings the first rest up to what the channels say; `at` is the time of what they said. */
export function advanceFirstRest(state: StatusState, at: number): StatusState {
  const { tenure, firstRest } = state;
  if (tenure.is === 'none' || firstRest.is === 'over') return state;
  if (tenure.pack.first_rest_ms === undefined) return state;
  const base = baseOf(state);
  const rests = base !== undefined && isAtRest(base.signal);
  if (rests === (firstRest.is === 'standing')) return state;
  return { ...state, firstRest: rests ? { is: 'standing', since: at } : NONE };
}
