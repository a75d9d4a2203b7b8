// The four functions of node-pty's native addon, typed by hand: the package's own classes lose output at exit and spin on
// a full PTY, so only the addon is used. Always true: the addon is loaded once, on first use. It holds no PTY.
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

export interface PtyAddon {
  /** A new PTY pair, both ends non-blocking and, which callers must know, inherited by every child. */
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  /** Starts a child on a new PTY. `exited` gets the status and the signal number, 0 for none. */
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    starter: string,
    exited: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  /** Sets the window size of an open master; throws when the descriptor is none. */
  resize(master: number, cols: number, rows: number): void;
}

interface Loaded {
  readonly addon: PtyAddon;
  /** The program that `fork` starts children through on macOS; unused elsewhere. */
  readonly starter: string;
}

let loaded: Loaded | undefined;

/** Loads node-pty's addon; throws with the loader's own sentence when it isn't built for this machine. */
export function loadAddon(): Loaded {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const path = require.resolve('node-pty/lib/utils.js');
  const native = require(path).loadNativeModule('pty') as { dir: string; module: PtyAddon };
  loaded = { addon: native.module, starter: resolve(dirname(path), native.dir, 'spawn-helper') };
  return loaded;
}
