// The demo's own server: `openfloor up` in a temporary folder on a free loopback port, as anybody would start it. What was
// started is ended and removed by `close`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, connect } from '../sdk/index.js';

const MAIN = fileURLToPath(new URL('../cli/main.js', import.meta.url));
export const AGENT = fileURLToPath(new URL('./agent/main.js', import.meta.url));
const START_LIMIT_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export class Machine {
  private constructor(
    readonly client: Client,
    readonly address: string,
    readonly link: string,
    readonly credential: string,
    readonly server: ChildProcess,
    readonly folder: string,
  ) {}

  static async start(): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), 'openfloor-demo-'));
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LANG: 'C.UTF-8',
      OPENFLOOR_PTY_LISTEN: '127.0.0.1:0',
    };
    const server = spawn(process.execPath, [MAIN, 'up', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error('the server did not start')), START_LIMIT_MS);
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      server.stdout.once('data', (data: Buffer) => {
        clearTimeout(limit);
        resolve(data.toString('utf8'));
      });
    });
    const { address, link } = JSON.parse(line) as { address: string; link: string };
    const credential = readFileSync(join(folder, '.config/openfloor/credential'), 'utf8').trim();
    return new Machine(connect({ url: address, credential }), address, link, credential, server, folder);
  }

  async call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
