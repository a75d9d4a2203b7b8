// From what the channels said to the one status. Always true: only a hard channel makes idle; the highest-ranked channel
// that has spoken decides; lower ones and the screen can only take idle away; a recognised dialog makes any status
// blocked. Derived anew each time, so nothing sticks. It changes nothing: `fold.ts` keeps the state.
import { childrenAtWork } from './record.js';
import type { Background } from './rule.js';
import type { StatusState } from './state.js';
import { HARD_CHANNELS, type HardChannel, type Signal, type Status } from './status.js';

/** What the hard channels say together. */
export interface Base {
  readonly signal: Signal;
  readonly channel: HardChannel;
  readonly veto?: HardChannel;
}

export function decidingChannel(state: StatusState): HardChannel | undefined {
  return HARD_CHANNELS.find((channel) => state.signals[channel] !== undefined);
}

export function isAtRest(signal: Signal): boolean {
  return signal.means === 'idle' || signal.means === 'idle_or_blocked';
}

/** The deciding signal, or a newer contradiction of its idle by a lower channel. */
export function baseOf(state: StatusState): Base | undefined {
  const channel = decidingChannel(state);
  const signal = channel && state.signals[channel];
  if (channel === undefined || signal === undefined) return undefined;
  if (isAtRest(signal)) {
    for (const lower of HARD_CHANNELS.slice(HARD_CHANNELS.indexOf(channel) + 1)) {
      const other = state.signals[lower];
      if (other === undefined || other.order < signal.order) continue;
      if (other.means === 'working' || other.means === 'blocked')
        return { signal: other, channel: lower, veto: lower };
    }
  }
  return { signal, channel };
}

function backgroundOf(state: StatusState): Background | undefined {
  const told = [state.reading?.background, ...Object.values(state.backgrounds)];
  if (childrenAtWork(state.records) || told.includes('agents')) return 'agents';
  return told.includes('shell') ? 'shell' : undefined;
}

function fromBase(
  base: Base,
): Pick<Status, 'state' | 'source' | 'at' | 'offset' | 'hard' | 'detail'> & Partial<Status> {
  const { signal, channel, veto } = base;
  const evidence = { source: channel, at: signal.at, offset: signal.offset, detail: signal.detail };
  const vetoed = veto === undefined ? {} : { veto };
  switch (signal.means) {
    case 'idle':
    case 'idle_or_blocked':
      return { ...evidence, state: 'idle', hard: true, ...(signal.done ? { done: true as const } : {}) };
    case 'working':
      return { ...evidence, state: 'working', hard: true, ...vetoed };
    case 'blocked':
      return {
        ...evidence,
        state: 'blocked',
        hard: true,
        ...vetoed,
        ...(signal.kind ? { kind: signal.kind } : {}),
      };
    case 'unknown':
      return { ...evidence, state: 'unknown', hard: false, cause: signal.cause ?? 'cleared' };
  }
}

/** The status now. `state` must have been brought up to now (`foldStatus` does). */
export function deriveStatus(state: StatusState): Status {
  const { tenure, turns, heard: signal, interrupt, reading } = state;
  const nothing = {
    source: 'process',
    hard: false,
    detail: '',
    turns,
    signal,
    needsComposer: false,
  } as const;
  if (tenure.is === 'none')
    return { ...nothing, state: 'unknown', cause: tenure.cause, at: tenure.at, offset: tenure.offset };
  const base = baseOf(state);
  const background = backgroundOf(state);
  const facts = {
    turns,
    signal,
    tenure: tenure.tenure,
    needsComposer: tenure.tenure.carrier !== undefined || base?.signal.means === 'idle_or_blocked',
    ...(background === undefined ? {} : { background }),
  };
  let status: Status;
  if (base === undefined) {
    status = {
      ...nothing,
      state: 'unknown',
      cause: 'starting',
      at: tenure.at,
      offset: tenure.offset,
      ...facts,
    };
  } else if (interrupt.is === 'unsettled') {
    const { offset, detail } = base.signal;
    status = {
      state: 'unknown',
      cause: 'interrupt_unsettled',
      source: base.channel,
      hard: false,
      at: interrupt.at,
      offset,
      detail,
      ...facts,
    };
  } else status = { ...fromBase(base), ...facts };
  if (reading === undefined) return status;
  const seen = { source: 'screen', hard: false, at: reading.at, offset: reading.offset } as const;
  if (reading.dialog !== undefined) {
    const { kind, detail } = reading.dialog;
    if (status.state === 'blocked') return status.kind === undefined ? { ...status, kind } : status;
    const { cause, done, veto, ...rest } = status;
    return { ...rest, ...seen, state: 'blocked', kind, detail };
  }
  // A reading from before the idle evidence shows what was on the screen before: it contradicts nothing.
  if (status.state === 'idle' && reading.working !== undefined && reading.offset >= status.offset) {
    const { done, ...rest } = status;
    return { ...rest, ...seen, state: 'working', detail: reading.working.detail, veto: 'screen' };
  }
  return status;
}
