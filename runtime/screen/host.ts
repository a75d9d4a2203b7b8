// The main thread's side of the screen models: starts the one worker, numbers sessions and questions, applies what
// comes back. Always true: writing and asking never block; bytes, resizes and questions reach the worker in the order
// they were made; after a close or a loss nothing is pending and nothing keeps the process alive. A worker that dies
// takes the open screens with it; screens opened later get a new one.
import { Worker } from 'node:worker_threads';
import { Batch } from './batch.js';
import type { FromWorker, ToWorker } from './message.js';
import type { ScreenHost, ScreenOptions } from './port.js';
import { HostedScreen, type ScreenLink } from './screen.js';

/**
 * What the worker's collector may fill before it looks: parsing makes little garbage, and what the default
 * allows stays resident. Measured with 300 fresh sessions: 0.18 MiB each in place of 0.27.
 */
const YOUNG_MB = 4;

/** The host of all screens of this process. The worker starts with the first screen. */
export function createScreenHost(workerUrl: URL = new URL('./worker.js', import.meta.url)): ScreenHost {
  return new WorkerHost(workerUrl);
}

class WorkerHost implements ScreenHost, ScreenLink {
  readonly #workerUrl: URL;
  readonly #screens = new Map<number, HostedScreen>();
  readonly #asks = new Map<number, HostedScreen>();
  readonly #batch = new Batch((message, transfer) => this.#worker?.postMessage(message, [transfer]));
  #worker: Worker | undefined;
  #lastSession = 0;
  #lastAsk = 0;

  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  open(options: ScreenOptions): HostedScreen {
    this.#start();
    this.#lastSession += 1;
    const screen = new HostedScreen(this.#lastSession, options, this);
    this.#screens.set(screen.session, screen);
    const { rows, cols, scrollbackLines } = options;
    this.post({ type: 'open', session: screen.session, rows, cols, scrollbackLines });
    return screen;
  }

  async close(): Promise<void> {
    for (const screen of [...this.#screens.values()]) screen.close();
    this.#batch.close();
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    await worker?.terminate();
  }

  write(session: number, bytes: Uint8Array, endOffset: number): void {
    this.#batch.add(session, bytes, endOffset);
  }

  post(message: ToWorker): void {
    this.#batch.flush();
    this.#worker?.postMessage(message);
  }

  ask(screen: HostedScreen): number {
    // A question under way keeps the process up, so that its answer is seen; an idle worker doesn't.
    if (this.#asks.size === 0) this.#worker?.ref();
    this.#lastAsk += 1;
    this.#asks.set(this.#lastAsk, screen);
    return this.#lastAsk;
  }

  answered(ask: number): void {
    this.#asks.delete(ask);
    if (this.#asks.size === 0) this.#worker?.unref();
  }

  gone(session: number): void {
    this.#screens.delete(session);
  }

  #start(): void {
    if (this.#worker !== undefined) return;
    const worker = new Worker(this.#workerUrl, {
      name: 'screen',
      env: {},
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) =>
      this.#lose(worker, `the screen worker failed: ${error.stack ?? error.message}`),
    );
    worker.on('exit', (code) => this.#lose(worker, `the screen worker ended with code ${code}`));
    this.#worker = worker;
  }

  #lose(worker: Worker, cause: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#batch.close();
    for (const screen of [...this.#screens.values()]) screen.lose(cause);
  }

  #receive(message: FromWorker): void {
    if (message.type === 'lost') {
      this.#screens.get(message.session)?.lose(message.cause);
      return;
    }
    const { parsed, readings, answers } = message;
    for (let i = 0; i + 1 < parsed.length; i += 2) this.#screens.get(parsed[i]!)?.parsed(parsed[i + 1]!);
    for (const reading of readings) this.#screens.get(reading.session)?.published(reading);
    for (const { ask, answer } of answers) this.#asks.get(ask)?.answer(ask, answer);
  }
}
