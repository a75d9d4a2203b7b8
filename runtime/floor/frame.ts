// The bytes of a transaction: paste frame and Enter. Always true: what is written is the frame, the text and nothing else;
// no cosmetic bytes, no control character outside the frame's own markers. It writes nothing.

import { utf8 } from './body.js';

const PASTE_START = utf8('\u001b[200~');
const PASTE_END = utf8('\u001b[201~');
const CARRIAGE_RETURN = utf8('\r');
/** Kitty keyboard protocol, flag 8: report all keys as escape codes. Then a bare CR is no Enter key. */
const REPORT_ALL_KEYS = 8;
const CSI_ENTER = utf8('\u001b[13u');

/** One atomic write: the text in a paste frame, or as it stands where the program has no bracketed paste. */
export function pasteBytes(text: string, framed: boolean): Uint8Array {
  const body = utf8(text);
  if (!framed) return body;
  const bytes = new Uint8Array(PASTE_START.length + body.length + PASTE_END.length);
  bytes.set(PASTE_START, 0);
  bytes.set(body, PASTE_START.length);
  bytes.set(PASTE_END, PASTE_START.length + body.length);
  return bytes;
}

/** The Enter key as the program's keyboard mode wants it. */
export function enterBytes(kittyFlags: number): Uint8Array {
  return (kittyFlags & REPORT_ALL_KEYS) !== 0 ? CSI_ENTER : CARRIAGE_RETURN;
}
