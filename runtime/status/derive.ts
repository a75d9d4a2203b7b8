// From what the channels said to the one status. Always true: only a hard channel makes idle; the highest-ranked channel
// that has spoken decides; lower ones and the screen can only take idle away; a recognised dialog makes any status
// blocked. Derived anew each time, so nothing sticks. It changes nothing: `fold.ts` keeps the state.
import { childrenAtWork } from './record.js';
import type { Background } from './rule.js';
import type { StatusState } from './state.js';
import { HARD_CHANNELS, type HardChannel, type ReadingEvidence, type Signal, type Status } from './status.js';

/** What the hard channels say together. */
export interface Base {
  readonly signal: Signal;
  readonly channel: HardChannel;
  readonly veto?: HardChannel;
}

/** The highest-ranked channel that has spoken. */
export function decidingChannel({ signals }: Pick<StatusState, 'signals'>): HardChannel | undefined {
  for (const channel of HARD_CHANNELS) if (signals[channel] !== undefined) return channel;
  return undefined;
}

/** A rest that doesn't count yet: the agent is still starting. */
export function isStarting({ tenure, firstRest }: StatusState): boolean {
  return tenure.is === 'live' && tenure.pack.first_rest_ms !== undefined && firstRest.is !== 'over';
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
    for (const lower of HARD_CHANNELS) {
      const other = state.signals[lower];
      if (other === undefined || other.order <= signal.order) continue;
      if (other.means === 'working' || other.means === 'blocked')
        return { signal: other, channel: lower, veto: lower };
    }
  }
  return { signal, channel };
}

function backgroundOf(state: StatusState): Background | undefined {
  const { reading, backgrounds, records } = state;
  const { sequence, hook } = backgrounds;
  const told = (one: Background) => reading?.background === one || sequence === one || hook === one;
  if (told('agents') || (records.size > 0 && childrenAtWork(records))) return 'agents';
  return told('shell') ? 'shell' : undefined;
}

/** A status under construction. Written field by field: it is made for every signal, and absent fields stay absent. */
type Draft = { -readonly [Field in keyof Status]: Status[Field] };

function addBase(draft: Draft, { signal, channel, veto }: Base): void {
  draft.source = channel;
  draft.at = signal.at;
  draft.offset = signal.offset;
  draft.detail = signal.detail;
  if (signal.means === 'unknown') {
    draft.cause = signal.cause ?? 'cleared';
    return;
  }
  draft.state = signal.means === 'idle_or_blocked' ? 'idle' : signal.means;
  draft.hard = true;
  if (signal.done) draft.done = true;
  if (signal.kind !== undefined) draft.kind = signal.kind;
  if (veto !== undefined) draft.veto = veto;
}

function addScreen(draft: Draft, reading: ReadingEvidence): void {
  const { dialog, working } = reading;
  if (dialog !== undefined && draft.state === 'blocked') {
    draft.kind ??= dialog.kind;
    return;
  }
  // A reading from before the idle evidence shows what was on the screen before: it contradicts nothing.
  const vetoes = draft.state === 'idle' && working !== undefined && reading.offset >= draft.offset;
  if (dialog === undefined && !vetoes) return;
  delete draft.done;
  delete draft.cause;
  delete draft.veto;
  draft.source = 'screen';
  draft.hard = false;
  draft.at = reading.at;
  draft.offset = reading.offset;
  if (dialog !== undefined) {
    draft.state = 'blocked';
    draft.kind = dialog.kind;
    draft.detail = dialog.detail;
  } else {
    draft.state = 'working';
    draft.detail = working?.detail ?? '';
    draft.veto = 'screen';
  }
}

/** The status now. `state` must have been brought up to now (`foldStatus` does). */
export function deriveStatus(state: StatusState): Status {
  const { tenure, turns, heard, interrupt, reading } = state;
  const draft: Draft = {
    state: 'unknown',
    source: 'process',
    at: tenure.at,
    offset: tenure.offset,
    hard: false,
    detail: '',
    turns,
    signal: heard,
    needsComposer: false,
  };
  if (tenure.is === 'none') {
    draft.cause = tenure.cause;
    return draft;
  }
  draft.tenure = tenure.tenure;
  const background = backgroundOf(state);
  if (background !== undefined) draft.background = background;
  const base = baseOf(state);
  draft.needsComposer = tenure.tenure.carrier !== undefined || base?.signal.means === 'idle_or_blocked';
  if (base === undefined) draft.cause = 'starting';
  else if (interrupt.is === 'unsettled') {
    draft.cause = 'interrupt_unsettled';
    draft.source = base.channel;
    draft.at = interrupt.at;
    draft.offset = base.signal.offset;
    draft.detail = base.signal.detail;
  } else {
    addBase(draft, base);
    if (draft.state === 'idle' && isStarting(state)) {
      draft.state = 'unknown';
      draft.cause = 'starting';
      draft.hard = false;
      delete draft.done;
    }
  }
  if (reading !== undefined) addScreen(draft, reading);
  return draft;
}
