// What `doctor` can tell without a server: Node, native modules, programs, folders, the credential file. It changes
// nothing; a native module is tried in a process of its own, because loading a broken one can end the process.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from '../doctor.js';
import type { Folders } from '../folders.js';

const NODE_MIN = [20, 19] as const;
const NATIVE_MODULES = ['node-pty', 'better-sqlite3'];
const TRIAL_LIMIT_MS = 10_000;
/** Constructing proves that the compiled half is there; requiring better-sqlite3 alone does not load it. */
const TRIAL =
  "const m = require(process.argv[1]); if (process.argv[1] === 'better-sqlite3') new m(':memory:').close();";

type Environment = Readonly<Record<string, string | undefined>>;

const check = (name: string, result: Check['result'], detail: string, next = ''): Check => ({
  name,
  result,
  detail,
  next,
  side: 'machine',
});

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  return enough
    ? check('node', 'ok', `version ${process.versions.node}`)
    : check(
        'node',
        'fail',
        `version ${process.versions.node} is too old`,
        `Install Node ${NODE_MIN.join('.')} or newer.`,
      );
}

function checkNative(name: string): Check {
  const here = dirname(fileURLToPath(import.meta.url));
  const { status, stderr, signal } = spawnSync(process.execPath, ['-e', TRIAL, name], {
    cwd: here,
    encoding: 'utf8',
    timeout: TRIAL_LIMIT_MS,
  });
  if (status === 0) return check(name, 'ok', 'loads');
  const line =
    stderr.split('\n').find((text) => /Error/.test(text)) ?? `ended with ${signal ?? `status ${status}`}`;
  return check(name, 'fail', `does not load: ${line}`, `Build it for this Node: npm rebuild ${name}`);
}

function findProgram(name: string, env: Environment): string | undefined {
  for (const folder of (env.PATH ?? '').split(':')) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // the next folder
    }
  }
  return undefined;
}

function checkProgram(name: string, why: string, env: Environment): Check {
  const file = findProgram(name, env);
  return file === undefined
    ? check(name, 'warn', `is not on PATH; ${why}`, `Install ${name}, or put its folder on PATH.`)
    : check(name, 'ok', file);
}

/** The nearest existing folder must be writable. */
function checkFolder(name: string, folder: string): Check {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    accessSync(at, constants.W_OK | constants.X_OK);
  } catch {
    return check(
      name,
      'fail',
      `${at} is not writable`,
      `Make it yours: chown, or set another folder for ${folder}.`,
    );
  }
  if (at !== folder) return check(name, 'ok', `${folder}, made at the first start`);
  const open = (statSync(folder).mode & 0o077) !== 0;
  return open
    ? check(name, 'warn', `${folder} is open to other users`, `chmod 700 ${folder}`)
    : check(name, 'ok', folder);
}

function checkCredential(folders: Folders): Check {
  const name = 'credential file';
  if (!existsSync(folders.credentialFile)) return check(name, 'ok', 'made at the first openfloor up');
  const open = (statSync(folders.credentialFile).mode & 0o077) !== 0;
  return open
    ? check(
        name,
        'fail',
        `${folders.credentialFile} is readable by others`,
        `chmod 600 ${folders.credentialFile}`,
      )
    : check(name, 'ok', folders.credentialFile);
}

export function checkMachine(folders: Folders, env: Environment): Check[] {
  const linux = process.platform === 'linux';
  return [
    checkNode(),
    ...NATIVE_MODULES.map(checkNative),
    checkProgram('bash', 'it is the default command of a seat', env),
    ...(linux ? [checkProgram('setsid', 'commands that start background processes use it', env)] : []),
    checkFolder('config folder', dirname(folders.credentialFile)),
    checkFolder('data folder', folders.data),
    checkFolder('state folder', folders.state),
    checkCredential(folders),
  ];
}
