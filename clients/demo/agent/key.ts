// What one key is: control characters, and CSI sequences of the classic, modifyOtherKeys and kitty kinds. Always true: a
// key release is nothing, a sequence without meaning here is ignored and never becomes text.

export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'interrupt'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'line_start'
  | 'line_end'
  | 'backspace'
  | 'delete'
  | 'kill_to_start'
  | 'kill_to_end'
  | 'kill_word'
  | 'yank'
  | 'tab';

/** One thing that came from the terminal. `text` is one character. Newlines of a paste are LF. */
export type Input =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'key'; readonly key: KeyName }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'focus'; readonly focused: boolean }
  | { readonly type: 'answer'; readonly of: 'program_status' | 'da1' }
  | { readonly type: 'ignored' };

const IGNORED: Input = { type: 'ignored' };
const key = (name: KeyName): Input => ({ type: 'key', key: name });

/** Ctrl and a letter. */
const CONTROL: Readonly<Record<string, KeyName>> = {
  a: 'line_start',
  b: 'left',
  c: 'interrupt',
  d: 'delete',
  e: 'line_end',
  f: 'right',
  h: 'backspace',
  i: 'tab',
  j: 'newline',
  k: 'kill_to_end',
  m: 'enter',
  n: 'down',
  p: 'up',
  u: 'kill_to_start',
  w: 'kill_word',
  y: 'yank',
};

/** The key of a control character; undefined when the character is text. */
export function controlKey(character: string): Input | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x7f) return key('backspace');
  if (code >= 0x80 && code < 0xa0) return IGNORED;
  if (code >= 0x20) return undefined;
  const name = CONTROL[String.fromCharCode(code + 0x60)];
  return name ? key(name) : IGNORED;
}

const LETTERS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'line_end',
  H: 'line_start',
};
const TILDES: Readonly<Record<string, KeyName>> = {
  '1': 'line_start',
  '3': 'delete',
  '4': 'line_end',
  '7': 'line_start',
  '8': 'line_end',
};
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const RELEASE = '3';

/** The input of a CSI sequence: private marker, parameters, final byte. */
export function csiInput(marker: string, parameters: string, final: string): Input {
  if (marker === '?' && final === 'c') return { type: 'answer', of: 'da1' };
  if (marker !== '') return IGNORED;
  const [first = '', second = '', third = ''] = parameters.split(';');
  const [mods = '1', event = '1'] = second.split(':');
  if (event === RELEASE) return IGNORED;
  if (final === 'u') return codedKey(first, Number(mods || '1') - 1);
  if (final === '~' && first === '27') return codedKey(third, Number(mods || '1') - 1);
  if ((final === 'I' || final === 'O') && parameters === '') return { type: 'focus', focused: final === 'I' };
  const name = final === '~' ? TILDES[first] : LETTERS[final];
  return name ? key(name) : IGNORED;
}

/** A key by its code point, which a shifted one may follow after a colon. */
function codedKey(codes: string, mods: number): Input {
  const [plain = '', shifted = ''] = codes.split(':');
  const code = Number((mods & SHIFT && shifted) || plain);
  if (code === 13) return key(mods & (SHIFT | ALT | CTRL) ? 'newline' : 'enter');
  if (code === 27) return key('escape');
  if (code === 127) return key('backspace');
  if (code === 9) return key('tab');
  // Code points of the private use area are function keys.
  if (!(code >= 0x20 && code < 0xe000) && !(code > 0xf8ff && code <= 0x10ffff)) return IGNORED;
  const character = String.fromCodePoint(code);
  if (mods & CTRL) {
    const name = CONTROL[character.toLowerCase()];
    return name ? key(name) : IGNORED;
  }
  return mods & ALT ? IGNORED : { type: 'text', text: character };
}
