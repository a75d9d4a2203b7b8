// `openfloor ls`: the sessions of the server with the status of each seat. With --json the answer of GET /admin/sessions,
// and under `seats` that of GET /api/seats, unchanged.

import type { SeatEntry } from '../../protocol/seat.js';
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { age, type Cell, paint, table } from './print.js';
import { STATE_STYLES } from './status.js';

/** State and kind, as `status` shows them. */
function stateCell(seat: SeatEntry | undefined): Cell {
  if (seat === undefined) return { text: 'running', style: 'dim' };
  const { state, kind } = seat.status;
  return { text: kind === undefined ? state : `${state} (${kind})`, style: STATE_STYLES[state] ?? 'dim' };
}

function peopleText(seat: SeatEntry | undefined): string {
  if (seat === undefined) return '-';
  const { operators, viewers, recent, ledger } = seat.presence;
  const typing = recent ? ', typing' : ledger === 'draft' ? ', draft' : '';
  return `${operators}${viewers > 0 ? `+${viewers}` : ''}${typing}`;
}

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor ls', "openfloor ls --json | jq -r '.sessions[].name'"))
    .action(async () => {
      const paper = context();
      const client = await openClient(paper);
      const [list, seats] = await Promise.all([client.sessions.list(), client.seats.list()]);
      if (paper.json) {
        paper.sayJson({ ...list, seats });
        return;
      }
      if (list.sessions.length === 0) {
        paper.say(`No sessions. ${paint(paper, 'dim', 'Start one: openfloor run bash')}\n`);
        return;
      }
      const now = Date.now();
      const rows = list.sessions.map((session) => [
        { text: session.name, style: 'bold' } as const,
        session.alive
          ? stateCell(seats.find(({ seat }) => seat === session.name))
          : ({ text: 'ending', style: 'yellow' } as const),
        seats.find(({ seat }) => seat === session.name)?.status.agent ?? '-',
        peopleText(seats.find(({ seat }) => seat === session.name)),
        `${session.cols}x${session.rows}`,
        String(session.pid),
        age(now - Date.parse(session.created_at)),
        session.command.join(' ').slice(0, 60),
      ]);
      const columns = [
        { title: 'SEAT' },
        { title: 'STATE' },
        { title: 'AGENT' },
        { title: 'PEOPLE' },
        { title: 'SIZE', align: 'right' },
        { title: 'PID', align: 'right' },
        { title: 'AGE', align: 'right' },
        { title: 'COMMAND' },
      ] as const;
      paper.say(table(paper, columns, rows));
      if (list.draining) paper.say(paint(paper, 'yellow', 'The server is shutting down.\n'));
    });
};
