// Sub-verbs of `openfloor seat` for the typing guard and the messages it held. Always true: reading a held message sends
// nothing; each change has a reason.
import type { Command } from 'commander';
import type { HeldEntry } from '../../protocol/guard.js';
import type { Client } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, example } from './context.js';
import { CliError } from './failure.js';
import { age, printable, table } from './print.js';
import { subVerb } from './sub.js';

const PAGE = 100;

/** What each mode lets automation do, in the order of protection. */
const MODES = `
Modes, from least to most protection. In every mode a draft in the input box, an open question, a busy agent and a person
who is typing make automation wait; nothing here ever stops your own keys.
  off             messages and Shepherd's notices may ask to be typed (how an agent's seat starts)
  sends-only      messages may ask; Shepherd's notices are held (how a terminal seat starts)
  draft-aware     all may ask, and only into an input box that was recognised as empty
  openrig-urgent  as draft-aware; messages are held unless --urgent, notices may ask
  urgent-only     as draft-aware; messages and notices are held unless urgent
  hold            everything is held
Held means kept for reading (openfloor seat held-messages), and never typed later, whatever the mode is then. While a
mode from draft-aware to hold is on, the agent is not restarted, renewed or killed either.
`;

interface HeldOptions {
  readonly id?: string;
  readonly retired?: boolean;
}

async function* allHeld({ seats }: Client, seat: string, retired: boolean): AsyncGenerator<HeldEntry> {
  for (let offset = 0; ; offset += PAGE) {
    const { items, total } = await seats.held(seat, {
      limit: PAGE,
      offset,
      ...(retired ? { retired: 1 } : {}),
    });
    yield* items;
    if (items.length === 0 || offset + items.length >= total) return;
  }
}

async function findHeld(client: Client, seat: string, id: string): Promise<HeldEntry> {
  for await (const entry of allHeld(client, seat, true)) if (entry.id === id) return entry;
  throw new CliError(
    'held_message_missing',
    `${seat} holds no message ${JSON.stringify(id)}`,
    `List them: openfloor seat held-messages ${seat}`,
  );
}

function showOne(paper: Context, entry: HeldEntry): void {
  const { id, identity, actor, origin, reason, held_at, superseded, retired_by, retired_reason, body } =
    entry;
  const claimed = actor === null ? '' : `, as ${JSON.stringify(actor)} (claimed)`;
  paper.say(`${printable(id)}  ${printable(origin)} from ${printable(identity + claimed)}\n`);
  paper.say(`held: ${printable(reason ?? '')} ${printable(held_at ?? '')}`);
  paper.say(superseded > 0 ? `, in place of ${superseded} older\n` : '\n');
  if (retired_by !== null)
    paper.say(`retired: ${printable(retired_reason ?? '')} (${printable(retired_by)})\n`);
  paper.say(`\n${body.split('\n').map(printable).join('\n')}\n`);
}

function showList(paper: Context, seat: string, entries: readonly HeldEntry[]): void {
  if (entries.length === 0) return paper.say(`${printable(seat)} holds no messages.\n`);
  const now = Date.now();
  const columns = [
    { title: 'ID' },
    { title: 'ORIGIN' },
    { title: 'FROM' },
    { title: 'AGE', align: 'right' },
    { title: 'BYTES', align: 'right' },
    { title: 'REASON' },
    { title: 'TEXT' },
  ] as const;
  const rows = entries.map((entry) => [
    entry.id,
    entry.origin,
    entry.identity,
    age(now - Date.parse(entry.held_at ?? entry.created_at ?? '')),
    String(entry.bytes),
    entry.retired_at === null ? (entry.reason ?? '') : 'retired',
    (entry.body.split('\n')[0] ?? '').slice(0, 40),
  ]);
  paper.say(table(paper, columns, rows));
}

export function defineGuard(command: Command, context: () => Context): void {
  subVerb(command, 'set-typing-guard', 'what may ask to type in a seat')
    .argument('<seat>')
    .argument('<mode>', 'off, sends-only, draft-aware, openrig-urgent, urgent-only or hold; see below')
    .requiredOption('--reason <text>', 'why, for the audit feed')
    .addHelpText(
      'after',
      MODES + example('openfloor seat set-typing-guard claude draft-aware --reason "I write long prompts"'),
    )
    .action(async (seat: string, mode: string, { reason }: { reason: string }) => {
      const paper = context();
      const state = await (await openClient(paper)).seats.setGuard(seat, mode, reason);
      if (paper.json) return paper.sayJson(state);
      const later = state.pending ? `; until what is being typed has ended, ${state.effective}` : '';
      paper.say(`The typing guard of ${printable(seat)} is ${printable(state.desired + later)}.\n`);
    });
  subVerb(command, 'held-messages', 'messages that were kept and not typed')
    .argument('<seat>')
    .option('--id <id>', 'one message with its whole text')
    .option('--retired', 'retired ones too')
    .addHelpText(
      'after',
      `\nReading sends nothing. To try again, send the text again.\n${example('openfloor seat held-messages claude', 'openfloor seat held-messages claude --id ID')}`,
    )
    .action(async (seat: string, { id, retired }: HeldOptions) => {
      const paper = context();
      const client = await openClient(paper);
      if (id !== undefined) {
        const entry = await findHeld(client, seat, id);
        return paper.json ? paper.sayJson(entry) : showOne(paper, entry);
      }
      const entries: HeldEntry[] = [];
      for await (const entry of allHeld(client, seat, retired === true)) entries.push(entry);
      if (paper.json) paper.sayJson({ items: entries, total: entries.length });
      else showList(paper, seat, entries);
    });
  subVerb(command, 'retire-held-message', 'a held message is dealt with; its record stays')
    .argument('<seat>')
    .argument('<id>')
    .requiredOption('--reason <text>', 'why, for the audit feed')
    .addHelpText(
      'after',
      `\nIt frees the place that the message took and sends nothing.\n${example('openfloor seat retire-held-message claude ID --reason "read it"')}`,
    )
    .action(async (seat: string, id: string, { reason }: { reason: string }) => {
      const paper = context();
      const entry = await (await openClient(paper)).seats.retire(seat, id, reason);
      if (paper.json) paper.sayJson(entry);
      else paper.say(`${printable(id)} is retired; nothing was sent.\n`);
    });
}
