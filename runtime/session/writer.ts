// The only place that writes to a session's PTY. Always true: an operator's bytes arrive complete and in order; operators
// go before replies, and both before a grant; nothing enters an open paste frame but its own source's bytes; an operator's
// key cuts a grant that is not yet written whole; a write never blocks. When the child doesn't read, bytes wait here,
// bounded, and a timer asks again. It decides nothing about who may write.
import { INPUT_BACKPRESSURE_BYTES, INPUT_QUEUE_BYTES, OPEN_PASTE_MS } from '../../protocol/limit.js';
import type { PtyWrite } from '../pty/port.js';
import { cutGrant } from './cut.js';

/** The kernel takes no more than this in one call while the child is in raw mode. */
const CALL_BYTES = 4_096;
/** Calls in one turn: a large paste to a fast child must not keep the loop from other sessions. */
const CALLS_A_TURN = 16;
/** First and longest pause after the kernel's buffer was full: 20 ms costs nothing and is not felt in a paste. */
const RETRY_FIRST_MS = 1;
const RETRY_MAX_MS = 20;
/** Replies that may wait: a program that asks without reading gets no more answers. */
const REPLY_QUEUE_BYTES = 65_536;
const PASTE_CLOSE = new TextEncoder().encode('\x1b[201~');

export interface WriterPort {
  write(bytes: Uint8Array): PtyWrite;
  now(): number;
  /** Runs once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs in a later turn of the loop. */
  later(run: () => void): void;
  /** Operators' input waits (or no longer does) because the child doesn't read. */
  backpressure(active: boolean, waitingBytes: number): void;
}

interface Chunk {
  readonly source: number;
  bytes: Uint8Array;
  written: number;
  /** The source's paste frame is open once these bytes are written. */
  readonly openAfter: boolean;
}

type Frame =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly source: number; readonly since: number };

/** Replies share one source, and so do grants; no operator has either. */
const REPLIES = -1;
const GRANTS = -2;

/** Automation's bytes under one fence. */
export interface Grant {
  readonly bytes: Uint8Array;
  /** Whether the fence still holds; asked before every write. */
  holds(): boolean;
  /** So many of `bytes` have reached the PTY so far, and more must wait: a child that reads nothing is told from a slow one. */
  progress(written: number): void;
  /** Once: how many of `bytes` reached the PTY, and whether it was all of them. */
  done(written: number, complete: boolean): void;
}

interface Granting {
  readonly grant: Grant;
  readonly chunk: Chunk;
  cut: boolean;
  /** What `progress` has told. */
  told: number;
}

export class Writer {
  #operators: Chunk[] = [];
  #replies: Chunk[] = [];
  #granting: Granting | undefined;
  /** Partly written: it is finished before anything else, so that no sequence is cut in two. */
  #current: Chunk | undefined;
  #frame: Frame = { kind: 'closed' };
  #operatorBytes = 0;
  #replyBytes = 0;
  #told = false;
  #retryMs = 0;
  #wake: (() => void) | undefined;
  #busy = false;
  #closed = false;

  constructor(readonly port: WriterPort) {}

  /** Operators' bytes that wait here. */
  get waitingBytes(): number {
    return this.#operatorBytes;
  }

