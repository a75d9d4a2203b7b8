// The terminal that the CLI runs in, while a seat has it. Always true: however the process ends (return, error, uncaught
// exception, SIGTERM, SIGHUP, SIGINT), the terminal is in cooked mode and without the program's modes afterwards; nothing
// of ours is drawn while the seat has the screen. It writes only what it is given.
import { writeSync } from 'node:fs';
import { printable } from '../print.js';
import { ModeScan } from './mode-scan.js';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
export type EndSignal = (typeof SIGNALS)[number];

export interface LocalTerminalEvents {
  input(bytes: Uint8Array): void;
  resize(rows: number, cols: number): void;
  /** The process was told to end; the terminal has been given back already. */
  signal(signal: EndSignal): void;
  /** The local terminal can't be written to any more. */
  gone(): void;
}

/** Pushes what is on the screen into the scrollback, so that drawing over it loses nothing. */
const makeRoom = (rows: number): string => `\x1b[999;1H${'\n'.repeat(rows)}\x1b[H\x1b[2J`;
const BUSY_TRIES = 100;
const BUSY_WAIT_MS = 5;
const SAVE_TITLE = '\x1b[22;2t';
const RESTORE_TITLE = '\x1b[23;2t';
/** Harmless everywhere: no attributes, no link, a visible cursor, and a line of its own below everything. */
const LAST_LINE = '\x1b[0m\x1b]8;;\x1b\\\x1b[?25h\x1b[999;1H\r\n';

export class LocalTerminal {
  readonly #events: LocalTerminalEvents;
  readonly #modes = new ModeScan();
  #state: 'ours' | 'the-seats' | 'closed' = 'ours';
  readonly #onInput = (bytes: Buffer) => {
    if (this.#state === 'the-seats') this.#events.input(bytes);
  };
  readonly #onResize = () => {
    const { rows, cols } = this.size;
    if (this.#state === 'the-seats') this.#events.resize(rows, cols);
  };
  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.giveBack();
    this.#events.signal(signal as EndSignal);
  };
  readonly #onGone = () => this.#events.gone();
  readonly #onExit = () => this.giveBack();
  /** After a stop and a continue the shell has had the terminal in between. */
  readonly #onContinue = () => {
    if (this.#state !== 'the-seats') return;
    process.stdin.setRawMode(false);
    process.stdin.setRawMode(true);
    this.#onResize();
  };

  constructor(events: LocalTerminalEvents) {
    this.#events = events;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    process.on('SIGCONT', this.#onContinue);
    process.on('exit', this.#onExit);
    // Before the default report, which would otherwise be drawn on the program's screen.
    process.on('uncaughtExceptionMonitor', this.#onExit);
    process.stdin.on('data', this.#onInput).on('end', this.#onGone).on('error', this.#onGone);
    process.stdout.on('resize', this.#onResize).on('error', this.#onGone);
  }

  get size(): { rows: number; cols: number } {
    const { rows = 24, columns: cols = 80 } = process.stdout;
    return { rows, cols };
  }

  get has(): 'ours' | 'the-seats' | 'closed' {
    return this.#state;
  }

  /** The window title that the program set last. */
  get programTitle(): string | undefined {
    return this.#modes.title;
  }

  /** The seat gets the terminal: raw mode, an empty screen. */
  handOver(): void {
    if (this.#state !== 'ours') return;
    this.#state = 'the-seats';
    process.stdin.setRawMode(true);
    process.stdin.resume();
    this.#now(SAVE_TITLE + makeRoom(this.size.rows));
  }

  /** Output of the seat. False when the terminal is slow: wait for `drained`. */
  write(bytes: Uint8Array): boolean {
    if (this.#state !== 'the-seats') return true;
    this.#modes.push(bytes);
    return process.stdout.write(bytes);
  }

  drained(): Promise<void> {
    return new Promise((resolve) => process.stdout.once('drain', () => resolve()));
  }

  /** An empty screen without the program's modes, as a snapshot expects it. */
  clear(): void {
    if (this.#state === 'the-seats') this.#now(`${this.#modes.undo()}\x1b[0m\x1b[?25h\x1b[2J\x1b[H`);
  }

  /** The only thing of ours that may be shown while the seat has the screen. */
  setTitle(text: string): void {
    if (this.#state === 'the-seats') this.#now(`\x1b]2;${printable(text)}\x07`);
  }

  bell(): void {
    if (this.#state === 'the-seats') this.#now('\x07');
  }

  /** Takes the terminal back: the program's modes off, cooked mode, the cursor on a line of its own. */
  giveBack(): void {
    if (this.#state !== 'the-seats') return;
    this.#state = 'ours';
    this.#now(this.#modes.undo() + RESTORE_TITLE + LAST_LINE);
    try {
      process.stdin.setRawMode(false);
    } catch {
      // the terminal is gone
    }
  }

  /** Gives back and lets go of everything, so that the process can end. */
  close(): void {
    this.giveBack();
    this.#state = 'closed';
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    process.off('SIGCONT', this.#onContinue);
    process.off('exit', this.#onExit);
    process.off('uncaughtExceptionMonitor', this.#onExit);
    process.stdin.off('data', this.#onInput).off('end', this.#onGone).off('error', this.#onGone);
    process.stdout
      .off('resize', this.#onResize)
      .off('error', this.#onGone)
      .on('error', () => {});
    process.stdin.pause();
    process.stdin.unref?.();
  }

  /** At once and whole: used where the process may end right after. */
  #now(text: string): void {
    let rest = Buffer.from(text);
    for (let tries = 0; rest.length > 0 && tries < BUSY_TRIES; tries++) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        // A terminal that is gone needs no restoring; one that is busy gets a moment.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_WAIT_MS);
      }
    }
  }
}
