// `openfloor send`: one message for a seat, typed when it is safe. Always true: without --wait-for-idle it is decided now;
// what became of the text is said in one sentence, also that none was sent and what is kept. Exit status 0 delivered or
// kept, 1 refused, 2 a fault of the server or an end that nobody knows.
import { type Command, InvalidArgumentError } from 'commander';
import { httpStatus, parseReason, REASONS } from '../../protocol/reason.js';
import type { SendBody } from '../../protocol/transport.js';
import type { Client, FloorOutcome, Receipt } from '../sdk/index.js';
import { readBodyFile } from './body-file.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { existingInputText } from './existing-input.js';
import { CliError, QuietExit } from './failure.js';
import { paint, printable } from './print.js';

interface SendOptions {
  readonly urgent?: boolean;
  /** Seconds. */
  readonly waitForIdle?: number;
  readonly fromFile?: string;
  readonly command?: boolean;
  readonly dangerouslyInteract?: boolean;
  readonly reason?: string;
  readonly typeWithoutChecking?: boolean;
  readonly idempotencyKey?: string;
  readonly raw?: boolean;
  readonly verify?: boolean;
  readonly force?: boolean;
}

/** Taken for compatibility. */
const IGNORED = {
  verify: 'receipts are always confirmed or unconfirmed',
  force: 'it bypasses nothing',
} as const;

type Message = SendBody & { readonly seat: string };

const WAIT_LIMIT_SECONDS = 86_400;

function parseWait(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= WAIT_LIMIT_SECONDS) return seconds;
  throw new InvalidArgumentError(`Expected seconds from 0 to ${WAIT_LIMIT_SECONDS}.`);
}

function bodyOf(words: readonly string[], fromFile: string | undefined): string {
  if ((words.length === 0) === (fromFile === undefined)) {
    throw new CliError('usage', 'give the text, or --from-file, and not both', 'openfloor send SEAT "text"');
  }
  if (fromFile === undefined) return words.join(' ');
  return readBodyFile(fromFile, 'the message');
}

/** What is refused here is refused before anything is connected. */
function checkOptions({ dangerouslyInteract, reason, typeWithoutChecking, waitForIdle }: SendOptions): void {
  if (dangerouslyInteract && reason === undefined) {
    throw new CliError(
      'dangerously_interact_requires_reason',
      '--dangerously-interact needs --reason',
      'Say why: --reason "..."',
    );
  }
  if (typeWithoutChecking && !dangerouslyInteract) {
    throw new CliError(
      'usage',
      '--type-without-checking goes with --dangerously-interact only',
      'Leave it out.',
    );
  }
  if (dangerouslyInteract && (waitForIdle ?? 0) > 0) {
    throw new CliError('usage', 'an override decides now', 'Leave --wait-for-idle out.');
  }
}

