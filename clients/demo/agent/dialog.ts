// The demo agent's dialogs: what they ask and what a key does in them. Always true: digits choose at once, Enter chooses the
// selected option, Esc declines, a paste and every other key change nothing.
import type { Input } from './key.js';

export interface Dialog {
  readonly kind: 'permission' | 'question' | 'trust';
  readonly question: string;
  /** Shown between the question and the options. */
  readonly body: string;
  readonly options: readonly string[];
  /** Index of the option that the option glyph stands before. */
  readonly selected: number;
  /** Index of the option that takes text: what is typed while it is selected stands behind its label. */
  readonly free?: number;
}

export const DIALOG_FOOTER = 'Enter to select · Esc to cancel';

export function permission(command: string): Dialog {
  return {
    kind: 'permission',
    question: 'Run command?',
    body: command,
    options: ['Yes', "Yes, and don't ask again", 'No'],
    selected: 0,
  };
}

export const QUESTION: Dialog = {
  kind: 'question',
  question: 'Which colour do you like best?',
  body: '',
  options: ['Red', 'Green', 'Blue'],
  selected: 0,
};

export const OPEN_QUESTION: Dialog = {
  kind: 'question',
  question: 'What shall it be called?',
  body: '',
  options: ['Demo', 'Type something: '],
  selected: 1,
  free: 1,
};

export const TRUST: Dialog = {
  kind: 'trust',
  question: 'Do you trust the files in this folder?',
  body: '',
  options: ['Yes, proceed', 'No, exit'],
  selected: 0,
};

/** What a key does: another selection, or an answer: the option's index, null when it was declined. */
export type DialogResult = { readonly dialog: Dialog } | { readonly answer: number | null };

export function dialogAfter(dialog: Dialog, input: Input): DialogResult {
  const { options, selected, free } = dialog;
  if (input.type === 'text' && selected === free) {
    return { dialog: { ...dialog, options: options.with(free, `${options[free]}${input.text}`) } };
  }
  if (input.type === 'text' && /^[1-9]$/.test(input.text)) {
    const index = Number(input.text) - 1;
    return index < options.length ? { answer: index } : { dialog };
  }
  if (input.type !== 'key') return { dialog };
  if (input.key === 'enter') return { answer: selected };
  if (input.key === 'escape' || input.key === 'interrupt') return { answer: null };
  const by = input.key === 'up' ? -1 : input.key === 'down' ? 1 : 0;
  return { dialog: { ...dialog, selected: (selected + by + options.length) % options.length } };
}
