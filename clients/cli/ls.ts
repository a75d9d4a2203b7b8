// `openfloor ls`: the sessions of the server. With --json the answer of GET /admin/sessions, unchanged.
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { age, paint, table } from './print.js';

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor ls', "openfloor ls --json | jq -r '.sessions[].name'"))
    .action(async () => {
      const paper = context();
      const list = await (await openClient(paper)).sessions.list();
      if (paper.json) {
        paper.sayJson(list);
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
          ? ({ text: 'running', style: 'green' } as const)
          : ({ text: 'ending', style: 'yellow' } as const),
        String(session.clients),
        `${session.cols}x${session.rows}`,
        String(session.pid),
        age(now - Date.parse(session.created_at)),
        session.command.join(' ').slice(0, 60),
      ]);
      const columns = [
        { title: 'SEAT' },
        { title: 'STATE' },
        { title: 'CLIENTS', align: 'right' },
        { title: 'SIZE', align: 'right' },
        { title: 'PID', align: 'right' },
        { title: 'AGE', align: 'right' },
        { title: 'COMMAND' },
      ] as const;
      paper.say(table(paper, columns, rows));
      if (list.draining) paper.say(paint(paper, 'yellow', 'The server is shutting down.\n'));
    });
};
