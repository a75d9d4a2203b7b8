// The status machine of one session: an event in, the next state and what changed out. Always true: a new tenure inherits
// nothing; every signal counts in order; a signal counts only if its printer stands in the foreground; lapsing levels and
// interrupts end in unknown, never in idle; the result depends on the events and their times alone, not on ticks between
// them. No clock, no I/O: ask `nextDeadline` and send a tick.
import { SIGNAL_EVENT } from '../../protocol/status.js';
import { baseOf, deriveStatus } from './derive.js';
import { advanceFirstRest, firstRestDue } from './first-rest.js';
import { detailOf, type Observation, observe } from './observe.js';
import { foldPrompt } from './prompt-mark.js';
import { findHookRule, findRule, tryRules } from './rule.js';
import { escapeText, type SequenceEvent } from './sequence.js';
import {
  applyPostedSignal,
  applyProgramReport,
  applyRule,
  expire,
  isOfApp,
  lapse,
  noteSeen,
} from './signal.js';
import { FRESH, type Seen, type StatusState } from './state.js';
import {
  type Front,
  HARD_CHANNELS,
  type Status,
  type StatusChange,
  type StatusEvent,
  type StatusPack,
  type Tenure,
} from './status.js';
import { advanceTurn } from './turn.js';

/** How long an interrupt may stay without a signal of the deciding channel. Measured: agents answer within 0.2 s. */
export const INTERRUPT_MS = 10_000;

interface Step {
  readonly state: StatusState;
  /** A notification said that a turn has ended. */
  readonly turnOver?: true;
}

interface Live {
  readonly tenure: Tenure;
  readonly pack: StatusPack;
}

function timeOf(event: StatusEvent): number {
  if (event.type === 'sequence') return event.sequence.at;
  return event.type === 'reading' ? event.reading.at : event.at;
}

function foldObservation(
  state: StatusState,
  observation: Exclude<Observation, { type: 'nothing' }>,
  sequence: SequenceEvent,
  front: Front,
): Step {
  const { at, offset } = sequence;
  const { concept } = observation;
  const mark = observation.type === 'observed' ? observation.mark : undefined;
  if (mark !== undefined && (front === 'shell' || front === 'tenure'))
    state = { ...state, prompt: foldPrompt(state.prompt, mark, offset) };
  const detail =
    observation.type === 'report'
      ? `state=${observation.report.state}`
      : observation.type === 'observed'
        ? detailOf(observation.observed)
        : '';
  const observed = observation.type === 'observed' ? { observed: observation.observed } : {};
  const seen = (result: Seen['result'], reason?: string): Seen => ({
    detail,
    at,
    offset,
    result,
    ...observed,
    ...(reason ? { reason } : {}),
  });
  if (observation.type === 'refused')
    return { state: noteSeen(state, concept, seen('refused', observation.reason)) };
  if (state.tenure.is === 'none') return { state: noteSeen(state, concept, seen('no_tenure')) };
  const { tenure, pack } = state.tenure;
  if (mark?.type === 'prompt_start' && front !== 'other') state = lapse(state, 'prompt', at, offset);
  const inFront = front === 'tenure' || (front === 'carrier' && observation.type === 'report');
  if (!inFront) return { state: noteSeen(state, concept, seen('not_in_front', front)) };
  if (observation.type === 'report') {
    if (front === 'carrier' && !isOfApp(state, pack, observation.report))
      return { state: noteSeen(state, concept, seen('other_app')) };
    return {
      state: noteSeen(applyProgramReport(state, observation.report, sequence), concept, seen('counted')),
    };
  }
  const rule = findRule(pack.rules, observation.observed, tenure.version);
  if (rule === undefined) return { state: noteSeen(state, concept, seen('no_rule')) };
  const next = noteSeen(applyRule(state, 'sequence', rule, { at, offset, detail }), concept, seen('counted'));
  return rule.means === 'turn' ? { state: next, turnOver: true } : { state: next };
}

function foldHook(state: StatusState, live: Live, event: StatusEvent & { type: 'hook' }): Step {
  const { at, offset, hook } = event;
  const { pack, tenure } = live;
  if (hook.event === SIGNAL_EVENT) {
    const signalled = applyPostedSignal(state, hook.fields, at, offset);
    const result = signalled === undefined ? 'no_rule' : 'counted';
    return {
      state: noteSeen(signalled ?? state, 'hook', { detail: SIGNAL_EVENT, at, offset, tried: [], result }),
    };
  }
  const rule = findHookRule(pack.hooks, hook, tenure.version);
  const detail = escapeText(hook.event);
  const tried = tryRules(pack.hooks, hook, tenure.version);
  const seen: Seen = { detail, at, offset, tried, result: rule === undefined ? 'no_rule' : 'counted' };
  if (rule === undefined) return { state: noteSeen(state, 'hook', seen) };
  const next = noteSeen(applyRule(state, 'hook', rule, { at, offset, detail }), 'hook', seen);
  return rule.means === 'turn' ? { state: next, turnOver: true } : { state: next };
}

