// PTYs through the fork of node-pty's addon: the way on macOS, and on a Linux without perl. Always true: the same order
// of `data` and `exit` as on Linux, because reading, writing and draining are the same code. What it can't do: tell a
// failed exec (the child prints it and exits 1). It holds no session.
//
// On macOS the addon starts children with close-on-exec by default. On Linux it doesn't, and its masters are inherited
// by later children; bash, where there is one, closes them before it becomes the program.
import { loadAddon, type PtyAddon } from './addon.js';
import { createPty } from './channel-pty.js';
import { KEPT, keepPast } from './kept-env.js';
import type { Launched } from './launch.js';
import { findProgram } from './lookup.js';
import {
  type Pty,
  type PtyEvents,
  type PtyExit,
  type PtyHost,
  type PtySpawn,
  PtySpawnError,
} from './port.js';
import type { ProcessTable } from './process-row.js';
import { signalName } from './signal-name.js';
import { StartQueue } from './start-queue.js';

// -p: no BASH_ENV, no functions from the environment. $0 is the program.
const CLOSING = `
for fd in /proc/self/fd/*; do fd=\${fd##*/}; ((fd > 2)) && exec {fd}>&-; done
for kept in "\${!${KEPT}@}"; do export "\${kept#${KEPT}}=\${!kept}"; unset "$kept"; done
exec -- "$0" "$@"`;
/** What bash sets or forgets for its own sake. */
const BASH_OWN = ['PS1', 'PS2', 'PWD', 'OLDPWD', 'SHLVL'];

function exitOf(code: number, signal: number): PtyExit {
  if (signal === 0) return { code, signal: null };
  return { code: null, signal: signalName(signal) };
}

function fork(addon: PtyAddon, starter: string, bash: string | undefined, spec: PtySpawn): Launched {
  const [name, ...args] = spec.command;
  const env = bash === undefined ? spec.env : keepPast(spec.env, (key) => BASH_OWN.includes(key));
  let tell: (exit: PtyExit) => void = () => {};
  const exited = new Promise<PtyExit>((resolve) => {
    tell = resolve;
  });
  try {
    const { fd, pid, pty } = addon.fork(
      bash ?? name,
      bash === undefined ? args : ['-p', '-c', CLOSING, name, ...args],
      Object.entries(env).map(([key, value]) => `${key}=${value}`),
      spec.cwd,
      spec.cols,
      spec.rows,
      -1, // user and group stay
      -1,
      true, // IUTF8: erasing in a canonical line erases whole characters
      starter,
      (code, signal) => tell(exitOf(code, signal)),
    );
    return { pid, master: fd, ttyPath: pty, exited };
  } catch (error) {
    throw new PtySpawnError('spawn_failed', (error as Error).message);
  }
}

/** `bash`: absolute path of the bash that closes inherited descriptors, where children inherit them. */
export function createGenericHost(table: ProcessTable, bash?: string): PtyHost {
  const { addon, starter } = loadAddon();
  const queue = new StartQueue();
  return {
    async spawn(spec: PtySpawn, events: PtyEvents): Promise<Pty> {
      findProgram(spec);
      return queue.run(async () => {
        findProgram(spec);
        return createPty(fork(addon, starter, bash, spec), addon, table, events);
      });
    },
  };
}
