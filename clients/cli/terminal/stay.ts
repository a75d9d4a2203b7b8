// One stay of an operator in a seat: bytes both ways until somebody ends it. Always true: nothing of ours is drawn while
// the seat has the screen; a short break shows in the window title only; after LEAVE_SCREEN_MS without a connection the
// terminal is given back and says so, and is handed over again with a fresh picture when the connection is back.
import type { AttachMode } from '../../../protocol/frame.js';
import type { Attachment, Client, SdkError } from '../../sdk/index.js';
import { type DetachKeys, DetachScanner, describeKeys } from './detach-keys.js';
import { type EndSignal, LocalTerminal } from './local-terminal.js';

export type StayOutcome =
  | { readonly kind: 'left' }
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'signal'; readonly signal: EndSignal }
  | { readonly kind: 'failed'; readonly error: SdkError };

/** Ends that came from this side. */
type OwnEnd = Extract<StayOutcome, { kind: 'left' | 'signal' }>;

export interface StayOptions {
  readonly mode: AttachMode;
  readonly keys: DetachKeys | undefined;
  /** Says a sentence on the restored terminal. */
  readonly tell: (text: string) => void;
}

/** A break shorter than this is not worth a word. */
const TELL_IN_TITLE_MS = 500;
/** Longer than this nobody should look at a picture that doesn't move. */
const LEAVE_SCREEN_MS = 3_000;
/** A server on this machine that is gone took its sessions along. */
const LOCAL_RESUME_MS = 5_000;
const BELL_EVERY_MS = 1_000;
const CTRL_C = 0x03;

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

export async function stay(client: Client, seat: string, options: StayOptions): Promise<StayOutcome> {
  const local = isLoopback(client.url);
  const { rows = 24, columns: cols = 80 } = process.stdout;
  const attachment = client.attach(seat, {
    mode: options.mode,
    rows,
    cols,
    snapshot: true,
    ...(local ? { resumeForMs: LOCAL_RESUME_MS } : {}),
  });
  return new Stay(attachment, seat, options).outcome;
}

class Stay {
  readonly outcome: Promise<StayOutcome>;
  readonly #attachment: Attachment;
  readonly #seat: string;
  readonly #options: StayOptions;
  readonly #scanner: DetachScanner;
  readonly #terminal: LocalTerminal;
  #exit: { code: number | null; signal: string | null } | undefined;
  #why: OwnEnd | undefined;
  #timers: Array<ReturnType<typeof setTimeout>> = [];
  #rangAt = 0;

  constructor(attachment: Attachment, seat: string, options: StayOptions) {
    this.#attachment = attachment;
    this.#seat = seat;
    this.#options = options;
    this.#scanner = new DetachScanner(options.keys);
    this.#terminal = new LocalTerminal({
      input: (bytes) => this.#typed(bytes),
      resize: (rows, cols) => attachment.resize(rows, cols),
      signal: (signal) => this.#leave({ kind: 'signal', signal }),
      gone: () => this.#leave({ kind: 'left' }),
    });
    attachment.on('attached', ({ resumed }) => this.#attached(resumed));
    attachment.on('snapshot', ({ bytes }) => {
      this.#terminal.clear();
      this.#draw(bytes);
    });
    attachment.on('bytes', ({ bytes }) => this.#draw(bytes));
    attachment.on('exit', (exit) => {
      this.#exit = exit;
    });
    attachment.on('lost', () => this.#lost());
    attachment.on('dropped', () => this.#ring());
    this.outcome = attachment.closed.then((end) => {
      this.#stopTimers();
      this.#terminal.close();
      if (this.#why !== undefined) return this.#why;
      if (end.code === 4004 && this.#exit !== undefined) return { kind: 'ended', ...this.#exit };
      return end.error === undefined ? { kind: 'left' } : { kind: 'failed', error: end.error };
    });
  }

  #leave(why: OwnEnd): void {
    this.#why ??= why;
    this.#terminal.giveBack();
    void this.#attachment.detach();
  }

  #attached(resumed: boolean): void {
    this.#stopTimers();
    const { rows, cols } = this.#terminal.size;
    if (this.#terminal.has === 'ours') {
      if (resumed) this.#options.tell('connected again');
      this.#terminal.handOver();
      this.#attachment.resize(rows, cols);
    } else if (resumed) this.#terminal.setTitle(this.#terminal.programTitle ?? this.#seat);
    if (this.#options.mode === 'view') this.#titleOfView();
  }

  #titleOfView(): void {
    const { keys } = this.#options;
    const hint = keys === undefined ? 'Ctrl-C' : `${describeKeys(keys)} or Ctrl-C`;
    this.#terminal.setTitle(`${this.#seat}, read only (leave: ${hint})`);
  }

  #typed(bytes: Uint8Array): void {
    const { pass, detached } = this.#scanner.push(bytes);
    if (this.#options.mode === 'view') {
      // Nothing is sent, so the usual key may mean the usual thing.
      if (detached || bytes.includes(CTRL_C)) this.#leave({ kind: 'left' });
      return;
    }
    if (pass.length > 0) this.#attachment.write(pass);
    if (detached) this.#leave({ kind: 'left' });
  }

  #draw(bytes: Uint8Array): void {
    if (this.#terminal.write(bytes)) return;
    this.#attachment.pause();
    void this.#terminal.drained().then(() => this.#attachment.resume());
  }

  #lost(): void {
    if (this.#timers.length > 0) return;
    const later = (ms: number, run: () => void) => this.#timers.push(setTimeout(run, ms));
    later(TELL_IN_TITLE_MS, () =>
      this.#terminal.setTitle(`${this.#seat}: connection lost, keys are dropped`),
    );
    later(LEAVE_SCREEN_MS, () => {
      if (this.#terminal.has !== 'the-seats') return;
      this.#attachment.repaint();
      this.#terminal.giveBack();
      this.#options.tell(`connection to ${this.#seat} lost; trying again (Ctrl-C stops)`);
    });
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #ring(): void {
    const now = Date.now();
    if (now - this.#rangAt < BELL_EVERY_MS) return;
    this.#rangAt = now;
    this.#terminal.bell();
  }
}
