// Keys in every encoding that terminals send: C0, SS3, legacy CSI, xterm's modifyOtherKeys (`CSI 27 ; m ; code ~`) and
// kitty's `CSI code ; m : event u`. Always true: an unknown sequence is a key that edits, so that it counts as a person's.
import { type InputCsi, number } from './csi.js';
import type { KeyClass } from './segment.js';

const ENTER = 13;
const ESC = 27;
/** BS and DEL; Ctrl-U and Ctrl-W as letters' controls. */
const ERASING: ReadonlySet<number> = new Set([8, 127, 21, 23]);
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Caps lock and num lock are states, not intentions. */
const LOCKS = 64 | 128;
/** Kitty's event types: 1 press, 2 repeat, 3 release. */
const RELEASE = 3;

/** A control byte or DEL outside any sequence. */
export function controlKey(byte: number): KeyClass {
  if (ERASING.has(byte)) return 'erase';
  return byte === ENTER ? 'enter' : byte === ESC ? 'escape' : byte === 3 ? 'interrupt' : 'edit';
}

/** `ESC O final`: application cursor keys, keypad and F1 to F4. */
export function ss3Key(final: string): KeyClass {
  if (final === 'M') return 'enter';
  return final >= 'P' && final <= 'S' ? 'function' : 'edit';
}

/** Modifier bits without the locks; 0 when none. */
function modifiers(csi: InputCsi, index: number): number {
  return Math.max(0, number(csi, index, 1) - 1) & ~LOCKS;
}

function codedKey(code: number, base: number, held: number): KeyClass {
  if (held === 0) {
    if (code === ENTER || code === KEYPAD_ENTER) return 'enter';
    if (code === ESC) return 'escape';
  }
  if (held === CTRL) {
    // The base layout key: Ctrl-C on a Cyrillic or Greek keyboard.
    if (code === 0x63 || base === 0x63) return 'interrupt';
    if (code === 0x5b) return 'escape';
    if (code === 0x75 || code === 0x77) return 'erase';
  }
  if (code === BACKSPACE && (held & ~(SHIFT | ALT | CTRL)) === 0) return 'erase';
  if (code === 57_421 || code === 57_422) return 'scroll';
  if (isKittyFunction(code)) return 'function';
  const plain = (held & ~SHIFT) === 0;
  return plain && code >= 32 && code !== 127 && (code < 57_344 || code > 63_743) ? 'text' : 'edit';
}

const KEYPAD_ENTER = 57_414;
const BACKSPACE = 127;

/** Locks, print, pause, menu, F13 to F35, media keys and lone modifiers of kitty's private range. */
function isKittyFunction(code: number): boolean {
  return (code >= 57_358 && code <= 57_398) || (code >= 57_428 && code <= 57_454);
}

/** F keys as `CSI n ~`: 11 to 34 with the gaps of the VT220. */
const isTildeFunction = (code: number) => code >= 11 && code <= 34;

export function csiKey(csi: InputCsi): KeyClass {
  const event = csi.params[1]?.[1];
  if (event === RELEASE) return 'release';
  const { final } = csi;
  if (final === 'u') {
    const code = number(csi, 0, 0);
    return codedKey(code, csi.params[0]?.[2] ?? code, modifiers(csi, 1));
  }
  if (final === '~') {
    const code = number(csi, 0, 0);
    if (code === 27 && csi.params.length >= 3) {
      const coded = number(csi, 2, 0);
      return codedKey(coded, coded, modifiers(csi, 1));
    }
    if (code === 5 || code === 6) return 'scroll';
    if (code === 3) return 'erase';
    return isTildeFunction(code) ? 'function' : 'edit';
  }
  return final >= 'P' && final <= 'S' ? 'function' : 'edit';
}
