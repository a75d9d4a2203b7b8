// One occupant: a PTY, its output ring, its screen model, its writer and its audience, wired together. Always true: every
// output byte goes scanner -> ring -> clients in the turn in which it was read; input goes to the PTY in the turn in which
// it came; nothing here waits for the screen, the store or a client. It has no rules of its own: they are in its parts.

import type { CloseCode } from '../../protocol/close-code.js';
import type { ServerFrame } from '../../protocol/frame.js';
import { HELD_SEQUENCE_MS, SCREEN_BACKLOG_BYTES } from '../../protocol/limit.js';
import type { Segment } from '../input/segment.js';
import type { Pty, PtyExit } from '../pty/port.js';
import type { Reading, Screen, ScreenHost } from '../screen/port.js';
import type { OutputScanner } from '../terminal/port.js';
import { createOutputScanner } from '../terminal/scanner.js';
import { Audience, type LeaveReason } from './audience.js';
import type { Client } from './client.js';
import { ReplyOrder } from './reply-order.js';
import { Ring } from './ring.js';
import type { Size } from './size.js';
import { Writer } from './writer.js';

/** The clock and timers of one loop; a test may bring its own. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  after(ms: number, run: () => void): () => void;
  later(run: () => void): void;
}

export interface SessionSpec extends Size {
  readonly name: string;
  /** The seat that its leader was started for, as the leader's environment has it; it never changes. */
  readonly seat: string;
  readonly generation: number;
  readonly ringBytes: number;
  readonly scrollbackLines: number;
}

/** Who wants to know what happens in a session, in the turn in which it happens. None of these may throw. */
export interface SessionWatcher {
  /** Bytes have been passed on; the stream now ends at `offset`. Hot: it must only note it. */
  output(offset: number): void;
  /** A complete OSC string; its bytes have been passed. */
  osc(code: number, body: string): void;
  bell(): void;
  /** RIS. */
  reset(): void;
  modesChanged(): void;
  /** What an operator sent, after it went to the writer. */
  operator(client: Client, segments: readonly Segment[]): void;
  composing(client: Client, active: boolean): void;
  reading(reading: Reading): void;
  joined(client: Client): void;
  left(client: Client): void;
}

export const NOBODY_WATCHES: SessionWatcher = {
  output: () => {},
  osc: () => {},
  bell: () => {},
  reset: () => {},
  modesChanged: () => {},
  operator: () => {},
  composing: () => {},
  reading: () => {},
  joined: () => {},
  left: () => {},
};

export interface SessionPort {
  readonly clock: Clock;
  readonly screens: ScreenHost;
  watch(session: Session): SessionWatcher;
  /** A client's connection is over. */
  left(session: Session, client: Client, why: LeaveReason): void;
  /** The leader has ended; its last output has been handed over. */
  exited(session: Session, exit: PtyExit): void;
}

/** All who may type are this far behind: the PTY is paused, so that a slow line loses nothing. */
const PAUSE_BEHIND_BYTES = 524_288;
const RESUME_BEHIND_BYTES = 131_072;
/** Resizes closer together than this are merged: the last wins. */
const RESIZE_QUIET_MS = 50;
const FOCUS_IN = new TextEncoder().encode('\x1b[I');
const FOCUS_OUT = new TextEncoder().encode('\x1b[O');

export class Session {
  readonly ring: Ring;
  readonly writer: Writer;
  readonly audience: Audience;
  readonly scanner: OutputScanner;
  readonly screen: Screen;
  readonly watcher: SessionWatcher;
  readonly startedAt: number;
  generation: number;
  /** It runs beside its seat, as a candidate or a former occupant: found by its exact name alone. */
  hidden = false;
  lastActivityAt: number;
  ttlWarned = false;
  /** What the child has, and what it gets once resizes have been merged. */
  #size: Size;
  #wantedSize: Size;
  #pty: Pty | undefined;
  #exit: PtyExit | undefined;
  #paused = false;
  #holds = 0;
  #flushed = false;
  #release: (() => void) | undefined;
  #resizing: { at: number; cancel: (() => void) | undefined } = { at: -RESIZE_QUIET_MS, cancel: undefined };

