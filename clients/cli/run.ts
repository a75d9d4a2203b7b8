// `openfloor run`: a new seat with a command in it, on the local server unless another one is named, and straight into it.
// Always true: everything after the command's name is the command's; a name that is taken gets the next free number.

import type { SessionToken } from '../../protocol/admin.js';
import type { Client } from '../sdk/index.js';
import { addKeyOption, attachToSeat, requireTerminal } from './attach.js';
import { ensureServer } from './background.js';
import { openClient } from './client.js';
import type { Context, DefineVerb } from './context.js';
import { example } from './context.js';
import { addCreateOptions, type CreateOptions, createBody } from './create.js';
import { CliError } from './failure.js';
import { sayToken } from './new.js';
import { printable } from './print.js';

interface RunOptions extends CreateOptions {
  readonly seat?: string;
  readonly detach?: boolean;
  readonly detachKeys: string;
}

const NAME_LIMIT = 28;
const TRIES = 100;

/** `/usr/bin/Foo_bar.sh` -> `foo-bar-sh`: a seat's name made of a command's. */
export function seatNameOf(command: string): string {
  const name = command
    .slice(command.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_LIMIT);
  return name === '' ? 'seat' : name;
}

/** The name itself, then name-2, name-3, ... that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

async function create(
  client: Client,
  words: readonly string[],
  options: RunOptions,
  local: boolean,
): Promise<SessionToken> {
  if (options.seat !== undefined) {
    return client.sessions.create(createBody(options.seat, words, options, local));
  }
  const wanted = seatNameOf(words[0] ?? '');
  const taken = new Set((await client.sessions.list()).sessions.map(({ name }) => name));
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const name = freeName(wanted, taken);
    try {
      return await client.sessions.create(createBody(name, words, options, local));
    } catch (error) {
      // Somebody else took the name since the list; names of ended sessions may be reserved too.
      if ((error as { status?: number }).status !== 409) throw error;
      taken.add(name);
    }
  }
  throw new CliError('no_free_name', `no name like ${wanted} is free`, 'Name it yourself: --seat NAME');
}

async function runCommand(context: Context, words: readonly string[], options: RunOptions): Promise<void> {
  if (!options.detach) requireTerminal('run', 'Create it without attaching: openfloor run --detach ...');
  const { url, profile } = context.options;
  const elsewhere = url !== undefined || profile !== undefined || Boolean(context.env.OPENFLOOR_URL);
  if (!elsewhere) {
    const { address, started } = await ensureServer(context);
    if (started && !context.json) {
      process.stderr.write(`[openfloor] started the server at ${address}; openfloor down ends it\n`);
    }
  }
  const { local } = context.target();
  const { rows, columns: cols } = process.stdout;
  const sized = { ...(options.detach ? {} : { rows, cols }), ...options };
  const client = await openClient(context);
  const session = await create(client, words, sized, local);
  // One line before the seat has the screen: how this agent's status will be known.
  const { reporting, status } = await client.seats.status(session.session);
  const known = status.agent !== undefined || !reporting.startsWith('No agent');
  if (known && !context.json) process.stderr.write(`[openfloor] ${printable(reporting)}\n`);
  if (options.detach) sayToken(context, session);
  else await attachToSeat(client, session.session, { mode: 'join', detachKeys: options.detachKeys });
}

export const define: DefineVerb = (command, context) => {
  addKeyOption(addCreateOptions(command))
    .usage('[options] [--] <command> [arguments...]')
    .argument('<command>', 'program to run')
    .argument('[arguments...]', 'its arguments')
    .option('--seat <name>', 'name of the seat; made of the command when absent')
    .option('-d, --detach', 'only create it; print its token')
    .passThroughOptions()
    .addHelpText(
      'after',
      example('openfloor run claude', 'openfloor run --seat build -- make -j4', 'openfloor run bash'),
    )
    .action((program: string, rest: string[], options: RunOptions) =>
      runCommand(context(), [program, ...rest], options),
    );
};
