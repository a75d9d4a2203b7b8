// Output on its way to the worker: bytes of all sessions in one array, posted together. Always true: `add` copies and
// returns within a few microseconds; bytes keep their order; nothing waits longer than BATCH_MS or beyond
// BATCH_BYTES. It stands on the way of every echoed key, so it does no more than that.
import type { BytesMessage } from './message.js';

/** Posting wakes the other thread and costs some 10 us here: a burst of reads shares one. */
export const BATCH_MS = 2;
/** A full batch goes at once. */
export const BATCH_BYTES = 65_536;
/** A smaller batch is copied out for posting, a larger one is handed over: most are an echo or a frame. */
const COPIED_BYTES = 16_384;

export class Batch {
  #bytes = new Uint8Array(BATCH_BYTES);
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
      this.#bytes.set(taken === bytes.length ? bytes : bytes.subarray(from, from + taken), this.#used);
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
    if (this.#used === 0) return;
    const bytes = this.#used <= COPIED_BYTES ? this.#bytes.slice(0, this.#used) : this.#bytes;
    const posted = bytes.subarray(0, this.#used);
    if (bytes === this.#bytes) this.#bytes = new Uint8Array(BATCH_BYTES);
    const entries = this.#entries;
    this.#used = 0;
    this.#entries = [];
    this.post({ type: 'bytes', bytes: posted, entries }, bytes.buffer);
  }

  /** Forgets what waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#used = 0;
    this.#entries = [];
    this.#waiting = false;
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
    // Arming a timer costs ten times what the rest of `add` does: clients get this turn's bytes first.
    queueMicrotask(this.#arm);
  }

  readonly #arm = (): void => {
    if (!this.#waiting) return;
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.flush(), BATCH_MS);
      this.#timer.unref();
    } else {
      this.#timer.refresh();
    }
  };
}
