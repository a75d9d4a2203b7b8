// Finds the program of a command and checks its folder, so that a mistake is told before anything starts. Always true:
// a path that is returned names an executable file at that moment. It starts nothing and changes nothing.
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type PtySpawn, PtySpawnError } from './port.js';

/** What execvp searches when there is no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Names in messages are quoted and cut, so that no name can draw on a terminal. */
const SHOWN_CHARACTERS = 200;

function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_CHARACTERS)).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Absolute path of an executable called `name`: as given when it has a slash, else the first one on `path`. */
export function findExecutable(name: string, path: string | undefined, cwd: string): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(cwd, name)) ? resolve(cwd, name) : undefined;
  // An empty entry of PATH means the working folder, as for every shell.
  for (const folder of (path ?? DEFAULT_PATH).split(':')) {
    const candidate = resolve(cwd, folder, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/** The program of `spec`, absolute. Throws PtySpawnError: cwd_missing, command_not_found, or spawn_failed for a NUL. */
export function findProgram(spec: PtySpawn): string {
  const [name] = spec.command;
  const texts = [...spec.command, spec.cwd, ...Object.entries(spec.env).flat()];
  if (texts.some((text) => text.includes('\0'))) {
    throw new PtySpawnError('spawn_failed', 'the command, folder or environment contains a NUL character');
  }
  try {
    if (!statSync(spec.cwd).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new PtySpawnError('cwd_missing', `the folder ${shown(spec.cwd)} doesn't exist`);
  }
  const program = name === '' ? undefined : findExecutable(name, spec.env.PATH, spec.cwd);
  if (program !== undefined) return program;
  const why = name.includes('/')
    ? exists(resolve(spec.cwd, name))
      ? 'is not executable'
      : "doesn't exist"
    : 'is not on PATH';
  throw new PtySpawnError('command_not_found', `the command ${shown(name)} ${why}`);
}
