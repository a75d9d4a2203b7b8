// Output on its way to the worker: bytes of all sessions in one array, posted together. Always true: `add` copies and
// returns within a few microseconds; bytes keep their order; nothing waits longer than BATCH_MS or beyond
// BATCH_BYTES. It stands on the way of every echoed key, so it does no more than that.
import type { BytesMessage } from './message.js';

/** Posting wakes the other thread and costs some 10 us here: a burst of reads shares one. */
export const BATCH_MS = 2;
/** A full batch goes at once. */
export const BATCH_BYTES = 65_536;
/** Most batches are an echo or a frame: a large array for each would only feed the collector. */
const FIRST_BYTES = 4_096;

export class Batch {
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #used = 0;
  #entries: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #waiting = false;

  constructor(readonly post: (message: BytesMessage, transfer: ArrayBuffer) => void) {}

  /** Bytes of a session that end at `endOffset`. */
  add(session: number, bytes: Uint8Array, endOffset: number): void {
    let from = 0;
    while (from < bytes.length) {
      const taken = Math.min(bytes.length - from, BATCH_BYTES - this.#used);
      const target = this.#room(taken);
      target.set(taken === bytes.length ? bytes : bytes.subarray(from, from + taken), this.#used);
      this.#used += taken;
      from += taken;
      this.#enter(session, taken, endOffset - (bytes.length - from));
      if (this.#used === BATCH_BYTES) this.flush();
    }
    if (this.#used > 0 && !this.#waiting) this.#wait();
  }

  /** Posts what has been added. Whatever is posted after it comes after these bytes. */
  flush(): void {
    this.#waiting = false;
    if (this.#bytes === undefined) return;
    const { buffer } = this.#bytes;
    const message = {
      type: 'bytes',
      bytes: this.#bytes.subarray(0, this.#used),
      entries: this.#entries,
    } as const;
    this.#bytes = undefined;
    this.#used = 0;
    this.#entries = [];
    this.post(message, buffer);
  }

  /** Forgets what waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = undefined;
    this.#used = 0;
    this.#entries = [];
    this.#waiting = false;
  }

  #room(bytes: number): Uint8Array {
    const needed = this.#used + bytes;
    if (this.#bytes !== undefined && needed <= this.#bytes.length) return this.#bytes;
    const room = new Uint8Array(needed <= FIRST_BYTES ? FIRST_BYTES : BATCH_BYTES);
    if (this.#bytes !== undefined) room.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = room;
    return room;
  }

  #enter(session: number, length: number, endOffset: number): void {
    const entries = this.#entries;
    const last = entries.length - 3;
    if (last >= 0 && entries[last] === session) {
      entries[last + 1]! += length;
      entries[last + 2] = endOffset;
    } else {
      entries.push(session, length, endOffset);
    }
  }

  #wait(): void {
    this.#waiting = true;
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.flush(), BATCH_MS);
      this.#timer.unref();
    } else {
      this.#timer.refresh();
    }
  }
}
