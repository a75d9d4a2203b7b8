// One seat's terminal stream, held over lost connections. Always true: every output byte is delivered once and in order,
// or a gap says how many are missing; input is sent while attached and otherwise dropped and told, never kept for later;
// the events end with exactly one `close`. It interprets no terminal bytes.
import type { AttachMode } from '../../protocol/frame.js';
import { INPUT_QUEUE_BYTES } from '../../protocol/limit.js';
import type { AttachmentEvents, AttachOptions, AttachPort, CloseEvent } from './attach-options.js';
import { backoffMs } from './backoff.js';
import { Cursor } from './cursor.js';
import { Emitter } from './emitter.js';
import { closeMeaning, type Ending, judgeClose, judgeRefusal, type Phase } from './ending.js';
import { SdkError } from './error.js';
import { HEARTBEAT_MS, Link } from './link.js';
import { seatFrameName } from './seat-frame.js';
import type { Notice, ReadFrame } from './server-frame.js';

type State =
  | { readonly kind: 'opening'; readonly phase: Phase; link: Link | undefined }
  | { readonly kind: 'attached'; readonly link: Link }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly kind: 'closed' };

const RESUME_FOR_MS = 300_000;
/** A connection that held this long starts the backoff anew. */
const STABLE_MS = 5_000;
const DETACH_LIMIT_MS = 1_000;

export class Attachment extends Emitter<AttachmentEvents> {
  readonly mode: AttachMode;
  /** The first notice; rejects with SdkError when the attach fails. */
  readonly ready: Promise<Notice>;
  /** The end, whatever it was; never rejects. */
  readonly closed: Promise<CloseEvent>;
  readonly #port: AttachPort;
  readonly #options: AttachOptions;
  readonly #cursor = new Cursor();
  #state: State = { kind: 'opening', phase: 'first', link: undefined };
  #size: { rows: number; cols: number } | undefined;
  #attempt = 0;
  #attachedAt = 0;
  #lostAt: number | undefined;
  #generation: number | undefined;
  #wants: 'nothing-past' | 'offset' | 'snapshot';
  #token: 'good' | 'refused' | 'renewed' = 'good';
  #composing = false;
  #exited = false;

  constructor(port: AttachPort, options: AttachOptions) {
    super();
    this.#port = port;
    this.#options = options;
    this.mode = options.mode ?? 'join';
    const { rows, cols } = options;
    if (rows !== undefined && cols !== undefined) this.#size = { rows, cols };
    this.#wants = options.snapshot ? 'snapshot' : options.since === undefined ? 'nothing-past' : 'offset';
    this.closed = this.once('close');
    this.ready = Promise.race([
      this.once('attached').then(({ notice }) => notice),
      this.closed.then(({ error, reason }): never => {
        throw error ?? new SdkError({ reason: 'not_attached', message: reason });
      }),
    ]);
    this.ready.catch(() => {});
    if (options.onBytes) this.on('bytes', options.onBytes);
    void this.#open('first');
  }

  /** Absolute offset of the next output byte; undefined before the first notice. */
  get offset(): number | undefined {
    return this.#cursor.offset;
  }

  get state(): State['kind'] {
    return this.#state.kind;
  }

  /** Types. What can't be sent now is dropped with an event: keys for a screen nobody sees must not arrive later. */
  write(input: Uint8Array | string): 'sent' | 'dropped' {
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
    const state = this.#state;
    if (this.mode === 'view') return this.#drop(bytes, 'view');
    if (state.kind !== 'attached') return this.#drop(bytes, 'not_attached');
    if (state.link.bufferedBytes + bytes.length > INPUT_QUEUE_BYTES) return this.#drop(bytes, 'full');
    state.link.sendInput(bytes);
    return 'sent';
  }

  /** The size of this client's terminal; kept for later connections. */
  resize(rows: number, cols: number): void {
    this.#size = { rows, cols };
    if (this.#state.kind === 'attached' && this.mode !== 'view') {
      this.#state.link.send({ type: 'resize', cols, rows });
    }
  }

