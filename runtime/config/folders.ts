// Where things lie: configuration, data and state, by the XDG base directory specification, also on macOS. Functions of
// the environment alone; nothing is created here.

import { ConfigError } from './config.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Folders {
  /** openfloor.toml, packs, the admin credential. */
  readonly config: string;
  /** The databases. */
  readonly data: string;
  /** Logs. */
  readonly state: string;
}

/** Relative values are ignored, as the specification says. */
function base(env: Environment, name: string, below: string): string {
  const set = env[name];
  if (set?.startsWith('/')) return `${set.replace(/\/+$/, '')}/openfloor`;
  const home = env.HOME;
  if (home?.startsWith('/')) return `${home.replace(/\/+$/, '')}/${below}/openfloor`;
  throw new ConfigError(
    `Neither ${name} nor HOME names a folder.`,
    `Set HOME, or ${name}, to an absolute path.`,
    name,
    null,
  );
}

/** The folders of this user. OPENFLOOR_DATA replaces the data folder. Throws ConfigError when there is no HOME either. */
export function folders(env: Environment): Folders {
  return {
    config: base(env, 'XDG_CONFIG_HOME', '.config'),
    data: env.OPENFLOOR_DATA || base(env, 'XDG_DATA_HOME', '.local/share'),
    state: base(env, 'XDG_STATE_HOME', '.local/state'),
  };
}

/** The configuration file that is read when none is named: OPENFLOOR_CONFIG, or openfloor.toml in the config folder. */
export function configFile(env: Environment): string {
  return env.OPENFLOOR_CONFIG || `${base(env, 'XDG_CONFIG_HOME', '.config')}/openfloor.toml`;
}
