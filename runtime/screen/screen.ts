// One session's screen as the runtime holds it: how much waits, the last reading, the questions under way. Always true:
// a question is answered once or rejects with ScreenGone; after the end every call is harmless. It parses nothing.
import { SCREEN_BACKLOG_BYTES } from '../../protocol/limit.js';
import type { ReadingPack } from '../composer/reading-pack.js';
import type { Answer, Question, ReadingChange, ToWorker } from './message.js';
import {
  type CursorPosition,
  type Reading,
  type Screen,
  ScreenGone,
  type ScreenOptions,
  type ScreenSize,
  type Snapshot,
} from './port.js';

/** What a screen needs of its host. */
export interface ScreenLink {
  write(session: number, bytes: Uint8Array, endOffset: number): void;
  /** Posts after everything written so far. */
  post(message: ToWorker): void;
  /** A number for a question; `answered` gives it back. */
  ask(screen: HostedScreen): number;
  answered(ask: number): void;
  gone(session: number): void;
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: ScreenGone): void;
}

type State =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'lost'; readonly cause: string };

export class HostedScreen implements Screen {
  #state: State = { kind: 'open' };
  #reading: Reading | undefined;
  #backlogBytes = 0;
  /** The backlog passed its limit: its fall is to be told. */
  #full = false;
  readonly #pending = new Map<number, Pending>();

  constructor(
    readonly session: number,
    readonly options: ScreenOptions,
    readonly link: ScreenLink,
  ) {}

  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  get reading(): Reading | undefined {
    return this.#reading;
  }

  write(bytes: Uint8Array, endOffset: number): void {
    if (this.#state.kind !== 'open' || bytes.length === 0) return;
    this.#backlogBytes += bytes.length;
    if (this.#backlogBytes > SCREEN_BACKLOG_BYTES) this.#full = true;
    this.link.write(this.session, bytes, endOffset);
  }

  resize({ rows, cols }: ScreenSize): void {
    if (this.#state.kind === 'open') this.link.post({ type: 'resize', session: this.session, rows, cols });
  }

  setPack(pack: ReadingPack | undefined): void {
    if (this.#state.kind === 'open') this.link.post({ type: 'pack', session: this.session, pack });
  }

  async cursorPosition(): Promise<CursorPosition> {
    const { kind: _, ...position } = await this.#ask({ kind: 'cursor' });
    return position;
  }

  async snapshot(scrollbackLines: number): Promise<Snapshot> {
    const { kind: _, ...snapshot } = await this.#ask({ kind: 'snapshot', scrollbackLines });
    return snapshot;
  }

  async read(): Promise<Reading> {
    await this.#ask({ kind: 'reading' });
    if (this.#reading === undefined) throw this.#gone();
    return this.#reading;
  }

  close(): void {
    if (this.#state.kind === 'open') this.link.post({ type: 'close', session: this.session });
    this.#end({ kind: 'closed' });
  }

  /** The model is gone; called by the host. */
  lose(cause: string): void {
    if (this.#state.kind !== 'open') return;
    this.#end({ kind: 'lost', cause });
    if (this.#full) this.options.onDrain?.();
    this.options.onLost?.(cause);
  }

  /** The worker has parsed that many bytes of this session. */
  parsed(bytes: number): void {
    this.#backlogBytes -= bytes;
    if (!this.#full || this.#backlogBytes > SCREEN_BACKLOG_BYTES / 2) return;
    this.#full = false;
    this.options.onDrain?.();
  }

  /** A reading was published. */
  published(change: ReadingChange): void {
    const { session: _, all, changed, ...rest } = change;
    const text = all ? [] : [...(this.#reading?.text ?? [])];
    for (const [row, line] of changed) text[row] = line;
    this.#reading = { ...rest, text };
    this.options.onReading(this.#reading);
  }

  answer(ask: number, answer: Answer): void {
    const pending = this.#pending.get(ask);
    this.#pending.delete(ask);
    this.link.answered(ask);
    pending?.resolve(answer);
  }

  #ask<Kind extends Question['kind']>(question: Question & { kind: Kind }): Promise<Answer & { kind: Kind }> {
    if (this.#state.kind !== 'open') return Promise.reject(this.#gone());
    return new Promise((resolve, reject) => {
      const ask = this.link.ask(this);
      this.#pending.set(ask, { resolve: (answer) => resolve(answer as Answer & { kind: Kind }), reject });
      this.link.post({ type: 'ask', session: this.session, ask, question });
    });
  }

  #end(state: State): void {
    if (this.#state.kind === 'closed') return;
    this.#state = state;
    this.#backlogBytes = 0;
    this.#reading = undefined;
    this.link.gone(this.session);
    const error = this.#gone();
    for (const [ask, pending] of this.#pending) {
      this.link.answered(ask);
      pending.reject(error);
    }
    this.#pending.clear();
  }

  #gone(): ScreenGone {
    return this.#state.kind === 'lost'
      ? new ScreenGone('screen_lost', `The screen model of this session is lost: ${this.#state.cause}`)
      : new ScreenGone('screen_closed', 'The screen of this session is closed.');
  }
}