  constructor(
    private named: SessionSpec,
    readonly port: SessionPort,
  ) {
    const { clock } = port;
    const spec = named;
    this.generation = spec.generation;
    this.startedAt = clock.now();
    this.lastActivityAt = this.startedAt;
    this.#size = { rows: spec.rows, cols: spec.cols };
    this.#wantedSize = this.#size;
    this.ring = new Ring(spec.ringBytes);
    this.screen = port.screens.open({
      ...this.#size,
      scrollbackLines: spec.scrollbackLines,
      onReading: (reading) => this.watcher.reading(reading),
      onDrain: () => this.#balance(),
    });
    const replies = new ReplyOrder({
      send: (bytes) => this.writer.reply(bytes),
      cursor: () => this.screen.cursorPosition(),
      lastCursor: () => {
        const cursor = this.screen.reading?.cursor;
        return cursor ? { row: cursor.y + 1, col: cursor.x + 1 } : { row: 1, col: 1 };
      },
      after: clock.after,
    });
    this.writer = new Writer({
      write: (bytes) => this.#pty?.write(bytes) ?? 'again',
      now: clock.now,
      after: clock.after,
      later: clock.later,
      backpressure: (active, waiting) =>
        this.audience.broadcast({ v: 1, type: 'input_backpressure', active, waiting_bytes: waiting }),
    });
    this.audience = new Audience({
      now: clock.now,
      after: clock.after,
      size: () => this.#wantedSize,
      resize: (size) => this.#resize(size),
      focus: (focused) => {
        if (this.scanner.modes.focusReports) this.writer.reply(focused ? FOCUS_IN : FOCUS_OUT);
      },
      left: (client, why) => {
        this.writer.left(client.identity.id);
        this.lastActivityAt = clock.now();
        this.#balance();
        this.watcher.left(client);
        port.left(this, client, why);
      },
    });
    this.scanner = createOutputScanner({
      pass: (bytes) => {
        this.ring.write(bytes);
        this.screen.write(bytes, this.ring.end);
        this.watcher.output(this.ring.end);
      },
      reply: (reply) => replies.add(reply),
      osc: (code, body) => this.watcher.osc(code, body),
      modesChanged: () => this.watcher.modesChanged(),
      bell: () => this.watcher.bell(),
      reset: () => this.watcher.reset(),
    });
    this.scanner.resized(spec.rows, spec.cols);
    this.watcher = port.watch(this);
  }

  /** What it was started as, under the name that it has now. */
  get spec(): SessionSpec {
    return this.named;
  }

  /** The same process under another name, for example when it takes a seat. */
  rename(name: string): void {
    this.named = { ...this.named, name };
  }

  get size(): Size {
    return this.#size;
  }

  get pid(): number {
    return this.#pty?.pid ?? 0;
  }

  get exit(): PtyExit | undefined {
    return this.#exit;
  }

  /** The PTY that this session owns from now on. */
  own(pty: Pty): void {
    this.#pty = pty;
  }

  get pty(): Pty | undefined {
    return this.#pty;
  }

  /** A chunk of the child's output: scanned, kept and on its way before this returns. */
  readonly output = (chunk: Uint8Array): void => {
    this.lastActivityAt = this.port.clock.now();
    this.#release?.();
    this.#release = undefined;
    this.scanner.push(chunk);
    if (this.scanner.heldBytes > 0)
      this.#release = this.port.clock.after(HELD_SEQUENCE_MS, this.#releaseHeld);
    this.#flush();
    if (!this.#paused && this.screen.backlogBytes > SCREEN_BACKLOG_BYTES) this.#balance();
    if (!this.#paused && this.audience.size > 0 && this.audience.allBehind(PAUSE_BEHIND_BYTES))
      this.#balance();
  };

  readonly exited = (exit: PtyExit): void => {
    this.#exit = exit;
    this.#releaseHeld();
    this.port.exited(this, exit);
  };

  readonly #releaseHeld = (): void => {
    this.#release?.();
    this.#release = undefined;
    this.scanner.release();
    this.audience.flush();
  };

  /** The first chunk of a turn leaves at once, as an echo must; what follows in the same turn leaves together. */
  #flush(): void {
    if (this.audience.size === 0 || this.#flushed) return;
    this.#flushed = true;
    this.audience.flush();
    this.port.clock.later(() => {
      this.#flushed = false;
      this.audience.flush();
    });
  }

  /** Reads from the PTY or not, as those who depend on it can follow. */
  #balance(): void {
    const { screen, audience } = this;
    const limit = this.#paused ? RESUME_BEHIND_BYTES : PAUSE_BEHIND_BYTES;
    const screenLimit = this.#paused ? SCREEN_BACKLOG_BYTES / 2 : SCREEN_BACKLOG_BYTES;
    const pause = this.#holds > 0 || screen.backlogBytes > screenLimit || audience.allBehind(limit);
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#pty?.pause();
    else this.#pty?.resume();
  }

  /** Reads nothing from the child until the answer is called. */
  holdOutput(): () => void {
    this.#holds++;
    this.#balance();
    return () => {
      this.#holds--;
      this.#balance();
    };
  }

  /** A client has taken bytes. */
  readonly drained = (): void => {
    if (this.#paused) this.#balance();
  };

  #resize(size: Size): void {
    const { clock } = this.port;
    this.#resizing.cancel?.();
    this.#wantedSize = size;
    const wait = this.#resizing.at + RESIZE_QUIET_MS - clock.now();
    if (wait > 0) {
      this.#resizing.cancel = clock.after(wait, () => this.#applySize());
    } else this.#applySize();
  }

  #applySize(): void {
    const size = this.#wantedSize;
    this.#size = size;
    this.#resizing = { at: this.port.clock.now(), cancel: undefined };
    this.#pty?.resize(size.rows, size.cols);
    this.scanner.resized(size.rows, size.cols);
    this.screen.resize(size);
    this.audience.broadcast({ v: 1, type: 'size', rows: size.rows, cols: size.cols });
  }

  /** Ends every attachment, after what was written has been handed over. */
  closeAll(code: CloseCode, why: LeaveReason, last?: ServerFrame): void {
    this.audience.flush();
    this.audience.closeAll(code, why, last);
  }

  /** Nothing is written or read any more. */
  dispose(): void {
    this.#release?.();
    this.#resizing.cancel?.();
    this.writer.close();
    this.screen.close();
  }
}
