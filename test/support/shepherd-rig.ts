// A Shepherd of its own beside a SeatRig's server: same start as the process, an HTTP caller, and ends that keep its store,
// so that it can be started again. What it started is ended by `close`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningShepherd, startShepherd } from '../../shepherd/main.js';
import type { Answer, SeatRig } from './seat-rig.js';

const LIMIT_MS = 20_000;

export class ShepherdRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'openfloor-shepherd-'));
  #running: RunningShepherd | undefined;
  #credential = '';

  constructor(readonly rig: SeatRig) {}

  async start(runtime = this.rig.server.url): Promise<RunningShepherd> {
    if (this.#credential === '') this.#credential = await this.rig.token('shepherd');
    this.#running = await startShepherd({
      runtime,
      credential: this.#credential,
      dataDir: this.folder,
      listen: { host: '127.0.0.1', port: 0 },
      log: 'silent',
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async call(
    method: string,
    path: string,
    body?: object,
    token = this.rig.server.credential,
  ): Promise<Answer> {
    const response = await fetch(`${this.#running?.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** A row, as the operator. */
  async create(destination: string, summary: string, more: object = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/api/queue/create', { destination, summary, ...more });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  /** Waits until the row is as wanted; the answer is the row. */
  async row(id: string, wanted: (row: Answer['body']) => boolean): Promise<Answer['body']> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const { body } = await this.call('GET', `/api/queue/${id}`);
      if (wanted(body)) return body;
      if (Date.now() > deadline) throw new Error(`the row never came to it: ${JSON.stringify(body)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
