// The one door to MessagePack and JSON. Always true: what goes out is canonical (sorted keys, shortest forms, absent
// fields absent), what comes in is refused whole or is a map within the limits. It knows no message and no schema.

import { Decoder, Encoder } from '@msgpack/msgpack';
import { type FrameLimits, type FrameReason, frameFault } from './frame-scan.js';
import { FRAME_BYTES, FRAME_DEPTH } from './limit.js';
import { REASONS } from './reason.js';

export type { FrameLimits, FrameReason } from './frame-scan.js';

/** What a frame may hold. `undefined` fields are left out. */
export type Plain = null | boolean | number | string | Uint8Array | readonly Plain[] | PlainMap;
export interface PlainMap {
  readonly [key: string]: Plain | undefined;
}

export type Decoded =
  | { readonly ok: true; readonly value: PlainMap }
  | { readonly ok: false; readonly reason: FrameReason; readonly text: string };

// Keys are sorted by UTF-16 code unit; ours are ASCII, so every implementation sorts them alike.
const encoder = new Encoder({ sortKeys: true, ignoreUndefined: true, maxDepth: 64 });
const decoder = new Decoder();

function refused(reason: FrameReason): Decoded {
  return { ok: false, reason, text: REASONS[reason].text };
}

/** Canonical MessagePack of a map, in a buffer of its own. Throws on what `Plain` can't hold: functions, cycles, bigints. */
export function encodeFrame(value: PlainMap): Uint8Array<ArrayBuffer> {
  return encoder.encode(value);
}

/** One whole frame. Bin values are views into `bytes`: copy what is kept. Never throws. */
export function decodeFrame(bytes: Uint8Array, limits: FrameLimits = { bytes: FRAME_BYTES }): Decoded {
  const fault = frameFault(bytes, limits);
  if (fault !== undefined) return refused(fault);
  try {
    return { ok: true, value: decoder.decode(bytes) as PlainMap };
  } catch {
    return refused('frame_malformed'); // a key that names the prototype
  }
}

/** Depth of brackets outside strings, without parsing: JSON of any depth must not reach a recursive reader. */
function isTooDeep(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** One JSON object. `limits.bytes` counts UTF-16 units, which are never more than its UTF-8 bytes. Never throws. */
export function parseJson(text: string, limits: FrameLimits = { bytes: FRAME_BYTES }): Decoded {
  if (text.length > limits.bytes) return refused('frame_too_large');
  if (isTooDeep(text, limits.depth ?? FRAME_DEPTH)) return refused('frame_too_deep');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('frame_malformed');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('frame_not_a_map');
  return Object.hasOwn(value, '__proto__')
    ? refused('frame_malformed')
    : { ok: true, value: value as PlainMap };
}
