// The words of the status room: status, channel, signal, tenure, event, change. Always true: a status names where it
// comes from; `unknown` is a value with a cause. Types only, and the ranks.
import type { Background, BlockedKind, HookEvent, HookRule, SequenceRule } from './rule.js';
import type { SequenceEvent } from './sequence.js';

export type StatusName = 'working' | 'idle' | 'blocked' | 'unknown';

/**
 * Where a status comes from. `program_status`: OSC 7501. `sequence`: a pack rule over a sequence. `hook`: an event posted
 * with the occupant's token. `screen`: a reading. `process`: nothing but process facts.
 */
export type Channel = 'program_status' | 'sequence' | 'hook' | 'screen' | 'process';

/** Channels that give hard signals, highest rank first: the first that has spoken in a tenure decides. */
export const HARD_CHANNELS = ['program_status', 'sequence', 'hook'] as const;
export type HardChannel = (typeof HARD_CHANNELS)[number];

export type UnknownCause =
  /** No agent process has been seen in the foreground yet. */
  | 'no_tenure'
  /** The agent has ended. */
  | 'tenure_ended'
  /** A tenure whose channels haven't spoken yet, or whose first rest is too young. */
  | 'starting'
  /** The program cleared its report, or its title says nothing any more. */
  | 'cleared'
  /** The terminal was reset. */
  | 'reset'
  /** A shell prompt began: what was working or blocked has gone. */
  | 'prompt'
  /** A repeating level stopped repeating. */
  | 'stale'
  /** An operator interrupted and no signal followed. */
  | 'interrupt_unsettled';

/** One agent process inside a session. Equal pid, start time and exe: the same tenure. */
export interface Tenure {
  readonly pid: number;
  readonly startTime: string;
  readonly exe: string;
  /** Version where the process tells it. */
  readonly version?: string;
  /** Name of the carrier (ssh, docker) that stands for an agent elsewhere. */
  readonly carrier?: string;
}

export interface Status {
  readonly state: StatusName;
  /** Only with blocked. */
  readonly kind?: BlockedKind;
  readonly source: Channel;
  /** Time of the evidence, milliseconds since the epoch. */
  readonly at: number;
  /** Offset of the evidence. */
  readonly offset: number;
  /** Only hard evidence makes idle; what a screen says is soft. */
  readonly hard: boolean;
  /** What the evidence said: untrusted text, escaped, at most 240 characters. */
  readonly detail: string;
  /** Idle because a piece of work is finished and not looked at yet. */
  readonly done?: true;
  /** Work that goes on beside the status. */
  readonly background?: Background;
  /** Turns finished in this tenure. */
  readonly turns: number;
  /** Signals of the deciding channel so far in this session, repeated ones too: tells later evidence from older. */
  readonly signal: number;
  /** Only with unknown. */
  readonly cause?: UnknownCause;
  /** The evidence can't tell idle from blocked, or the agent is behind a carrier: grant only with the composer recognised empty. */
  readonly needsComposer: boolean;
  /** The deciding channel says idle and this one contradicts it. */
  readonly veto?: Channel;
  readonly tenure?: Tenure;
}

/** What a hard channel said last. */
export interface Signal {
  readonly means: 'idle' | 'working' | 'blocked' | 'idle_or_blocked' | 'unknown';
  readonly kind?: BlockedKind;
  readonly done?: true;
  readonly cause?: UnknownCause;
  /** Rule id, or `osc7501`. */
  readonly rule: string;
  readonly detail: string;
  readonly at: number;
  readonly offset: number;
  /** Position among all signals of the tenure: a veto must be newer than what it vetoes. */
  readonly order: number;
  /** When it is void unless repeated. */
  readonly staleAt?: number;
}

/** What the fold needs of a pack. */
export interface StatusPack {
  readonly name: string;
  /** Values of `app` in the agent's own reports, for carriers. */
  readonly apps: readonly string[];
  readonly rules: readonly SequenceRule[];
  readonly hooks: readonly HookRule[];
  readonly interrupt: { readonly keys: readonly InterruptKey[] };
  /** What a reported idle means, where an agent reports it before it takes input. */
  readonly reported_idle?: 'idle' | 'idle_or_blocked';
  /** How long a tenure's first rest must stand before it is idle, where an agent rests for a moment while it starts. */
  readonly first_rest_ms?: number;
}

export type InterruptKey = 'escape' | 'ctrl_c';

/**
 * Who stands in the foreground when bytes arrive. `tenure`: the tenure is a member of the foreground group. `carrier`: a
 * carrier that the seat allows. `shell`: the session's own shell. `other`: anything else, or not known.
 */
export type Front = 'tenure' | 'carrier' | 'shell' | 'other';

/** What a reading says about the status. */
export interface ReadingEvidence {
  readonly at: number;
  readonly offset: number;
  readonly dialog?: { readonly kind: BlockedKind; readonly detail: string };
  /** A recognised live row, such as `esc to interrupt`. */
  readonly working?: { readonly detail: string };
  readonly background?: Background;
  /** The composer was recognised, empty or not. */
  readonly composer: boolean;
}

export type StatusEvent =
  | {
      readonly type: 'tenure_started';
      readonly at: number;
      readonly offset: number;
      readonly tenure: Tenure;
      readonly pack: StatusPack;
    }
  | { readonly type: 'tenure_ended'; readonly at: number; readonly offset: number }
  | { readonly type: 'sequence'; readonly sequence: SequenceEvent; readonly front: Front }
  /** RIS. */
  | { readonly type: 'reset'; readonly at: number; readonly offset: number; readonly front: Front }
  | { readonly type: 'hook'; readonly at: number; readonly offset: number; readonly hook: HookEvent }
  /** An operator's Esc or Ctrl-C, in any encoding. */
  | { readonly type: 'interrupt'; readonly at: number; readonly key: InterruptKey }
  /** An operator's Enter, in any encoding. */
  | { readonly type: 'enter'; readonly at: number }
  | { readonly type: 'reading'; readonly reading: ReadingEvidence }
  | { readonly type: 'tick'; readonly at: number };

export type StatusChange =
  /** The status differs in more than its evidence. */
  | { readonly type: 'status'; readonly status: Status; readonly previous: Status }
  /** The same status with newer evidence. */
  | { readonly type: 'evidence'; readonly status: Status }
  | {
      readonly type: 'turn_started';
      readonly at: number;
      readonly offset: number;
      readonly source: HardChannel;
      /** An operator's Enter came before it, since the turn before. */
      readonly afterEnter: boolean;
    }
  | { readonly type: 'turn_finished'; readonly at: number; readonly offset: number; readonly turns: number };
