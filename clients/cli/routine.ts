// `openfloor routine`: what Shepherd says by itself, and when. Inside a seat the caller is that seat, by its credential; an
// operator names the seat it acts as with --as. Always true: what comes from a routine is escaped before it is shown.
import { type Command, InvalidArgumentError } from 'commander';
import type { WatchdogRegister, WatchdogRoutine, WatchdogShow } from '../../protocol/watchdog.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { age, paint, printable, table } from './print.js';
import { subVerb } from './sub.js';
import { parseTtl } from './token.js';

interface AddOptions {
  readonly id?: string;
  readonly policy: string;
  readonly seat: string;
  readonly every?: number;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly at?: string;
  readonly in?: number;
  readonly scan?: number;
  readonly activeWake?: number;
  readonly text?: string;
  readonly tag?: string;
  readonly of?: string;
  readonly watch?: string;
  readonly on?: Turn[];
  readonly grace?: number;
  readonly repeat?: number;
  readonly as?: string;
}
type Turn = 'idle' | 'blocked' | 'done' | 'exit';

const durationMs = (text: string): number => parseTtl(text) * 1_000;

function parseTurns(text: string): Turn[] {
  return text.split(',').map((word) => {
    if (word === 'idle' || word === 'blocked' || word === 'done' || word === 'exit') return word;
    throw new InvalidArgumentError('Expected idle, blocked, done or exit, separated by commas.');
  });
}

