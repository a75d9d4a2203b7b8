// One attached client as its session sees it: where it is in the byte stream, what it may do, and how its output leaves.
// Always true: every byte from its start reaches it once and in order, or a gap says how many don't; what it hasn't taken
// stays in the ring, so a slow client costs no memory; a client that takes nothing for BACKLOG_AGE_MS is detached.

import type { CloseCode } from '../../protocol/close-code.js';
import type { AttachMode, ServerFrame } from '../../protocol/frame.js';
import {
  BACKLOG_AGE_MS,
  OUTPUT_FRAME_BYTES,
  PING_INTERVAL_MS,
  SOCKET_HIGH_WATER_BYTES,
} from '../../protocol/limit.js';
import type { Session } from './session.js';
import type { Size } from './size.js';

/** What a session needs of a client's socket. */
export interface ClientSocket {
  sendText(text: string): void;
  /** `done` runs when the operating system has taken the bytes. */
  sendBytes(bytes: Uint8Array, done: () => void): void;
  readonly bufferedBytes: number;
  /** What is sent until `uncork` leaves in one system call. */
  cork(): void;
  uncork(): void;
  ping(): void;
  close(code: CloseCode, reason?: string): void;
}

/** What a client reads from: the session's ring. */
export interface OutputSource {
  readonly start: number;
  readonly end: number;
  slice(from: number, to: number): Uint8Array;
}

/** What a client needs of its session besides bytes. */
export interface ClientPort {
  now(): number;
  /** The client has taken bytes: a paused PTY may go on. */
  drained(): void;
}

type Output =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'live'; cursor: number }
  | {
      readonly kind: 'closing';
      cursor: number;
      readonly code: CloseCode;
      readonly last: ServerFrame | undefined;
    }
  | { readonly kind: 'closed' };

/** Output is copied out of the ring in pieces of this size: fewer, larger copies and system calls in a flood. */
const COPY_BYTES = 65_536;
/** How long a client that is being closed may take for what is left. */
export const FLUSH_MS = 2_000;

export interface ClientIdentity {
  readonly id: number;
  readonly mode: AttachMode;
  /** Shown to people: an address, never a secret. */
  readonly source: string;
  /** Fingerprint of the credential, for the audit feed. */
  readonly fingerprint: string;
}

export class Client {
  activeAt: number;
  focused = false;
  malformedFrames = 0;
  missedPings = 0;
  /** Told when it goes on in another session; whoever reads its socket sets it. */
  moved: (to: Session) => void = () => {};
  /** Set by any sign of life: a pong, a ping, an application's ping. */
  pongSeen = true;
  nextPingAt: number;
  #output: Output = { kind: 'waiting' };
  /** When the oldest byte that it hasn't taken became available; undefined when it has everything. */
  #behindSince: number | undefined;
  #pending = 0;
  /** Told after the opening frames. */
  #late: ServerFrame | undefined;

  constructor(
    readonly identity: ClientIdentity,
    readonly socket: ClientSocket,
    private source: OutputSource,
    private port: ClientPort,
    /** The size it asked for, or undefined to take what is there. */
    public size: Size | undefined,
  ) {
    this.activeAt = port.now();
    this.nextPingAt = this.activeAt + PING_INTERVAL_MS;
  }

  /** Reads from another session from now on: nothing is told until `start`, what was not taken of the old one is lost. */
  redirect(source: OutputSource, port: ClientPort): void {
    if (!this.open) return;
    this.source = source;
    this.port = port;
    this.#output = { kind: 'waiting' };
    this.#behindSince = undefined;
  }

  get open(): boolean {
    return this.#output.kind === 'waiting' || this.#output.kind === 'live';
  }

  /** Nothing will be sent any more. */
  get gone(): boolean {
    return this.#output.kind === 'closed';
  }

