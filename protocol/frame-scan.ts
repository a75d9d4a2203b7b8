// Looks at the structure of one MessagePack frame before anything is allocated for it. Always true: a frame that passes
// is exactly one map with text keys, complete, UTF-8, within depth and node limits, its integers exact. It decodes nothing.

import { FRAME_DEPTH, FRAME_NODES } from './limit.js';

/** Why a frame is refused. The codes are those of spec/codec.md. */
export type FrameReason = 'frame_malformed' | 'frame_too_large' | 'frame_too_deep' | 'frame_not_a_map';

export interface FrameLimits {
  /** Length of the whole frame. */
  readonly bytes: number;
  /** Maps and arrays inside each other; the frame's own map is 1. */
  readonly depth?: number;
  /** Values and keys in all. */
  readonly nodes?: number;
}

type Shape = 'plain' | 'integer64' | 'text' | 'array' | 'map';

/** Heads 0xc0 to 0xdf. `sized`: the length follows in so many bytes; otherwise `bytes` of payload follow. */
const HEADS: ReadonlyArray<{ shape: Shape; bytes: number; sized?: true } | undefined> = [
  { shape: 'plain', bytes: 0 }, // nil
  undefined, // never used
  { shape: 'plain', bytes: 0 }, // false
  { shape: 'plain', bytes: 0 }, // true
  { shape: 'plain', bytes: 1, sized: true }, // bin
  { shape: 'plain', bytes: 2, sized: true },
  { shape: 'plain', bytes: 4, sized: true },
  undefined, // ext: we have none
  undefined,
  undefined,
  { shape: 'plain', bytes: 4 }, // float 32
  { shape: 'plain', bytes: 8 }, // float 64
  { shape: 'plain', bytes: 1 }, // uint
  { shape: 'plain', bytes: 2 },
  { shape: 'plain', bytes: 4 },
  { shape: 'integer64', bytes: 8 },
  { shape: 'plain', bytes: 1 }, // int
  { shape: 'plain', bytes: 2 },
  { shape: 'plain', bytes: 4 },
  { shape: 'integer64', bytes: 8 },
  undefined, // fixext
  undefined,
  undefined,
  undefined,
  undefined,
  { shape: 'text', bytes: 1, sized: true },
  { shape: 'text', bytes: 2, sized: true },
  { shape: 'text', bytes: 4, sized: true },
  { shape: 'array', bytes: 2, sized: true },
  { shape: 'array', bytes: 4, sized: true },
  { shape: 'map', bytes: 2, sized: true },
  { shape: 'map', bytes: 4, sized: true },
];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads one value after another: what it is and how much it holds. */
class Cursor {
  at = 0;
  shape: Shape = 'plain';
  /** Payload bytes of a plain value or text; items of an array; pairs of a map. */
  size = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** False when no value begins here, or its head is cut off. */
  readHead(): boolean {
    if (this.at >= this.bytes.length) return false;
    const head = this.bytes[this.at++]!;
    if (head < 0x80 || head >= 0xe0) return this.set('plain', 0);
    if (head < 0x90) return this.set('map', head & 0x0f);
    if (head < 0xa0) return this.set('array', head & 0x0f);
    if (head < 0xc0) return this.set('text', head & 0x1f);
    const form = HEADS[head - 0xc0];
    if (form === undefined || this.at + form.bytes > this.bytes.length) return false;
    if (form.shape === 'integer64') return this.isExact(head === 0xd3) && this.set('plain', 8);
    if (!form.sized) return this.set('plain', form.bytes);
    const start = this.at;
    this.at += form.bytes;
    const { view } = this;
    return this.set(
      form.shape,
      form.bytes === 1
        ? view.getUint8(start)
        : form.bytes === 2
          ? view.getUint16(start)
          : view.getUint32(start),
    );
  }

  /** Steps over the payload of the value just read; false when it is cut off or text that isn't UTF-8. */
  skipPayload(): boolean {
    const end = this.at + this.size;
    if (end > this.bytes.length) return false;
    let at = this.at;
    this.at = end;
    if (this.shape !== 'text') return true;
    while (at < end && this.bytes[at]! < 0x80) at++;
    if (at === end) return true;
    try {
      utf8.decode(this.bytes.subarray(at, end));
      return true;
    } catch {
      return false;
    }
  }

  private set(shape: Shape, size: number): true {
    this.shape = shape;
    this.size = size;
    return true;
  }

  /** Beyond 53 bits a number would silently become another one. */
  private isExact(signed: boolean): boolean {
    const value = signed ? this.view.getBigInt64(this.at) : this.view.getBigUint64(this.at);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
  }
}

/** The first fault of a frame, or undefined when it may be decoded. Time is linear in its length. */
export function frameFault(bytes: Uint8Array, limits: FrameLimits): FrameReason | undefined {
  if (bytes.length > limits.bytes) return 'frame_too_large';
  const maxDepth = limits.depth ?? FRAME_DEPTH;
  const maxNodes = limits.nodes ?? FRAME_NODES;
  const cursor = new Cursor(bytes);
  /** Open containers, innermost last: values still to come, keys included. */
  const open = [{ left: 1, map: false }];
  let nodes = 0;
  while (open.length > 0) {
    const inner = open[open.length - 1]!;
    if (inner.left === 0) {
      open.pop();
      continue;
    }
    const isKey = inner.map && inner.left % 2 === 0;
    inner.left--;
    if (!cursor.readHead() || (isKey && cursor.shape !== 'text')) return 'frame_malformed';
    if (++nodes > maxNodes) return 'frame_too_large';
    const map = cursor.shape === 'map';
    if (nodes === 1 && !map) return 'frame_not_a_map';
    if (!map && cursor.shape !== 'array') {
      if (!cursor.skipPayload()) return 'frame_malformed';
      continue;
    }
    const left = map ? cursor.size * 2 : cursor.size;
    // Every value takes a byte at least: a claim beyond the frame's end is refused before it is allocated.
    if (left > bytes.length - cursor.at) return 'frame_malformed';
    if (open.length > maxDepth) return 'frame_too_deep';
    open.push({ left, map });
  }
  return cursor.at === bytes.length ? undefined : 'frame_malformed';
}
