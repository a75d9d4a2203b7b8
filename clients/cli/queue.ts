// `openfloor queue`: rows of work that are addressed to seats. Inside a seat the caller is that seat, by its credential; an
// operator names the seat it acts as with --as. Always true: what comes from a row is escaped before it is shown.
import { type Command, InvalidArgumentError } from 'commander';
import type { QueueChanged, QueueRow, QueueShow, QueueTransitions } from '../../protocol/queue.js';
import type { Client } from '../sdk/index.js';
import { readBodyFile } from './body-file.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { age, paint, printable, table } from './print.js';
import { several, subVerb } from './sub.js';
import { parseTtl } from './token.js';

interface Common {
  readonly as?: string;
  readonly note?: string;
}
type RowWord = 'routine' | 'urgent' | 'critical';

function parsePriority(text: string): RowWord {
  if (text === 'routine' || text === 'urgent' || text === 'critical') return text;
  throw new InvalidArgumentError('Expected routine, urgent or critical.');
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1_000) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000.');
}

const durationMs = (text: string): number => parseTtl(text) * 1_000;
const later = (text: string): number => Date.now() + durationMs(text);

const wakeText = ({ lastWake }: QueueRow): string => lastWake?.result ?? '-';

function say(paper: Context, rows: readonly QueueRow[], none: string): void {
  if (rows.length === 0) return paper.say(`${none}\n`);
  const titles = ['ID', 'STATE', 'FROM', 'TO', 'PRIORITY', 'AGE', 'WAKE', 'SUMMARY'];
  const columns = titles.map((title) => ({ title, align: title === 'AGE' ? 'right' : 'left' }) as const);
  const cells = rows.map((row) => [
    row.id,
    row.state,
    row.source,
    row.destination,
    row.priority,
    age(Date.now() - Date.parse(row.createdAt)),
    wakeText(row),
    row.summary,
  ]);
  paper.say(table(paper, columns, cells));
}

/** What became of the wake, where there is something to say. */
const WITHDRAWN: Readonly<Record<string, string>> = {
  withdrawn: ' Its wake was withdrawn; nothing was typed.',
  already_granted: ' Its wake was being typed already.',
  unknown: ' The runtime did not say in time whether its wake was withdrawn: it may be typed.',
};

function sayChanged(paper: Context, changed: QueueChanged): void {
  if (paper.json) return paper.sayJson(changed);
  const { row, wake, successor } = changed;
  const next = successor
    ? ` ${printable(successor.id)} is in the queue of ${printable(successor.destination)}.`
    : '';
  paper.say(`${printable(row.id)} is ${printable(row.state)}.${next}${WITHDRAWN[wake] ?? ''}\n`);
}

function sayRow(paper: Context, row: QueueShow, { transitions }: QueueTransitions): void {
  const line = (name: string, value: string | null | undefined) => {
    if (value) paper.say(`${paint(paper, 'dim', name.padEnd(13))}${printable(value)}\n`);
  };
  const { lastWake, wake } = row;
  paper.say(`${paint(paper, 'bold', printable(row.summary))}\n`);
  line('id', row.id);
  line('state', row.overdue ? `${row.state}, overdue since ${row.closureRequiredAt}` : row.state);
  line('from', row.source);
  line('to', row.destination);
  line('priority', row.tier === null ? row.priority : `${row.priority}, tier ${row.tier}`);
  line('tags', row.tags.join(', '));
  line('blocked on', row.blockedOn);
  line('wakes at', row.wakeDueAt);
  line('not before', row.notBefore);
  line('expires', row.expiresAt);
  line('close by', row.overdue ? null : row.closureRequiredAt);
  line('handed off', row.handedOffTo && `to ${row.handedOffTo}`);
  line('came from', row.handedOffFrom);
  line('closed', row.closureReason && [row.closureReason, row.closureTarget].filter(Boolean).join(' '));
  line('last wake', lastWake && `${lastWake.result}, ${lastWake.at}`);
  if (wake && wake.state !== 'over') {
    const company = wake.rows.length > 1 ? `, together with ${wake.rows.length - 1} more` : '';
    line('wake', wake.state === 'asked' ? `waits for the floor${company}` : wake.state);
  }
  for (const { at, from, to, actor, note } of transitions) {
    const what = from === null ? `created ${to}` : from === to ? `noted` : `${from} -> ${to}`;
    paper.say(
      `  ${paint(paper, 'dim', at.slice(0, 19))}  ${printable(`${what} by ${actor}${note ? `: ${note}` : ''}`)}\n`,
    );
  }
  if (row.body !== '') paper.say(`\n${row.body.split('\n').map(printable).join('\n')}\n`);
}

