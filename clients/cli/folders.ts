// Where things live on this machine: config (credential, profiles), data (database) and state (log, lock, record of the
// running server), as the XDG base directory specification says. It creates nothing until asked.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Folders {
  readonly configFile: string;
  /** The admin credential of the local server, mode 0600. */
  readonly credentialFile: string;
  /** Shepherd's credential for the local server, mode 0600. */
  readonly shepherdCredentialFile: string;
  readonly profiles: string;
  /** Packs of the user, which add to the built-in ones or replace them. */
  readonly packs: string;
  readonly data: string;
  readonly state: string;
  readonly log: string;
  readonly lock: string;
  /** Address and process of the running local server. */
  readonly record: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

function base(env: Environment, variable: string, fallback: string): string {
  const value = env[variable];
  // A relative path is invalid by the specification and ignored.
  return value?.startsWith('/') ? value : join(env.HOME ?? homedir(), fallback);
}

/** `data` is the option --data: state then lives below it, so that two servers don't share a lock. */
export function findFolders(env: Environment, options: { config?: string; data?: string }): Folders {
  const config = join(base(env, 'XDG_CONFIG_HOME', '.config'), 'openfloor');
  const data =
    options.data === undefined
      ? join(base(env, 'XDG_DATA_HOME', '.local/share'), 'openfloor')
      : resolve(options.data);
  const state =
    options.data === undefined
      ? join(base(env, 'XDG_STATE_HOME', '.local/state'), 'openfloor')
      : join(data, 'state');
  return {
    configFile: options.config === undefined ? join(config, 'openfloor.toml') : resolve(options.config),
    credentialFile: join(config, 'credential'),
    // Credentials are the store's own: a server with another data folder has another one.
    shepherdCredentialFile: join(state, 'shepherd-credential'),
    profiles: join(config, 'profiles'),
    packs: join(config, 'agents'),
    data,
    state,
    log: join(state, 'server.log'),
    lock: join(state, 'server.lock'),
    record: join(state, 'server.json'),
  };
}

/** Creates the folder of `file` for its owner alone. */
export function ensureFolderOf(file: string): void {
  ensureFolder(dirname(file));
}

/** Makes it folder by folder: Node's own way hides why it can't, and does not end in a place like /proc. */
export function ensureFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) ensureFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    // Somebody else has just made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
