// The starter: one small process that starts the leaders of all sessions and tells of their ends. A server with a
// gigabyte of screens needs 50 ms for a fork; the starter needs less than one, and the main thread only writes a
// request. Always true: every request is answered, every leader's end is told once, also when the starter dies. It
// ends with the runtime and holds no terminal.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { STARTER } from './perl-script.js';
import { type LineMode, type PtyExit, type PtySpawn, PtySpawnError } from './port.js';
import type { ProcessTable } from './process-row.js';
import { signalName } from './signal-name.js';

/** How often leaders are looked for whose starter has died: nobody else tells of their end. */
const ORPHAN_LOOK_MS = 250;

export interface StartedLeader {
  readonly pid: number;
  /** Settles when the leader has ended; never rejects. */
  readonly exited: Promise<PtyExit>;
}

/** A request under way: it gets the words of its answer, or why there is none. */
interface Asked {
  answer(words: readonly string[]): void;
  fail(why: string): void;
}

/** Bits of c_lflag on Linux. */
const ICANON = 0x2;
const ECHO = 0x8;

export class Starter {
  readonly #perl: string;
  readonly #table: ProcessTable;
  readonly #asked = new Map<number, Asked>();
  readonly #leaders = new Map<number, (exit: PtyExit) => void>();
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(perl: string, table: ProcessTable) {
    this.#perl = perl;
    this.#table = table;
  }

  /** The starter's process id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts `program` on the terminal. Rejects with spawn_failed and the kernel's name of the error. */
  start(ttyPath: string, program: string, spec: PtySpawn): Promise<StartedLeader> {
    const texts = [ttyPath, program, spec.cwd, spec.command.length, ...spec.command];
    return new Promise((resolve, reject) => {
      this.#ask('start', [...texts, ...Object.entries(spec.env).flat()], {
        answer: ([pid]) => {
          const exited = new Promise<PtyExit>((ended) => this.#leaders.set(Number(pid), ended));
          resolve({ pid: Number(pid), exited });
        },
        fail: (why) =>
          reject(
            new PtySpawnError(
              'spawn_failed',
              `${JSON.stringify(spec.command[0])} could not be started: ${why}`,
            ),
          ),
      });
    });
  }

  /** The settings of a terminal, or undefined when it is gone. Never rejects. */
  lineMode(ttyPath: string): Promise<Pick<LineMode, 'icanon' | 'echo'> | undefined> {
    return new Promise((resolve) => {
      this.#ask('mode', [ttyPath], {
        answer: ([flags]) =>
          resolve({ icanon: (Number(flags) & ICANON) !== 0, echo: (Number(flags) & ECHO) !== 0 }),
        fail: () => resolve(undefined),
      });
    });
  }

  #ask(kind: 'start' | 'mode', texts: ReadonlyArray<string | number>, asked: Asked): void {
    const child = this.#child ?? this.#begin();
    const id = ++this.#lastId;
    const body = Buffer.from([kind, id, ...texts].join('\0'));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    this.#asked.set(id, asked);
    this.#holdLoop();
    child.stdin?.write(Buffer.concat([head, body]));
  }

  /** Ends the starter. Leaders that still run are watched on. */
  close(): void {
    this.#child?.stdin?.end();
  }

  #begin(): ChildProcess {
    const child = spawn(this.#perl, ['-e', STARTER], {
      env: {}, // nothing that perl would obey, nothing secret
      cwd: '/',
      detached: true, // Ctrl-C at the server's terminal is not for it
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.unref();
    (child.stdin as Socket).unref();
    let rest = '';
    child.stdout?.setEncoding('latin1');
    child.stdout?.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#told(line.split(' '));
      this.#holdLoop();
    });
    // An EPIPE is followed by the close below; so is a perl that can't run.
    child.stdin?.on('error', () => {});
    child.on('error', () => this.#lost(child));
    child.stdout?.on('close', () => this.#lost(child));
    return child;
  }

  /** Requests and leaders keep the loop alive, an idle starter doesn't. */
  #holdLoop(): void {
    const stdout = this.#child?.stdout as Socket | undefined;
    if (this.#asked.size + this.#leaders.size > 0) stdout?.ref();
    else stdout?.unref();
  }

  #told([what, key, ...rest]: readonly string[]): void {
    if (what === 'exit') {
      const status = Number(rest[0]);
      const signal = status & 127;
      const exit =
        signal === 0 ? { code: status >> 8, signal: null } : { code: null, signal: signalName(signal) };
      this.#ended(Number(key), exit);
      return;
    }
    const asked = this.#asked.get(Number(key));
    this.#asked.delete(Number(key));
    if (what === 'failed') asked?.fail(`${rest[0]} ${getSystemErrorName(-Number(rest[1]))}`);
    else asked?.answer(rest);
  }

  #ended(pid: number, exit: PtyExit): void {
    const tell = this.#leaders.get(pid);
    this.#leaders.delete(pid);
    tell?.(exit);
  }

  /** The starter is gone: what was asked fails, leaders are watched from here, the next start begins a new one. */
  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const request of asked) request.fail('the starter process ended; try again');
    const orphans = [...this.#leaders.keys()];
    if (orphans.length > 0) void this.#watch(orphans, undefined);
  }

  async #watch(pids: readonly number[], known: ReadonlyMap<number, string> | undefined): Promise<void> {
    const rows = (await this.#table.rows(pids)).filter((row) => !row.zombie);
    const alive = new Map(rows.map((row) => [row.pid, row.startTime]));
    const left = pids.filter((pid) => alive.has(pid) && (known ?? alive).get(pid) === alive.get(pid));
    for (const pid of pids) {
      // Nobody can say how it ended: neither a status nor a signal is known.
      if (!left.includes(pid)) this.#ended(pid, { code: null, signal: null });
    }
    if (left.length > 0) setTimeout(() => void this.#watch(left, known ?? alive), ORPHAN_LOOK_MS);
  }
}
