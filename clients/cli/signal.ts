// `openfloor signal`: a report of the Program Status Protocol from inside a seat. Always true: it writes one OSC 7501 to the
// terminal (its own, or the nearest ancestor's: hooks of some agents have none), or posts it as a hook event; it is quick and
// says nothing on success. Posted, it carries no message.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { SIGNAL_EVENT } from '../../protocol/status.js';
import { type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { postHook } from './hooks/relay.js';

const STATES = ['working', 'idle', 'blocked', 'done', 'error', 'clear'] as const;
type State = (typeof STATES)[number];
const KINDS = ['permission', 'question', 'auth'] as const;
/** Longest message of the protocol, decoded. */
const MESSAGE_BYTES = 2_048;
const APP = 'openfloor-signal';
/** Ancestors looked at for a terminal. */
const HOPS = 16;
const PS_LIMIT_MS = 1_000;

/** The report's bytes. */
export function report(state: State, kind?: string, message?: string): string {
  const fields = [`state=${state}`, `app=${APP}`];
  if (kind !== undefined) fields.push(`kind=${kind}`);
  if (message !== undefined) fields.push(`msg=${Buffer.from(message, 'utf8').toString('base64')}`);
  return `\x1b]7501;${fields.join(':')}\x1b\\`;
}

function write(path: string, text: string): boolean {
  let fd: number;
  try {
    // Never as a controlling terminal, and never waiting for one that nobody reads.
    fd = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    return writeSync(fd, text) === Buffer.byteLength(text);
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

/** Parent and terminal of a process, as `ps` tells on every Unix. */
function lookUp(pid: number): { readonly parent: number; readonly terminal: string | undefined } | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'ppid=,tty=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_LIMIT_MS,
  });
  const [, parent, name] = /^\s*(\d+)\s+(\S+)/.exec(status === 0 ? stdout : '') ?? [];
  if (parent === undefined || name === undefined) return undefined;
  const terminal = /^[A-Za-z0-9/]+$/.test(name) && name !== '??' ? `/dev/${name}` : undefined;
  return { parent: Number(parent), terminal };
}

/** The terminal of the nearest ancestor that has one. */
function ancestorTerminal(): string | undefined {
  let pid = process.ppid;
  for (let hops = 0; hops < HOPS && pid > 1; hops++) {
    const found = lookUp(pid);
    if (found === undefined || found.terminal !== undefined) return found?.terminal;
    pid = found.parent;
  }
  return undefined;
}

function oneOf<T extends string>(list: readonly T[]) {
  return (text: string): T => {
    const found = list.find((name) => name === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Expected one of ${list.join(', ')}.`);
  };
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('<state>', STATES.join(', '), oneOf(STATES))
    .option('--kind <kind>', 'with blocked: permission, question or auth', oneOf(KINDS))
    .option('--msg <text>', 'what it is about, for people')
    .addHelpText(
      'after',
      example('openfloor signal working', 'openfloor signal blocked --kind permission --msg "may I?"'),
    )
    .action(async (state: State, { kind, msg }: { kind?: string; msg?: string }) => {
      if (msg !== undefined && Buffer.byteLength(msg) > MESSAGE_BYTES) {
        throw new CliError('usage', `a message has at most ${MESSAGE_BYTES} bytes`, 'Shorten it.');
      }
      const text = report(state, kind, msg);
      if (write('/dev/tty', text)) return;
      const terminal = ancestorTerminal();
      if (terminal !== undefined && write(terminal, text)) return;
      const fields = { state, ...(kind === undefined ? {} : { kind }) };
      const posted = await postHook(context().env, { event: SIGNAL_EVENT, fields }).catch(() => false);
      if (posted) return;
      throw new CliError(
        'no_terminal',
        'there is no terminal and no seat to report to',
        'Call it from inside a seat.',
      );
    });
};
