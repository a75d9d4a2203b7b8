// Sub-verbs of `openfloor seat` for who sits there: handover, recover, lineage, candidate. Always true: each change has a
// reason; both outcomes are shown, and a handover that did not bind ends with an exit code that says so.
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { HandoverBody, HandoverRecord, LineageAnswer } from '../../protocol/handover.js';
import { REASONS, type Reason } from '../../protocol/reason.js';
import { openClient } from './client.js';
import { type Context, example } from './context.js';
import { CliError, QuietExit } from './failure.js';
import { printable, table } from './print.js';
import { subVerb } from './sub.js';

type Mode = NonNullable<HandoverBody['mode']>;
type Disposition = NonNullable<HandoverBody['disposition']>;

interface CandidateOptions {
  readonly mode: Mode;
  readonly reason: string;
  readonly conversation?: string;
  readonly artifact?: string[];
}

interface HandoverOptions extends Partial<CandidateOptions> {
  readonly reason: string;
  readonly candidate?: string;
  readonly disposition: Disposition;
  readonly strictDisposition?: boolean;
  readonly dryRun?: boolean;
}

const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new InvalidArgumentError(`Expected ${words.join(', ')}.`);
    return word;
  };
const parseMode = oneOf<Mode>('fresh', 'resume', 'fork', 'rebuild');
const parseDisposition = oneOf<Disposition>('retire', 'advise', 'shadow');
const parseAs = oneOf('bound', 'unchanged');
/** A path means what it means here, not where the server runs. */
const artifacts = (path: string, before: string[] = []): string[] => [...before, resolve(path)];

function bodyOf({ mode, reason, conversation, artifact }: CandidateOptions) {
  return {
    mode,
    reason,
    ...(conversation === undefined ? {} : { conversation }),
    ...(artifact === undefined ? {} : { artifacts: artifact }),
  };
}

function show(paper: Context, record: HandoverRecord): void {
  const { handover, seat, continuityOutcome, seatBindingOutcome, disposition, notices, failure } = record;
  const former = record.old ? `; the old occupant (${record.old.name}): ${disposition ?? 'as it was'}` : '';
  paper.say(
    `${printable(seat)}: ${printable(seatBindingOutcome)}; new occupant: ${printable(continuityOutcome + former)}\n`,
  );
  for (const notice of notices) paper.say(`note: ${printable(notice)}\n`);
  if (failure) paper.say(`${printable(failure.step)}: ${printable(failure.message)}\n`);
  paper.say(`handover ${printable(handover)}\n`);
}

/** The answer's own reason, as every refusal is told. */
function failed(record: HandoverRecord & { readonly status: number }): CliError {
  const { failure, continuityOutcome, seatBindingOutcome } = record;
  const reason = failure?.reason ?? 'internal';
  const next = Object.hasOwn(REASONS, reason) ? REASONS[reason as Reason].next : 'Look at the lineage.';
  const text = `the handover is ${seatBindingOutcome} (${continuityOutcome})`;
  return new CliError(reason, text, next, exitOf(record));
}

/** What failed in the server is its side; what it refused is ours. */
function exitOf({ status }: { readonly status: number }): 1 | 2 {
  return status >= 500 ? 2 : 1;
}

function showLineage(paper: Context, { seat, state, binding, occupants, handovers }: LineageAnswer): void {
  paper.say(`${printable(seat)} is ${printable(state)}`);
  paper.say(
    binding ? ` at the step ${printable(binding.step ?? '')} of ${printable(binding.handover)}\n` : '\n',
  );
  const time = (at: string | null) => at?.replace('T', ' ').slice(0, 19) ?? '';
  paper.say(
    table(
      paper,
      [
        { title: 'OCCUPANT' },
        { title: 'STATE' },
        { title: 'RUNS' },
        { title: 'BOUND' },
        { title: 'ENDED' },
        { title: 'CONVERSATION' },
      ],
      occupants.map((row) => [
        row.name,
        row.state,
        row.running ? 'yes' : 'no',
        time(row.bound_at),
        time(row.ended_at),
        row.conversation ?? '',
      ]),
    ),
  );
  if (handovers.length === 0) return;
  paper.say('\n');
  paper.say(
    table(
      paper,
      [
        { title: 'HANDOVER' },
        { title: 'AT' },
        { title: 'FROM' },
        { title: 'SEAT' },
        { title: 'BY' },
        { title: 'REASON' },
      ],
      handovers.map((row) => [
        row.handover,
        time(row.at),
        row.continuityOutcome,
        row.settles ? `${row.seatBindingOutcome} (settled)` : row.seatBindingOutcome,
        row.initiated_by,
        row.reason.slice(0, 40),
      ]),
    ),
  );
}

