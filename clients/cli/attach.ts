// `openfloor attach`: this terminal becomes the seat's until the operator leaves or the session ends. The staying itself is
// terminal/stay.ts; here are the options, what is asked of the local terminal, and what is said afterwards.
import { type Command, InvalidArgumentError } from 'commander';
import type { AttachMode } from '../../protocol/frame.js';
import type { Client } from '../sdk/index.js';
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { printable } from './print.js';
import { type DetachKeys, describeKeys, parseDetachKeys } from './terminal/detach-keys.js';

interface AttachVerbOptions {
  readonly view?: boolean;
  readonly take?: boolean;
  readonly detachKeys: string;
}

export const DEFAULT_DETACH_KEYS = 'ctrl-\\,d';

function checkKeys(text: string): string {
  if (text === 'none' || parseDetachKeys(text) !== undefined) return text;
  throw new InvalidArgumentError("Expected for example 'ctrl-\\,d', 'ctrl-]' or none.");
}

export function addKeyOption(command: Command): Command {
  return command.option(
    '--detach-keys <keys>',
    "keys that leave; 'ctrl-]' or 'ctrl-a,d', or none",
    checkKeys,
    process.env.OPENFLOOR_DETACH_KEYS ?? DEFAULT_DETACH_KEYS,
  );
}

/** Refuses before anything is created or connected. */
export function requireTerminal(verb: string, next: string): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new CliError('not_a_terminal', `${verb} needs a terminal for input and output`, next);
}

export interface AttachRequest {
  readonly mode: AttachMode;
  readonly detachKeys: string;
}

/** Stays until it is over; says how it ended on standard error. Rejects with the reason when it ended badly. */
export async function attachToSeat(client: Client, seat: string, request: AttachRequest): Promise<void> {
  const keys: DetachKeys | undefined = parseDetachKeys(checkKeys(request.detachKeys));
  const { stay } = await import('./terminal/stay.js');
  const hint = keys === undefined ? '' : `; leave with ${describeKeys(keys)}`;
  const tell = (text: string) => void process.stderr.write(`[openfloor] ${printable(text)}\n`);
  tell(`${request.mode === 'view' ? 'viewing' : 'attached to'} ${seat}${hint}`);
  const outcome = await stay(client, seat, { mode: request.mode, keys, tell });
  switch (outcome.kind) {
    case 'left':
      return tell(`left ${seat}, which goes on; back with: openfloor attach ${seat}`);
    case 'ended': {
      const { code, signal } = outcome;
      return tell(`${seat} ended with ${signal === null ? `exit status ${code}` : signal}`);
    }
    case 'signal':
      // The usual end of a signalled process, now that the terminal is restored.
      process.kill(process.pid, outcome.signal);
      return;
    case 'failed':
      throw outcome.error;
  }
}

/** A viewer without a terminal: the bytes of the session go to standard output until it ends. */
async function stream(client: Client, seat: string): Promise<void> {
  const attachment = client.attach(seat, { mode: 'view' });
  attachment.on('bytes', ({ bytes }) => {
    if (process.stdout.write(bytes)) return;
    attachment.pause();
    process.stdout.once('drain', () => attachment.resume());
  });
  process.stdout.on('error', () => void attachment.detach());
  const end = await attachment.closed;
  if (end.error !== undefined && end.code !== 4004) throw end.error;
}

export const define: DefineVerb = (command, context) => {
  addKeyOption(command)
    .argument('<seat>')
    .option('--view', 'read only: nothing typed here reaches the seat')
    .option('--take', 'evict the other operators instead of joining them')
    .addHelpText(
      'after',
      `\nLeave with Ctrl-\\ d; the session goes on. Ctrl-\\ twice sends one Ctrl-\\.\n${example(
        'openfloor attach claude',
        'openfloor attach claude --view',
        'openfloor attach claude --view > recording </dev/null',
      )}`,
    )
    .action(async (seat: string, options: AttachVerbOptions) => {
      const paper = context();
      if (options.view && options.take) {
        throw new CliError(
          'usage',
          '--view and --take exclude each other',
          'Give one of them, or none to join.',
        );
      }
      const mode = options.view ? 'view' : options.take ? 'take' : 'join';
      if (mode !== 'view') {
        requireTerminal('attach', 'To read only: --view. To send a message from a script: openfloor send.');
      }
      const client = await openClient(paper);
      if (mode === 'view' && !(process.stdin.isTTY && process.stdout.isTTY)) await stream(client, seat);
      else await attachToSeat(client, seat, { mode, detachKeys: options.detachKeys });
    });
};
