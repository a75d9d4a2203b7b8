// Turns of the demo agent: a message is taken, worked on, answered; a dialog stops it; an interrupt ends it. Always true:
// one turn at a time; what is queued is taken when a turn ends, also by an interrupt. It knows no keys.
import { cleared } from './composer.js';
import { type Dialog, OPEN_QUESTION, permission, QUESTION, TRUST } from './dialog.js';
import { cancelled, only, remembered, type State, type Step, said, scheduled, then } from './state.js';
import { type Task, TURN_MS, taskOf } from './task.js';

/** The working row moves this often. */
const SPIN_MS = 240;

export function opened(state: State, dialog: Dialog, of: 'start' | 'turn' | 'paste'): State {
  return { ...state, front: { is: 'dialog', dialog, of } };
}

/** The agent is up: the composer has the keyboard, or the trust dialog. */
export function ready(state: State): State {
  const { switches } = state;
  const about = switches.conversation.length > 0 ? ` (${switches.conversation.join(', ')})` : '';
  const greeted = said(said(state, `Demo agent${about}`, 'bold'), 'Send ? for what it can do.', 'dim');
  return switches.trust ? opened(greeted, TRUST, 'start') : { ...greeted, front: { is: 'composer' } };
}

export function ended(state: State, code: number): Step {
  const front = { is: 'ended', code } as const;
  return {
    state: { ...state, front, later: [], turn: { is: 'rest', done: false } },
    effects: [{ type: 'exit', code }],
  };
}

/** A submitted message leaves the composer and begins a turn, or waits for the one under way. */
export function taken(state: State, text: string): Step {
  const emptied = {
    ...remembered(state, text),
    composer: cleared(state.composer),
    popupClosed: false,
  };
  if (state.turn.is === 'rest') return begun(emptied, text);
  if (state.switches.steer) return begun(said(stopped(emptied), '  Steered.', 'dim'), text);
  return only({ ...emptied, queue: [...state.queue, text] });
}

function begun(state: State, text: string): Step {
  const task = taskOf(text);
  const shown = said(said(state, ''), shownMessage(text), 'bold');
  if (task.is === 'exit') return ended(shown, task.code);
  if (task.is === 'crash') return { state: shown, effects: [{ type: 'crash' }] };
  return only(working(shown, task));
}

function shownMessage(text: string): string {
  const lines = text.split('\n');
  const more = lines.length - 5;
  const shown = more > 0 ? [...lines.slice(0, 5), `… +${more} lines`] : lines;
  return shown.map((line, index) => (index === 0 ? `> ${line}` : `  ${line}`)).join('\n');
}

function working(state: State, task: Task): State {
  const { now } = state;
  const since = state.turn.is === 'working' ? state.turn.since : now;
  const ms = task.is === 'answer' ? task.ms : TURN_MS;
  const started = scheduled(
    { ...cancelled(state, 'spin', 'turn_over'), turn: { is: 'working', since, task } },
    { at: now + ms, do: 'turn_over' },
  );
  return state.switches.silentWorking ? started : scheduled(started, { at: now + SPIN_MS, do: 'spin' });
}

function stopped(state: State): State {
  return { ...cancelled(state, 'spin', 'turn_over'), turn: { is: 'rest', done: false } };
}

/** The turn is over; the next message of the queue begins one. */
function rested(state: State, done: boolean): Step {
  const rest: State = { ...stopped(state), turn: { is: 'rest', done } };
  const [next, ...queue] = rest.queue;
  return next === undefined ? only(rest) : begun({ ...rest, queue }, next);
}

export function interrupted(state: State): Step {
  return state.turn.is === 'working' ? rested(said(state, '  Interrupted.', 'dim'), false) : only(state);
}

/** The working row is drawn again a little later. */
export function spun(state: State): State {
  return state.turn.is === 'working' && state.front.is !== 'dialog'
    ? scheduled(state, { at: state.now + SPIN_MS, do: 'spin' })
    : state;
}

function answered(state: State, text: string): Step {
  return rested(said(state, `• ${text}`), true);
}

/** The time of a turn's task is over. */
export function turnOver(state: State): Step {
  if (state.turn.is !== 'working') return only(state);
  const { task } = state.turn;
  switch (task.is) {
    case 'answer':
      return answered(state, task.text);
    case 'print': {
      const lines = Array.from({ length: task.lines }, (_, index) => `line ${index + 1}`);
      return rested(said(state, lines.join('\n')), true);
    }
    case 'ask':
      return state.alwaysAllowed
        ? answered(state, `Ran: ${task.command}`)
        : only(opened(cancelled(state, 'spin'), permission(task.command), 'turn'));
    case 'question':
      return only(opened(cancelled(state, 'spin'), task.open ? OPEN_QUESTION : QUESTION, 'turn'));
    case 'background': {
      const id = state.lastId + 1;
      const job = { id, kind: task.kind };
      const started = scheduled(
        { ...state, lastId: id, jobs: [...state.jobs, job] },
        { at: state.now + task.ms, do: 'job_over', job: id },
      );
      return answered(started, `Started in the background: ${task.kind}`);
    }
    case 'child':
    case 'stall': {
      const effect = { type: task.is, ms: task.ms };
      return then({ state, effects: [effect] }, (next) => answered(next, `Started: ${task.is}`));
    }
    default:
      return only(state);
  }
}

/** A dialog was answered: the option's index, null when it was declined. */
export function dialogAnswered(state: State, choice: number | null): Step {
  const { front, turn } = state;
  if (front.is !== 'dialog') return only(state);
  const back: State = { ...state, front: { is: 'composer' } };
  const effects = [{ type: 'answer', kind: front.dialog.kind, choice }] as const;
  return then({ state: back, effects }, (next) => {
    if (front.of === 'start') return choice === 0 ? only(next) : ended(next, 0);
    if (front.of === 'paste' || turn.is !== 'working') return only(next);
    if (choice === null) return interrupted(next);
    const { task } = turn;
    if (task.is !== 'ask') {
      const text = `You chose ${front.dialog.options[choice]}.`;
      return only(working(next, { is: 'answer', text, ms: TURN_MS }));
    }
    const allowed = choice < 2;
    const text = allowed ? `Ran: ${task.command}` : 'Not run.';
    const always = next.alwaysAllowed || choice === 1;
    return only(working({ ...next, alwaysAllowed: always }, { is: 'answer', text, ms: TURN_MS }));
  });
}
