// Lifecycle steps of protected seats: an agent that works for somebody is not ended, restarted or renewed before its guard
// is off; the refusal comes before any effect. Numbers are those of the scenarios.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('guard lifecycle');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

const STEPS = [
  ['POST', '/restart'],
  ['POST', '/renew'],
  ['DELETE', ''],
] as const;

const step = (rig: SeatRig, seat: string, [method, path]: (typeof STEPS)[number]) =>
  rig.call(method, `/admin/sessions/${seat}${path}`);

async function worked(rig: SeatRig, seat: string) {
  const agent = await rig.seat(seat);
  assert.is((await rig.send(seat, 'hello')).body.outcome, 'delivered');
  await rig.status(seat, ({ state, turns }) => state === 'idle' && turns === 1);
  return agent;
}

const generationOf = async (rig: SeatRig, seat: string) =>
  (await rig.call('GET', '/admin/sessions')).body.sessions.find((one: { name: string }) => one.name === seat)
    ?.generation;

for (const mode of ['draft-aware', 'openrig-urgent', 'urgent-only', 'hold']) {
  test(`26 ${mode}: restart, renew and kill of an active agent are refused before any effect`, async ({
    rig,
  }) => {
    const seat = `l26-${mode}`;
    const agent = await worked(rig, seat);
    const operator = await rig.operator(seat);
    await rig.guard(seat, mode);
    const generation = await generationOf(rig, seat);
    const reason = mode === 'hold' ? 'typing_guard_enabled' : 'draft_aware_lifecycle';
    for (const one of STEPS) {
      const { status, body } = await step(rig, seat, one);
      assert.equal([status, body.reason], [409, reason], one.join(' '));
      assert.match(body.next, `openfloor seat set-typing-guard ${seat} off`);
    }
    assert.is(await generationOf(rig, seat), generation);
    assert.is(operator.socket.readyState, operator.socket.OPEN);
    assert.not.ok((await agent.journal()).some(({ type }) => type === 'exit'));
    await rig.guard(seat, 'off');
    assert.is((await step(rig, seat, STEPS[0])).status, 200);
    assert.is((await step(rig, seat, STEPS[2])).status, 200);
  });
}

test('26 a fresh agent is exempt in draft-aware, until it was given something to do', async ({ rig }) => {
  await rig.seat('l26-fresh');
  await rig.guard('l26-fresh', 'draft-aware');
  assert.is((await step(rig, 'l26-fresh', STEPS[0])).status, 200);
  await rig.status('l26-fresh', ({ state }) => state === 'idle');
  await rig.composerEmpty('l26-fresh');
  await rig.send('l26-fresh', 'work 30s', { wait_ms: 10_000 });
  await rig.status('l26-fresh', ({ state, turns }) => state === 'working' && turns === 0);
  assert.is((await step(rig, 'l26-fresh', STEPS[2])).body.reason, 'draft_aware_lifecycle');
});

test('26 off and sends-only allow it; what has ended is nobody to protect', async ({ rig }) => {
  await worked(rig, 'l26-off');
  await rig.guard('l26-off', 'sends-only');
  assert.is((await step(rig, 'l26-off', STEPS[1])).status, 200);
  await rig.send('l26-off', 'exit 0');
  await rig.status('l26-off', () => true).catch(() => undefined);
  await rig.guard('l26-off', 'draft-aware');
  for (;;) {
    const { body } = await rig.call('GET', '/admin/sessions');
    if (!body.sessions.some((one: { name: string }) => one.name === 'l26-off')) break;
  }
  assert.is((await step(rig, 'l26-off', STEPS[0])).status, 200);
});

test.run();
