// What a create request starts: the configured command or, where the configuration allows it, the client's own. Always
// true: a client's environment and command are refused whole when they aren't allowed, never dropped silently. Pure.
import { isAbsolute } from 'node:path';
import type { CreateSession } from '../../protocol/admin.js';
import type { LeaderSpec } from '../session/registry.js';
import { HttpError } from './error.js';

export interface LeaderDefaults {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly allowClientCommand: boolean;
  /** The environment of a leader, given what the client sent, or the first variable that isn't allowed. */
  environment(
    client: Readonly<Record<string, string>> | undefined,
  ): { readonly env: Readonly<Record<string, string>> } | { readonly refused: string };
}

export function leaderOf(
  body: CreateSession,
  defaults: LeaderDefaults,
): Omit<LeaderSpec, 'rows' | 'cols'> & { rows?: number; cols?: number } {
  const { command, cwd } = body;
  if ((command !== undefined || cwd !== undefined) && !defaults.allowClientCommand) {
    throw new HttpError('client_command_refused');
  }
  if (command?.some((part) => part.includes('\0')) || cwd?.includes('\0')) {
    throw new HttpError('invalid_command');
  }
  if (command?.[0] === '') throw new HttpError('invalid_command', 'The command is empty.');
  if (cwd !== undefined && !isAbsolute(cwd)) {
    throw new HttpError('invalid_cwd');
  }
  const environment = defaults.environment(body.env);
  if ('refused' in environment) {
    throw new HttpError(
      'env_not_allowed',
      `The environment variable ${JSON.stringify(environment.refused)} may not be set.`,
    );
  }
  const [program, ...args] = command ?? defaults.command;
  return {
    name: body.name,
    ...(body.rows === undefined ? {} : { rows: body.rows }),
    ...(body.cols === undefined ? {} : { cols: body.cols }),
    command: [program ?? defaults.command[0], ...args],
    cwd: cwd ?? defaults.cwd,
    env: environment.env,
    agent: body.agent,
    kind: body.kind ?? 'agent',
  };
}
