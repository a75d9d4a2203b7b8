// The options that `run` and `new` share, and the request they make of them. Always true: the caller's folder and
// environment go along to a server on this machine only, and never a variable of ours, which may hold a token.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { CreateSession } from '../../protocol/admin.js';
import { SIZE_MAX, SIZE_MIN } from '../../protocol/limit.js';

export interface CreateOptions {
  readonly agent?: string;
  readonly kind?: 'agent' | 'terminal';
  readonly launchHooks?: boolean;
  readonly rows?: number;
  readonly cols?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function parseDimension(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= SIZE_MIN && value <= SIZE_MAX) return value;
  throw new InvalidArgumentError(`Expected a whole number from ${SIZE_MIN} to ${SIZE_MAX}.`);
}

function parseKind(text: string): 'agent' | 'terminal' {
  if (text === 'agent' || text === 'terminal') return text;
  throw new InvalidArgumentError('Expected agent or terminal.');
}

function collectVariable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Expected NAME=VALUE.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

export function addCreateOptions(command: Command): Command {
  return command
    .option('--agent <pack>', 'agent pack of the seat; found out when absent')
    .option('--no-launch-hooks', 'start the agent without its pack’s help for reporting')
    .option('--kind <kind>', 'agent or terminal', parseKind)
    .option('--rows <n>', 'rows of the terminal', parseDimension)
    .option('--cols <n>', 'columns of the terminal', parseDimension)
    .option('--cwd <folder>', 'working folder on the server')
    .option('--env <name=value>', 'one variable more; may be given several times', collectVariable);
}

/** The caller's environment for a session: everything but our own variables. */
export function callerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('OPENFLOOR_'),
    ),
  );
}

export function createBody(
  name: string,
  command: readonly string[],
  options: CreateOptions,
  local: boolean,
): CreateSession {
  const { agent, kind, rows, cols } = options;
  const cwd = options.cwd ?? (local ? process.cwd() : undefined);
  const env = local ? { ...callerEnvironment(process.env), ...options.env } : options.env;
  return {
    name,
    ...(command.length > 0 ? { command: [...command] } : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(kind === undefined ? {} : { kind }),
    ...(options.launchHooks === false ? { launch_hooks: false } : {}),
    ...(rows === undefined ? {} : { rows }),
    ...(cols === undefined ? {} : { cols }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  };
}