function messageOf(seat: string, text: string, options: SendOptions): Message {
  const {
    urgent,
    waitForIdle,
    command,
    dangerouslyInteract,
    reason,
    typeWithoutChecking,
    idempotencyKey,
    raw,
  } = options;
  return {
    seat,
    text,
    ...(urgent ? { urgent } : {}),
    ...(waitForIdle === undefined ? {} : { wait_ms: Math.round(waitForIdle * 1_000) }),
    ...(command ? { command } : {}),
    ...(dangerouslyInteract ? { dangerously_interact: true } : {}),
    ...(typeWithoutChecking ? { type_without_checking: true } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
    ...(raw ? { raw } : {}),
  };
}

const OUTCOMES: Readonly<Record<string, string>> = {
  held: 'retained',
  failed: 'refused',
  indeterminate: 'indeterminate',
};

/** The outcome of a waiting request in the shape of the HTTP answer. */
function answerOf(outcome: FloorOutcome): Receipt {
  const { id, state, confirmed, bytes_written, cause } = outcome;
  const reason = parseReason(outcome.reason);
  const kind = state === 'complete' ? (confirmed ? 'delivered' : 'unconfirmed') : (OUTCOMES[state] ?? state);
  const known = reason === undefined ? undefined : REASONS[reason];
  const way = kind === 'refused' || kind === 'retained' || kind === 'indeterminate' ? kind : 'done';
  return {
    status: reason === undefined ? 500 : httpStatus(reason, way),
    ok: way === 'done' || way === 'retained',
    outcome: kind,
    reason: outcome.reason,
    bytes_written,
    ...(kind === 'indeterminate' ? {} : { sent: state === 'complete' }),
    ...(id === undefined ? {} : { id }),
    ...(cause === undefined ? {} : { cause }),
    ...(state === 'complete' || known === undefined ? {} : { error: known.text, next: known.next }),
  };
}

/** Waits on the floor plane: no limit of an HTTP client counts, and a lost connection withdraws nothing. */
async function sendWaiting(context: Context, client: Client, message: Message): Promise<Receipt> {
  const floor = client.floor();
  const { text, dangerously_interact: _no, ...rest } = message;
  const handle = floor.request({ ...rest, origin: 'send', body: text });
  const tell = (words: string) => {
    if (!context.json && process.stderr.isTTY) {
      process.stderr.write(`${paint(context, 'dim', `[openfloor] ${printable(words)}`)}\n`);
    }
  };
  handle.on('decision', ({ decision, reason, cause }) =>
    tell(decision === 'grant' ? 'typing' : `waiting: ${reason}${cause === undefined ? '' : ` (${cause})`}`),
  );
  floor.on('lost', ({ reason }) => tell(`connection lost (${reason}); the message goes on waiting`));
  const interrupt = async () => {
    const answer = await floor.withdraw(handle).catch(() => 'unknown' as const);
    if (answer !== 'already_granted') floor.close();
  };
  const onInterrupt = () => void interrupt();
  process.once('SIGINT', onInterrupt);
  try {
    return answerOf(await handle.outcome);
  } finally {
    process.off('SIGINT', onInterrupt);
    floor.close();
  }
}

/** What to do next after a refusal: for a seat that is busy, the two ways to wait. */
function nextOf(answer: Receipt, seat: string, options: SendOptions): string {
  const code = parseReason(answer.cause ?? answer.reason) ?? parseReason(answer.reason);
  const busy =
    code !== undefined && (REASONS[code].effect === 'wait' || answer.reason === 'wait_for_idle_timeout');
  const now = (options.waitForIdle ?? 0) === 0;
  if (busy && now && !options.dangerouslyInteract) {
    return `Wait for it: openfloor send ${seat} --wait-for-idle 300 ..., or leave it in the queue: openfloor queue create`;
  }
  return answer.next ?? '';
}

/** Why nothing was typed: the row that failed says more than that a wait has ended. */
function whyOf({ cause, reason, error }: Receipt): string {
  const code = parseReason(cause ?? '');
  const text = code === undefined || code === reason ? (error ?? '') : REASONS[code].text;
  const said = text.replace(/^No text was sent[.:] ?/, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function report(context: Context, seat: string, options: SendOptions, answer: Receipt): void {
  const { outcome, reason, cause, id, warnings = [], bytes_written = 0 } = answer;
  if (!context.json)
    for (const warning of warnings) process.stderr.write(`[openfloor] ${printable(warning)}\n`);
  const exitCode = answer.ok ? 0 : outcome === 'indeterminate' || answer.status >= 500 ? 2 : 1;
  const next = nextOf(answer, seat, options);
  if (context.json) {
    const { status: _status, ...body } = answer;
    context.sayJson(next === '' ? body : { ...body, next });
    if (exitCode !== 0) throw new QuietExit(exitCode);
    return;
  }
  const name = printable(seat);
  const { existingInput, promptInteraction, type_without_checking } = answer;
  if (existingInput) process.stderr.write(existingInputText(context, existingInput));
  if (type_without_checking) process.stderr.write('[openfloor] the composer was not looked at, as asked\n');
  if (promptInteraction) {
    const after = `${printable(answer.error ?? 'Enter was not sent.')} ${next}`.trim();
    return context.say(`Typed into a dialog of ${name}, unverified: ${after}\n`);
  }
  switch (outcome) {
    case 'delivered':
      return context.say(`Delivered to ${name}: a turn began.\n`);
    case 'unconfirmed':
      return context.say(`Typed into ${name}, unconfirmed: no turn start was seen.\n`);
    case 'retained':
      return context.say(
        `No text was sent. ${printable(whyOf(answer))} (${printable(cause ?? reason)})\n` +
          `The message is kept for reading as ${printable(id ?? '')} and is not sent by itself: openfloor seat held-messages ${name}\n`,
      );
    case 'indeterminate':
      throw new CliError(
        reason,
        `it is not known whether ${name} took the message; ${bytes_written} bytes of it were written. ${answer.error ?? ''}`.trim(),
        next,
        2,
      );
    default: {
      const what = cause === undefined || cause === reason ? '' : ` (${cause})`;
      throw new CliError(
        reason,
        `No text was sent. ${whyOf(answer)}${what} Nothing is kept.`,
        next,
        exitCode === 2 ? 2 : 1,
      );
    }
  }
}

async function send(
  context: Context,
  seat: string,
  words: readonly string[],
  options: SendOptions,
): Promise<void> {
  checkOptions(options);
  const message = messageOf(seat, bodyOf(words, options.fromFile), options);
  for (const [name, why] of Object.entries(IGNORED)) {
    if (options[name as keyof typeof IGNORED])
      process.stderr.write(`[openfloor] --${name} is ignored: ${why}\n`);
  }
  const client = await openClient(context);
  const waits = (message.wait_ms ?? 0) > 0;
  report(
    context,
    seat,
    options,
    waits ? await sendWaiting(context, client, message) : await client.send(message),
  );
}

export const define: DefineVerb = (command: Command, context) => {
  command
    .argument('<seat>')
    .argument('[text...]', 'the message; several words are joined by blanks')
    .option(
      '--urgent',
      'goes before others, past background work and past modes that hold only what is not urgent',
    )
    .option(
      '--wait-for-idle <seconds>',
      'how long it may wait for the agent to be idle and the input box empty; without it, it is decided now',
      parseWait,
    )
    .option('--from-file <file>', 'the message is in a file; - is standard input')
    .option('--command', 'the text is a command of the agent, for example /compact')
    .option('--raw', 'without the line that names the sender')
    .option(
      '--dangerously-interact',
      'override: type although the agent is busy, or into the question that it asks',
    )
    .option('--reason <text>', 'why; recorded, needed with --dangerously-interact')
    .option('--type-without-checking', 'the override does not look whether a draft stands in the input box')
    .option('--idempotency-key <key>', 'sent again with the same key, nothing is typed twice')
    .addOption(command.createOption('--verify').hideHelp())
    .addOption(command.createOption('--force').hideHelp())
    .addHelpText(
      'after',
      example(
        'openfloor send claude "run the tests again"',
        'openfloor send claude --wait-for-idle 600 --from-file plan.md',
        'openfloor send claude --command /compact',
        'openfloor send claude 2 --dangerously-interact --reason "the second answer"',
      ) +
        '\nExit status: 0 typed, or kept by the typing guard (it says which); 1 nothing was typed; 2 a server fault, or nobody knows.\n',
    )
    .action((seat: string, words: string[], options: SendOptions) => send(context(), seat, words, options));
};
