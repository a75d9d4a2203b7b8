// PTY masters that are ours, close-on-exec and ready: opened here, unlocked a batch at a time by one child. Always true:
// a master is given out once; no child but the unlocking one ever has it. It reads and writes nothing.
//
// openpty and node-pty's open give masters that every later child inherits: a process that holds another session's
// master reads its output and keeps it from being hung up. Node opens close-on-exec, but has no ioctl to unlock.
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { UNLOCK } from './perl-script.js';

/** One unlocking child is a fork of the whole server: 2 ms when it is small, 50 when it has a gigabyte. A first batch is
 * small, because few servers start many sessions; one that follows within a second is twice as large. */
const FIRST_BATCH = 8;
const LAST_BATCH = 128;
const SOON_MS = 1_000;
/** Masters that are left when the next batch is opened beside the loop. */
const LOW = 2;
/** An unlocking child that hangs is given up. */
const UNLOCK_LIMIT_MS = 10_000;

export interface Master {
  readonly fd: number;
  readonly ttyPath: string;
}

export class MasterPool {
  readonly #perl: string;
  readonly #ready: Master[] = [];
  #filling: Promise<void> | undefined;
  #batch = FIRST_BATCH;
  #filledAtMs = Number.NEGATIVE_INFINITY;

  /** `perl`: absolute path. Opens nothing until the first `take`. */
  constructor(perl: string) {
    this.#perl = perl;
  }

  /** A ready master, owned by the caller from now on. Rejects when there is no PTY or it can't be unlocked. */
  async take(): Promise<Master> {
    for (;;) {
      const master = this.#ready.shift();
      if (master) {
        if (this.#ready.length <= LOW) this.#fill().catch(() => {}); // the next `take` tells
        return master;
      }
      await this.#fill();
    }
  }

  #fill(): Promise<void> {
    const soon = performance.now() - this.#filledAtMs < SOON_MS;
    this.#filling ??= this.#unlock(soon ? Math.min(this.#batch * 2, LAST_BATCH) : FIRST_BATCH).finally(() => {
      this.#filling = undefined;
      this.#filledAtMs = performance.now();
    });
    return this.#filling;
  }

  async #unlock(count: number): Promise<void> {
    this.#batch = count;
    const masters: Master[] = [];
    try {
      while (masters.length < count) masters.push(openMaster());
    } catch (error) {
      // The last few PTYs of the machine: what was opened is still good.
      if (masters.length === 0) throw error;
    }
    const failure = await this.#run(masters);
    if (failure === undefined) {
      this.#ready.push(...masters);
      return;
    }
    for (const { fd } of masters) closeSync(fd);
    throw failure;
  }

  #run(masters: readonly Master[]): Promise<Error | undefined> {
    return new Promise((resolve) => {
      const child = spawn(this.#perl, ['-e', UNLOCK, '--', String(masters.length)], {
        env: {},
        cwd: '/',
        stdio: ['ignore', 'ignore', 'ignore', ...masters.map((master) => master.fd)],
      });
      const limit = setTimeout(() => child.kill('SIGKILL'), UNLOCK_LIMIT_MS);
      const end = (failure?: Error) => {
        clearTimeout(limit);
        resolve(failure);
      };
      child.once('error', end);
      child.once('exit', (code) => end(code === 0 ? undefined : new Error('no PTY could be unlocked')));
    });
  }
}

function openMaster(): Master {
  const fd = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  try {
    const index = /^tty-index:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    if (index === undefined) throw new Error('the kernel does not tell the number of a PTY');
    return { fd, ttyPath: `/dev/pts/${index}` };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
