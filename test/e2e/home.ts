// A machine of its own for an end-to-end test: XDG folders in a temporary folder, a background server on a free loopback
// port, and the CLI as a process or inside a real PTY. What was started is ended by `close`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';
import { type Client, connect } from '../../clients/sdk/index.js';

export const MAIN = fileURLToPath(new URL('../../clients/cli/main.js', import.meta.url));
/** Longer than anything takes on a loaded machine; only a failure waits for it. */
const WAIT_LIMIT_MS = 30_000;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'openfloor-e2e-'));
  readonly env: Record<string, string>;
  readonly #terminals: CliTerminal[] = [];

  constructor() {
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      SHELL: '/bin/bash',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      PS1: '$ ',
      OPENFLOOR_PTY_LISTEN: '127.0.0.1:0',
    };
  }

  /** Runs the CLI without a terminal. */
  run(...args: string[]): Promise<Ran> {
    return new Promise((resolve) => {
      const options = { env: this.env, encoding: 'utf8' as const, cwd: this.folder };
      const child = execFile(process.execPath, [MAIN, ...args], options, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
      child.stdin?.end();
    });
  }

  /** Runs a shell line in a real PTY; `openfloor` is the CLI. */
  terminal(line: string, size = { rows: 24, cols: 80 }): CliTerminal {
    const terminal = new CliTerminal(line, { ...this.env }, this.folder, size);
    this.#terminals.push(terminal);
    return terminal;
  }

  get record(): { pid: number; address: string } {
    return JSON.parse(readFileSync(join(this.folder, '.local/state/openfloor/server.json'), 'utf8')) as {
      pid: number;
      address: string;
    };
  }

  get credential(): string {
    return readFileSync(join(this.folder, '.config/openfloor/credential'), 'utf8').trim();
  }

  client(url = this.record.address): Client {
    return connect({ url, credential: this.credential });
  }

  async close(): Promise<void> {
    for (const terminal of this.#terminals) terminal.close();
    await this.run('down');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A shell line in a PTY, its output as text and as a terminal would show it. */
export class CliTerminal {
  readonly #pty: IPty;
  readonly model: InstanceType<typeof xterm.Terminal>;
  readonly exited: Promise<{ exitCode: number; signal?: number | undefined }>;
  /** Everything that came, as latin1, so that every byte is one character. */
  output = '';
  #ended = false;
  readonly #watchers = new Set<() => void>();

  constructor(
    line: string,
    env: Record<string, string>,
    cwd: string,
    size: { readonly rows: number; readonly cols: number },
  ) {
    const script = `openfloor() { "${process.execPath}" "${MAIN}" "$@"; }\n${line}`;
    this.#pty = spawn('/bin/bash', ['--norc', '-c', script], {
      ...size,
      name: 'xterm-256color',
      env,
      cwd,
      encoding: null,
    });
    this.model = new xterm.Terminal({ ...size, allowProposedApi: true });
    this.#pty.onData((data) => {
      const bytes = data as unknown as Buffer;
      this.output += bytes.toString('latin1');
      this.model.write(bytes, () => this.#wake());
      this.#wake();
    });
    this.exited = new Promise((resolve) =>
      this.#pty.onExit((exit) => {
        this.#ended = true;
        resolve(exit);
        this.#wake();
      }),
    );
  }

  /** The process that the shell line runs right now (Linux). */
  get commandPid(): number {
    const { pid } = this.#pty;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').at(-1));
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(rows: number, cols: number): void {
    this.model.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** The rows of the screen, trailing blanks cut. */
  get screen(): string[] {
    const { buffer, rows } = this.model;
    return Array.from({ length: rows }, (_, row) =>
      (buffer.active.getLine(buffer.active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  /** Resolves when the output since `from` matches. */
  seen(pattern: RegExp, from = 0): Promise<void> {
    return this.until(() => pattern.test(this.output.slice(from)), String(pattern));
  }

  /** Resolves when the screen shows it. */
  shows(text: string): Promise<void> {
    return this.until(() => this.screen.some((row) => row.includes(text)), text);
  }

  until(condition: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => settle(new Error(`did not see ${what} in:\n${JSON.stringify(this.output.slice(-2_000))}`)),
        WAIT_LIMIT_MS,
      );
      const settle = (error?: Error) => {
        clearTimeout(limit);
        this.#watchers.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const check = () => {
        if (condition()) settle();
        else if (this.#ended)
          settle(new Error(`ended without ${what}:\n${JSON.stringify(this.output.slice(-2_000))}`));
      };
      this.#watchers.add(check);
      check();
    });
  }

  close(): void {
    if (!this.#ended) this.#pty.kill('SIGKILL');
    this.model.dispose();
  }

  #wake(): void {
    for (const check of [...this.#watchers]) check();
  }
}
