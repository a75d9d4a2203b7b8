// A seat's status for people: one line a section, and no section without anything in it. Pure.
import { parseReason, REASONS } from '../../../protocol/reason.js';
import type { SeatStatus } from '../../../protocol/seat.js';
import type { FloorAnswer } from '../../../protocol/transport.js';
import { age, type Paper, paint, printable, table } from '../print.js';
import { peopleText, stateStyle, stateText } from '../wording.js';

const LABEL_COLUMNS = 11;

export function line(paper: Paper, label: string, text: string): string {
  return `${paint(paper, 'dim', label.padEnd(LABEL_COLUMNS))} ${text}\n`;
}

/** What a reason code means, or nothing for a code that this version doesn't know. */
export function reasonText(code: string): string {
  const known = parseReason(code);
  return known === undefined ? '' : REASONS[known].text;
}

export const since = (at: string | null, now: number): string =>
  at === null ? '' : `${age(now - Date.parse(at))} ago`;

function floorLines(paper: Paper, floor: FloorAnswer, now: number): string {
  const { decision, reason, next, holder, waiting } = floor;
  const held = holder === null ? '' : `${line(paper, 'floor held', `by request ${printable(holder)}`)}`;
  const said =
    decision === 'grant'
      ? 'open: a send would be typed now'
      : `a send would ${decision === 'wait' ? 'wait' : decision === 'hold' ? 'be held' : 'be refused'}: ${printable(reason)}`;
  const why =
    decision === 'grant' ? '' : line(paper, '', printable(`${reasonText(reason)} ${next ?? ''}`.trim()));
  if (waiting.length === 0) return `${held}${line(paper, 'floor', said)}${why}`;
  const rows = waiting.map((one) => [
    one.id,
    `${one.origin}${one.urgent ? ', urgent' : ''}`,
    one.identity,
    `${one.bytes} B`,
    age(now - Date.parse(one.accepted_at)),
    age(Date.parse(one.deadline_at) - now),
    one.reason === null
      ? '-'
      : `${one.reason}${one.since === null ? '' : ` for ${age(now - Date.parse(one.since))}`}`,
  ]);
  const titles = ['WAITING', 'ORIGIN', 'FROM', 'SIZE', 'AGE', 'LEFT', 'REASON'];
  const columns = titles.map((title) => ({ title }));
  return `${held}${line(paper, 'floor', said)}${why}${table(paper, columns, rows)}`;
}

function dialogLines(paper: Paper, { dialog }: SeatStatus): string {
  if (dialog === undefined) return '';
  const options = dialog.options.map(({ label, class: kind }) =>
    kind === 'other' ? label : `${label} [${kind}]`,
  );
  return [
    line(
      paper,
      'dialog',
      printable(`${dialog.kind}: ${dialog.question}${dialog.truncated ? ' (cut short)' : ''}`),
    ),
    options.length === 0 ? '' : line(paper, '', printable(options.join(' | '))),
    line(paper, '', `instance ${printable(dialog.instance)}`),
  ].join('');
}

/** What a hook told of a permission request; nothing when none is known. JSON keeps the unavailable state. */
function permissionLines(paper: Paper, { permission_stop: stop }: SeatStatus, now: number): string {
  if (stop.state === 'unavailable') return '';
  const { entries, state, sizeCut, unsupported } = stop.suggestedRules;
  const said =
    stop.state === 'completed' ? 'a request of it is over' : 'asked; whether it still waits is unknown';
  const rules = entries.flatMap(({ type, behavior, destination, rules }) =>
    rules.map(({ toolName, ruleContent }) => {
      const what = ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
      return line(paper, '', printable(`suggests ${type} ${behavior} ${what} in ${destination}`));
    }),
  );
  const rest = [
    ...(state === 'unavailable' ? ['suggested rules unavailable'] : []),
    ...(sizeCut ? ['some were too long and left out'] : []),
    ...(unsupported ? ['some of another kind were left out'] : []),
  ];
  return [
    line(
      paper,
      'permission',
      printable(`${stop.tool ?? ''} by ${stop.actor ?? ''}: ${said}, ${since(stop.sourceAt ?? null, now)}`),
    ),
    ...rules,
    rest.length === 0 ? '' : line(paper, '', rest.join('; ')),
  ].join('');
}

function policyWords({ policy }: SeatStatus): string {
  const { compaction = '', model = '' } = policy.table.peer ?? {};
  const named = policy.helpers.length === 0 ? '' : ` (${policy.helpers.join(', ')})`;
  return `${policy.choice}: peers compaction ${compaction}${named}, model ${model}`;
}

function settingsText(status: SeatStatus): string {
  return Object.entries(status.settings)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') || 'none' : String(value)}`)
    .join(', ');
}

/** The whole report, with a final newline. */
export function reportOf(
  paper: Paper,
  status: SeatStatus,
  floor: FloorAnswer | undefined,
  now: number,
): string {
  const { status: value, presence } = status;
  const guard =
    status.typing_guard === status.typing_guard_desired
      ? status.typing_guard
      : `${status.typing_guard}, ${status.typing_guard_desired} as soon as nothing is being typed`;
  const { composer } = status;
  const evidence = `by ${value.source}${value.hard ? '' : ' (a look at the screen)'}, ${since(value.at, now)}`;
  const command = printable(status.command.join(' ')).slice(0, 200);
  return [
    `${paint(paper, 'bold', printable(status.seat))} ${paint(paper, 'dim', `${status.kind} seat, generation ${status.generation}, process ${status.pid}, ${status.cols}x${status.rows}`)}\n`,
    line(paper, 'command', command),
    line(
      paper,
      'status',
      `${paint(paper, stateStyle(value.state), printable(stateText(value)))}  ${evidence}`,
    ),
    value.detail === '' ? '' : line(paper, '', printable(value.detail)),
    line(paper, 'agent', printable(`${value.agent ?? 'none'}: ${status.reporting}`)),
    status.foreground.class === 'agent'
      ? ''
      : line(
          paper,
          'foreground',
          printable(
            `${status.foreground.class}${status.foreground.cause ? ` (${status.foreground.cause})` : ''}: ${status.foreground.members.map(({ name }) => name).join(', ')}`,
          ),
        ),
    line(paper, 'people', printable(peopleText(presence, now))),
    dialogLines(paper, status),
    permissionLines(paper, status, now),
    composer.state === 'empty' || status.dialog !== undefined
      ? ''
      : line(
          paper,
          'composer',
          printable(`${composer.state}${composer.cause ? ` (${composer.cause})` : ''}`),
        ),
    floor === undefined ? '' : floorLines(paper, floor, now),
    guard === 'off' ? '' : line(paper, 'guard', printable(guard)),
    status.policy.choice === 'none' ? '' : line(paper, 'policy', printable(policyWords(status))),
    status.held === 0
      ? ''
      : line(
          paper,
          'held',
          `${status.held} kept, not typed: openfloor seat held-messages ${printable(status.seat)}`,
        ),
    Object.keys(status.settings).length === 0 ? '' : line(paper, 'settings', printable(settingsText(status))),
  ].join('');
}
