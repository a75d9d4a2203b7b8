// Routines on real seats with the demo agent: a reminder held back by a draft and typed after it, a parked owner reminded after
// its grace, a dialog that is an alert and is never typed into, and the webhook that hears of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunningShepherd } from '../../shepherd/main.js';
import { SeatRig } from '../support/seat-rig.js';
import { ShepherdRig } from '../support/shepherd-rig.js';

interface Context {
  rig: SeatRig;
  shepherd: ShepherdRig;
  running: RunningShepherd;
}
const test = suite<Context>('routines end to end');
test.before(async (context) => {
  context.rig = await SeatRig.start();
  context.shepherd = new ShepherdRig(context.rig);
  context.running = await context.shepherd.start();
});
test.after(async ({ rig, shepherd }) => {
  await shepherd.close();
  await rig.close();
});

const LIMIT_MS = 20_000;

async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: it never came`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function register(shepherd: ShepherdRig, body: object): Promise<string> {
  const answer = await shepherd.call('POST', '/api/watchdog/register', body);
  assert.is(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

const result = (shepherd: ShepherdRig, id: string, wanted: string) =>
  until(`${id} ${wanted}`, async () => {
    const { body } = await shepherd.call('GET', `/api/watchdog/${id}`);
    return body.history[0]?.result === wanted && body;
  });

test('a reminder waits while a draft stands, and is typed once after it was sent', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('reminded');
  const operator = await rig.operator('reminded');
  operator.type('explain the te');
  await operator.until(() => operator.screen.includes('explain the te'));
  const id = await register(shepherd, {
    policy: 'periodic-reminder',
    seat: 'reminded',
    intervalSeconds: 3_600,
    spec: { text: 'commit what works' },
  });
  await until('the draft holds it', async () => {
    const { body } = await rig.call('GET', '/api/seat/floor/reminded');
    return body.waiting[0]?.origin === 'notice' && body.waiting[0]?.reason === 'draft_input_busy';
  });
  assert.equal(await agent.submitted(), []);
  operator.type('sts\r');
  await result(shepherd, id, 'confirmed');
  const [draft, notice, ...more] = await agent.submitted();
  assert.is(draft, 'explain the tests');
  assert.match(notice ?? '', /^\[openfloor notice, routine \S+ of operator.*\] commit what works$/);
  assert.ok(notice?.includes(id));
  assert.equal(more, []);
  const stopped = await shepherd.call('POST', `/api/watchdog/${id}/stop`);
  assert.equal([stopped.status, stopped.body.state], [200, 'stopped']);
});

test('a parked owner is reminded after its grace; at a dialog an alert goes out instead, to the webhook too', async ({
  rig,
  shepherd,
  running,
}) => {
  const posts: Array<Record<string, unknown>> = [];
  const hook = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      posts.push(JSON.parse(text));
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-hook-'));
  const webhookFile = join(folder, 'webhook');
  writeFileSync(webhookFile, `http://127.0.0.1:${(hook.address() as AddressInfo).port}/secret-path\n`);
  running.alertsTo({ webhook: null, webhookFile });
  try {
    const agent = await rig.seat('parked');
    const row = await shepherd.create('parked', 'the migration', { wake: false });
    const id = await register(shepherd, { policy: 'parked-owner', seat: 'parked', spec: { graceMs: 500 } });
    await result(shepherd, id, 'confirmed');
    const [notice, ...more] = await agent.submitted();
    assert.match(notice ?? '', `you hold an open row and wait: ${row}`);
    assert.equal(more, []);

    const operator = await rig.operator('parked');
    operator.type('ask rm -rf build\r');
    await rig.status('parked', ({ state }) => state === 'blocked');
    // What it owes is another set now, so without the dialog it would be reminded.
    await shepherd.create('parked', 'more work', { wake: false });
    const post = await until('the webhook', async () => posts.find(({ cause }) => cause === 'blocked'));
    assert.equal([post.seat, post.state], ['parked', 'raised']);
    assert.equal(Object.keys(post).sort(), [
      'age_ms',
      'cause',
      'link',
      'routine',
      'seat',
      'since',
      'state',
      'text',
    ]);
    assert.not.match(JSON.stringify(post), /rm -rf|migration/);
    const feed = await until('the feed', async () => {
      const records = await rig.audit('parked');
      return records.filter(({ kind }) => kind === 'alert.blocked').length > 0 && records;
    });
    assert.equal(
      feed.filter(({ kind }) => kind === 'alert.blocked').map(({ outcome }) => outcome),
      ['raised'],
    );
    assert.is((await agent.submitted()).length, 2);
  } finally {
    hook.close();
    hook.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
});

test('bad routines are refused whole, each with its reason', async ({ shepherd }) => {
  const reminder = { policy: 'periodic-reminder', seat: 'reminded', spec: { text: 'x' } };
  const cases: Array<[object, number, string]> = [
    [{ ...reminder, policy: 'nonsense', intervalSeconds: 5 }, 400, 'policy_unknown'],
    [reminder, 400, 'interval_invalid'],
    [{ ...reminder, intervalSeconds: 0.5 }, 400, 'interval_invalid'],
    [{ ...reminder, intervalSeconds: 5, cron: '* * * * *' }, 400, 'interval_invalid'],
    [{ ...reminder, cron: 'soon' }, 400, 'interval_invalid'],
    [{ ...reminder, seat: 'No Seat', intervalSeconds: 5 }, 400, 'target_session_invalid'],
    [{ ...reminder, spec: {}, intervalSeconds: 5 }, 400, 'invalid_body'],
    [{ ...reminder, spec: { tag: 'x' }, intervalSeconds: 5 }, 400, 'invalid_body'],
    [{ ...reminder, colour: 'red' }, 400, 'invalid_body'],
  ];
  for (const [body, status, reason] of cases) {
    const answer = await shepherd.call('POST', '/api/watchdog/register', body);
    assert.equal([answer.status, answer.body.reason], [status, reason], JSON.stringify(body));
  }
  assert.is((await shepherd.call('GET', '/api/watchdog/none')).body.reason, 'job_not_found');
  const { body } = await shepherd.call('GET', '/api/watchdog/list?state=active');
  assert.equal(
    body.routines.map(({ policy }: { policy: string }) => policy),
    ['parked-owner', 'parked-owner'],
  );
});

test.run();
