// `openfloor ls`: the seats of the server and what goes on in them. With --json the answer of GET /admin/sessions and, as
// `seats`, what GET /api/seats tells; a credential that may not list sessions gets the seats it may see alone.
import type { SessionEntry, SessionList } from '../../protocol/admin.js';
import type { SeatEntry } from '../../protocol/seat.js';
import type { Client } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { age, type Cell, paint, table } from './print.js';
import { floorCell, peopleCell, stateStyle, stateText } from './wording.js';

/** Undefined when this credential may not list sessions. */
async function sessionsOf(client: Client): Promise<SessionList | undefined> {
  try {
    return await client.sessions.list();
  } catch (error) {
    if ((error as { status?: number }).status === 403) return undefined;
    throw error;
  }
}

function seatCells(seat: SeatEntry | undefined): Array<string | Cell> {
  if (seat === undefined) return ['-', '-', '-', '-', '0'];
  const { status, presence, floor, kind } = seat;
  return [
    { text: stateText(status), style: stateStyle(status.state) },
    kind === 'terminal' ? 'terminal' : (status.agent ?? '-'),
    peopleCell(presence),
    floorCell(seat),
    String(floor.waiting),
  ];
}

function sessionCells(session: SessionEntry, now: number): string[] {
  return [
    String(session.pid),
    age(now - Date.parse(session.created_at)),
    session.alive ? session.command.join(' ').slice(0, 60) : '(ending)',
  ];
}

const SEAT_COLUMNS = [
  { title: 'SEAT' },
  { title: 'STATE' },
  { title: 'KIND' },
  { title: 'THERE' },
  { title: 'FLOOR' },
  { title: 'WAITING', align: 'right' },
] as const;
const SESSION_COLUMNS = [
  { title: 'PID', align: 'right' },
  { title: 'AGE', align: 'right' },
  { title: 'COMMAND' },
] as const;

function say(context: Context, list: SessionList | undefined, seats: readonly SeatEntry[]): void {
  const now = Date.now();
  const name = (text: string): Cell => ({ text, style: 'bold' });
  const byName = new Map(seats.map((seat) => [seat.session, seat]));
  if ((list?.sessions ?? seats).length === 0) {
    context.say(`No sessions. ${paint(context, 'dim', 'Start one: openfloor run bash')}\n`);
  } else if (list === undefined) {
    const rows = seats.map((seat) => [name(seat.seat), ...seatCells(seat)]);
    context.say(table(context, SEAT_COLUMNS, rows));
  } else {
    const rows = list.sessions.map((session) => [
      name(session.name),
      ...seatCells(byName.get(session.name)),
      ...sessionCells(session, now),
    ]);
    context.say(table(context, [...SEAT_COLUMNS, ...SESSION_COLUMNS], rows));
  }
  if (list?.draining) context.say(paint(context, 'yellow', 'The server is shutting down.\n'));
}

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor ls', "openfloor ls --json | jq -r '.sessions[].name'"))
    .action(async () => {
      const paper = context();
      const client = await openClient(paper);
      const [list, seats] = await Promise.all([sessionsOf(client), client.seats.list()]);
      if (paper.json) paper.sayJson({ ...list, seats });
      else say(paper, list, seats);
    });
};
