// A complete OSC string as the status room receives it, and the two things every reader of one needs: strict decoding
// and escaping for display. Always true: text that leaves this room as `detail` has at most DETAIL_CHARACTERS characters
// and no control, format or bidirectional character. It does not find sequences in bytes: the scanner does.

/** One complete OSC string of the child, in stream order. */
export interface SequenceEvent {
  /** Number before the first semicolon. */
  readonly code: number;
  /** Everything after the first semicolon, one char (0..255) a byte; terminator excluded. */
  readonly body: string;
  /** Absolute offset of the byte after the sequence, in the session's filtered byte space. */
  readonly offset: number;
  /** When the read that completed it arrived, milliseconds since the epoch. */
  readonly at: number;
}

/** Longest `detail` of a status, in characters after escaping. */
export const DETAIL_CHARACTERS = 240;

const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body whose chars are bytes, or undefined when it isn't UTF-8. */
export function decodeBody(body: string): string | undefined {
  const bytes = new Uint8Array(body.length);
  for (let i = 0; i < body.length; i++) bytes[i] = body.charCodeAt(i);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Control characters of C0, C1 and DEL. */
export function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/**
 * Untrusted text made safe to show: unprintable characters as `\u{hex}`, at most `limit` characters. A longer text ends
 * with an ellipsis, and never in half an escape.
 */
export function escapeText(text: string, limit: number = DETAIL_CHARACTERS): string {
  // Nearly every text is short and plain; agents renew their titles ten times a second.
  if (text.length <= limit && !NOT_SHOWN.test(text)) return text;
  let shown = '';
  let length = 0;
  let safe = '';
  for (const character of text) {
    const piece = NOT_SHOWN.test(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character;
    const width = [...piece].length;
    if (length + width > limit) return `${safe}…`;
    shown += piece;
    length += width;
    if (length < limit) safe = shown;
  }
  return shown;
}
