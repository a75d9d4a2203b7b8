// `npm run demo`: a narrated scenario against a real server, a real PTY and the demo agent. Always true: every line it prints
// comes from the running system; with `--once` it ends by itself and exits 0 only if everything happened as told.
import type { Attachment } from '../sdk/index.js';
import { AGENT, Machine } from './machine.js';

const SEAT = 'demo';
const STEP_LIMIT_MS = 20_000;
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: string, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
const say = (text: string) => process.stdout.write(`${text}\n`);
const step = (text: string) => say(`\n${paint('1', `* ${text}`)}`);
const seen = (text: string) => say(`    ${text}`);

interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The operator of the demo: attached like anybody, with everything it saw. */
class Operator {
  readonly frames: Frame[] = [];
  screen = '';

  constructor(readonly attachment: Attachment) {
    attachment.on('bytes', ({ bytes }) => {
      this.screen += Buffer.from(bytes).toString('utf8');
    });
    attachment.on('frame', (frame) => this.frames.push(frame as unknown as Frame));
  }

  /** Types as a person does, a key at a time. */
  async type(text: string): Promise<void> {
    for (const key of text) {
      this.attachment.write(key);
      await pause(40);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + STEP_LIMIT_MS;
  while (Date.now() < deadline) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await pause(50);
  }
  throw new Error(`${what}: it never came`);
}

const must = (what: string, actual: unknown, expected: unknown) => {
  if (actual !== expected)
    throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
};

async function statusIs(machine: Machine, state: string): Promise<Record<string, unknown>> {
  return until(`status ${state}`, async () => {
    const { body } = await machine.call('GET', `/api/seat/status/${SEAT}`);
    const status = body.status as Record<string, unknown> | undefined;
    return status?.state === state && status;
  });
}

const send = (machine: Machine, text: string, waitMs = 0) =>
  machine.call('POST', '/api/transport/send', { seat: SEAT, text, wait_ms: waitMs });

async function play(machine: Machine): Promise<void> {
  step('A seat: the demo agent runs in a PTY that the runtime owns.');
  await machine.client.sessions.create({
    name: SEAT,
    command: [process.execPath, AGENT],
    rows: 24,
    cols: 80,
  });
  await statusIs(machine, 'idle');
  const attachment = machine.client.attach(SEAT, { mode: 'join', since: 0, rows: 24, cols: 80 });
  const operator = new Operator(attachment);
  await attachment.ready;
  seen('status: idle, read from the agent’s own report (OSC 7501), never guessed');

  step('An operator types half a sentence and stops.');
  await operator.type('explain the te');
  await until('the draft', () => operator.screen.includes('explain the te'));
  const waiting = send(machine, 'say the nightly build is ready', 60_000);
  const floor = await until('the reason', async () => {
    const { body } = await machine.call('GET', `/api/seat/floor/${SEAT}`);
    const [first] = body.waiting as Array<{ reason: string | null }>;
    return first?.reason === 'draft_input_busy' || first?.reason === 'human_active' ? first : undefined;
  });
  seen(`automation asks for the floor and waits: ${paint('33', String(floor.reason))}`);
  const quiet = await until('the draft holds it', async () => {
    const { body } = await machine.call('GET', `/api/seat/floor/${SEAT}`);
    return (body.waiting as Array<{ reason: string | null }>)[0]?.reason === 'draft_input_busy';
  });
  must('a draft holds a message for as long as it stands', quiet, true);
  seen('three seconds later nobody is typing, and it still waits: a draft has no timeout');

  step('The operator finishes the sentence. The turn runs, then the message is typed.');
  await operator.type('sts\r');
  const receipt = (await waiting).body;
  must('the message', receipt.outcome, 'delivered');
  seen(`receipt: ${paint('32', 'delivered')}, a turn began (${receipt.reason})`);
  const granted = operator.frames.find(({ type, phase }) => type === 'injection' && phase === 'granted');
  seen(`the operator saw it announced: ${granted?.identity} typed ${JSON.stringify(granted?.message)}`);
  await statusIs(machine, 'idle');

  step('A row of work is addressed to the seat while it works. Its wake waits its turn.');
  await operator.type('work 1500ms\r');
  await statusIs(machine, 'working');
  const { queue, seats } = machine.client;
  const { id } = await queue.create({
    destination: SEAT,
    summary: 'review the release notes',
    body: 'Every change since the last tag, one line each.',
    priority: 'urgent',
  });
  const [wake] = await until('the wake', async () => {
    const { waiting } = await seats.floor(SEAT);
    return waiting[0]?.reason !== null && waiting.length > 0 && waiting;
  });
  must('what waits', wake?.origin, 'wake');
  seen(`the row is stored; its wake waits: ${paint('33', String(wake?.reason))}`);
  const woken = await until('the wake’s result', async () => {
    const { lastWake } = await queue.show(id);
    return lastWake?.result === 'confirmed' && lastWake;
  });
  seen(`at the end of the turn it is typed; the row says: ${paint('32', woken.result)}`);
  await statusIs(machine, 'idle');
  await queue.claim(id, { as: SEAT });
  const closed = await queue.close(id, { as: SEAT, closureReason: 'no-follow-on' });
  const { transitions } = await queue.transitions(id);
  seen(`claimed and closed by its seat: ${transitions.map(({ to }) => to).join(' -> ')}`);
  must('the row', closed.row.state, 'done');

  step('A watchdog reminder is due while the operator has a draft. The draft comes first.');
  await operator.type('summarise the cha');
  await until('the second draft', () => operator.screen.includes('summarise the cha'));
  const { routines } = machine.client;
  const reminder = await routines.register({
    policy: 'periodic-reminder',
    seat: SEAT,
    intervalMs: 3_600_000,
    spec: { text: 'commit what works' },
  });
  const [notice] = await until('the reminder waits', async () => {
    const { waiting } = await seats.floor(SEAT);
    return waiting[0]?.reason === 'draft_input_busy' && waiting;
  });
  must('what waits', notice?.origin, 'notice');
  seen(`the reminder waits: ${paint('33', String(notice?.reason))}`);
  await operator.type('nges\r');
  const sent = await until('the reminder’s result', async () => {
    const { history } = await routines.show(reminder.id);
    return history[0]?.result === 'confirmed' && history[0];
  });
  seen(`the draft is sent, the turn runs, then the reminder is typed: ${paint('32', String(sent.result))}`);
  await routines.stop(reminder.id);
  await statusIs(machine, 'idle');

  step('The agent asks for a permission. A dialog is not a prompt.');
  await operator.type('ask rm -rf build\r');
  const blocked = await statusIs(machine, 'blocked');
  const refused = (await send(machine, 'yes')).body;
  must('a send into a dialog', refused.sent, false);
  seen(
    `status: blocked (${blocked.kind}); a send is refused: ${paint('31', String(refused.reason))}, zero bytes`,
  );
  const dialog = await until('the dialog', async () => {
    const { body } = await machine.call('GET', `/api/seat/status/${SEAT}`);
    return (body.dialog as { instance?: string } | undefined)?.instance;
  });
  const answer = (
    await machine.call('POST', '/api/transport/answer', { seat: SEAT, dialog, choice: 'allow_once' })
  ).body;
  must('allow_once', answer.ok, true);
  seen('allow_once answers this very dialog, once; "always" can’t be said');
  await statusIs(machine, 'idle');

  step('The connection drops, and comes back with every byte.');
  const first = machine.client.attach(SEAT, { mode: 'view', since: 0 });
  await first.ready;
  await first.detach();
  const again = machine.client.attach(SEAT, { mode: 'view', since: 0 });
  let bytes = 0;
  again.on('bytes', (event) => {
    bytes = event.offset + event.bytes.length;
  });
  await again.ready;
  await until('the replay', () => bytes > 0);
  seen(`resumed from offset 0 to ${bytes}, contiguous; a viewer can’t type`);
  await again.detach();
  const taker = machine.client.attach(SEAT, { mode: 'take' });
  const evicted = new Promise<string>((resolve) => attachment.on('close', ({ reason }) => resolve(reason)));
  await taker.ready;
  seen(`somebody takes the seat: the first operator is told "${await evicted}"`);
  await taker.detach();

  step('The audit feed tells it all.');
  const { body } = await machine.call('GET', `/api/audit?seat=${SEAT}&limit=1000`);
  const told = ['injection.granted', 'injection.finished', 'request.refused'];
  for (const record of body.records as Array<Record<string, unknown>>) {
    if (!told.includes(String(record.kind))) continue;
    const what = record.reason ?? JSON.stringify(record.message);
    seen(`${String(record.seq).padStart(3)}  ${String(record.kind).padEnd(19)} ${record.origin}: ${what}`);
  }
  const verdict = (await machine.call('GET', '/api/audit/verify')).body;
  must('the chain', verdict.ok, true);
  seen(`chain verified: ${verdict.records} records`);
}

const machine = await Machine.start();
let ended = false;
const end = async (code: number) => {
  if (ended) return;
  ended = true;
  await machine.close();
  process.exit(code);
};
process.once('SIGINT', () => void end(0));
process.once('SIGTERM', () => void end(0));
say(`Openfloor runs at ${machine.address}`);
say(`Watch it in a browser: ${machine.link}`);
try {
  await play(machine);
  if (process.argv.includes('--once')) await end(0);
  const { ticket, expires_in_secs } = await machine.client.tickets.create();
  say(`\nStill running until Ctrl-C. The operator’s page, for ${expires_in_secs} s (then: openfloor login):`);
  say(`  ${machine.address}/#ticket=${ticket}`);
  say(`Or look around in another terminal:`);
  say(`  HOME=${machine.folder} npx openfloor attach ${SEAT}`);
} catch (error) {
  say(paint('31', `The demo failed: ${error instanceof Error ? error.message : String(error)}`));
  await end(1);
}
