// Decides when the write-ahead log is checkpointed and has a worker do it. Always true: at most one checkpoint runs, and
// no commit waits for it. The worker starts with the first checkpoint that is due, so a short-lived process has none.

import { Worker } from 'node:worker_threads';
import type { LogReport } from './checkpoint-worker.js';

/** Written since the last checkpoint before another is due: the log stays a few times this size under steady load. */
const DUE_BYTES = 4 * 1_048_576;
/** What a commit adds to the log besides its data: five or six pages of the tables and indexes it touches. */
const COMMIT_BYTES = 24_576;
/**
 * Under thousands of commits a second the worker never finds a moment without a write, so the log would grow for ever.
 * Beyond this size the main thread moves the few pages that the worker's pass left: some milliseconds, once in 64 MiB.
 */
const OVERLONG_PAGES = 16_384;

export class Checkpointer {
  private worker: Worker | undefined;
  private running = false;
  private written = 0;
  private closed = false;

  /** @param moveRest checkpoints on the calling thread; must not throw */
  constructor(
    private readonly file: string,
    private readonly moveRest: () => void,
  ) {}

  /** A commit with so many bytes of data has been written. */
  wrote(bytes: number): void {
    this.written += bytes + COMMIT_BYTES;
    if (this.written < DUE_BYTES || this.running || this.closed) return;
    this.written = 0;
    this.running = true;
    this.start().postMessage('checkpoint');
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), {
      workerData: { file: this.file },
    });
    worker.unref();
    worker.on('message', (report: LogReport) => {
      this.running = false;
      if (report.pages > OVERLONG_PAGES && !this.closed) this.moveRest();
    });
    // A worker that fell over is replaced when the next checkpoint is due.
    const gone = () => {
      if (this.worker === worker) this.worker = undefined;
      this.running = false;
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    this.worker = worker;
    return worker;
  }

  /** Ends the worker; resolves once its connection is closed. */
  async close(): Promise<void> {
    this.closed = true;
    const { worker } = this;
    if (worker === undefined) return;
    worker.ref();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('close');
    await ended;
  }
}
