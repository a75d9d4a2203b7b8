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
    throw new HttpError(
      403,
      'client_command_refused',
      'This server starts its own command only.',
      'Leave out command and cwd, or set [server] allow_client_command.',
    );
  }
  if (command?.some((part) => part.includes('\0')) || cwd?.includes('\0')) {
    throw new HttpError(
      400,
      'invalid_command',
      'A command and its folder can hold no NUL character.',
      'Remove it.',
    );
  }
  if (command?.[0] === '')
    throw new HttpError(400, 'invalid_command', 'The command is empty.', 'Name a program.');
  if (cwd !== undefined && !isAbsolute(cwd)) {
    throw new HttpError(400, 'invalid_cwd', 'The folder must be an absolute path.', 'Begin it with a slash.');
  }
  const environment = defaults.environment(body.env);
  if ('refused' in environment) {
    throw new HttpError(
      400,
      'env_not_allowed',
      `The environment variable ${JSON.stringify(environment.refused)} may not be set.`,
      'Leave it out, or allow it in the configuration.',
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
