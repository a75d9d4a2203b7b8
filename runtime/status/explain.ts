// Why the status is what it is, as data for `status --explain`: every channel with what it said last, whether it decides
// or vetoes, and every rule that was tried on the last sequence of each concept. Always true: it is computed from the state
// alone, so it can't disagree with the status. Text in it is escaped.
import { baseOf, decidingChannel, deriveStatus } from './derive.js';
import { nextDeadline } from './fold.js';
import { CONCEPTS, type Concept } from './observe.js';
import type { StatusRecord } from './record.js';
import { type Tried, tryRules } from './rule.js';
import { escapeText } from './sequence.js';
import type { Interrupt, Seen, StatusState, Turn } from './state.js';
import { HARD_CHANNELS, type HardChannel, type Signal, type Status } from './status.js';

export interface ChannelExplained {
  readonly channel: HardChannel;
  readonly rank: number;
  readonly role: 'silent' | 'decides' | 'vetoes' | 'overruled';
  readonly signal?: Signal;
}

export interface SeenExplained extends Omit<Seen, 'observed' | 'tried'> {
  readonly concept: Concept;
  readonly tried: readonly Tried[];
}

export interface RecordExplained {
  readonly id: string;
  readonly state: StatusRecord['report']['state'];
  readonly at: number;
  readonly detail: string;
}

export interface Explanation {
  readonly status: Status;
  /** Pack of the tenure, or undefined without one. */
  readonly pack?: string;
  readonly channels: readonly ChannelExplained[];
  readonly seen: readonly SeenExplained[];
  readonly records: readonly RecordExplained[];
  readonly screen:
    | { readonly role: 'no_reading' }
    | {
        readonly role: 'agrees' | 'vetoes' | 'blocks';
        readonly at: number;
        readonly offset: number;
        readonly dialog?: string;
        readonly working?: string;
      };
  readonly interrupt: Interrupt;
  readonly turn: Turn['is'];
  readonly turns: number;
  readonly nextDeadline?: number;
}

function explainScreen(state: StatusState, status: Status): Explanation['screen'] {
  const { reading } = state;
  if (reading === undefined) return { role: 'no_reading' };
  const role = reading.dialog !== undefined ? 'blocks' : status.veto === 'screen' ? 'vetoes' : 'agrees';
  return {
    role,
    at: reading.at,
    offset: reading.offset,
    ...(reading.dialog ? { dialog: `${reading.dialog.kind}: ${reading.dialog.detail}` } : {}),
    ...(reading.working ? { working: reading.working.detail } : {}),
  };
}

function explainSeen(state: StatusState, concept: Concept): SeenExplained[] {
  const seen = state.seen[concept];
  if (seen === undefined) return [];
  const { observed, tried, ...rest } = seen;
  const rules =
    tried ??
    (observed !== undefined && state.tenure.is === 'live'
      ? tryRules(state.tenure.pack.rules, observed, state.tenure.tenure.version)
      : []);
  return [{ concept, ...rest, tried: rules }];
}

/** Everything that made the status. */
export function explainStatus(state: StatusState): Explanation {
  const status = deriveStatus(state);
  const deciding = decidingChannel(state);
  const veto = baseOf(state)?.veto;
  const deadline = nextDeadline(state);
  return {
    status,
    ...(state.tenure.is === 'live' ? { pack: state.tenure.pack.name } : {}),
    channels: HARD_CHANNELS.map((channel, index) => {
      const signal = state.signals[channel];
      const rank = index + 1;
      if (signal === undefined) return { channel, rank, role: 'silent' };
      const role = channel === deciding ? 'decides' : channel === veto ? 'vetoes' : 'overruled';
      return { channel, rank, role, signal };
    }),
    seen: CONCEPTS.flatMap((concept) => explainSeen(state, concept)),
    records: [...state.records].map(([id, { report, at }]) => ({
      id,
      state: report.state,
      at,
      detail: escapeText(report.msg ?? report.title ?? ''),
    })),
    screen: explainScreen(state, status),
    interrupt: state.interrupt,
    turn: state.turn.is,
    turns: state.turns,
    ...(deadline === undefined ? {} : { nextDeadline: deadline }),
  };
}
