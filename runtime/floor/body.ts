// The text of a message: what may be typed at all. Always true: a body that passes has no control character but newline
// and tab, ends in no newline, is valid Unicode and at most 1 MiB of UTF-8. Anything else is refused whole, never mended.

import { MESSAGE_BODY_BYTES } from '../../protocol/limit.js';
import type { Reason } from '../../protocol/reason.js';

export type BodyReading =
  | { readonly ok: true; readonly text: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: Reason };

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const encoder = new TextEncoder();

/** UTF-8 of a text that has no lone surrogate. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** CRLF and CR become LF, newlines at the end go; then the whole text is accepted or refused. */
export function readBody(raw: string): BodyReading {
  if (LONE_SURROGATE.test(raw)) return { ok: false, reason: 'body_not_utf8' };
  // A code unit is one to three bytes, so most bodies need no second look.
  if (raw.length > MESSAGE_BODY_BYTES || utf8(raw).length > MESSAGE_BODY_BYTES) {
    return { ok: false, reason: 'body_too_large' };
  }
  let text = raw.replace(/\r\n?/g, '\n');
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end--;
  text = text.slice(0, end);
  if (CONTROL.test(text)) return { ok: false, reason: 'body_control_characters' };
  if (text.trim() === '') return { ok: false, reason: 'body_empty' };
  return { ok: true, text, bytes: utf8(text).length };
}

/** Whether the first thing in the text that isn't blank is one of the pack's command prefixes. */
export function beginsLikeCommand(text: string, prefixes: readonly string[]): boolean {
  const start = text.trimStart();
  return prefixes.some((prefix) => prefix !== '' && start.startsWith(prefix));
}
