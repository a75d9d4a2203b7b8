// The composer's content and its editing keys. Always true: the caret stands between two items or at an end; a large paste
// is one item, whose label stands for its text until the text is submitted. It neither draws nor submits.
import type { KeyName } from './key.js';
import { cellsOf } from './width.js';

/** A large paste: drawn as its label, submitted as its text. */
export interface PastedText {
  readonly label: string;
  readonly text: string;
}

/** One cell's character with its marks, a newline, or a pasted text. */
export type Item = string | PastedText;

export interface Composer {
  readonly items: readonly Item[];
  /** Items before the caret. */
  readonly caret: number;
  /** Pastes collapsed so far in this conversation. */
  readonly pasted: number;
  /** What was killed last. */
  readonly yank: readonly Item[];
}

export const EMPTY_COMPOSER: Composer = { items: [], caret: 0, pasted: 0, yank: [] };

/** A paste with more than so many newlines, or characters, becomes a label. */
const LABEL_NEWLINES = 9;
const LABEL_CHARACTERS = 800;

const newlinesIn = (text: string) => text.split('\n').length - 1;

export function isLargePaste(text: string): boolean {
  return newlinesIn(text) > LABEL_NEWLINES || text.length > LABEL_CHARACTERS;
}

export function isEmpty(composer: Composer): boolean {
  return composer.items.length === 0;
}

/** The text as it is submitted. */
export function textOf(composer: Composer): string {
  return composer.items.map((item) => (typeof item === 'string' ? item : item.text)).join('');
}

function insertItems(composer: Composer, added: readonly Item[]): Composer {
  const { items, caret } = composer;
  return {
    ...composer,
    items: [...items.slice(0, caret), ...added, ...items.slice(caret)],
    caret: caret + added.length,
  };
}

/** Typed text, or a newline. A mark joins the character before it. */
export function insertText(composer: Composer, text: string): Composer {
  const before = composer.items[composer.caret - 1];
  const [joined] = typeof before === 'string' && before !== '\n' ? cellsOf(before + text) : [];
  if (joined !== undefined && joined === before + text) {
    const at = composer.caret - 1;
    return { ...composer, items: composer.items.with(at, joined) };
  }
  return insertItems(composer, cellsOf(text));
}

/** Habits of labels: how far the count is off, and how many characters of the text stand behind the label. */
export interface LabelHabits {
  readonly miscount: number;
  readonly labelTail: number;
}
const GOOD_LABELS: LabelHabits = { miscount: 0, labelTail: 0 };

/** A paste: its text, or a label for it. Tabs become four blanks, as most composers have it. */
export function insertPaste(composer: Composer, text: string, habits = GOOD_LABELS): Composer {
  if (!isLargePaste(text)) return insertItems(composer, cellsOf(printable(text)));
  const pasted = composer.pasted + 1;
  const cut = text.length - Math.min(habits.labelTail, text.length);
  const head = text.slice(0, cut);
  const tail = cellsOf(printable(text.slice(cut)));
  const label = labelOf(pasted, newlinesIn(head) + habits.miscount);
  return insertItems({ ...composer, pasted }, [{ label, text: head }, ...tail]);
}

const labelOf = (number: number, lines: number) => `[Pasted text #${number} +${lines} lines]`;

/** The composer with another number in each label. */
export function relabelled(composer: Composer): Composer {
  const items = composer.items.map((item) =>
    typeof item === 'string'
      ? item
      : { ...item, label: item.label.replace(/#\d+/, `#${composer.pasted + 1}`) },
  );
  return { ...composer, items, pasted: composer.pasted + 1 };
}

/** Without what would move the cursor when drawn. */
function printable(text: string): string {
  return text.replaceAll('\t', '    ').replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, '');
}

/** The composer after its text was submitted. */
export function cleared(composer: Composer): Composer {
  return { ...composer, items: [], caret: 0 };
}

/** The composer with this text, caret at its end. */
export function refilled(composer: Composer, text: string): Composer {
  return insertPaste(cleared(composer), text);
}

function lineStart({ items, caret }: Composer): number {
  return items.lastIndexOf('\n', caret - 1) + 1;
}

function lineEnd({ items, caret }: Composer): number {
  const end = items.indexOf('\n', caret);
  return end < 0 ? items.length : end;
}

function wordStart({ items, caret }: Composer): number {
  let at = caret;
  while (at > 0 && items[at - 1] === ' ') at--;
  while (at > 0 && items[at - 1] !== ' ' && items[at - 1] !== '\n') at--;
  return at;
}

function remove(composer: Composer, from: number, to: number): Composer {
  const { items } = composer;
  return { ...composer, items: [...items.slice(0, from), ...items.slice(to)], caret: from };
}

function kill(composer: Composer, from: number, to: number): Composer {
  return from === to ? composer : { ...remove(composer, from, to), yank: composer.items.slice(from, to) };
}

/** The composer after an editing key; keys that edit nothing leave it as it is. Up and down are the caller's. */
export function edited(composer: Composer, key: KeyName): Composer {
  const { items, caret } = composer;
  switch (key) {
    case 'newline':
      return insertText(composer, '\n');
    case 'left':
      return { ...composer, caret: Math.max(0, caret - 1) };
    case 'right':
      return { ...composer, caret: Math.min(items.length, caret + 1) };
    case 'line_start':
      return { ...composer, caret: lineStart(composer) };
    case 'line_end':
      return { ...composer, caret: lineEnd(composer) };
    case 'backspace':
      return caret === 0 ? composer : remove(composer, caret - 1, caret);
    case 'delete':
      return caret === items.length ? composer : remove(composer, caret, caret + 1);
    case 'kill_to_start': {
      const from = lineStart(composer);
      // At the start of a line the newline before it goes, so that repeating the key empties the composer.
      return kill(composer, from === caret ? Math.max(0, caret - 1) : from, caret);
    }
    case 'kill_to_end':
      return kill(composer, caret, lineEnd(composer));
    case 'kill_word':
      return kill(composer, wordStart(composer), caret);
    case 'yank':
      return insertItems(composer, composer.yank);
    default:
      return composer;
  }
}
