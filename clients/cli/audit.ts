// `openfloor audit`: what happened, from the feed that nobody can change unseen. With --json one record a line. `--follow`
// goes on over lost connections, from the last record it has; `audit verify` checks the whole chain.
import { type Command, InvalidArgumentError } from 'commander';
import type { AuditRecordValue } from '../../protocol/audit.js';
import type { Client } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { age, paint, printable } from './print.js';
import { subVerb } from './sub.js';

interface AuditOptions {
  readonly seat?: string;
  readonly kind?: string;
  readonly after?: number;
  readonly follow?: boolean;
}

/** Records of a page; the server gives no more. */
const PAGE = 1_000;
/** Without --after, following begins a little before now. */
const BEFORE = 10;
const MESSAGE_COLUMNS = 60;

function parseCursor(text: string): number {
  const seq = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seq)) return seq;
  throw new InvalidArgumentError('Expected the number of a record.');
}

/** How long a request waited and for what, as its grant has it. */
function waitedText(detail: AuditRecordValue['detail']): string {
  const { waited_ms, waited } = (detail ?? {}) as { waited_ms?: unknown; waited?: unknown };
  if (typeof waited_ms !== 'number' || !Array.isArray(waited)) return '';
  const reasons = waited.map((one: { reason?: unknown; cause?: unknown } | null) =>
    one?.cause === undefined ? String(one?.reason) : `${one.reason} (${one.cause})`,
  );
  return `waited ${age(waited_ms)}: ${reasons.join(', ')}`;
}

/** One record as a line for people. */
export function recordLine(context: Pick<Context, 'colour'>, record: AuditRecordValue): string {
  const { seq, at, kind, seat, outcome, confirmed, reason, identity, actor, message, detail } = record;
  const end = outcome === undefined ? '' : `${outcome}${confirmed ? ', confirmed' : ''}`;
  const short = message === undefined ? '' : JSON.stringify(message.slice(0, MESSAGE_COLUMNS));
  const more = detail === undefined || message !== undefined ? '' : JSON.stringify(detail);
  const said = [
    end,
    reason ?? '',
    identity === undefined ? '' : `by ${identity}${actor === undefined ? '' : ` as ${actor}`}`,
    short,
    waitedText(detail),
    more,
  ].filter(Boolean);
  return `${[
    paint(context, 'dim', String(seq).padStart(5)),
    paint(context, 'dim', new Date(at).toISOString().replace('T', ' ').slice(0, 19)),
    paint(context, 'bold', printable(kind)),
    printable(seat ?? ''),
    said.map(printable).join('  '),
  ]
    .filter(Boolean)
    .join('  ')}\n`;
}

function say(context: Context, record: AuditRecordValue): void {
  context.say(context.json ? `${JSON.stringify(record)}\n` : recordLine(context, record));
}

async function list(context: Context, client: Client, options: AuditOptions): Promise<void> {
  const { seat, kind } = options;
  const filter = { ...(seat === undefined ? {} : { seat }), ...(kind === undefined ? {} : { kind }) };
  let after = options.after ?? 0;
  let told = 0;
  for (;;) {
    const { records, next } = await client.audit.page({ ...filter, after, limit: PAGE });
    for (const record of records) say(context, record);
    told += records.length;
    if (next <= after) break;
    after = next;
  }
  if (told === 0 && !context.json) context.say(paint(context, 'dim', 'No records.\n'));
}

async function follow(context: Context, client: Client, options: AuditOptions): Promise<void> {
  const { seat, kind } = options;
  const after = options.after ?? Math.max(0, (await client.audit.page({ limit: 1 })).head - BEFORE);
  const feed = client.audit.follow(after);
  feed.on('record', (record) => {
    if (seat !== undefined && record.seat !== seat) return;
    if (kind === undefined || record.kind === kind) say(context, record);
  });
  feed.on('lost', ({ reason }) => {
    if (!context.json) process.stderr.write(`[openfloor] connection lost (${printable(reason)}); going on\n`);
  });
  const stop = () => feed.close();
  process.once('SIGINT', stop);
  process.stdout.once('error', stop);
  const { error } = await feed.closed;
  process.off('SIGINT', stop);
  if (error) throw error;
}

async function verify(context: Context): Promise<void> {
  const verdict = await (await openClient(context)).audit.verify();
  if (context.json) context.sayJson(verdict);
  if (verdict.ok) {
    if (!context.json) {
      context.say(`The chain is whole: ${verdict.records} records.\nhead ${printable(verdict.head)}\n`);
    }
    return;
  }
  throw new CliError(
    'audit_chain_broken',
    `the audit chain is broken at record ${verdict.seq}: ${verdict.fault}`,
    'Somebody changed the store, or it is damaged: keep it, and compare it with a backup.',
    2,
  );
}

export const define: DefineVerb = (command: Command, context) => {
  command
    .helpCommand(false)
    .option('--seat <seat>', 'only what is about this seat')
    .option('--kind <kind>', 'only this kind, for example injection.finished')
    .option('--after <n>', 'only what came after this record', parseCursor)
    .option('--follow', 'go on with what comes')
    .addHelpText(
      'after',
      example('openfloor audit --seat claude', 'openfloor audit --follow --json', 'openfloor audit verify'),
    )
    .action(async (options: AuditOptions) => {
      const paper = context();
      const client = await openClient(paper);
      await (options.follow ? follow(paper, client, options) : list(paper, client, options));
    });
  subVerb(command, 'verify', 'check the chain from its first record to its head')
    .addHelpText('after', example('openfloor audit verify --json'))
    .action(() => verify(context()));
};
