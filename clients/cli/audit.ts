// `openfloor audit`: the audit feed, and a check of its chain. Always true: records come in the order of the chain, each once,
// also with --follow; text in them is escaped. With --json a record a line.

import type { AuditRecord } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { paint, printable } from './print.js';
import { subVerb } from './sub.js';

interface AuditOptions {
  readonly seat?: string;
  readonly kind?: string;
  readonly after?: string;
  readonly follow?: boolean;
}

const PAGE = 500;
const FOLLOW_MS = 300;

function show(context: Context, record: AuditRecord): void {
  if (context.json) {
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  const { seq, at, kind, seat, identity, origin, reason, outcome, message } = record;
  const text = (value: unknown) =>
    value === undefined || value === null ? '' : ` ${printable(String(value))}`;
  const told = message === undefined ? '' : ` ${printable(JSON.stringify(String(message).slice(0, 80)))}`;
  const time = new Date(at).toISOString();
  context.say(
    `${paint(context, 'dim', `${String(seq).padStart(6)} ${time}`)} ${paint(context, 'bold', printable(kind))}${text(seat)}${text(origin)}${text(outcome)}${text(reason)}${text(identity)}${told}\n`,
  );
}

async function read(context: Context, { seat, kind, after, follow }: AuditOptions): Promise<void> {
  const client = await openClient(context);
  let cursor = Number(after ?? 0);
  if (!Number.isSafeInteger(cursor) || cursor < 0) {
    throw new CliError('usage', '--after is a sequence number', 'Take one from the first column.');
  }
  for (;;) {
    const page = await client.audit.page({
      after: cursor,
      limit: PAGE,
      ...(seat ? { seat } : {}),
      ...(kind ? { kind } : {}),
    });
    for (const record of page.records) show(context, record);
    const more = page.next > cursor;
    cursor = page.next;
    if (more) continue;
    if (!follow) return;
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  }
}

async function verify(context: Context): Promise<void> {
  const verdict = await (await openClient(context)).audit.verify();
  if (context.json) context.sayJson(verdict);
  else if (verdict.ok)
    context.say(
      `${paint(context, 'green', 'The chain holds')}: ${verdict.records} records, head ${printable(verdict.head ?? '')}\n`,
    );
  if (!verdict.ok) {
    throw new CliError(
      'chain_broken',
      `the chain is broken at record ${verdict.seq} (${verdict.fault})`,
      'Keep the database and look who wrote to it.',
      2,
    );
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .option('--seat <seat>', 'records of one seat')
    .option('--kind <kind>', 'records of one kind, for example injection.granted')
    .option('--after <seq>', 'records after this one')
    .option('--follow', 'go on with new records, until Ctrl-C')
    .addHelpText(
      'after',
      example('openfloor audit --seat claude', 'openfloor audit --follow', 'openfloor audit verify'),
    )
    .action((options: AuditOptions) => read(context(), options));
  subVerb(command, 'verify', 'check the hash chain from its first record').action(() => verify(context()));
};
