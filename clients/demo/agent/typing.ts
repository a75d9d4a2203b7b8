// What keys do while the composer has the keyboard: editing, Enter with all its habits, Esc, Ctrl-C. Always true: a message
// is submitted by Enter alone, exactly as it stands in the composer. What a message does stands in turn.ts.
import {
  type Composer,
  cleared,
  edited,
  insertPaste,
  insertText,
  isEmpty,
  isLargePaste,
  refilled,
  textOf,
} from './composer.js';
import { permission } from './dialog.js';
import type { Input, KeyName } from './key.js';
import { caretInNextRow } from './layout.js';
import { cancelled, only, type State, type Step, scheduled } from './state.js';
import { ended, interrupted, opened, taken } from './turn.js';

/** Characters that follow one another at most so fast are a burst when there are so many of them. */
const FAST_MS = 8;
const FAST_CHARACTERS = 3;
/** How long "Press Ctrl-C again" holds. */
const LEAVING_MS = 2000;

/** Columns for the composer's text: the prompt and its blank stand before it. */
export const TEXT_COLUMN = 2;

/** What the popup offers. */
export const COMMANDS: readonly string[] = ['/compact', '/help', '/model'];

export function popupOpen(state: State): boolean {
  const text = textOf(state.composer);
  return state.switches.popup && !state.popupClosed && text.startsWith('/') && !text.includes('\n');
}

function composed(state: State, composer: Composer): State {
  const popupClosed = state.popupClosed && !isEmpty(composer);
  return { ...state, composer, popupClosed };
}

/** One input for the composer. */
export function typed(state: State, input: Input): Step {
  switch (input.type) {
    case 'text':
      return only(textTyped(state, input.text));
    case 'paste':
      return only(pasted(state, input.text));
    case 'key':
      return keyPressed(state, input.key);
    default:
      return only(state);
  }
}

function textTyped(state: State, text: string): State {
  if (state.vim === 'normal') return normalKey(state, text);
  const { now, switches } = state;
  const fast = now - state.lastTextAt <= FAST_MS ? state.fast + 1 : 1;
  const burst = switches.burst > 0 && fast >= FAST_CHARACTERS;
  return {
    ...composed(state, insertText(state.composer, text)),
    fast,
    lastTextAt: now,
    recall: 0,
    burstUntil: burst ? now + switches.burst : state.burstUntil,
  };
}

const NORMAL_KEYS: Readonly<Record<string, KeyName>> = {
  h: 'left',
  l: 'right',
  '0': 'line_start',
  $: 'line_end',
  x: 'delete',
  D: 'kill_to_end',
};

/** Vim's normal mode: letters are commands, most of them unknown here. */
function normalKey(state: State, text: string): State {
  if (text === 'i') return { ...state, vim: 'insert' };
  if (text === 'a') return { ...state, vim: 'insert', composer: edited(state.composer, 'right') };
  const key = NORMAL_KEYS[text];
  return key ? composed(state, edited(state.composer, key)) : state;
}

function pasted(state: State, text: string): State {
  const { now, switches } = state;
  const pasted: State = { ...composed(state, insertPaste(state.composer, text, switches)), recall: 0 };
  const filled =
    switches.relabel > 0
      ? scheduled(cancelled(pasted, 'relabel'), { at: now + switches.relabel, do: 'relabel' })
      : pasted;
  const slow = isLargePaste(text) ? { ...filled, slowUntil: now + switches.slowPaste } : filled;
  return switches.dialogOnPaste > 0
    ? scheduled(cancelled(slow, 'open_dialog'), { at: now + switches.dialogOnPaste, do: 'open_dialog' })
    : slow;
}

/** The dialog of `--dialog-on-paste`; the composer keeps its text behind it. */
export function dialogOpened(state: State): State {
  return state.front.is === 'composer' ? opened(state, permission('touch demo.txt'), 'paste') : state;
}

function keyPressed(state: State, key: KeyName): Step {
  switch (key) {
    case 'enter':
      return enterPressed(state);
    case 'escape':
      return escapePressed(state);
    case 'interrupt':
      return interruptPressed(state);
    case 'up':
      return only(moved(state, -1));
    case 'down':
      return only(moved(state, 1));
    case 'tab':
    case 'right':
      if (isEmpty(state.composer) && state.switches.ghost !== '') {
        return only(composed(state, refilled(state.composer, state.switches.ghost)));
      }
      return only(composed(state, edited(state.composer, key)));
    default:
      return only({ ...composed(state, edited(state.composer, key)), recall: 0 });
  }
}

function enterPressed(state: State): Step {
  const { composer, now, switches } = state;
  const text = textOf(composer);
  if (now < state.burstUntil) return only(composed(state, edited(composer, 'newline')));
  if (text.trim() === '' || now < state.slowUntil) return only(state);
  if (state.swallow > 0) return only({ ...state, swallow: state.swallow - 1 });
  if (popupOpen(state)) {
    const match = COMMANDS.find((command) => command.startsWith(text));
    return only({ ...state, popupClosed: true, composer: match ? refilled(composer, match) : composer });
  }
  const queued = state.turn.is === 'working' && !switches.steer;
  const step = switches.lateClear
    ? only(scheduled(state, { at: now + switches.lateClear, do: 'take', text }))
    : taken(state, text);
  return { state: step.state, effects: [{ type: 'submit', text, queued }, ...step.effects] };
}

function escapePressed(state: State): Step {
  if (popupOpen(state)) return only({ ...state, popupClosed: true });
  if (state.turn.is === 'working') return interrupted(state);
  return only(state.vim === 'insert' ? { ...state, vim: 'normal' } : state);
}

function interruptPressed(state: State): Step {
  if (state.leaving) return ended(state, 0);
  const warned = scheduled(
    { ...cancelled(state, 'hint_over'), leaving: true },
    { at: state.now + LEAVING_MS, do: 'hint_over' },
  );
  if (state.turn.is === 'working') return interrupted(warned);
  return only(composed(warned, cleared(state.composer)));
}

/** Up and down: rows of the composer first, then what is queued, then what was submitted before. */
function moved(state: State, by: -1 | 1): State {
  const caret = caretInNextRow(state.composer, state.cols - TEXT_COLUMN, by);
  if (caret !== undefined) return { ...state, composer: { ...state.composer, caret } };
  if (!isEmpty(state.composer) && state.recall === 0) return state;
  const last = state.queue.at(-1);
  if (by === -1 && last !== undefined && isEmpty(state.composer)) {
    return { ...composed(state, refilled(state.composer, last)), queue: state.queue.slice(0, -1) };
  }
  const recall = Math.min(state.history.length, Math.max(0, state.recall - by));
  const text = recall === 0 ? '' : (state.history.at(-recall) ?? '');
  return { ...composed(state, refilled(state.composer, text)), recall };
}
