// The state of the status machine. Always true: what belongs to a tenure is in the fields of FRESH, so that a new tenure
// can't inherit; everything in it is bounded. Data only.
import { NO_OPEN_NOTIFICATIONS, type OpenNotifications } from './notify.js';
import type { Concept } from './observe.js';
import type { PromptState } from './prompt-mark.js';
import { NO_RECORDS, type Records } from './record.js';
import type { Background, Observed, Tried } from './rule.js';
import type { HardChannel, ReadingEvidence, Signal, StatusPack, Tenure } from './status.js';

export type TenureState =
  | {
      readonly is: 'none';
      readonly cause: 'no_tenure' | 'tenure_ended';
      readonly at: number;
      readonly offset: number;
    }
  | {
      readonly is: 'live';
      readonly tenure: Tenure;
      readonly pack: StatusPack;
      readonly at: number;
      readonly offset: number;
    };

/** An operator's interrupt: open until the deciding channel speaks or the deadline, then unsettled. */
export type Interrupt =
  | { readonly is: 'none' }
  | { readonly is: 'open'; readonly deadline: number }
  | { readonly is: 'unsettled'; readonly at: number };

/** `perhaps_over`: the agent is idle or in a dialog, a reading tells which. */
export type Turn =
  | { readonly is: 'none' }
  | { readonly is: 'running' }
  | { readonly is: 'perhaps_over'; readonly offset: number };

/** A tenure's first rest, for packs with `first_rest_ms`: `standing` since a time, `over` once it counts as idle. */
export type FirstRest =
  | { readonly is: 'none' }
  | { readonly is: 'standing'; readonly since: number }
  | { readonly is: 'over' };

/** The last sequence or hook event of a concept and what became of it, for `--explain`. */
export interface Seen {
  readonly detail: string;
  readonly at: number;
  readonly offset: number;
  readonly result: 'counted' | 'no_rule' | 'refused' | 'no_tenure' | 'not_in_front' | 'other_app';
  readonly reason?: string;
  readonly observed?: Observed;
  readonly tried?: readonly Tried[];
}

/** The last signal of each hard channel. */
export type Signals = Readonly<Record<HardChannel, Signal | undefined>>;

export interface StatusState {
  readonly tenure: TenureState;
  readonly signals: Signals;
  readonly backgrounds: Readonly<Record<HardChannel, Background | undefined>>;
  readonly records: Records;
  readonly interrupt: Interrupt;
  readonly reading: ReadingEvidence | undefined;
  readonly turn: Turn;
  readonly turns: number;
  /** Time of an operator's Enter since the last turn started. */
  readonly enterAt: number | undefined;
  readonly firstRest: FirstRest;
  readonly openNotifications: OpenNotifications;
  readonly prompt: PromptState;
  readonly seen: Readonly<Partial<Record<Concept, Seen>>>;
  readonly order: number;
  /** Signals of the deciding channel in this session; goes on over tenures. */
  readonly heard: number;
}

/** What a tenure begins with. */
export const FRESH = {
  signals: { program_status: undefined, sequence: undefined, hook: undefined },
  backgrounds: { program_status: undefined, sequence: undefined, hook: undefined },
  records: NO_RECORDS,
  interrupt: { is: 'none' },
  reading: undefined,
  turn: { is: 'none' },
  turns: 0,
  enterAt: undefined,
  firstRest: { is: 'none' },
  openNotifications: NO_OPEN_NOTIFICATIONS,
  seen: {},
  order: 0,
} as const;

/** A session in which no agent has been seen. */
export function initialStatus(at: number, offset = 0): StatusState {
  const tenure = { is: 'none', cause: 'no_tenure', at, offset } as const;
  return { ...FRESH, tenure, prompt: { at: 'unmarked' }, heard: 0 };
}
