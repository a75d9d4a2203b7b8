// What one signal does to the state: it replaces what its channel said, renews a level, settles an interrupt, or lapses.
// Always true: a signal touches its own channel only; what lapses becomes unknown. Who may speak is decided before.
import { decidingChannel, isAtRest } from './derive.js';
import { expireFirstRest } from './first-rest.js';
import type { Concept } from './observe.js';
import { type ProgramReport, ROOT_ID } from './program-status.js';
import { applyReport, lapseEphemeral, NO_RECORDS, rootRecord } from './record.js';
import type { Background, HookRule, SequenceRule } from './rule.js';
import { escapeText, type SequenceEvent } from './sequence.js';
import type { Interrupt, Seen, Signals, StatusState } from './state.js';
import { HARD_CHANNELS, type HardChannel, type Signal, type StatusPack } from './status.js';

/** Levels that stopped repeating and interrupts that nothing settled become unknown. */
export function expire(state: StatusState, now: number): StatusState {
  let { signals, interrupt } = state;
  for (const channel of HARD_CHANNELS) {
    const signal = signals[channel];
    if (signal?.staleAt === undefined || signal.staleAt > now) continue;
    const { staleAt, kind, done, ...rest } = signal;
    signals = withSignal(signals, channel, { ...rest, means: 'unknown', cause: 'stale', at: staleAt });
  }
  if (interrupt.is === 'open' && interrupt.deadline <= now)
    interrupt = { is: 'unsettled', at: interrupt.deadline };
  const next =
    signals === state.signals && interrupt === state.interrupt ? state : { ...state, signals, interrupt };
  return expireFirstRest(next, now);
}

export function noteSeen(state: StatusState, concept: Concept, seen: Seen): StatusState {
  return { ...state, seen: { ...state.seen, [concept]: seen } };
}

export function applySignal(
  state: StatusState,
  channel: HardChannel,
  signal: Omit<Signal, 'order'>,
): StatusState {
  const order = state.order + 1;
  const signals = withSignal(state.signals, channel, { ...signal, order });
  let { interrupt } = state;
  const spoken = decidingChannel({ signals }) === channel;
  if (spoken || (interrupt.is === 'unsettled' && signal.means === 'working')) interrupt = NO_INTERRUPT;
  return { ...state, signals, order, interrupt, heard: state.heard + (spoken ? 1 : 0) };
}

const NO_INTERRUPT: Interrupt = { is: 'none' };

/** Written out: a computed key in a spread is many times slower, and agents signal ten times a second. */
function withSignal(signals: Signals, channel: HardChannel, signal: Signal): Signals {
  const { program_status, sequence, hook } = signals;
  switch (channel) {
    case 'program_status':
      return { program_status: signal, sequence, hook };
    case 'sequence':
      return { program_status, sequence: signal, hook };
    case 'hook':
      return { program_status, sequence, hook: signal };
  }
}

function withBackground(
  backgrounds: StatusState['backgrounds'],
  channel: HardChannel,
  background: Background | undefined,
): StatusState['backgrounds'] {
  return backgrounds[channel] === background ? backgrounds : { ...backgrounds, [channel]: background };
}

export function applyRule(
  state: StatusState,
  channel: HardChannel,
  rule: SequenceRule | HookRule,
  evidence: { readonly at: number; readonly offset: number; readonly detail: string },
): StatusState {
  if (rule.means === 'turn') return state;
  const backgrounds = withBackground(state.backgrounds, channel, rule.background);
  const next = backgrounds === state.backgrounds ? state : { ...state, backgrounds };
  return applySignal(next, channel, {
    means: rule.means,
    rule: rule.id,
    ...evidence,
    ...(rule.kind === undefined ? {} : { kind: rule.kind }),
    ...(rule.means === 'unknown' ? { cause: 'cleared' as const } : {}),
    ...(rule.stale_ms === undefined ? {} : { staleAt: evidence.at + rule.stale_ms }),
  });
}

const REPORTED = {
  idle: { means: 'idle' },
  done: { means: 'idle', done: true },
  working: { means: 'working' },
  blocked: { means: 'blocked' },
  error: { means: 'blocked', kind: 'error' },
  clear: { means: 'unknown', cause: 'cleared' },
} as const;

export function applyProgramReport(
  state: StatusState,
  report: ProgramReport,
  sequence: SequenceEvent,
): StatusState {
  const { at, offset } = sequence;
  const next = { ...state, records: applyReport(state.records, { report, at, offset }) };
  if (report.id !== ROOT_ID || state.tenure.is === 'none') return next;
  const reportedIdle = state.tenure.pack.reported_idle ?? 'idle';
  return applySignal(next, 'program_status', {
    ...REPORTED[report.state],
    ...(report.state === 'idle' ? { means: reportedIdle } : {}),
    ...(report.kind === undefined ? {} : { kind: report.kind }),
    rule: 'osc7501',
    detail: escapeText(report.msg ?? report.title ?? ''),
    at,
    offset,
  });
}

/** Behind a carrier only reports of the pack's own app count, and those of its children. */
export function isOfApp(state: StatusState, pack: StatusPack, report: ProgramReport): boolean {
  if (pack.apps.length === 0) return true;
  const app = report.app ?? (report.id === ROOT_ID ? undefined : rootRecord(state.records)?.report.app);
  return app !== undefined && pack.apps.includes(app);
}

export function lapse(
  state: StatusState,
  cause: 'reset' | 'prompt',
  at: number,
  offset: number,
): StatusState {
  const records = cause === 'reset' ? NO_RECORDS : lapseEphemeral(state.records);
  const signal = state.signals.program_status;
  const carried = state.tenure.is === 'live' && state.tenure.tenure.carrier !== undefined;
  // At a prompt only what runs ends; behind a carrier nothing else tells that the agent has gone, so everything ends.
  if (
    signal === undefined ||
    signal.means === 'unknown' ||
    (cause === 'prompt' && isAtRest(signal) && !carried)
  )
    return { ...state, records };
  return applySignal({ ...state, records }, 'program_status', {
    means: 'unknown',
    cause,
    rule: 'osc7501',
    detail: '',
    at,
    offset,
  });
}

/** What `openfloor signal` posted where it found no terminal: a report in the hook channel; undefined when it is none. */
export function applyPostedSignal(
  state: StatusState,
  fields: Readonly<Record<string, unknown>>,
  at: number,
  offset: number,
): StatusState | undefined {
  const { state: reported, kind } = fields;
  if (typeof reported !== 'string' || !Object.hasOwn(REPORTED, reported)) return undefined;
  const said = REPORTED[reported as keyof typeof REPORTED];
  const asked = KINDS.find((one) => one === kind);
  return applySignal(state, 'hook', {
    ...said,
    ...(reported === 'blocked' && asked ? { kind: asked } : {}),
    rule: 'signal',
    detail: reported,
    at,
    offset,
  });
}

/** Kinds that a report may name. */
const KINDS = ['permission', 'question', 'auth'] as const;