function step(state: StatusState, event: StatusEvent): Step {
  switch (event.type) {
    case 'tenure_started': {
      const { tenure, pack, at, offset } = event;
      return {
        state: {
          ...FRESH,
          prompt: state.prompt,
          heard: state.heard,
          tenure: { is: 'live', tenure, pack, at, offset },
        },
      };
    }
    case 'tenure_ended':
      if (state.tenure.is === 'none') return { state };
      return {
        state: {
          ...FRESH,
          prompt: state.prompt,
          heard: state.heard,
          tenure: { is: 'none', cause: 'tenure_ended', at: event.at, offset: event.offset },
        },
      };
    case 'sequence': {
      const { observation, open } = observe(event.sequence, state.openNotifications);
      const next = open === state.openNotifications ? state : { ...state, openNotifications: open };
      return observation.type === 'nothing'
        ? { state: next }
        : foldObservation(next, observation, event.sequence, event.front);
    }
    case 'reset':
      if (event.front !== 'tenure' && event.front !== 'carrier') return { state };
      return { state: lapse(state, 'reset', event.at, event.offset) };
    case 'hook':
      if (state.tenure.is === 'none')
        return {
          state: noteSeen(state, 'hook', {
            detail: escapeText(event.hook.event),
            at: event.at,
            offset: event.offset,
            result: 'no_tenure',
          }),
        };
      return foldHook(state, state.tenure, event);
    case 'interrupt': {
      const means = baseOf(state)?.signal.means;
      const interrupts = state.tenure.is === 'live' && state.tenure.pack.interrupt.keys.includes(event.key);
      if (!interrupts || state.interrupt.is === 'unsettled' || (means !== 'working' && means !== 'blocked'))
        return { state };
      return { state: { ...state, interrupt: { is: 'open', deadline: event.at + INTERRUPT_MS } } };
    }
    case 'enter':
      return { state: { ...state, enterAt: event.at } };
    case 'reading':
      return { state: state.tenure.is === 'live' ? { ...state, reading: event.reading } : state };
    case 'tick':
      return { state };
  }
}

/** Whether two statuses say the same, evidence and turn counter aside. */
function saysTheSame(a: Status, b: Status): boolean {
  return (
    a.state === b.state &&
    a.kind === b.kind &&
    a.source === b.source &&
    a.hard === b.hard &&
    a.done === b.done &&
    a.background === b.background &&
    a.cause === b.cause &&
    a.needsComposer === b.needsComposer &&
    a.veto === b.veto &&
    a.tenure === b.tenure
  );
}

const NO_CHANGES: readonly StatusChange[] = [];

/** Most sequences are none of the agent's business: nothing that the status or the turn is made of has changed. */
function saysNothing(before: StatusState, { state, turnOver }: Step): boolean {
  return (
    turnOver !== true &&
    state.signals === before.signals &&
    state.records === before.records &&
    state.reading === before.reading &&
    state.interrupt === before.interrupt &&
    state.firstRest === before.firstRest &&
    state.tenure === before.tenure &&
    state.backgrounds === before.backgrounds
  );
}

function offsetOf(event: StatusEvent): number | undefined {
  if (event.type === 'sequence') return event.sequence.offset;
  if (event.type === 'reading') return event.reading.offset;
  return 'offset' in event ? event.offset : undefined;
}

/**
 * The next state and what changed, in order: turns, then the status once. Events must come in the order in which they
 * happened; what was due before an event's time happens first.
 */
export function foldStatus(
  state: StatusState,
  event: StatusEvent,
): { readonly state: StatusState; readonly changes: readonly StatusChange[] } {
  const at = timeOf(event);
  const stepped = step(expire(state, at), event);
  if (saysNothing(state, stepped)) return { state: stepped.state, changes: NO_CHANGES };
  const previous = deriveStatus(state);
  const offset = offsetOf(event) ?? previous.offset;
  const rested = advanceFirstRest(stepped.state, at);
  const turned = advanceTurn(rested, { at, offset, over: stepped.turnOver === true });
  const status = deriveStatus(turned.state);
  const changes: StatusChange[] = [...turned.changes];
  if (!saysTheSame(previous, status)) changes.push({ type: 'status', status, previous });
  else if (
    previous.at !== status.at ||
    previous.offset !== status.offset ||
    previous.detail !== status.detail
  )
    changes.push({ type: 'evidence', status });
  return { state: turned.state, changes };
}

/** When the state changes by itself, milliseconds since the epoch; undefined: never. */
export function nextDeadline(state: StatusState): number | undefined {
  let next = state.interrupt.is === 'open' ? state.interrupt.deadline : undefined;
  const rest = firstRestDue(state);
  if (rest !== undefined && (next === undefined || rest < next)) next = rest;
  for (const channel of HARD_CHANNELS) {
    const due = state.signals[channel]?.staleAt;
    if (due !== undefined && (next === undefined || due < next)) next = due;
  }
  return next;
}
