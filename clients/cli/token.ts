// `openfloor token`: credentials of every kind. Always true: a secret is printed once, by `mint`, and never listed.
import { type Command, InvalidArgumentError } from 'commander';
import type { AttachMode } from '../../protocol/frame.js';
import { openClient } from './client.js';
import { addGlobalOptions, type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { sayToken } from './new.js';
import { printable, table } from './print.js';
import { several } from './sub.js';

const KINDS = ['admin', 'agent', 'shepherd', 'auditor', 'attach'] as const;
type Kind = (typeof KINDS)[number];

function parseKind(text: string): Kind {
  const kind = KINDS.find((name) => name === text);
  if (kind !== undefined) return kind;
  throw new InvalidArgumentError(`Expected one of ${KINDS.join(', ')}.`);
}

function parseMode(text: string): AttachMode {
  if (text === 'take' || text === 'join' || text === 'view') return text;
  throw new InvalidArgumentError('Expected take, join or view.');
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `15m`, `12h`, `30d` in seconds. */
export function parseTtl(text: string): number {
  const match = /^([1-9][0-9]{0,8})([smhd])$/.exec(text);
  const seconds = match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN);
  if (Number.isSafeInteger(seconds)) return seconds;
  throw new InvalidArgumentError('Expected a number and s, m, h or d, for example 12h.');
}

interface MintOptions {
  readonly kind: Kind;
  readonly name?: string;
  readonly seat?: string[];
  readonly scope?: string[];
  readonly ttl?: number;
  readonly mode: AttachMode;
}

async function mint(context: Context, options: MintOptions): Promise<void> {
  const { kind, name, seat: seats = [], scope: scopes = [], ttl } = options;
  const client = await openClient(context);
  if (kind === 'attach') {
    const [seat] = seats;
    if (seat === undefined || seats.length > 1) {
      throw new CliError('usage', 'an attach token is for one seat', 'Name it: --seat bash');
    }
    sayToken(context, await client.sessions.mintToken(seat, { mode: options.mode }));
    return;
  }
  if (name === undefined)
    throw new CliError('usage', 'a credential needs a name', 'Say what it is for: --name ci');
  const answer = await client.tokens.mint({
    kind,
    name,
    ...(seats.length > 0 ? { seats } : {}),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(ttl === undefined ? {} : { ttl_secs: ttl }),
  });
  if (context.json) context.sayJson(answer);
  else {
    const until = answer.expires_at === null ? 'does not expire' : `expires ${printable(answer.expires_at)}`;
    context.say(
      `${printable(answer.id)} (${answer.kind}, ${until}); it is not shown again:\n${printable(answer.token)}\n`,
    );
  }
}

async function list(context: Context): Promise<void> {
  const tokens = await (await openClient(context)).tokens.list();
  if (context.json) {
    context.sayJson(tokens);
    return;
  }
  const rows = tokens.map((token) => [
    token.id,
    token.kind,
    token.name,
    token.seats.join(',') || '-',
    token.expires_at ?? 'never',
    token.revoked_at === null ? 'valid' : 'revoked',
  ]);
  const titles = ['ID', 'KIND', 'NAME', 'SEATS', 'EXPIRES', 'STATE'];
  context.say(
    table(
      context,
      titles.map((title) => ({ title })),
      rows,
    ),
  );
}

export const define: DefineVerb = (command, context) => {
  const sub = (name: string, summary: string): Command =>
    addGlobalOptions(
      command
        .command(name)
        .exitOverride()
        .configureOutput({ outputError: () => {} })
        .description(summary)
        .helpOption('-h, --help', 'show this help'),
    );
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example('openfloor token mint --kind auditor --name ci --ttl 30d', 'openfloor token list'),
    );
  sub('mint', 'a new credential, shown once')
    .requiredOption('--kind <kind>', KINDS.join(', '), parseKind)
    .option('--name <text>', 'what it is for')
    .option('--seat <seat>', 'seat it is limited to; may be given several times', several)
    .option('--scope <scope>', 'right it has; may be given several times', several)
    .option('--ttl <time>', 'how long it lives, for example 12h', parseTtl)
    .option('--mode <mode>', 'of an attach token: take, join or view', parseMode, 'join')
    .addHelpText('after', example('openfloor token mint --kind attach --seat bash --mode view'))
    .action((_options: MintOptions, self: Command) => mint(context(), self.opts<MintOptions>()));
  sub('list', 'credentials, without their secrets')
    .addHelpText('after', example('openfloor token list --json'))
    .action(() => list(context()));
  sub('revoke', 'ends a credential at once')
    .argument('<id>')
    .addHelpText('after', example('openfloor token revoke 0198c1d2-...'))
    .action(async (id: string) => {
      const paper = context();
      await (await openClient(paper)).tokens.revoke(id);
      if (paper.json) paper.sayJson({ id, revoked: true });
      else paper.say(`${printable(id)} is revoked\n`);
    });
};