  /** Bytes written by the child that have not been handed to the socket. */
  get backlogBytes(): number {
    return this.#output.kind === 'live' ? this.source.end - this.#output.cursor : 0;
  }

  /** Nothing is told before the opening frames: what changed until then is in them, but how a handover went on. */
  send(frame: ServerFrame): void {
    const { kind } = this.#output;
    if (kind === 'waiting' && frame.type === 'handover') this.#late = frame;
    if (kind === 'live' || kind === 'closing') this.socket.sendText(JSON.stringify(frame));
  }

  /** Opens with these frames; the painting follows the last one. Then output begins at `cursor`, the ring's end or before. */
  start(opening: readonly ServerFrame[], cursor: number, painting?: Uint8Array): void {
    if (this.#output.kind !== 'waiting') return;
    this.#output = { kind: 'live', cursor };
    for (const frame of opening) this.send(frame);
    if (painting) this.socket.sendBytes(painting, () => {});
    if (this.#late) this.send(this.#late);
    this.#late = undefined;
    this.flush(this.port.now());
  }

  /** Hands over what there is, as far as the socket is ready for it. */
  flush(now: number): void {
    const output = this.#output;
    if (output.kind !== 'live' && output.kind !== 'closing') return;
    while (output.cursor < this.source.end && this.socket.bufferedBytes < SOCKET_HIGH_WATER_BYTES) {
      if (output.cursor < this.source.start) {
        this.send({ v: 1, type: 'gap', bytes_dropped: this.source.start - output.cursor });
        output.cursor = this.source.start;
      }
      const to = Math.min(this.source.end, output.cursor + COPY_BYTES);
      this.#sendFrames(this.source.slice(output.cursor, to));
      output.cursor = to;
    }
    if (this.socket.bufferedBytes === 0 && output.cursor >= this.source.end) this.#behindSince = undefined;
    else this.#behindSince ??= now;
    if (output.kind === 'closing' && output.cursor >= this.source.end) this.#shut(output);
  }

  #sendFrames(bytes: Uint8Array): void {
    if (bytes.length > OUTPUT_FRAME_BYTES) this.socket.cork();
    for (let from = 0; from < bytes.length; from += OUTPUT_FRAME_BYTES) {
      this.#pending++;
      this.socket.sendBytes(bytes.subarray(from, from + OUTPUT_FRAME_BYTES), this.#taken);
    }
    if (bytes.length > OUTPUT_FRAME_BYTES) this.socket.uncork();
  }

  /** The socket has taken something: it is alive, so its age starts anew, and there is room for more. */
  readonly #taken = (): void => {
    this.#pending--;
    if (this.#output.kind === 'closed') return;
    this.#behindSince = undefined;
    const now = this.port.now();
    if (this.backlogBytes > 0 || this.#output.kind === 'closing') this.flush(now);
    else if (this.#pending > 0) this.#behindSince = now;
    this.port.drained();
  };

  /** True when it has taken nothing for too long. */
  stalled(now: number): boolean {
    return this.#behindSince !== undefined && now - this.#behindSince >= BACKLOG_AGE_MS;
  }

  /** Closes after everything written so far, then `last`, has been handed over. */
  finish(code: CloseCode, last: ServerFrame | undefined, now: number): void {
    const output = this.#output;
    if (output.kind === 'closed' || output.kind === 'closing') return;
    const cursor = output.kind === 'live' ? output.cursor : this.source.end;
    this.#output = { kind: 'closing', cursor, code, last };
    this.flush(now);
  }

  /** Closes now, whatever is left. */
  cut(code: CloseCode, reason?: string): void {
    if (this.#output.kind === 'closed') return;
    this.#output = { kind: 'closed' };
    this.socket.close(code, reason);
  }

  #shut(output: Extract<Output, { kind: 'closing' }>): void {
    if (output.last) this.socket.sendText(JSON.stringify(output.last));
    this.#output = { kind: 'closed' };
    this.socket.close(output.code);
  }
}
