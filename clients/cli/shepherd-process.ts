// Shepherd as a child of `up`: started, started again with backoff when it ends, ended with it. Always true: one child at a
// time; a start that follows `stop` never happens; a crash loop is told once, and the tries go on, further apart.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What Shepherd tells its parent once it listens. */
export interface ReadyMessage {
  readonly address: string;
}

/** What its parent tells it then: it may be a secret, so it is no argument. */
export interface Greeting {
  readonly alerts: { readonly webhook: string | null; readonly webhookFile: string | null };
}

export interface SupervisorOptions {
  readonly greeting?: Greeting;
  /** Arguments of the CLI for the child. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** So many ends in a short time are a crash loop; told once until it holds again. */
  crashing(ends: number): void;
  readonly firstDelayMs?: number;
}

const FIRST_DELAY_MS = 200;
const LAST_DELAY_MS = 30_000;
/** A child that lived this long starts the backoff anew. */
const STABLE_MS = 60_000;
/** Ends without a stable life in between that make a crash loop. */
const LOOP_ENDS = 4;
/** A caller waits this long for a Shepherd that is being started. */
const READY_WAIT_MS = 15_000;
const END_LIMIT_MS = 5_000;

type State =
  | { readonly kind: 'starting'; readonly child: ChildProcess }
  | { readonly kind: 'up'; readonly child: ChildProcess; readonly address: string }
  | { readonly kind: 'waiting'; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly kind: 'stopped' };

export class ShepherdProcess {
  #state: State = { kind: 'stopped' };
  #ends = 0;
  readonly #ready = new Set<(address: string | undefined) => void>();

  constructor(private readonly options: SupervisorOptions) {}

  start(): void {
    const main = fileURLToPath(new URL('./main.js', import.meta.url));
    const child = fork(main, [...this.options.argv], {
      env: this.options.env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const bornAt = Date.now();
    this.#state = { kind: 'starting', child };
    child.on('message', (message: ReadyMessage) => {
      if (this.#state.kind !== 'starting' || this.#state.child !== child) return;
      this.#state = { kind: 'up', child, address: message.address };
      // A child that has just ended hears nothing, and its end is told by itself.
      if (this.options.greeting) child.send(this.options.greeting, () => {});
      this.#tell(message.address);
    });
    let over = false;
    const ended = () => {
      if (over || this.#state.kind === 'stopped') return;
      over = true;
      this.#again(Date.now() - bornAt);
    };
    child.once('error', ended);
    child.once('exit', ended);
  }

  /** Its address, as soon as it is up; undefined when it isn't within a moment. */
  address(): Promise<string | undefined> {
    const state = this.#state;
    if (state.kind === 'up') return Promise.resolve(state.address);
    if (state.kind === 'stopped') return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const settle = (address: string | undefined) => {
        clearTimeout(limit);
        this.#ready.delete(settle);
        resolve(address);
      };
      const limit = setTimeout(() => settle(undefined), READY_WAIT_MS);
      this.#ready.add(settle);
    });
  }

  /** Process id of the child that runs now. */
  get pid(): number | undefined {
    return 'child' in this.#state ? this.#state.child.pid : undefined;
  }

  /** Ends the child; resolves when it is gone. */
  async stop(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'stopped' };
    this.#tell(undefined);
    if (state.kind === 'waiting') clearTimeout(state.timer);
    if (!('child' in state) || state.child.exitCode !== null || state.child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => state.child.once('exit', () => resolve()));
    state.child.kill('SIGTERM');
    const limit = setTimeout(() => state.child.kill('SIGKILL'), END_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  }

  #again(livedMs: number): void {
    this.#ends = livedMs >= STABLE_MS ? 1 : this.#ends + 1;
    if (this.#ends === LOOP_ENDS) this.options.crashing(this.#ends);
    const first = this.options.firstDelayMs ?? FIRST_DELAY_MS;
    const delay = Math.min(LAST_DELAY_MS, first * 2 ** Math.min(this.#ends - 1, 16));
    this.#state = { kind: 'waiting', timer: setTimeout(() => this.start(), delay) };
  }

  #tell(address: string | undefined): void {
    for (const settle of [...this.#ready]) settle(address);
  }
}
