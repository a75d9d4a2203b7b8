// `openfloor status SEAT`: what the agent does and who is there. Always true: what is unknown is said to be, with its cause;
// everything a program printed is escaped. With --json the answer of GET /api/seat/status, unchanged.
import type { SeatStatus } from '../../protocol/seat.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { age, paint, printable, type Style, table } from './print.js';

interface StatusOptions {
  readonly explain?: boolean;
  readonly watch?: boolean;
}

export const STATE_STYLES: Readonly<Record<string, Style>> = {
  working: 'cyan',
  idle: 'green',
  blocked: 'yellow',
  unknown: 'dim',
};
/** A watcher looks this often; the server tells changes at once to those who attach. */
const WATCH_MS = 250;

/** One line: state, kind or cause, agent, since when. */
export function statusLine(paper: Context, { status }: Pick<SeatStatus, 'status'>, now: number): string {
  const { state, kind, cause, done, background, agent, at, source } = status;
  const more = [kind, cause, done ? 'done' : undefined, background && `background ${background}`].filter(
    Boolean,
  );
  const text = `${state}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
  const who = agent === undefined ? '' : `  ${agent}`;
  return `${paint(paper, STATE_STYLES[state] ?? 'dim', printable(text))}${printable(who)}  ${paint(paper, 'dim', printable(`${source}, ${age(now - Date.parse(at))} ago`))}`;
}

function show(context: Context, seat: SeatStatus): void {
  const { say } = context;
  const now = Date.now();
  const line = (title: string, text: string) =>
    say(`${paint(context, 'dim', title.padEnd(11))} ${printable(text)}\n`);
  say(`${paint(context, 'bold', printable(seat.seat))}  ${statusLine(context, seat, now)}\n`);
  if (seat.status.detail !== '') line('detail', seat.status.detail);
  const { presence, foreground, composer, dialog } = seat;
  const typed =
    presence.last_key_at === null
      ? 'nobody has typed'
      : `last key ${age(now - Date.parse(presence.last_key_at))} ago`;
  line(
    'people',
    `${presence.operators} attached, ${presence.viewers} looking on; ${typed}${presence.composing ? '; composing' : ''}`,
  );
  if (presence.ledger === 'draft') line('draft', 'an operator may have left one');
  line(
    'in front',
    `${foreground.class}${foreground.cause ? ` (${foreground.cause})` : ''}: ${foreground.members.map(({ name, pid }) => `${name} ${pid}`).join(', ')}`,
  );
  if (composer.state !== 'unknown') line('composer', composer.state);
  if (dialog)
    line(
      'dialog',
      `${dialog.kind}: ${dialog.question} [${dialog.options.map(({ label }) => label).join(' | ')}]`,
    );
  if (seat.waiting > 0) line('waiting', `${seat.waiting} requests; see --explain`);
  if (seat.held > 0) line('held', `${seat.held} messages`);
  const pending =
    seat.typing_guard_desired === seat.typing_guard ? '' : ` (pending: ${seat.typing_guard_desired})`;
  line('guard', `${seat.typing_guard}${pending}`);
  line('reporting', seat.reporting);
}

interface Explained {
  readonly channels?: ReadonlyArray<{
    channel: string;
    role: string;
    signal?: { means: string; rule: string; detail: string };
  }>;
  readonly seen?: ReadonlyArray<{
    concept: string;
    result: string;
    detail: string;
    reason?: string;
    tried?: ReadonlyArray<{ rule?: string; id?: string; result: string }>;
  }>;
  readonly screen?: { role: string };
}

async function explain(context: Context, name: string, seat: SeatStatus): Promise<void> {
  const { channels = [], seen = [], screen } = (seat.explain ?? {}) as Explained;
  context.say('\n');
  context.say(
    table(
      context,
      ['CHANNEL', 'ROLE', 'MEANS', 'RULE', 'SAW'].map((title) => ({ title })),
      [
        ...channels.map(({ channel, role, signal }) => [
          channel,
          role,
          signal?.means ?? '-',
          signal?.rule ?? '-',
          signal?.detail ?? '',
        ]),
        ['screen', screen?.role ?? '-', '-', '-', ''],
      ],
    ),
  );
  for (const { concept, result, detail, reason, tried = [] } of seen) {
    const why = reason === undefined ? '' : ` (${reason})`;
    context.say(printable(`last ${concept}: ${result}${why}: ${detail}`) + '\n');
    for (const one of tried)
      context.say(paint(context, 'dim', printable(`    ${JSON.stringify(one)}`)) + '\n');
  }
  const floor = await (await openClient(context)).seats.floor(name);
  context.say(
    `\nThe floor now: ${paint(context, floor.decision === 'grant' ? 'green' : 'yellow', printable(`${floor.decision} (${floor.reason})`))}\n`,
  );
  const rows = floor.rows.map((row) => [
    String(row.row),
    row.title,
    { text: row.reason ?? row.result, style: row.result === 'pass' ? 'green' : 'yellow' } as const,
    Object.entries(row.evidence)
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(' '),
  ]);
  context.say(
    table(
      context,
      [{ title: 'ROW', align: 'right' }, { title: 'CHECK' }, { title: 'RESULT' }, { title: 'EVIDENCE' }],
      rows,
    ),
  );
  for (const { id, origin, identity, reason } of floor.waiting) {
    context.say(printable(`waits: ${origin} from ${identity}: ${reason ?? 'not judged yet'} (${id})`) + '\n');
  }
}

async function watch(context: Context, name: string): Promise<void> {
  const client = await openClient(context);
  let last = '';
  for (;;) {
    const seat = await client.seats.status(name);
    const { at: _at, offset: _offset, detail: _detail, ...said } = seat.status;
    const now = JSON.stringify([said, seat.presence.recent, seat.presence.ledger]);
    if (now !== last) {
      last = now;
      if (context.json) process.stdout.write(`${JSON.stringify({ seat: seat.seat, ...seat.status })}\n`);
      else
        context.say(
          `${paint(context, 'dim', new Date().toTimeString().slice(0, 8))}  ${statusLine(context, seat, Date.now())}\n`,
        );
    }
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .option('--explain', 'every rule that was tried and what it saw, and the floor’s checks')
    .option('--watch', 'a line for every change, until Ctrl-C')
    .addHelpText(
      'after',
      example(
        'openfloor status claude',
        'openfloor status claude --explain',
        'openfloor status claude --watch',
      ),
    )
    .action(async (name: string, options: StatusOptions) => {
      const paper = context();
      if (options.watch) return watch(paper, name);
      const seat = await (await openClient(paper)).seats.status(
        name,
        options.explain ? { explain: true } : {},
      );
      if (paper.json) return paper.sayJson(seat);
      show(paper, seat);
      if (options.explain) await explain(paper, name, seat);
    });
};
