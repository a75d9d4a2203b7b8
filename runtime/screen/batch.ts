// Output on its way to the worker: bytes of all sessions in one array, posted together. Always true: `add` copies and
// returns within a few microseconds; bytes keep their order; nothing waits longer than BATCH_MS, unless output floods: then
// the model, which nobody can watch at that speed, leaves the processor to the clients until the flood pauses or
// FLOOD_HELD_BYTES wait. It stands on the way of every echoed key, so it does no more than that.
import type { BytesMessage } from './message.js';

/** Posting wakes the other thread and costs some 10 us here: a burst of reads shares one. */
export const BATCH_MS = 2;
/** A full batch goes at once. */
export const BATCH_BYTES = 65_536;
/** More than this in BATCH_MS is a flood: faster than 4 MB/s, which no agent's screen is. */
const FLOOD_BYTES = 8_192;
/** Below SCREEN_BACKLOG_BYTES, at which the PTY is paused: a burst of that size ends before the model is asked. */
const FLOOD_HELD_BYTES = 8 * 1_048_576 - 2 * BATCH_BYTES;
/** A smaller batch is copied out for posting, a larger one is handed over: most are an echo or a frame. */
const COPIED_BYTES = 16_384;

export class Batch {
  #bytes = new Uint8Array(BATCH_BYTES);
  #used = 0;
  #entries: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #waiting = false;
  /** Full batches of a flood, oldest first. */
  #held: Array<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly entries: number[] }> = [];
  #addedInWindow = 0;

  constructor(readonly post: (message: BytesMessage, transfer: ArrayBuffer) => void) {}

  /** Bytes of a session that end at `endOffset`. */
  add(session: number, bytes: Uint8Array, endOffset: number): void {
    let from = 0;
    this.#addedInWindow += bytes.length;
    while (from < bytes.length) {
      const taken = Math.min(bytes.length - from, BATCH_BYTES - this.#used);
      this.#bytes.set(taken === bytes.length ? bytes : bytes.subarray(from, from + taken), this.#used);
      this.#used += taken;
      from += taken;
      this.#enter(session, taken, endOffset - (bytes.length - from));
      if (this.#used === BATCH_BYTES) this.#hold();
    }
    if (this.#held.length * BATCH_BYTES >= FLOOD_HELD_BYTES) this.flush();
    if ((this.#used > 0 || this.#held.length > 0) && !this.#waiting) this.#wait();
  }

  /** Posts what has been added. Whatever is posted after it comes after these bytes. */
  flush(): void {
    this.#waiting = false;
    for (const { bytes, entries } of this.#held) this.post({ type: 'bytes', bytes, entries }, bytes.buffer);
    this.#held = [];
    if (this.#used === 0) return;
    const bytes = this.#used <= COPIED_BYTES ? this.#bytes.slice(0, this.#used) : this.#bytes;
    const posted = bytes.subarray(0, this.#used);
    if (bytes === this.#bytes) this.#bytes = new Uint8Array(BATCH_BYTES);
    const entries = this.#entries;
    this.#used = 0;
    this.#entries = [];
    this.post({ type: 'bytes', bytes: posted, entries }, bytes.buffer);
  }

  #hold(): void {
    this.#held.push({ bytes: this.#bytes, entries: this.#entries });
    this.#bytes = new Uint8Array(BATCH_BYTES);
    this.#used = 0;
    this.#entries = [];
  }

  /** The window is over: a flood goes on waiting, anything else is posted. */
  readonly #due = (): void => {
    const flooding = this.#addedInWindow > FLOOD_BYTES;
    this.#addedInWindow = 0;
    if (flooding) this.#timer?.refresh();
    else this.flush();
  };

  /** Forgets what waits. */
  close(): void {
    this.#held = [];
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
      this.#timer = setTimeout(this.#due, BATCH_MS);
      this.#timer.unref();
    } else {
      this.#timer.refresh();
    }
  };
}
