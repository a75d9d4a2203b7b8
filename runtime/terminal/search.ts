// Where the next byte stands that ground text or a string has to stop at. Always true: every search goes on where the
// last one ended, so a chunk is read once however its controls are mixed.
import { BEL, CAN, ENQ, ESC, SUB } from './sequence.js';

/** Text this near is searched by hand: a call into the engine's search costs about as much. */
const NEAR_BYTES = 24;

export class ControlSearch {
  #escape = -1;
  #bell = -1;
  #enquiry = -1;

  /** A new chunk: nothing of the last one is remembered. */
  begin(): void {
    this.#escape = -1;
    this.#bell = -1;
    this.#enquiry = -1;
  }

  /** The next ESC, BEL or ENQ of ground text from `at` on, or the chunk's length. */
  next(chunk: Uint8Array, at: number): number {
    const end = chunk.length;
    const near = Math.min(end, at + NEAR_BYTES);
    for (; at < near; at++) {
      const byte = chunk[at] as number;
      if (byte <= ESC && (byte === ESC || byte === BEL || byte === ENQ)) return at;
    }
    if (at >= end) return end;
    if (this.#escape < at) this.#escape = find(chunk, ESC, at);
    if (this.#bell < at) this.#bell = find(chunk, BEL, at);
    if (this.#enquiry < at) this.#enquiry = find(chunk, ENQ, at);
    return Math.min(this.#escape, this.#bell, this.#enquiry);
  }
}

/** The next `byte` from `at` on, or the chunk's length. A Buffer searches at the speed of memory. */
function find(chunk: Uint8Array, byte: number, at: number): number {
  const found = chunk.indexOf(byte, at);
  return found < 0 ? chunk.length : found;
}

/** Where a string ends or is given up: BEL (OSC only), ESC, CAN or SUB; the chunk's length when at none of them. */
export function stringEnd(chunk: Uint8Array, at: number, bellEnds: boolean): number {
  const end = chunk.length;
  for (; at < end; at++) {
    const byte = chunk[at] as number;
    if (byte > ESC) continue;
    if (byte === ESC || byte === CAN || byte === SUB || (bellEnds && byte === BEL)) return at;
  }
  return end;
}
