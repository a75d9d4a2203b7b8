// `openfloor send SEAT TEXT`: a floor request from the command line. Always true: it says whether text was sent, what is kept,
// and why; exit 0 delivered or retained, 1 refused, 2 a server fault or an outcome that is not sure (guard contract 6).
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Receipt } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError, QuietExit } from './failure.js';
import { paint, printable } from './print.js';

interface SendOptions {
  readonly urgent?: boolean;
  readonly waitForIdle?: number;
  readonly fromFile?: string;
  readonly command?: boolean;
  readonly dangerouslyInteract?: boolean;
  readonly reason?: string;
  readonly typeWithoutChecking?: boolean;
  readonly idempotencyKey?: string;
  readonly raw?: boolean;
  readonly force?: boolean;
  readonly verify?: boolean;
}

/** Reasons that waiting may end: the seat is busy, or nobody knows yet. */
const BUSY = new Set([
  'session_working',
  'awaiting_turn',
  'background_work',
  'human_active',
  'draft_input_busy',
  'draft_input_unknown',
  'status_unknown',
  'starting',
  'floor_held',
  'wait_for_idle_timeout',
  'target_activity_unknown',
]);

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1_000);
  throw new InvalidArgumentError('Expected seconds, for example 60.');
}

function textOf(words: readonly string[], { fromFile }: SendOptions): string {
  if (fromFile === undefined) {
    if (words.length > 0) return words.join(' ');
    throw new CliError('usage', 'there is no text to send', 'Give it after the seat, or with --from-file.');
  }
  if (words.length > 0)
    throw new CliError('usage', 'the text is given twice', 'Leave one of text and --from-file away.');
  try {
    return readFileSync(fromFile === '-' ? 0 : fromFile, 'utf8');
  } catch (error) {
    throw new CliError(
      'usage',
      `the file can't be read: ${(error as Error).message}`,
      'Name a file, or - for standard input.',
    );
  }
}

function tell(context: Context, seat: string, receipt: Receipt): void {
  const { outcome, reason, cause, error, next, warnings = [], outboxIds = [] } = receipt;
  const why = `(${reason}${cause ? `: ${cause}` : ''})`;
  const name = printable(seat);
  switch (outcome) {
    case 'delivered':
      context.say(`${paint(context, 'green', 'Delivered')} to ${name}: a turn began.\n`);
      break;
    case 'unconfirmed':
      context.say(
        `${paint(context, 'yellow', 'Sent')} to ${name}, but no turn was seen to begin ${printable(why)}.\n`,
      );
      break;
    case 'retained':
      context.say(
        `${paint(context, 'yellow', 'No text was sent.')} ${printable(error ?? '')} ${printable(why)}\n`,
      );
      context.say(
        `It is kept for reading: openfloor seat held-messages ${name} (${outboxIds.map(printable).join(', ')})\n`,
      );
      break;
    case 'refused':
      context.say(
        `${paint(context, 'red', 'No text was sent.')} ${printable((error ?? '').replace('No text was sent: ', ''))} ${printable(why)}\n`,
      );
      if (BUSY.has(reason))
        context.say('  wait for it: --wait-for-idle 600, or leave work in a queue: openfloor queue create\n');
      else if (next) context.say(`  next: ${printable(next)}\n`);
      break;
    default:
      context.say(`${paint(context, 'red', 'Not sure.')} ${printable(error ?? '')} ${printable(why)}\n`);
      if (next) context.say(`  next: ${printable(next)}\n`);
  }
  for (const warning of warnings)
    context.say(`${paint(context, 'yellow', 'warning:')} ${printable(warning)}\n`);
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .argument('[text...]')
    .option('--urgent', 'before others, and past a guard that lets only urgent messages ask')
    .option(
      '--wait-for-idle <seconds>',
      'wait so long for a safe moment; without it, now or not at all',
      parseSeconds,
    )
    .option('--from-file <file>', 'the text from a file, or - for standard input')
    .option('--command', 'the text is a command of the agent, such as /compact (needs the scope)')
    .option(
      '--dangerously-interact',
      'drive a dialog, or type although the agent is not idle; needs --reason',
    )
    .option('--reason <text>', 'why, for the audit feed')
    .option('--type-without-checking', 'with --dangerously-interact: do not look for a draft first')
    .option('--idempotency-key <key>', 'the same key never types twice')
    .option('--raw', 'without the line that names the sender')
    .option('--force', 'for compatibility; bypasses nothing')
    .option('--verify', 'for compatibility; receipts are always confirmed or unconfirmed')
    .addHelpText(
      'after',
      example(
        'openfloor send claude "run the tests"',
        'openfloor send claude "run the tests" --wait-for-idle 600',
        'git diff | openfloor send claude --from-file -',
      ),
    )
    .action(async (seat: string, words: string[], options: SendOptions) => {
      const paper = context();
      const text = textOf(words, options);
      const client = await openClient(paper);
      const receipt = await client.seats.send({
        seat,
        text,
        ...(options.waitForIdle === undefined ? {} : { wait_ms: options.waitForIdle }),
        ...(options.urgent ? { urgent: true } : {}),
        ...(options.command ? { command: true } : {}),
        ...(options.dangerouslyInteract ? { dangerously_interact: true } : {}),
        ...(options.reason === undefined ? {} : { reason: options.reason }),
        ...(options.typeWithoutChecking ? { type_without_checking: true } : {}),
        ...(options.idempotencyKey === undefined ? {} : { idempotency_key: options.idempotencyKey }),
        ...(options.raw ? { raw: true } : {}),
        ...(options.force ? { force: true } : {}),
        ...(options.verify ? { verify: true } : {}),
      });
      if (paper.json) paper.sayJson(receipt);
      else tell(paper, seat, receipt);
      if (receipt.status >= 500) throw new QuietExit(2);
      if (!receipt.ok) throw new QuietExit(1);
    });
};
