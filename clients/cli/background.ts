// The server in the background: found, or started in a process session of its own. Always true: closing the terminal ends
// neither the server nor its sessions; its output goes to the log in the state folder; a start is over when the server
// has told that it listens, or has ended.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from './context.js';
import { CliError } from './failure.js';
import { ensureFolder, type Folders } from './folders.js';
import { printable } from './print.js';
import { lockOwner, readRecord, type ServerRecord } from './record.js';

/** A log of this size is put aside at the next start. */
const LOG_BYTES = 8 * 1_048_576;
const START_LIMIT_MS = 30_000;
/** Variables of the seat that we may run in; the server is nobody's child. */
const SEAT_VARIABLES = ['OPENFLOOR_URL', 'OPENFLOOR_SEAT', 'OPENFLOOR_TOKEN'];

/** What the server in the background tells its starter. */
export interface StartedMessage {
  readonly address: string;
}

/** The local server, if one runs and answers. */
export async function findServer(folders: Folders): Promise<ServerRecord | undefined> {
  const record = readRecord(folders);
  if (record === undefined || lockOwner(folders) !== record.pid) return undefined;
  const { connect } = await import('../sdk/index.js');
  return (await connect({ url: record.address }).healthy()) ? record : undefined;
}

function openLog(folders: Folders): number {
  ensureFolder(folders.state);
  try {
    if (statSync(folders.log).size > LOG_BYTES) renameSync(folders.log, `${folders.log}.1`);
  } catch {
    // there is none yet
  }
  return openSync(folders.log, 'a', 0o600);
}

function lastLines(file: string, from: number): string {
  try {
    const text = readFileSync(file).subarray(from).toString('utf8').trim();
    return text.split('\n').slice(-5).map(printable).join('\n');
  } catch {
    return '';
  }
}

/** The environment without what belongs to a seat. */
export function serverEnvironment(env: Context['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SEAT_VARIABLES.includes(name)));
}

function serverArguments(context: Context): string[] {
  const { config, data } = context.options;
  return [
    'up',
    '--child',
    ...(config === undefined ? [] : ['--config', context.folders.configFile]),
    ...(data === undefined ? [] : ['--data', context.folders.data]),
  ];
}

/** Starts the server and resolves with its address. Rejects with CliError and the end of its log. */
export async function startServer(context: Context): Promise<string> {
  const { folders, env } = context;
  const log = openLog(folders);
  const logged = statSync(folders.log).size;
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, main, ...serverArguments(context)], {
    detached: true,
    cwd: '/',
    env: serverEnvironment(env),
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const fail = (what: string) =>
    new CliError(
      'start_failed',
      `the server ${what}\n${lastLines(folders.log, logged)}`.trim(),
      `Read its log: ${folders.log}`,
      2,
    );
  try {
    return await new Promise<string>((resolve, reject) => {
      const limit = setTimeout(() => {
        child.kill('SIGTERM');
        reject(fail(`did not start within ${START_LIMIT_MS / 1_000} s`));
      }, START_LIMIT_MS);
      const settle = (act: () => void) => {
        clearTimeout(limit);
        act();
      };
      child.once('error', (error) => settle(() => reject(fail(`could not be started: ${error.message}`))));
      child.once('exit', (code, signal) =>
        settle(() => reject(fail(`ended with ${signal ?? `status ${code}`} while starting`))),
      );
      child.once('message', (message) => settle(() => resolve((message as StartedMessage).address)));
    });
  } finally {
    child.removeAllListeners();
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** The running local server, started if need be. */
export async function ensureServer(context: Context): Promise<{ address: string; started: boolean }> {
  const running = await findServer(context.folders);
  if (running !== undefined) return { address: running.address, started: false };
  return { address: await startServer(context), started: true };
}
