// `openfloor status`: what a seat's agent does, who is there, and what automation would get. With --json the answer of
// GET /api/seat/status with the floor's answer as `floor_answer`; with --watch one line a change, until the session ends.
import type { SeatStatus } from '../../protocol/seat.js';
import type { FloorAnswer } from '../../protocol/transport.js';
import type { Client } from '../sdk/index.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { paint, printable } from './print.js';
import { explainFloorText, explainStatusText } from './status/explain.js';
import { reportOf } from './status/report.js';
import { peopleText, stateStyle, stateText } from './wording.js';

interface StatusOptions {
  readonly explain?: boolean;
  readonly watch?: boolean;
}

async function show(context: Context, client: Client, seat: string, explain: boolean): Promise<void> {
  const [status, floor]: [SeatStatus, FloorAnswer] = await Promise.all([
    client.seats.status(seat, { explain }),
    client.seats.floor(seat),
  ]);
  if (context.json) return context.sayJson({ ...status, floor_answer: floor });
  const now = Date.now();
  context.say(reportOf(context, status, floor, now));
  if (!explain) return;
  context.say(explainStatusText(context, status.explain, now));
  context.say(explainFloorText(context, floor));
}

/** Follows over the floor plane. Ends with the session, or with Ctrl-C. */
async function watch(context: Context, client: Client, seat: string): Promise<void> {
  const connection = client.floor();
  const time = () => paint(context, 'dim', new Date().toISOString().slice(11, 19));
  const say = (value: object, words: string) =>
    context.say(context.json ? `${JSON.stringify(value)}\n` : `${time()} ${words}\n`);
  connection.on('status', (status) => {
    const detail = status.detail === '' ? '' : `  ${printable(status.detail)}`;
    const words = paint(context, stateStyle(status.state), printable(stateText(status)));
    say({ type: 'status', ...status }, `${words}${detail}`);
  });
  let people = '';
  connection.on('presence', (presence) => {
    // Its times change with every key; for people only what they mean counts.
    const words = peopleText({ ...presence, last_key_at: null }, Date.now());
    if (words === people && !context.json) return;
    people = words;
    say({ type: 'presence', ...presence }, printable(words));
  });
  connection.on('ended', () => {
    say({ type: 'ended', seat }, 'the session has ended');
    connection.close();
  });
  connection.on('lost', ({ reason }) => {
    if (!context.json)
      context.say(`${time()} ${paint(context, 'yellow', `connection lost (${printable(reason)})`)}\n`);
  });
  const stop = () => connection.close();
  process.once('SIGINT', stop);
  process.stdout.once('error', stop);
  try {
    await Promise.race([connection.watch([seat]), connection.closed]);
    const { error } = await connection.closed;
    if (error) throw error;
  } finally {
    connection.close();
    process.off('SIGINT', stop);
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .option('--explain', 'every channel, rule and row that was looked at, and what it saw')
    .option('--watch', 'go on and say what changes')
    .addHelpText('after', example('openfloor status claude', 'openfloor status claude --explain'))
    .action(async (seat: string, options: StatusOptions) => {
      const paper = context();
      const client = await openClient(paper);
      if (options.watch) await watch(paper, client, seat);
      else await show(paper, client, seat, options.explain === true);
    });
};