  /** Somebody composes (IME, dictation) here; renewed with every heartbeat until it is over. */
  composing(active: boolean): void {
    if (this.mode === 'view' || this.#composing === active) return;
    this.#composing = active;
    if (this.#state.kind === 'attached') this.#state.link.send({ type: 'composing', active });
  }

  /** Stops reading, so that a slow consumer slows the server; in a browser it does nothing. */
  pause(): void {
    if (this.#state.kind === 'attached') this.#state.link.pause();
  }

  resume(): void {
    if (this.#state.kind === 'attached') this.#state.link.resume();
  }

  /** The next connection begins with a snapshot: the caller's screen is gone. */
  repaint(): void {
    this.#wants = 'snapshot';
  }

  /** Leaves the session running. Resolves when the connection is over. */
  async detach(): Promise<CloseEvent> {
    const state = this.#state;
    if (state.kind === 'attached') {
      state.link.resume();
      state.link.send({ type: 'detach' });
      const limit = setTimeout(() => this.#finish(1000, '', undefined), DETACH_LIMIT_MS);
      await this.closed;
      clearTimeout(limit);
    } else this.#finish(1000, '', undefined);
    return this.closed;
  }

  #drop(bytes: Uint8Array, why: AttachmentEvents['dropped']['why']): 'dropped' {
    if (bytes.length > 0) this.emit('dropped', { bytes: bytes.length, why });
    return 'dropped';
  }

  async #open(phase: Phase): Promise<void> {
    const opening: Extract<State, { kind: 'opening' }> = { kind: 'opening', phase, link: undefined };
    this.#state = opening;
    try {
      const fresh = this.#token === 'refused';
      if (fresh) this.#token = 'renewed';
      const [dial, token] = await Promise.all([this.#port.dial(), this.#port.token(fresh)]);
      if (this.#state !== opening) return;
      const since = this.#wants === 'offset' ? (this.#cursor.offset ?? this.#options.since) : undefined;
      this.#cursor.connect(since);
      const link: Link = new Link(
        dial,
        { url: this.#url(since), token },
        this.#options.heartbeatMs ?? HEARTBEAT_MS,
        {
          frame: (frame) => this.#frame(link, frame),
          binary: (bytes) => this.#binary(bytes),
          heartbeat: () => {
            if (this.#composing) link.send({ type: 'composing', active: true });
          },
          refused: (refusal) => {
            const renewable = this.#port.renewable && this.#token === 'good';
            this.#ended(1006, refusal.message, judgeRefusal(refusal, this.#phase, renewable));
          },
          close: (code, reason) => this.#ended(code, reason, judgeClose(code, reason, this.#phase)),
        },
      );
      opening.link = link;
    } catch (error) {
      if (this.#state === opening) this.#failed(phase, error);
    }
  }

  get #phase(): Phase {
    return this.#state.kind === 'opening' ? this.#state.phase : 'attached';
  }

  #url(since: number | undefined): string {
    const query = new URLSearchParams({ mode: this.mode });
    // With both, the server goes on where we were if it can, and draws otherwise.
    if (this.#wants === 'snapshot' || this.#options.snapshot) query.set('snapshot', '1');
    if (since !== undefined) query.set('since', String(since));
    if (this.#size) {
      query.set('rows', String(this.#size.rows));
      query.set('cols', String(this.#size.cols));
    }
    return `${this.#port.url}?${query}`;
  }

  #frame(link: Link, read: ReadFrame): void {
    switch (read.kind) {
      case 'attach-notice':
        this.#noticed(link, read.notice);
        break;
      case 'gap': {
        const from = this.#cursor.offset ?? 0;
        const bytes = this.#cursor.gap(read.frame.bytes_dropped);
        if (bytes > 0) this.#gap(from, bytes);
        break;
      }
      case 'snapshot':
        this.#cursor.snapshot(read.frame);
        break;
      case 'size':
        this.emit('size', read.frame);
        break;
      case 'exit':
        this.#exited = true;
        this.emit('exit', read.frame);
        break;
      case 'pong':
        break;
      case 'other': {
        const name = seatFrameName(read.frame);
        if (name !== undefined) this.emit(name, read.frame as never);
        this.emit('frame', read.frame);
      }
    }
  }

  #noticed(link: Link, notice: Notice): void {
    if (this.#state.kind === 'attached') return this.#followed(notice);
    if (this.#state.kind !== 'opening') return;
    const resumed = this.#state.phase !== 'first';
    const before = this.#generation;
    const meaning = this.#cursor.notice(notice);
    this.#state = { kind: 'attached', link };
    this.#attachedAt = Date.now();
    this.#lostAt = undefined;
    this.#token = 'good';
    this.#generation = notice.generation ?? before;
    if (this.#wants === 'nothing-past') this.#wants = 'offset';
    this.emit('attached', { notice, resumed });
    if (this.#composing) link.send({ type: 'composing', active: true });
    if (meaning.kind === 'restarted' || (resumed && before !== this.#generation)) {
      this.emit('restarted', { offset: this.#cursor.offset ?? 0, generation: this.#generation });
    }
    if (meaning.kind === 'gap') this.emit('gap', { from: meaning.from, bytes: meaning.bytes });
  }

  /** The seat was handed over: the new occupant's stream begins on this connection, with a snapshot. */
  #followed(notice: Notice): void {
    this.#cursor.connect(undefined);
    this.#cursor.notice(notice);
    this.#generation = notice.generation ?? this.#generation;
    this.#exited = false;
    this.emit('restarted', { offset: this.#cursor.offset ?? 0, generation: this.#generation });
  }

  #binary(bytes: Uint8Array): void {
    const chunk = this.#cursor.binary(bytes);
    if (chunk.kind === 'output') this.emit('bytes', { offset: chunk.offset, bytes: chunk.bytes });
    else if (chunk.kind === 'snapshot') {
      this.#wants = 'offset';
      const { stream_offset: offset, rows, cols } = chunk.notice;
      this.emit('snapshot', { offset, rows, cols, bytes: chunk.bytes });
    }
  }

  /** A screen with bytes missing is worth nothing: who asked for a snapshot gets a new one over a new connection. */
  #gap(from: number, bytes: number): void {
    this.emit('gap', { from, bytes });
    if (!this.#options.snapshot || this.#state.kind !== 'attached') return;
    this.#wants = 'snapshot';
    this.#state.link.end('close');
    this.#wait(1006, 'output was lost; drawing the screen again');
  }

  #failed(phase: Phase, cause: unknown): void {
    const error =
      cause instanceof SdkError
        ? cause
        : new SdkError({ reason: 'attach_refused', message: String(cause), cause });
    const transient = ['unreachable', 'timeout', 'throttled', 'unavailable', 'server_error'];
    const retry = phase !== 'first' && transient.includes(error.reason);
    this.#ended(1006, error.message, retry ? { kind: 'resume' } : { kind: 'final', error });
  }

  #ended(code: number, reason: string, ending: Ending): void {
    if (this.#state.kind === 'closed') return;
    this.#lostAt ??= Date.now();
    const over = Date.now() - this.#lostAt >= (this.#options.resumeForMs ?? RESUME_FOR_MS);
    if (ending.kind === 'final') this.#finish(code, reason, code === 1000 ? undefined : ending.error);
    else if (this.#exited) this.#finish(4004, '', finalError(4004));
    else if (this.#options.resume === false || over) this.#finish(code, reason, finalError(code));
    else {
      if (ending.kind === 'new-token') this.#token = 'refused';
      this.#wait(code, reason);
    }
  }

  #wait(code: number, reason: string): void {
    if (this.#attachedAt > 0 && Date.now() - this.#attachedAt >= STABLE_MS) this.#attempt = 0;
    this.#attachedAt = 0;
    const delay = this.#options.retryDelayMs ?? ((attempt: number) => backoffMs(attempt, Math.random()));
    const retryInMs = delay(this.#attempt++);
    this.#state = { kind: 'waiting', timer: setTimeout(() => void this.#open('resuming'), retryInMs) };
    this.emit('lost', { code, reason: reason === '' ? closeMeaning(code, '').text : reason, retryInMs });
  }

  #finish(code: number, reason: string, error: SdkError | undefined): void {
    const state = this.#state;
    if (state.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    if (state.kind === 'waiting') clearTimeout(state.timer);
    else state.link?.end('close');
    const meaning = closeMeaning(code, reason);
    this.emit('close', {
      code,
      reason: error?.message ?? meaning.text,
      next: error?.next ?? meaning.next,
      error,
    });
  }
}

function finalError(code: number): SdkError {
  const { text, next } = closeMeaning(code, '');
  return new SdkError({ reason: code === 4004 ? 'closed' : 'connection_lost', message: text, next });
}
