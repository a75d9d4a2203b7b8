// What the demo agent is at one moment, what can happen to it, and what it wants done. Always true: all of it is data; what
// is due later stands in one list with its time. Types, the first state, and the list's few functions.
import { type Composer, EMPTY_COMPOSER } from './composer.js';
import type { Dialog } from './dialog.js';
import type { Input } from './key.js';
import type { Switches } from './switch.js';
import type { Task } from './task.js';

/** Who has the keyboard. `boot`: nobody yet, input is kept. `of`: what the dialog interrupted. */
export type Front =
  | { readonly is: 'boot'; readonly kept: readonly Input[] }
  | { readonly is: 'composer' }
  | { readonly is: 'dialog'; readonly dialog: Dialog; readonly of: 'start' | 'turn' | 'paste' }
  | { readonly is: 'ended'; readonly code: number };

/** `done`: the last turn ended by itself. */
export type Turn =
  | { readonly is: 'rest'; readonly done: boolean }
  | { readonly is: 'working'; readonly since: number; readonly task: Task };

/** How status is told. `asking`: the query has not been answered yet. */
export type Speech = 'asking' | 'program_status' | 'titles' | 'silent';

export interface Line {
  readonly text: string;
  readonly style: 'plain' | 'dim' | 'bold';
}

export interface Job {
  readonly id: number;
  readonly kind: 'agents' | 'shells';
}

export type Later = { readonly at: number } & (
  | {
      readonly do:
        | 'boot_over'
        | 'asking_over'
        | 'turn_over'
        | 'spin'
        | 'noise'
        | 'hint_over'
        | 'open_dialog'
        | 'relabel';
    }
  | { readonly do: 'job_over'; readonly job: number }
  | { readonly do: 'take'; readonly text: string }
);

export interface State {
  readonly switches: Switches;
  /** Milliseconds, of the last event. */
  readonly now: number;
  readonly rows: number;
  readonly cols: number;
  readonly front: Front;
  readonly composer: Composer;
  readonly turn: Turn;
  readonly speech: Speech;
  readonly queue: readonly string[];
  readonly jobs: readonly Job[];
  readonly later: readonly Later[];
  readonly lines: readonly Line[];
  /** Lines that were forgotten from the front of `lines`. */
  readonly forgotten: number;
  /** Messages submitted before, the last one at the end; `recall` of them back is in the composer. */
  readonly history: readonly string[];
  readonly recall: number;
  readonly vim: 'off' | 'insert' | 'normal';
  /** Closed until the composer is empty again. */
  readonly popupClosed: boolean;
  /** Ctrl-C again ends the agent. */
  readonly leaving: boolean;
  readonly alwaysAllowed: boolean;
  /** Enters that will still be swallowed. */
  readonly swallow: number;
  /** Characters that came fast one after another, and when the last came. */
  readonly fast: number;
  readonly lastTextAt: number;
  /** Until then Enter is a newline. */
  readonly burstUntil: number;
  /** Until then Enter is ignored. */
  readonly slowUntil: number;
  readonly lastId: number;
  readonly noise: number;
}

export type Event =
  | { readonly type: 'start'; readonly at: number }
  | { readonly type: 'input'; readonly at: number; readonly input: Input }
  | { readonly type: 'resize'; readonly at: number; readonly rows: number; readonly cols: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'hangup'; readonly at: number };

export type Effect =
  /** A message was submitted; `queued` behind a turn. */
  | { readonly type: 'submit'; readonly text: string; readonly queued: boolean }
  /** A dialog was answered: the option's index, null when it was declined. */
  | { readonly type: 'answer'; readonly kind: Dialog['kind']; readonly choice: number | null }
  /** Read nothing from the terminal for so long. */
  | { readonly type: 'stall'; readonly ms: number }
  /** Start a program that shares the terminal for so long. */
  | { readonly type: 'child'; readonly ms: number }
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'crash' };

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

const SPEECH: Readonly<Record<Switches['status'], Speech>> = {
  query: 'asking',
  always: 'program_status',
  titles: 'titles',
  none: 'silent',
};

/** Lines of the conversation that are kept for drawing. */
const LINES = 2000;
const HISTORY = 50;

export function initialState(switches: Switches, rows: number, cols: number): State {
  return {
    switches,
    now: 0,
    rows,
    cols,
    front: { is: 'boot', kept: [] },
    composer: EMPTY_COMPOSER,
    turn: { is: 'rest', done: false },
    speech: SPEECH[switches.status],
    queue: [],
    jobs: [],
    later: [],
    lines: [],
    forgotten: 0,
    history: [],
    recall: 0,
    vim: switches.vim ? 'normal' : 'off',
    popupClosed: false,
    leaving: false,
    alwaysAllowed: false,
    swallow: switches.swallowEnter,
    fast: 0,
    lastTextAt: Number.NEGATIVE_INFINITY,
    burstUntil: 0,
    slowUntil: 0,
    lastId: 0,
    noise: 0,
  };
}

/** When the state changes by itself. */
export function nextDeadline(state: State): number | undefined {
  return state.later.length === 0 ? undefined : Math.min(...state.later.map(({ at }) => at));
}

export function scheduled(state: State, later: Later): State {
  return { ...state, later: [...state.later, later] };
}

export function cancelled(state: State, ...kinds: readonly Later['do'][]): State {
  return { ...state, later: state.later.filter((later) => !kinds.includes(later.do)) };
}

/** The state with more lines of conversation; text may have newlines. */
export function said(state: State, text: string, style: Line['style'] = 'plain'): State {
  const lines = [...state.lines, ...text.split('\n').map((line) => ({ text: line, style }))];
  const over = Math.max(0, lines.length - LINES);
  return { ...state, lines: lines.slice(over), forgotten: state.forgotten + over };
}

export function remembered(state: State, text: string): State {
  return { ...state, history: [...state.history, text].slice(-HISTORY), recall: 0 };
}

export const only = (state: State): Step => ({ state, effects: [] });

/** Goes on from a step, effects in order. */
export function then(step: Step, go: (state: State) => Step): Step {
  const next = go(step.state);
  return { state: next.state, effects: [...step.effects, ...next.effects] };
}
