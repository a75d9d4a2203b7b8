// The master end of one PTY: the only place that reads, writes, resizes and closes its descriptor. Always true: a write
// never blocks; nothing is written or read once it is closed, so never to a descriptor that has a new owner; `drain`
// delivers all that the kernel holds. It knows no process and no session.
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { PtyAddon } from './addon.js';
import type { PtyWrite } from './port.js';

/** One write: what the kernel's line discipline takes at once; a longer one only comes back short. */
const WRITE_BYTES = 4_096;
/** One read. A PTY was seen to give up to 64 KiB at once when its reader was late. */
const READ_BYTES = 65_536;
/** The kernel holds about 20 KiB of a PTY's output: ten times that is all the leader wrote, and a background job that
 * goes on printing can't hold the exit. */
const DRAIN_BYTES = 262_144;

// Reads are synchronous and their views are valid during the call only, so all channels share one buffer. Draining has
// its own, because it may happen while a view of the first is in use.
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
const drainBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

export class Channel {
  readonly #master: number;
  /** Our own descriptor of the slave, or -1. While we hold it the master never fails with EIO. */
  readonly #slave: number;
  readonly #addon: PtyAddon;
  readonly #data: (chunk: Uint8Array) => void;
  readonly #stream: ReadStream;
  #slaveOpen: boolean;

  /** Takes ownership of `master` and starts reading it. `slavePath` is opened and held until `close`. */
  constructor(master: number, slavePath: string, addon: PtyAddon, data: (chunk: Uint8Array) => void) {
    this.#master = master;
    this.#addon = addon;
    this.#data = data;
    this.#slave = openSlave(slavePath);
    this.#slaveOpen = this.#slave >= 0;
    // net.Socket's `onread` passes through tty.ReadStream, which its types don't tell.
    const options = {
      onread: {
        buffer: readBuffer,
        callback: (bytes: number): boolean => {
          this.#data(readBuffer.subarray(0, bytes));
          return true;
        },
      },
    };
    this.#stream = new ReadStream(master, options as object);
    // A hung-up terminal (vhangup) ends the stream with EIO; the leader's exit is told by its parent, not by this.
    this.#stream.on('error', () => {});
    // Starts reading, the first data come in a later turn. Not `resume`: it reads once more on the next tick, and so
    // undoes a `pause` of this one. After `read(0)` it doesn't.
    this.#stream.read(0);
  }

  get closed(): boolean {
    // The stream closes the descriptor in the same call that sets `destroyed`, also after an error of its own.
    return this.#stream.destroyed;
  }

  write(bytes: Uint8Array): PtyWrite {
    if (this.closed) return 'closed';
    try {
      return writeSync(this.#master, bytes, 0, Math.min(bytes.length, WRITE_BYTES));
    } catch (error) {
      return codeOf(error) === 'EAGAIN' ? 'again' : 'closed';
    }
  }

  pause(): void {
    if (!this.closed) this.#stream.pause();
  }

  resume(): void {
    if (!this.closed) this.#stream.resume();
  }

  resize(rows: number, cols: number): void {
    if (this.closed) return;
    try {
      this.#addon.resize(this.#master, cols, rows);
    } catch {
      // Hung up between the check and the call: there is no window to resize.
    }
  }

  /** Delivers what the kernel still holds, at once, also when paused. */
  drain(): void {
    if (this.closed) return;
    this.#stream.pause();
    for (let total = 0; total < DRAIN_BYTES && !this.closed; ) {
      let bytes = 0;
      try {
        bytes = readSync(this.#master, drainBuffer, 0, READ_BYTES, null);
      } catch (error) {
        if (codeOf(error) === 'EINTR') continue;
        return;
      }
      if (bytes === 0) return;
      total += bytes;
      this.#data(drainBuffer.subarray(0, bytes));
    }
  }

  /** Closes both descriptors, once. What is left in the session is hung up by the kernel. */
  close(): void {
    if (this.#slaveOpen) {
      this.#slaveOpen = false;
      closeSync(this.#slave);
    }
    this.#stream.destroy();
  }
}

function openSlave(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return -1;
  }
}
