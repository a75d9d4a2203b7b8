// Why a seat's status is what it is, and what the floor would say, for people: every channel, every rule that was tried with
// what it saw, every row of the decision with its evidence. Pure. Fields that a newer server adds are left out, not guessed.
import type { FloorAnswer } from '../../../protocol/transport.js';
import { age, type Cell, type Paper, paint, printable, table } from '../print.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
const ago = (at: unknown, now: number): string => (typeof at === 'number' ? `${age(now - at)} ago` : '');

/** `state idle, cause x` of what a record or an evidence map says. */
function pairs(value: Fields): string {
  return Object.entries(value)
    .filter(([, one]) => one !== undefined && one !== null && one !== '')
    .map(([name, one]) => `${name} ${text(one)}`)
    .join(', ');
}

function heading(paper: Paper, words: string): string {
  return `\n${paint(paper, 'bold', words)}\n`;
}

function channels(paper: Paper, explain: Fields, now: number): string {
  const rows = list(explain.channels).map((channel): Array<string | Cell> => {
    const role = text(channel.role);
    const { at, offset: _offset, ...said } = fields(channel.signal);
    return [
      text(channel.rank),
      text(channel.channel),
      { text: role, style: role === 'decides' ? 'green' : role === 'vetoes' ? 'yellow' : 'dim' },
      pairs(said),
      ago(at, now),
    ];
  });
  const screen = fields(explain.screen);
  const { role, at, offset: _offset, ...seen } = screen;
  rows.push(['4', 'screen', text(role), pairs(seen), ago(at, now)]);
  const titles = ['RANK', 'CHANNEL', 'ROLE', 'SAID', 'WHEN'];
  return table(
    paper,
    titles.map((title) => ({ title })),
    rows,
  );
}

function rules(paper: Paper, explain: Fields, now: number): string {
  return list(explain.seen)
    .map((seen) => {
      const { concept, tried, at, offset: _offset, ...saw } = seen;
      const rows = list(tried).map((one) => [
        text(one.rule),
        text(one.means),
        {
          text: text(one.result),
          style: one.result === 'matched' ? ('green' as const) : ('dim' as const),
        },
      ]);
      const head = `${text(concept)}: ${pairs(saw)} ${ago(at, now)}`.trim();
      const columns = ['  RULE', 'MEANS', 'RESULT'].map((title) => ({ title }));
      const indented = rows.map(([rule, ...rest]) => [`  ${rule}`, ...rest]);
      return `${printable(head)}\n${rows.length === 0 ? '' : table(paper, columns, indented)}`;
    })
    .join('');
}

function rest(explain: Fields, now: number): string {
  const { interrupt, turn, turns, nextDeadline, pack } = explain;
  const open = fields(interrupt);
  return [
    `pack ${text(pack) || 'none: no agent process has been recognised'}`,
    `turn ${text(turn)}, ${text(turns)} finished`,
    text(open.is) === 'none' || Object.keys(open).length === 0 ? '' : `interrupt ${pairs(open)}`,
    typeof nextDeadline === 'number'
      ? `changes by itself in ${age(Math.max(0, nextDeadline - now))} if nothing comes`
      : '',
  ]
    .filter(Boolean)
    .map((one) => `${printable(one)}\n`)
    .join('');
}

export function explainStatusText(paper: Paper, explain: unknown, now: number): string {
  const said = fields(explain);
  const records = list(said.records);
  const seen = rules(paper, said, now);
  return [
    heading(paper, 'Status, by channel'),
    channels(paper, said, now),
    seen === '' ? '' : `${heading(paper, 'Rules, on the last sequence of each kind')}${seen}`,
    records.length === 0
      ? ''
      : `${heading(paper, 'Records (OSC 7501)')}${records.map(({ at, ...record }) => `${printable(`${pairs(record)} ${ago(at, now)}`.trim())}\n`).join('')}`,
    heading(paper, 'Otherwise'),
    rest(said, now),
  ].join('');
}

/** Every row of the floor's decision for a plain send. */
export function explainFloorText(paper: Paper, floor: FloorAnswer): string {
  const rows = floor.rows.map(
    ({ row, title, result, reason, cause, evidence }): Array<string | Cell> => [
      String(row),
      title,
      { text: result, style: result === 'pass' ? 'green' : 'yellow' },
      [reason ?? '', cause ?? ''].filter(Boolean).join(': '),
      pairs(evidence),
    ],
  );
  const titles = ['ROW', 'HOLDS', 'RESULT', 'REASON', 'EVIDENCE'];
  return `${heading(paper, 'Floor, row by row, for a plain send')}${table(
    paper,
    titles.map((title) => ({ title })),
    rows,
  )}`;
}
