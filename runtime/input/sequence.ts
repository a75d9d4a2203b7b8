// Reads one sequence that begins with ESC. Always true: it looks only at the bytes given; `open` means that more bytes
// may make it another thing than a key, and only then may a caller wait.

import { readInputCsi } from './csi.js';
import { controlKey, csiKey, ss3Key } from './key.js';
import { byteMouse, csiMouse } from './mouse.js';
import { isApcReply, isCsiReply, isDcsReply, isOscReply } from './reply-shape.js';
import type { KeyClass, SegmentKind } from './segment.js';

/** The longest sequence read as one. Longer ones pass as keys: no reply of table Q comes near it. */
export const INPUT_SEQUENCE_BYTES = 4_096;
const CSI_BYTES = 256;

const ESC = 0x1b;
const BEL = 0x07;

export interface Unit {
  readonly kind: SegmentKind;
  readonly length: number;
  readonly key?: KeyClass;
}

const keyUnit = (key: KeyClass, length: number): Unit => ({ kind: 'key', key, length });

/** The unit that begins with the ESC at `at`. `utf8`: mouse figures may take two bytes. */
export function readUnit(bytes: Uint8Array, at: number, utf8: boolean): Unit | 'open' {
  const next = bytes[at + 1];
  switch (next) {
    case undefined:
      return keyUnit('escape', 1);
    case ESC:
      return readMetaKey(bytes, at, utf8);
    case 0x5b:
      return readCsi(bytes, at, utf8);
    case 0x4f:
      return readSs3(bytes, at);
    case 0x5d:
      return readString(bytes, at, isOscReply, true);
    case 0x50:
      return readString(bytes, at, isDcsReply, false);
    case 0x5f:
      return readString(bytes, at, isApcReply, false);
    default:
      // Alt and a key: all of its UTF-8 bytes.
      return keyUnit(next === 3 ? controlKey(next) : 'edit', 1 + characterLength(next));
  }
}

/** Some terminals send Alt as one more ESC in front of the key's sequence; else the first ESC is Esc. */
function readMetaKey(bytes: Uint8Array, at: number, utf8: boolean): Unit | 'open' {
  const third = bytes[at + 2];
  if (third === 0x5b || third === 0x4f) {
    const unit = readUnit(bytes, at + 1, utf8);
    if (unit === 'open') return 'open';
    if (unit.kind === 'key' && unit.length > 2) return keyUnit('edit', 1 + unit.length);
  }
  return keyUnit('escape', 1);
}

function characterLength(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

/** No reply begins so, and Alt-O is a key: never waits. */
function readSs3(bytes: Uint8Array, at: number): Unit {
  // Modified keypad keys of some terminals have digits in front of the final.
  let end = at + 2;
  while (end < bytes.length && end < at + 6 && isDigit(bytes[end] as number)) end++;
  const final = bytes[end];
  if (final === undefined || final < 0x20 || final > 0x7e) return keyUnit('edit', 2);
  return keyUnit(ss3Key(String.fromCharCode(final)), end + 1 - at);
}

const isDigit = (byte: number) => (byte >= 0x30 && byte <= 0x39) || byte === 0x3b;

function readCsi(bytes: Uint8Array, at: number, utf8: boolean): Unit | 'open' {
  let end = at + 2;
  while (end < bytes.length && (bytes[end] as number) >= 0x20 && (bytes[end] as number) <= 0x3f) end++;
  if (end - at > CSI_BYTES) return keyUnit('edit', 2);
  const final = bytes[end];
  if (final === undefined) return 'open';
  if (final < 0x40 || final > 0x7e) return keyUnit('edit', end - at);
  const length = end + 1 - at;
  const csi = readInputCsi(bytes, at + 2, end + 1);
  if (csi === undefined) return keyUnit('edit', length);
  const plain = csi.prefix === '' && csi.intermediates === '';
  if (plain && length === 3) {
    if (csi.final === 'I') return { kind: 'focus-in', length };
    if (csi.final === 'O') return { kind: 'focus-out', length };
    if (csi.final === 'M') return readByteMouse(bytes, at, utf8);
    // The Linux console's F1 to F5 are `CSI [ A` to `CSI [ E`.
    if (csi.final === '[') return bytes[end + 1] === undefined ? 'open' : keyUnit('function', length + 1);
  }
  if (plain && csi.final === '~') {
    if (csi.params[0]?.[0] === 200) return { kind: 'paste-start', length };
    if (csi.params[0]?.[0] === 201) return { kind: 'paste-end', length };
  }
  const mouse = csiMouse(csi);
  if (mouse) return { kind: mouse, length };
  if (isCsiReply(csi)) return { kind: 'reply', length };
  return keyUnit(csiKey(csi), length);
}

function readByteMouse(bytes: Uint8Array, at: number, utf8: boolean): Unit | 'open' {
  const report = byteMouse(bytes, at + 3, utf8);
  if (report === 'open') return 'open';
  return report ? { kind: report.kind, length: 3 + report.length } : keyUnit('edit', 3);
}

/** A string up to `ESC \`, or BEL for an OSC. A control inside shows that it is none: then its ESC was Alt. */
function readString(
  bytes: Uint8Array,
  at: number,
  isReply: (body: string) => boolean,
  bellEnds: boolean,
): Unit | 'open' {
  const limit = Math.min(bytes.length, at + INPUT_SEQUENCE_BYTES);
  for (let end = at + 2; end < limit; end++) {
    const byte = bytes[end] as number;
    if (byte >= 0x20) continue;
    if (byte === ESC && end + 1 === bytes.length) return 'open';
    const bell = bellEnds && byte === BEL;
    if (!bell && (byte !== ESC || bytes[end + 1] !== 0x5c)) return keyUnit('edit', 2);
    const kind = isReply(text(bytes, at + 2, end)) ? 'reply' : 'other';
    return { kind, length: end + (bell ? 1 : 2) - at };
  }
  return limit === at + INPUT_SEQUENCE_BYTES ? keyUnit('edit', 2) : 'open';
}

function text(bytes: Uint8Array, start: number, end: number): string {
  let result = '';
  for (let i = start; i < end; i++) result += String.fromCharCode(bytes[i] as number);
  return result;
}