interface CreateOptions extends Common {
  readonly destination: string;
  readonly summary: string;
  readonly body?: string;
  readonly bodyFile?: string;
  readonly id?: string;
  readonly priority?: RowWord;
  readonly tier?: string;
  readonly tag?: string[];
  readonly expiresIn?: number;
  readonly notBeforeIn?: number;
  readonly wake: boolean;
}

function textOf({ body, bodyFile }: { readonly body?: string; readonly bodyFile?: string }): {
  body?: string;
} {
  if (bodyFile !== undefined) return { body: readBodyFile(bodyFile, 'the body') };
  return body === undefined ? {} : { body };
}

/** Only what was given: an absent field is not the same as an undefined one. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

async function create(paper: Context, options: CreateOptions): Promise<void> {
  const { destination, summary, id, priority, tier, tag, expiresIn, notBeforeIn, wake, as } = options;
  const row = await (await openClient(paper)).queue.create({
    destination,
    summary,
    ...textOf(options),
    ...given({ id, priority, tier, tags: tag, expiresAt: expiresIn, notBefore: notBeforeIn, as }),
    ...(wake ? {} : { wake: false }),
  });
  if (paper.json) return paper.sayJson(row);
  paper.say(`${printable(row.id)} is in the queue of ${printable(row.destination)}.\n`);
}

const common = (command: Command): Command =>
  command
    .option('--as <seat>', 'as an operator: the seat that acts')
    .option('--note <text>', 'a note for the row’s history');

interface ListOptions extends Common {
  readonly state?: string;
  readonly destination?: string;
  readonly source?: string;
  readonly tag?: string;
  readonly all?: boolean;
  readonly limit?: number;
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example(
        'openfloor queue create --destination builder --summary "review the patch" --body-file patch.md',
        'openfloor queue claim q-0198c1d2-... --as builder',
        'openfloor queue close q-0198c1d2-... --reason no-follow-on --as builder',
      ),
    );
  subVerb(command, 'create', 'a new row; its destination is woken')
    .requiredOption('--destination <seat>', 'seat that it is addressed to')
    .requiredOption('--summary <line>', 'what it is about, one line')
    .option('--body <text>', 'the work itself')
    .option('--body-file <file>', 'the work itself, from a file; - is standard input')
    .option('--id <id>', 'own id: the same one again is the same row')
    .option('--priority <priority>', 'routine, urgent or critical', parsePriority)
    .option('--tier <tier>', 'fast, routine, deep or critical: how soon a claim must be closed')
    .option('--tag <tag>', 'may be given several times', several)
    .option('--expires-in <time>', 'canceled if nobody has claimed it by then, for example 2d', later)
    .option('--not-before-in <time>', 'no wake before that, for example 2h', later)
    .option('--no-wake', 'do not wake the destination')
    .option('--as <seat>', 'as an operator: the seat that it comes from')
    .action((_: unknown, self: Command) => create(context(), self.opts<CreateOptions>()));
  subVerb(command, 'list', 'rows, newest first')
    .option('--state <states>', 'only these states, separated by commas; open by default')
    .option('--all', 'closed ones too')
    .option('--destination <seat>', 'only rows for this seat')
    .option('--source <seat>', 'only rows from this seat')
    .option('--tag <tag>', 'only rows with this tag')
    .option('--limit <n>', 'at most so many', parseCount)
    .option('--as <seat>', 'as an operator: rows that this seat sees')
    .action(async (_: unknown, self: Command) => {
      const paper = context();
      const { all, state, note: _note, ...rest } = self.opts<ListOptions>();
      const states = state ?? (all ? undefined : 'open');
      const { destination, source, tag, limit, as } = rest;
      const filter = given({ destination, source, tag, limit, as, state: states });
      const answer = await (await openClient(paper)).queue.list(filter);
      if (paper.json) return paper.sayJson(answer);
      say(paper, answer.rows, 'No rows.');
      const more = answer.total - answer.rows.length;
      if (more > 0) paper.say(paint(paper, 'dim', `${more} more.\n`));
    });
  subVerb(command, 'overdue', 'rows in progress that should have been closed')
    .option('--as <seat>', 'as an operator: rows that this seat sees')
    .action(async (_: unknown, self: Command) => {
      const paper = context();
      const answer = await (await openClient(paper)).queue.overdue(given({ as: self.opts<Common>().as }));
      if (paper.json) paper.sayJson(answer);
      else say(paper, answer.rows, 'Nothing is overdue.');
    });
  subVerb(command, 'show', 'one row with its history and its body')
    .argument('<id>')
    .option('--as <seat>', 'as an operator: the seat that reads')
    .action(async (id: string, _: unknown, self: Command) => {
      const paper = context();
      const { queue } = await openClient(paper);
      const as = given({ as: self.opts<Common>().as });
      const [row, history] = await Promise.all([queue.show(id, as), queue.transitions(id, as)]);
      if (paper.json) paper.sayJson({ ...row, ...history });
      else sayRow(paper, row, history);
    });

  const verb = <Options extends Common>(
    name: string,
    summary: string,
    options: (sub: Command) => Command,
    run: (
      queue: Client['queue'],
      id: string,
      options: Options & { as?: string; note?: string },
    ) => Promise<QueueChanged>,
  ) =>
    common(options(subVerb(command, name, summary).argument('<id>'))).action(
      async (id: string, _: unknown, self: Command) => {
        const paper = context();
        sayChanged(paper, await run((await openClient(paper)).queue, id, self.opts<Options>()));
      },
    );
  const plain = (sub: Command) => sub;
  const shared = ({ as, note }: Common) => given({ as, note });
  verb('claim', 'take a row up; only its destination can', plain, (queue, id, options) =>
    queue.claim(id, shared(options)),
  );
  verb('unclaim', 'give a claimed row back', plain, (queue, id, options) =>
    queue.unclaim(id, shared(options)),
  );
  verb<Common & { on: string; wakeAfter?: number }>(
    'block',
    'a row waits for something',
    (sub) =>
      sub
        .requiredOption('--on <what>', 'what it waits for')
        .option('--wake-after <time>', 'wake its destination then, once, for example 45m', durationMs),
    (queue, id, { on, wakeAfter, ...rest }) =>
      queue.block(id, { on, ...given({ wakeAfterMs: wakeAfter }), ...shared(rest) }),
  );
  verb<Common & { to: string; summary?: string; wake: boolean }>(
    'handoff',
    'close a row and create one for the next owner',
    (sub) =>
      sub
        .requiredOption('--to <seat>', 'the next owner')
        .option('--summary <line>', 'another summary')
        .option('--no-wake', 'do not wake the next owner'),
    (queue, id, { to, summary, wake, ...rest }) =>
      queue.handoff(id, { to, ...given({ summary }), ...(wake ? {} : { wake: false }), ...shared(rest) }),
  );
  verb<Common & { reason?: string; target?: string }>(
    'close',
    'a row is done',
    (sub) =>
      sub
        .option(
          '--reason <reason>',
          'handed_off_to, blocked_on, denied, canceled, no-follow-on, escalation or superseded',
        )
        .option('--target <name>', 'where to; needed with handed_off_to, blocked_on and escalation'),
    (queue, id, { reason, target, ...rest }) =>
      queue.close(id, { ...given({ closureReason: reason, closureTarget: target }), ...shared(rest) }),
  );
  verb<UpdateOptions>(
    'update',
    'change the words or the state of a row',
    (sub) =>
      sub
        .option('--state <state>', 'pending, done, failed, denied or canceled')
        .option('--reason <reason>', 'closure reason, with the state done')
        .option('--target <name>', 'closure target')
        .option('--summary <line>', 'another summary')
        .option('--body <text>', 'another body')
        .option('--body-file <file>', 'another body, from a file; - is standard input')
        .option('--priority <priority>', 'routine, urgent or critical', parsePriority)
        .option('--tier <tier>', 'another tier')
        .option('--tag <tag>', 'other tags; may be given several times', several)
        .option('--wake', 'wake its destination now'),
    (queue, id, { reason, target, state, summary, priority, tier, tag, wake, body, bodyFile, ...rest }) =>
      queue.update(id, {
        ...given({
          state,
          summary,
          priority,
          tier,
          tags: tag,
          wake,
          closureReason: reason,
          closureTarget: target,
        }),
        ...textOf(given({ body, bodyFile })),
        ...shared(rest),
      }),
  );
};

interface UpdateOptions extends Common {
  readonly state?: string;
  readonly reason?: string;
  readonly target?: string;
  readonly summary?: string;
  readonly body?: string;
  readonly bodyFile?: string;
  readonly priority?: RowWord;
  readonly tier?: string;
  readonly tag?: string[];
  readonly wake?: boolean;
}