export function defineHandover(command: Command, context: () => Context): void {
  subVerb(command, 'handover', 'another occupant takes the seat; operators stay attached')
    .argument('<seat>')
    .option('--mode <mode>', 'fresh, resume, fork or rebuild', parseMode)
    .option('--candidate <id>', 'bind this candidate instead of making one')
    .option('--disposition <what>', 'the old occupant: retire, advise or shadow', parseDisposition, 'retire')
    .option('--strict-disposition', 'fail rather than retire what can not be kept')
    .option('--conversation <id>', 'conversation to resume or fork')
    .option('--artifact <file>', 'rebuild: a file that is handed on; may be repeated', artifacts)
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--dry-run', 'show what would be done')
    .addHelpText('after', example('openfloor seat handover claude --mode resume --reason "new version"'))
    .action(async (seat: string, options: HandoverOptions) => {
      const paper = context();
      const { mode, candidate, disposition, strictDisposition } = options;
      const body: HandoverBody = {
        ...(mode === undefined ? { reason: options.reason } : bodyOf({ ...options, mode })),
        ...(candidate === undefined ? {} : { candidate }),
        disposition,
        ...(strictDisposition ? { strict_disposition: true } : {}),
      };
      const { seats } = await openClient(paper);
      if (options.dryRun) {
        const plan = await seats.planHandover(seat, body);
        if (paper.json) return paper.sayJson(plan);
        for (const { step } of plan.steps) paper.say(`would: ${printable(step)}\n`);
        for (const notice of plan.notices) paper.say(`note: ${printable(notice)}\n`);
        return paper.say('Nothing was done.\n');
      }
      const record = await seats.handover(seat, body);
      const bound = record.seatBindingOutcome === 'handed_over';
      if (paper.json) {
        paper.sayJson(record);
        if (!bound) throw new QuietExit(exitOf(record));
        return;
      }
      show(paper, record);
      if (!bound) throw failed(record);
    });
  subVerb(command, 'recover', 'settle a handover that has halted')
    .argument('<seat>')
    .requiredOption('--as <what>', 'bound or unchanged', parseAs)
    .requiredOption('--reason <text>', 'why, for the record')
    .action(async (seat: string, options: { as: 'bound' | 'unchanged'; reason: string }) => {
      const paper = context();
      const record = await (await openClient(paper)).seats.recover(seat, options);
      if (paper.json) paper.sayJson(record);
      else show(paper, record);
    });
  subVerb(command, 'lineage', 'who sits there, who did, and how each came and went')
    .argument('<seat>')
    .action(async (seat: string) => {
      const paper = context();
      const answer = await (await openClient(paper)).seats.lineage(seat);
      if (paper.json) paper.sayJson(answer);
      else showLineage(paper, answer);
    });
  defineCandidate(subVerb(command, 'candidate', 'occupants beside the seat that may take it'), context);
}

function defineCandidate(command: Command, context: () => Context): void {
  command.helpCommand(false);
  subVerb(command, 'create', 'start one; the seat stays as it is')
    .argument('<seat>')
    .requiredOption('--mode <mode>', 'fresh, resume, fork or rebuild', parseMode)
    .option('--conversation <id>', 'conversation to resume or fork')
    .option('--artifact <file>', 'rebuild: a file that is handed on; may be repeated', artifacts)
    .requiredOption('--reason <text>', 'why, for the record')
    .action(async (seat: string, options: CandidateOptions) => {
      const paper = context();
      const entry = await (await openClient(paper)).seats.createCandidate(seat, bodyOf(options));
      if (paper.json) return paper.sayJson(entry);
      paper.say(
        `${printable(entry.id)} is ${printable(entry.state)}; look: openfloor attach ${printable(entry.session)}\n`,
      );
    });
  subVerb(command, 'list', 'those of a seat')
    .argument('<seat>')
    .action(async (seat: string) => {
      const paper = context();
      const entries = await (await openClient(paper)).seats.candidates(seat);
      if (paper.json) return paper.sayJson({ candidates: entries });
      if (entries.length === 0) return paper.say(`${printable(seat)} has no candidates.\n`);
      const rows = entries.map(({ id, mode, state, session, reason }) => [
        id,
        mode,
        state,
        session,
        reason.slice(0, 40),
      ]);
      const titles = ['ID', 'MODE', 'STATE', 'SESSION', 'REASON'].map((title) => ({ title }));
      paper.say(table(paper, titles, rows));
    });
  subVerb(command, 'drop', 'end one and forget it')
    .argument('<seat>')
    .argument('<id>')
    .action(async (seat: string, id: string) => {
      const paper = context();
      const entry = await (await openClient(paper)).seats.dropCandidate(seat, id);
      if (paper.json) paper.sayJson(entry);
      else paper.say(`${printable(id)} is gone.\n`);
    });
}