  /**
   * False when the queue is full: then none of these bytes was taken. `openAfter`: see Chunk. `cuts` false: mouse motion,
   * which waits for a grant under way to be written whole.
   */
  operator(source: number, bytes: Uint8Array, openAfter: boolean, cuts = true): boolean {
    if (this.#closed || bytes.length === 0) return true;
    if (this.#operatorBytes + bytes.length > INPUT_QUEUE_BYTES) return false;
    if (cuts) this.revoke();
    this.#operators.push({ source, bytes, written: 0, openAfter });
    this.#operatorBytes += bytes.length;
    this.#pump();
    return true;
  }

  /** A reply of the runtime as the terminal. Dropped when the program asks without reading. */
  reply(bytes: Uint8Array): void {
    if (this.#closed || this.#replyBytes + bytes.length > REPLY_QUEUE_BYTES) return;
    this.#replies.push({ source: REPLIES, bytes, written: 0, openAfter: false });
    this.#replyBytes += bytes.length;
    this.#pump();
  }

  /** Writes a grant once nothing else waits. One at a time; a closed writer has written nothing of it. */
  grant(grant: Grant): void {
    if (this.#closed || this.#granting) {
      grant.done(0, false);
      return;
    }
    const chunk = { source: GRANTS, bytes: grant.bytes, written: 0, openAfter: false };
    this.#granting = { grant, chunk, cut: false, told: 0 };
    this.#pump();
  }

  /** Nothing more of the running grant is written than what closes its frame. */
  revoke(): void {
    const granting = this.#granting;
    if (granting === undefined || granting.cut) return;
    const { chunk } = granting;
    granting.cut = true;
    if (chunk.written === 0) this.#granted(granting, 0);
    else chunk.bytes = cutGrant(chunk.bytes, chunk.written);
  }

  /** The operator has left: a paste frame that it left open is closed, or later keys would be text. */
  left(source: number): void {
    if (this.#closed) return;
    const last = this.#operators.findLast((chunk) => chunk.source === source);
    const open = last ? last.openAfter : this.#frame.kind === 'open' && this.#frame.source === source;
    if (open) this.operator(source, PASTE_CLOSE, false);
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
    this.#wake = undefined;
    this.#operators = [];
    this.#replies = [];
    this.#current = undefined;
    if (this.#granting) this.#granted(this.#granting, this.#granting.chunk.written);
  }

  #granted(granting: Granting, written: number): void {
    this.#granting = undefined;
    if (this.#current === granting.chunk) this.#current = undefined;
    const whole = granting.grant.bytes.length;
    granting.grant.done(Math.min(written, whole), !granting.cut && written === whole);
  }

  #pump(): void {
    if (this.#busy || this.#closed) return;
    // Asked again too early, a full kernel buffer would only cost a call.
    if (this.#wake && this.#retryMs > 0) return this.#tell();
    this.#wake?.();
    this.#wake = undefined;
    this.#busy = true;
    try {
      this.#run();
    } finally {
      this.#busy = false;
    }
    this.#tell();
    const granting = this.#granting;
    if (granting === undefined || granting.cut || granting.chunk.written === granting.told) return;
    granting.told = granting.chunk.written;
    granting.grant.progress(granting.told);
  }

  #run(): void {
    for (let calls = 0; calls < CALLS_A_TURN; ) {
      this.#current ??= this.#next();
      const chunk = this.#current;
      if (chunk === undefined) return;
      if (chunk.source === GRANTS && this.#granting?.grant.holds() === false) {
        this.revoke();
        if (this.#granting === undefined) continue;
      }
      if (chunk.written === 0) this.#enter(chunk);
      const took = this.port.write(chunk.bytes.subarray(chunk.written, chunk.written + CALL_BYTES));
      calls++;
      if (took === 'closed') return this.close();
      if (took === 'again' || took === 0) return this.#retry();
      this.#retryMs = 0;
      this.#took(chunk, took);
    }
    this.port.later(() => this.#pump());
  }

  #took(chunk: Chunk, bytes: number): void {
    chunk.written += bytes;
    if (chunk.source === REPLIES) this.#replyBytes -= bytes;
    else if (chunk.source !== GRANTS) this.#operatorBytes -= bytes;
    if (chunk.written < chunk.bytes.length) return;
    this.#current = undefined;
    if (chunk.source === GRANTS && this.#granting) this.#granted(this.#granting, chunk.written);
    if (chunk.source < 0) return;
    this.#frame = chunk.openAfter
      ? { kind: 'open', source: chunk.source, since: this.port.now() }
      : { kind: 'closed' };
  }

  #enter(chunk: Chunk): void {
    if (chunk.openAfter) this.#frame = { kind: 'open', source: chunk.source, since: this.port.now() };
  }

  #next(): Chunk | undefined {
    if (this.#frame.kind === 'open') {
      const { source, since } = this.#frame;
      const at = this.#operators.findIndex((chunk) => chunk.source === source);
      if (at >= 0) return this.#operators.splice(at, 1)[0];
      const left = since + OPEN_PASTE_MS - this.port.now();
      if (left > 0) {
        if (this.#operators.length + this.#replies.length > 0 || this.#granting) this.#sleep(left);
        return undefined;
      }
      this.#frame = { kind: 'closed' };
    }
    return this.#operators.shift() ?? this.#replies.shift() ?? this.#granting?.chunk;
  }

  #retry(): void {
    this.#retryMs = Math.min(RETRY_MAX_MS, Math.max(RETRY_FIRST_MS, this.#retryMs * 2));
    this.#sleep(this.#retryMs);
  }

  #sleep(ms: number): void {
    this.#wake?.();
    const cancel = this.port.after(ms, () => {
      this.#wake = undefined;
      this.#pump();
    });
    this.#wake = cancel;
  }

  /** Told once when it begins and once when half of it is gone, not on every byte. */
  #tell(): void {
    const waiting = this.#operatorBytes;
    if (!this.#told && waiting > INPUT_BACKPRESSURE_BYTES) this.#told = true;
    else if (this.#told && waiting <= INPUT_BACKPRESSURE_BYTES / 2) this.#told = false;
    else return;
    this.port.backpressure(this.#told, waiting);
  }
}
