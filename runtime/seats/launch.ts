// Launch help: what a pack adds to an agent that the runtime itself starts, so that it reports its status: environment,
// arguments, and files in a folder of the session's own. Always true: nothing of the user's is edited; a caller's own setting
// wins; a folder stays for restarts of its session and goes with the next start of the runtime. A shell that starts an agent later gets none.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pack } from '../agents/load.js';
import type { PackSet } from '../agents/pack-set.js';
import type { LeaderSpec } from '../session/registry.js';

/** Stands for the session's private folder in a pack's values. */
const FILES = '{files}';

export interface Launched {
  readonly leader: LeaderSpec;
  /** The pack that helped, or undefined when none has something to add. */
  readonly pack: Pack | undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The pack whose agent this command starts, by the program's name. */
export function packOf(packs: PackSet, leader: Pick<LeaderSpec, 'command' | 'agent'>): Pack | undefined {
  const name = baseName(leader.command[0]);
  const named = leader.agent && leader.agent !== 'auto' ? packs.find(leader.agent) : undefined;
  const candidates = named ? [named] : packs.candidates('auto');
  return candidates.find(({ process }) => process.names.includes(name));
}

export class LaunchHelp {
  constructor(
    readonly packs: PackSet,
    /** Folder below which each session has its own; created when it is needed. */
    readonly folder: string,
  ) {
    // What an earlier runtime left belongs to sessions that are over.
    rmSync(folder, { recursive: true, force: true });
  }

  /** The leader with its pack's help. Throws when the files can't be written. */
  help(leader: LeaderSpec): Launched {
    const pack = packOf(this.packs, leader);
    if (pack === undefined) return { leader, pack: undefined };
    const { env, args, unless_env = [] } = pack.launch;
    if (Object.keys(env).length + args.length + pack.launchFiles.length === 0)
      return { leader, pack: undefined };
    // Who has set one of these knows better.
    if (unless_env.some((name) => leader.env[name] !== undefined)) return { leader, pack: undefined };
    const files = this.#folderOf(leader.name);
    for (const { to, text } of pack.launchFiles) {
      const path = join(files, to);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { mode: 0o600 });
    }
    const filled = (text: string) => text.replaceAll(FILES, files);
    const [program, ...rest] = leader.command;
    return {
      leader: {
        ...leader,
        command: [program, ...args.map(filled), ...rest],
        env: {
          ...leader.env,
          ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)])),
        },
      },
      pack,
    };
  }

  /** An address holds only letters, digits, hyphens and one @: it is a file name as it stands. */
  #folderOf(session: string): string {
    return join(this.folder, session);
  }
}
