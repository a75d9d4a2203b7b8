// One plane's connection, floor or audit, held over lost connections: dialled, watched, dialled again. Always true: messages
// are MessagePack maps, checked whole; what is sent while no connection is up is refused, not kept; it ends with exactly
// one `over`. What to say again after a reconnect is the owner's business.
import type { PlainMap } from '../../protocol/codec.js';
import { backoffMs } from './backoff.js';
import { closeMeaning, type Ending, judgeClose, judgeRefusal, type Phase } from './ending.js';
import { SdkError } from './error.js';
import type { Dial, Socket } from './socket.js';

export interface PlaneOptions {
  /** Go on by itself after a lost connection; default true. */
  readonly resume?: boolean;
  /** Stop trying this long after the connection was lost; default five minutes. */
  readonly resumeForMs?: number;
  /** Delay before retry `attempt` (0 first); default 0.1 to 5 s with jitter. */
  readonly retryDelayMs?: (attempt: number) => number;
}

export interface PlanePort {
  readonly protocol: string;
  readonly token: string;
  /** ws: or wss: address; asked before each dial. */
  url(): string;
  dial(): Promise<Dial>;
}

export interface LostEvent {
  readonly code: number;
  readonly reason: string;
  readonly retryInMs: number;
}

/** The end. `error` is undefined when the client closed it. */
export interface OverEvent {
  readonly code: number;
  readonly reason: string;
  readonly next: string;
  readonly error: SdkError | undefined;
}

export interface PlaneEvents {
  open(resumed: boolean): void;
  message(message: PlainMap): void;
  lost(event: LostEvent): void;
  over(event: OverEvent): void;
}

type State =
  | { readonly kind: 'opening'; readonly phase: Phase; socket: Socket | undefined }
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly kind: 'over' };

type Codec = typeof import('../../protocol/codec.js');

const RESUME_FOR_MS = 300_000;
/** A connection that held this long starts the backoff anew. */
const STABLE_MS = 5_000;

export class Plane {
  readonly #port: PlanePort;
  readonly #options: PlaneOptions;
  readonly #events: PlaneEvents;
  #state: State = { kind: 'opening', phase: 'first', socket: undefined };
  #codec: Codec | undefined;
  #attempt = 0;
  #openedAt = 0;
  #lostAt: number | undefined;

  constructor(port: PlanePort, options: PlaneOptions, events: PlaneEvents) {
    this.#port = port;
    this.#options = options;
    this.#events = events;
    void this.#open('first');
  }

  get isOpen(): boolean {
    return this.#state.kind === 'open';
  }

  /** False when no connection is up. */
  send(message: PlainMap): boolean {
    if (this.#state.kind !== 'open' || this.#codec === undefined) return false;
    this.#state.socket.sendBytes(this.#codec.encodeFrame(message));
    return true;
  }

  close(): void {
    this.#finish(1000, '', undefined);
  }

  /** The connection that is up is dead: dial again. */
  drop(reason: string): void {
    if (this.#state.kind !== 'open') return;
    this.#state.socket.terminate();
    this.#ended(1006, reason, { kind: 'resume' });
  }

  async #open(phase: Phase): Promise<void> {
    const opening: Extract<State, { kind: 'opening' }> = { kind: 'opening', phase, socket: undefined };
    this.#state = opening;
    let socket: Socket | undefined;
    const current = () =>
      this.#state === opening || (this.#state.kind === 'open' && this.#state.socket === socket);
    try {
      const [dial, codec] = await Promise.all([this.#port.dial(), import('../../protocol/codec.js')]);
      if (this.#state !== opening) return;
      this.#codec = codec;
      const { token, protocol } = this.#port;
      socket = dial(
        { url: this.#port.url(), token, protocol },
        {
          open: () => {
            if (this.#state !== opening || socket === undefined) return;
            this.#state = { kind: 'open', socket };
            this.#openedAt = Date.now();
            this.#lostAt = undefined;
            this.#events.open(phase !== 'first');
          },
          alive: () => {},
          text: () => {},
          bytes: (bytes) => {
            if (!current()) return;
            const decoded = codec.decodeFrame(bytes);
            if (decoded.ok) this.#events.message(decoded.value);
          },
          refused: (refusal) => {
            if (current()) this.#ended(1006, refusal.message, judgeRefusal(refusal, phase, false));
          },
          close: (code, reason) => {
            const now: Phase = this.#state === opening ? phase : 'attached';
            if (current()) this.#ended(code, reason, judgeClose(code, reason, now));
          },
        },
      );
      opening.socket = socket;
    } catch (cause) {
      if (this.#state !== opening) return;
      const error =
        cause instanceof SdkError
          ? cause
          : new SdkError({ reason: 'unreachable', message: String(cause), cause });
      this.#ended(1006, error.message, { kind: 'final', error });
    }
  }

  #ended(code: number, reason: string, ending: Ending): void {
    if (this.#state.kind === 'over') return;
    this.#lostAt ??= Date.now();
    const late = Date.now() - this.#lostAt >= (this.#options.resumeForMs ?? RESUME_FOR_MS);
    const meaning = closeMeaning(code, reason);
    if (ending.kind === 'final') return this.#finish(code, reason, ending.error);
    if (this.#options.resume === false || late) {
      const { text: message, next } = meaning;
      return this.#finish(code, reason, new SdkError({ reason: 'connection_lost', message, next }));
    }
    if (this.#openedAt > 0 && Date.now() - this.#openedAt >= STABLE_MS) this.#attempt = 0;
    this.#openedAt = 0;
    const delay = this.#options.retryDelayMs ?? ((attempt: number) => backoffMs(attempt, Math.random()));
    const retryInMs = delay(this.#attempt++);
    this.#state = { kind: 'waiting', timer: setTimeout(() => void this.#open('resuming'), retryInMs) };
    this.#events.lost({ code, reason: reason === '' ? meaning.text : reason, retryInMs });
  }

  #finish(code: number, reason: string, error: SdkError | undefined): void {
    const state = this.#state;
    if (state.kind === 'over') return;
    this.#state = { kind: 'over' };
    if (state.kind === 'waiting') clearTimeout(state.timer);
    else state.socket?.close(1000);
    const { text, next } = closeMeaning(code, reason);
    this.#events.over({ code, reason: error?.message ?? text, next: error?.next ?? next, error });
  }
}
