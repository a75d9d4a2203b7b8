// Turns: from the first working signal of the deciding channel to its next rest. Always true: a finished turn is counted
// once, also when its start and end came in one read; a rest that may be a dialog ends a turn only when a reading shows the
// composer. It never changes a status.
import { decidingChannel, isStarting } from './derive.js';
import type { StatusState } from './state.js';
import type { StatusChange } from './status.js';

interface Moment {
  readonly at: number;
  readonly offset: number;
  /** A notification said that a turn has ended. */
  readonly over: boolean;
}

type Turned = { readonly state: StatusState; readonly changes: readonly StatusChange[] };

function finish(state: StatusState, { at, offset }: Moment): Turned {
  const turns = state.turns + 1;
  return {
    state: { ...state, turns, turn: { is: 'none' } },
    changes: [{ type: 'turn_finished', at, offset, turns }],
  };
}

function start(state: StatusState, { at, offset }: Moment): Turned {
  const source = decidingChannel(state);
  if (source === undefined) return { state, changes: [] };
  const afterEnter = state.enterAt !== undefined;
  return {
    state: { ...state, turn: { is: 'running' }, enterAt: undefined },
    changes: [{ type: 'turn_started', at, offset, source, afterEnter }],
  };
}

/** A reading tells whether a rest that may be a dialog is one. */
function settleRest(state: StatusState, moment: Moment): Turned {
  const { turn, reading } = state;
  if (turn.is !== 'perhaps_over' || reading === undefined || reading.offset < turn.offset)
    return { state, changes: [] };
  if (reading.dialog !== undefined) return { state: { ...state, turn: { is: 'running' } }, changes: [] };
  // A live row says that the screen is older than the rest, or that the work goes on.
  const over = reading.composer && reading.working === undefined;
  return over ? finish(state, moment) : { state, changes: [] };
}

/** Brings the turn up to what the deciding channel says now. */
export function advanceTurn(state: StatusState, moment: Moment): Turned {
  const channel = decidingChannel(state);
  const signal = channel && state.signals[channel];
  if (moment.over && state.turn.is !== 'none') return finish(state, moment);
  if (signal === undefined || state.interrupt.is === 'unsettled') return { state, changes: [] };
  switch (signal.means) {
    case 'working': {
      if (state.turn.is === 'running') return { state, changes: [] };
      // What an agent does by itself while it starts is no turn.
      if (isStarting(state) && state.enterAt === undefined) return { state, changes: [] };
      const before = state.turn.is === 'perhaps_over' ? finish(state, moment) : { state, changes: [] };
      const after = start(before.state, moment);
      return { state: after.state, changes: [...before.changes, ...after.changes] };
    }
    case 'idle':
      return state.turn.is === 'none' ? { state, changes: [] } : finish(state, moment);
    case 'idle_or_blocked': {
      if (state.turn.is !== 'running') return settleRest(state, moment);
      return settleRest({ ...state, turn: { is: 'perhaps_over', offset: signal.offset } }, moment);
    }
    case 'blocked':
      return state.turn.is === 'perhaps_over'
        ? { state: { ...state, turn: { is: 'running' } }, changes: [] }
        : { state, changes: [] };
    case 'unknown':
      return { state, changes: [] };
  }
}
