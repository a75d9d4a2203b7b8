// The classifier of one operator's bytes: what is a key, what is a mouse, what is the emulator's own talk. Always true:
// the segments' bytes are the bytes pushed, in order; keys leave at once, a lone ESC too; only an unfinished sequence
// longer than ESC waits, for a short timer of the caller's. Inside a bracketed paste everything is pasted text.
import { controlKey } from './key.js';
import type { KeyClass, Segment, SegmentKind } from './segment.js';
import { readUnit, type Unit } from './sequence.js';

/** What the classifier needs of the program's modes. */
export interface InputModes {
  readonly mouseEncoding: 'legacy' | 'utf8' | 'sgr' | 'urxvt' | 'pixels';
}

export interface InputClassifier {
  /** An operator's bracketed paste is open: no other source may write until it ends. */
  readonly pasteOpen: boolean;
  /** Bytes of an unfinished sequence that wait for more. */
  readonly heldBytes: number;
  /** The segments that are complete now. Their views are valid until the next call. */
  push(chunk: Uint8Array): readonly Segment[];
  /** The timer is over: what waits are keys. */
  release(): readonly Segment[];
}

const ESC = 0x1b;
const PASTE_END = [ESC, 0x5b, 0x32, 0x30, 0x31, 0x7e];
const DROPPED: ReadonlySet<SegmentKind> = new Set(['reply', 'focus-in', 'focus-out']);
const NO_BYTES = new Uint8Array(0);
/** After an ESC that left alone, a chunk that begins so goes on with its sequence: `[`, `]`, `P`, `_`, `O`. */
const GOES_ON = new Set([0x5b, 0x5d, 0x50, 0x5f, 0x4f]);

class Classifier implements InputClassifier {
  readonly #modes: () => InputModes;
  #held: Uint8Array = NO_BYTES;
  #pasteOpen = false;
  /** Bytes of PASTE_END seen at the end of the open paste. */
  #matched = 0;
  /** The last chunk ended with an ESC that was given as a key. */
  #afterEscape = false;
  #segments: Segment[] = [];

  constructor(modes: () => InputModes) {
    this.#modes = modes;
  }

  get pasteOpen(): boolean {
    return this.#pasteOpen;
  }

  get heldBytes(): number {
    return this.#held.length;
  }

  push(chunk: Uint8Array): readonly Segment[] {
    this.#segments = [];
    if (chunk.length === 0) return this.#segments;
    let bytes = chunk;
    if (this.#held.length > 0) {
      bytes = joined(this.#held, chunk);
      this.#held = NO_BYTES;
    }
    let at = this.#afterEscape ? this.#goOn(bytes) : 0;
    this.#afterEscape = false;
    while (at < bytes.length) {
      at = this.#pasteOpen ? this.#paste(bytes, at) : this.#unit(bytes, at);
    }
    return this.#segments;
  }

  release(): readonly Segment[] {
    this.#segments = [];
    if (this.#held.length > 0) this.#key('edit', this.#held);
    this.#held = NO_BYTES;
    return this.#segments;
  }

  /** One segment outside a paste, from `at`. The answer: where the next begins. */
  #unit(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    if (byte !== ESC) {
      const end = textEnd(bytes, at);
      if (end > at) this.#key('text', bytes.subarray(at, end));
      else this.#key(controlKey(byte), bytes.subarray(at, at + 1));
      return Math.max(end, at + 1);
    }
    const unit = readUnit(bytes, at, this.#modes().mouseEncoding === 'utf8');
    if (unit === 'open') {
      this.#held = bytes.slice(at);
      return bytes.length;
    }
    const end = Math.min(bytes.length, at + unit.length);
    this.#afterEscape = end === bytes.length && unit.length === 1;
    this.#give(unit, bytes.subarray(at, end), !DROPPED.has(unit.kind));
    return end;
  }

  /**
   * The ESC before this chunk has left as a key. If the chunk completes a sequence it is classed as one, but passes: the
   * program has the ESC already, and half a reply would leave it with an Esc that nobody pressed.
   */
  #goOn(chunk: Uint8Array): number {
    if (chunk.length < 2 || !GOES_ON.has(chunk[0] as number)) return 0;
    const unit = readUnit(joined(Uint8Array.of(ESC), chunk), 0, false);
    if (unit === 'open' || unit.length - 1 > chunk.length) return 0;
    this.#give(unit, chunk.subarray(0, unit.length - 1), true);
    return unit.length - 1;
  }

  #give(unit: Unit, bytes: Uint8Array, passes: boolean): void {
    if (unit.kind === 'key') {
      this.#key(unit.key ?? 'edit', bytes);
      return;
    }
    // An end without a paste is nothing but a strange key.
    if (unit.kind === 'paste-end') {
      this.#key('edit', bytes);
      return;
    }
    if (unit.kind === 'paste-start') {
      this.#pasteOpen = true;
      this.#matched = 0;
    }
    this.#segments.push({ kind: unit.kind, bytes, passes });
  }

  /** Pasted text passes at once, also what may be the beginning of its end. */
  #paste(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (this.#matched === 0) {
        const next = bytes.indexOf(ESC, at);
        if (next < 0) break;
        at = next;
      }
      const byte = bytes[at] as number;
      if (byte === PASTE_END[this.#matched]) this.#matched++;
      else this.#matched = byte === ESC ? 1 : 0;
      if (this.#matched === PASTE_END.length) {
        const end = at + 1;
        const mark = Math.max(from, end - PASTE_END.length);
        if (mark > from)
          this.#segments.push({ kind: 'paste', bytes: bytes.subarray(from, mark), passes: true });
        this.#segments.push({ kind: 'paste-end', bytes: bytes.subarray(mark, end), passes: true });
        this.#pasteOpen = false;
        return end;
      }
    }
    this.#segments.push({ kind: 'paste', bytes: bytes.subarray(from), passes: true });
    return bytes.length;
  }

  #key(key: KeyClass, bytes: Uint8Array): void {
    this.#segments.push({ kind: 'key', key, bytes, passes: true });
  }
}

/** Where the printable bytes that begin at `at` end. */
function textEnd(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === 0x7f) return at;
  }
  return end;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** A classifier for one attach stream. `modes` is read when a mouse report needs it. */
export function createInputClassifier(modes: () => InputModes): InputClassifier {
  return new Classifier(modes);
}