/** Only what was given: an absent field is not the same as an undefined one. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function registerBody(options: AddOptions): WatchdogRegister {
  const { id, policy, seat, every, cron, timeZone, at, scan, activeWake, as } = options;
  const { text, tag, of, watch, on, grace, repeat } = options;
  const spec = given({ text, tag, of, watch, on, graceMs: grace, repeatMs: repeat });
  const soon = options.in === undefined ? at : Date.now() + options.in;
  return {
    policy,
    seat,
    spec,
    ...given({ id, as, cron, timeZone, at: soon, intervalMs: every }),
    ...given({ scanIntervalMs: scan, activeWakeMs: activeWake }),
  };
}

function scheduleText({ schedule }: WatchdogRoutine): string {
  const { kind, everyMs, line, timeZone, at } = schedule;
  if (kind === 'interval') return `every ${age(everyMs ?? 0)}`;
  return kind === 'cron' ? `${line} (${timeZone})` : `once, ${at}`;
}

function say(paper: Context, routines: readonly WatchdogRoutine[]): void {
  if (routines.length === 0) return paper.say('No routines.\n');
  const titles = ['ID', 'POLICY', 'SEAT', 'SCHEDULE', 'STATE', 'NEXT', 'REGISTERED BY'];
  const rows = routines.map((routine) => {
    const { id, policy, seat, state, nextDueAt, registeredBy } = routine;
    return [id, policy, seat, scheduleText(routine), state, nextDueAt ?? '-', registeredBy];
  });
  paper.say(
    table(
      paper,
      titles.map((title) => ({ title })),
      rows,
    ),
  );
}

function sayOne(paper: Context, routine: WatchdogShow): void {
  const line = (name: string, value: string | null) => {
    if (value) paper.say(`${paint(paper, 'dim', name.padEnd(15))}${printable(value)}\n`);
  };
  line('id', routine.id);
  line('policy', routine.policy);
  line('seat', routine.seat);
  line('spec', Object.keys(routine.spec).length === 0 ? null : JSON.stringify(routine.spec));
  line('schedule', scheduleText(routine));
  line('state', [routine.state, routine.terminalReason].filter(Boolean).join(', '));
  line('registered by', routine.registeredBy);
  line('next', routine.nextDueAt);
  line('last sent', routine.lastFiredAt);
  line('failures', routine.failures === 0 ? null : `${routine.failures} in a row`);
  for (const { at, outcome, seat, result, note } of routine.history) {
    const what = [result ?? outcome, `to ${seat}`, note].filter(Boolean).join(', ');
    paper.say(`  ${paint(paper, 'dim', at.slice(0, 19))}  ${printable(what)}\n`);
  }
  if (routine.history.length === 0) paper.say('  Nothing was sent yet.\n');
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example(
        'openfloor routine add --policy periodic-reminder --seat builder --every 30m --text "commit what works"',
        'openfloor routine add --policy periodic-reminder --seat lead --cron "0 9 * * 1-5" --time-zone Europe/Berlin --text "plan the day"',
        'openfloor routine add --policy on-status --seat lead --watch builder --on blocked,exit',
        'openfloor routine show parked-owners',
      ),
    );
  subVerb(command, 'add', 'a new routine; an interval fires at once')
    .requiredOption(
      '--policy <policy>',
      'periodic-reminder, parked-owner, idle-gate, overdue, on-status or digest',
    )
    .requiredOption('--seat <seat>', 'seat that it speaks to; with parked-owner also * or *@rig')
    .option('--id <id>', 'own id: the same one again is the same routine')
    .option('--every <time>', 'interval, for example 30m', durationMs)
    .option('--cron <line>', 'five fields, or six with seconds first')
    .option('--time-zone <zone>', 'of the cron line, for example Europe/Berlin; UTC by default')
    .option('--at <time>', 'once, ISO 8601')
    .option('--in <time>', 'once, for example 45m from now', durationMs)
    .option('--scan <time>', 'look this often instead of at each interval', durationMs)
    .option('--active-wake <time>', 'send again for the same cause no sooner than this', durationMs)
    .option('--text <text>', 'periodic-reminder: what it says')
    .option('--tag <tag>', 'idle-gate: tag of the rows; gate by default')
    .option('--of <seat>', 'overdue: whose rows; * for all')
    .option('--watch <seat>', 'on-status: the other seat')
    .option('--on <turns>', 'on-status: idle, blocked, done, exit', parseTurns)
    .option('--grace <time>', 'parked-owner: how long it waits before the first reminder', durationMs)
    .option('--repeat <time>', 'parked-owner: between two attempts at one owner', durationMs)
    .option('--as <seat>', 'as an operator: the seat that registers it')
    .action(async (_: unknown, self: Command) => {
      const paper = context();
      const routine = await (await openClient(paper)).routines.register(
        registerBody(self.opts<AddOptions>()),
      );
      if (paper.json) return paper.sayJson(routine);
      paper.say(
        `${printable(routine.id)} is active; it is due ${printable(routine.nextDueAt ?? 'never')}.\n`,
      );
    });
  subVerb(command, 'list', 'routines, newest first')
    .option('--seat <seat>', 'only those that speak to this seat')
    .option('--all', 'stopped and ended ones too')
    .option('--as <seat>', 'as an operator: routines that this seat sees')
    .action(async (_: unknown, self: Command) => {
      const paper = context();
      const { seat, all, as } = self.opts<{ seat?: string; all?: boolean; as?: string }>();
      const filter = given({ seat, as, state: all ? undefined : 'active' });
      const answer = await (await openClient(paper)).routines.list(filter);
      if (paper.json) return paper.sayJson(answer);
      say(paper, answer.routines);
      const more = answer.total - answer.routines.length;
      if (more > 0) paper.say(paint(paper, 'dim', `${more} more.\n`));
    });
  subVerb(command, 'show', 'one routine with its last twenty results')
    .argument('<id>')
    .option('--as <seat>', 'as an operator: the seat that reads')
    .action(async (id: string, _: unknown, self: Command) => {
      const paper = context();
      const { as } = self.opts<{ as?: string }>();
      const routine = await (await openClient(paper)).routines.show(id, given({ as }));
      if (paper.json) paper.sayJson(routine);
      else sayOne(paper, routine);
    });
  subVerb(command, 'stop', 'end a routine for good; what waits is withdrawn')
    .argument('<id>')
    .option('--reason <text>', 'for its record')
    .option('--as <seat>', 'as an operator: the seat that stops it')
    .action(async (id: string, _: unknown, self: Command) => {
      const paper = context();
      const { reason, as } = self.opts<{ reason?: string; as?: string }>();
      const routine = await (await openClient(paper)).routines.stop(id, given({ reason, as }));
      if (paper.json) paper.sayJson(routine);
      else paper.say(`${printable(routine.id)} is ${printable(routine.state)}.\n`);
    });
};
