// Bytes, limits and shapes of control sequences as the output scanner reads them, and what an unfinished one can still
// become. Always true: what can't become a query is never held back, and `prospect` says `nothing` only of bytes whose
// completion nobody needs. 8-bit C1 forms are text here: streams are UTF-8, where 0x9C is part of a character.

export const ENQ = 0x05;
export const BEL = 0x07;
export const CAN = 0x18;
export const SUB = 0x1a;
export const ESC = 0x1b;

/** A longer CSI passes and means nothing: no real one has more than about sixty bytes. */
export const CSI_BYTES = 256;
/** A longer query is answered and passes: so much, and no more, is ever held back. */
export const QUERY_BYTES = 1_024;
/** A longer string (introducer and terminator counted) is neither answered nor reported. Status needs 4096. */
export const OSC_BYTES = 8_192;

/** OSC numbers with a status in them: titles, folder, progress and notifications, prompt marks, program status. */
export const STATUS_OSC: ReadonlySet<number> = new Set([0, 1, 2, 7, 9, 99, 133, 633, 777, 1337, 7501]);

/** Colour sets and resets, kept so that a later colour query gets what the program has set. */
export function isColorOsc(code: number): boolean {
  return code === 4 || code === 104 || (code >= 10 && code <= 19) || (code >= 110 && code <= 119);
}

export type StringKind = 'osc' | 'dcs' | 'apc' | 'other';

/** What an unfinished sequence can become: `query` is held, `content` passes and is kept, `nothing` only passes. */
export type Prospect = 'query' | 'content' | 'nothing';

/** Latin1 text of bytes: one char a byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  if (end - start <= 32) {
    for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
    return text;
  }
  // Pieces, since each char is an argument and the stack is finite.
  for (let i = start; i < end; i += 4_096) {
    text += String.fromCharCode.apply(
      null,
      bytes.subarray(i, Math.min(end, i + 4_096)) as unknown as number[],
    );
  }
  return text;
}

/** Bytes of a latin1 text. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** An OSC body's number and where the rest begins; -1 when it has none, `open` when more digits could follow. */
export type OscHead = { readonly code: number; readonly rest: number } | 'open' | 'none';

/** The number must be plain: no leading zero, at most 65535. Anything else registers nothing. */
export function oscHead(bytes: Uint8Array, start: number, end: number): OscHead {
  let code = 0;
  let i = start;
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x3b) return i === start ? 'none' : { code, rest: i + 1 };
    if (byte < 0x30 || byte > 0x39 || (i > start && code === 0)) return 'none';
    code = code * 10 + byte - 0x30;
    if (code > 65_535) return 'none';
  }
  return 'open';
}

/** By number: whether an unfinished body can still become a query. */
const OPEN_OSC_QUERIES: Readonly<Record<number, (body: string) => boolean>> = {
  21: (body) => body.length < QUERY_BYTES,
  22: (body) => body === '' || body.startsWith('?'),
  50: (body) => body === '' || body.startsWith('?'),
  52: (body) => /^[^;]*(;\??)?$/.test(body),
  60: () => true,
  61: () => true,
  99: (body) => !body.includes(';') || isNotificationQuery(body),
  1337: (body) => PROPRIETARY_QUERIES.some((name) => body.startsWith(name) || name.startsWith(body)),
  5522: (body) => !body.includes(';') || isClipboardRead(body),
  7501: (body) => body === '' || body.startsWith('?'),
};

/** An OSC of this number may be a query. */
export function mayAsk(code: number): boolean {
  return code === 4 || code === 5 || (code >= 10 && code <= 19) || OPEN_OSC_QUERIES[code] !== undefined;
}

export const PROPRIETARY_QUERIES = ['Capabilities', 'ReportCellSize', 'ReportVariable='];

/** OSC 99 asks for support (`p=?`) or for what is alive. */
export function isNotificationQuery(body: string): boolean {
  const end = body.indexOf(';');
  return /(^|:)p=(\?|alive)(:|$)/.test(end < 0 ? body : body.slice(0, end));
}

/** OSC 5522 asks for the clipboard's content. */
export function isClipboardRead(body: string): boolean {
  const end = body.indexOf(';');
  return /(^|:)type=read(:|$)/.test(end < 0 ? body : body.slice(0, end));
}

/** Control data of a kitty graphics command (`G` is before it) up to its payload. */
export function isGraphicsQuery(control: string): boolean {
  const end = control.indexOf(';');
  return /(^|,)a=q(,|$)/.test(end < 0 ? control : control.slice(0, end));
}

/** What an unfinished OSC (`ESC ]` in front, no terminator) can become. */
function oscProspect(bytes: Uint8Array, length: number, reported: ReadonlySet<number>): Prospect {
  const head = oscHead(bytes, 2, length);
  if (head === 'open') return 'query';
  if (head === 'none') return 'nothing';
  const { code, rest } = head;
  const colors = code <= 19 && mayAsk(code);
  if (colors || OPEN_OSC_QUERIES[code]?.(latin1(bytes, rest, length))) {
    return length <= QUERY_BYTES ? 'query' : 'content';
  }
  return reported.has(code) || isColorOsc(code) ? 'content' : 'nothing';
}

/** What an unfinished string of this kind can become. `length` bytes, introducer included. */
export function stringProspect(
  kind: StringKind,
  bytes: Uint8Array,
  length: number,
  reported: ReadonlySet<number>,
): Prospect {
  if (kind === 'osc') return oscProspect(bytes, length, reported);
  if (kind === 'other') return 'nothing';
  const head = latin1(bytes, 2, Math.min(length, QUERY_BYTES));
  const open = kind === 'dcs' ? /^[\d;]*([+$]([qQ].*)?)?$/s.test(head) : isOpenGraphics(head);
  if (!open) return 'nothing';
  return length <= QUERY_BYTES ? 'query' : 'content';
}

function isOpenGraphics(head: string): boolean {
  if (head === '') return true;
  if (!head.startsWith('G')) return false;
  return !head.includes(';') || isGraphicsQuery(head.slice(1));
}
