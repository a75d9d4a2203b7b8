// Wakes on real seats with the demo agent: typed when it is safe, joined, withdrawn, followed over a restart of Shepherd.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';
import { ShepherdRig } from '../support/shepherd-rig.js';

const test = suite<{ rig: SeatRig; shepherd: ShepherdRig }>('wakes end to end');
test.before(async (context) => {
  context.rig = await SeatRig.start();
  context.shepherd = new ShepherdRig(context.rig);
  await context.shepherd.start();
});
test.after(async ({ rig, shepherd }) => {
  await shepherd.close();
  await rig.close();
});

test('an idle seat gets its wake within a second, and the row says that it was confirmed', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('idle');
  const began = Date.now();
  const id = await shepherd.create('idle', 'read the report');
  const [text] = await agent.until((entries) => {
    const texts = entries.flatMap((entry) => (entry.type === 'submit' ? [entry.text] : []));
    return texts.length > 0 ? texts : undefined;
  });
  // The settle before Enter alone takes a third of it; a loaded machine takes longer than the second of an idle one.
  assert.ok(Date.now() - began < 5_000);
  assert.match(text ?? '', new RegExp(`row from operator\\] ${id} "read the report" is in your queue`));
  const row = await shepherd.row(id, ({ lastWake }) => lastWake !== null);
  assert.is(row.lastWake.result, 'confirmed');
  assert.is(row.state, 'pending');
});

/** Waits until so many requests wait for the floor of the seat. */
async function waiting(rig: SeatRig, seat: string, count: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { body } = await rig.call('GET', `/api/seat/floor/${seat}`);
    if (body.waiting.length === count) return;
    if (Date.now() > deadline) throw new Error(`never ${count} waiting: ${JSON.stringify(body.waiting)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a wake waits for a draft to be sent, another joins it, and both are typed once, as one message', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('draft');
  const operator = await rig.operator('draft');
  operator.type('deploy to');
  await operator.until(() => operator.screen.includes('deploy to'));
  const first = await shepherd.create('draft', 'first work');
  await waiting(rig, 'draft', 1);
  const second = await shepherd.create('draft', 'second work');
  const joined = await shepherd.row(second, ({ wake }) => wake.rows.length === 2);
  assert.equal(joined.wake.rows, [first, second]);
  await waiting(rig, 'draft', 1);
  assert.equal(await agent.submitted(), []);
  operator.type(' staging\r');
  const typed = await shepherd.row(second, ({ lastWake }) => lastWake?.result === 'confirmed');
  assert.equal(typed.wake.rows, [first, second]);
  assert.is((await shepherd.row(first, () => true)).lastWake.result, 'confirmed');
  const [draft, wake, ...more] = await agent.submitted();
  assert.is(draft, 'deploy to staging');
  for (const part of ['2 rows', first, second, 'first work', 'second work'])
    assert.ok(wake?.includes(part), part);
  assert.equal(more, []);
});

test('a claim at the last moment withdraws the wake: zero bytes, and the feed says why', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('claims');
  await rig.send('claims', 'work 1500ms');
  const id = await shepherd.create('claims', 'taken before it is told');
  await waiting(rig, 'claims', 1);
  const { status, body } = await shepherd.call('POST', `/api/queue/${id}/claim`, { as: 'claims' });
  assert.is(status, 200);
  assert.is(body.wake, 'withdrawn');
  assert.is(body.row.state, 'in-progress');
  await rig.status('claims', ({ state, turns }) => state === 'idle' && turns === 1);
  const row = await shepherd.row(id, ({ lastWake }) => lastWake !== null);
  assert.is(row.lastWake.result, 'failed:draft_wake_superseded');
  // A send that comes after it is typed: the wake is gone, not late.
  assert.is((await rig.send('claims', 'and now', { wait_ms: 15_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 1500ms', 'and now']);
  const reasons = (await rig.audit('claims')).map(({ reason }) => reason);
  assert.ok(reasons.includes('draft_wake_superseded'));
});

test('a wake that a dialog refused is typed when the dialog is answered', async ({ rig, shepherd }) => {
  const agent = await rig.seat('asks');
  await rig.send('asks', 'ask rm -rf build');
  await rig.status('asks', ({ state }) => state === 'blocked');
  const id = await shepherd.create('asks', 'after the dialog');
  const refused = await shepherd.row(id, ({ lastWake }) => lastWake !== null);
  assert.is(refused.lastWake.result, 'failed:target_needs_input');
  const { dialog } = await rig.status('asks', ({ state }) => state === 'blocked');
  await rig.call('POST', '/api/transport/answer', {
    seat: 'asks',
    dialog: dialog.instance,
    choice: 'allow_once',
  });
  await shepherd.row(id, ({ lastWake }) => lastWake?.result === 'confirmed');
  const texts = await agent.submitted();
  assert.is(texts.filter((text) => text.includes(id)).length, 1);
});

test('a held wake is recorded as held and not typed when the mode changes; asked for, it is typed', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('held');
  await rig.guard('held', 'hold');
  const id = await shepherd.create('held', 'not now');
  await shepherd.row(id, ({ lastWake }) => lastWake?.result === 'held');
  await rig.guard('held', 'off');
  assert.is((await rig.send('held', 'something else')).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['something else']);
  await shepherd.call('POST', `/api/queue/${id}/update`, { wake: true });
  await shepherd.row(id, ({ lastWake }) => lastWake?.result === 'confirmed');
  assert.is((await agent.submitted()).length, 2);
});

test('a Shepherd that ends while a wake waits catches up: the wake is typed once', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('restart');
  await rig.send('restart', 'work 2500ms');
  const id = await shepherd.create('restart', 'over a restart');
  await waiting(rig, 'restart', 1);
  await shepherd.stop();
  // People and plain sends notice nothing.
  assert.is((await rig.send('idle', 'hello', { wait_ms: 15_000 })).body.outcome, 'delivered');
  await rig.status('restart', ({ turns }) => turns >= 2);
  await shepherd.start();
  const row = await shepherd.row(id, ({ lastWake }) => lastWake !== null);
  assert.is(row.lastWake.result, 'confirmed');
  const texts = await agent.submitted();
  assert.is(texts.filter((text) => text.includes(id)).length, 1);
});

test('agents see and change only what they are a party of, and act as themselves', async ({
  rig,
  shepherd,
}) => {
  const mint = async (seat: string) =>
    (await rig.call('POST', '/admin/tokens', { kind: 'agent', name: seat, seats: [seat] })).body.token;
  const [alice, bob, eve] = await Promise.all([mint('alice'), mint('bob'), mint('eve')]);
  const made = await shepherd.call(
    'POST',
    '/api/queue/create',
    { destination: 'bob', summary: 'please review', id: 'review-1', wake: false },
    alice,
  );
  assert.is(made.status, 201);
  assert.is(made.body.source, 'alice');
  assert.is((await shepherd.call('GET', '/api/queue/review-1', undefined, eve)).status, 404);
  assert.is((await shepherd.call('GET', '/api/queue/list', undefined, eve)).body.total, 0);
  assert.is((await shepherd.call('GET', '/api/queue/list', undefined, bob)).body.total, 1);
  const wrong = await shepherd.call('POST', '/api/queue/review-1/claim', {}, alice);
  assert.equal([wrong.status, wrong.body.reason], [403, 'claim_destination_mismatch']);
  const posing = await shepherd.call('POST', '/api/queue/review-1/claim', { as: 'bob' }, eve);
  assert.equal([posing.status, posing.body.reason], [403, 'credential_kind']);
  assert.is((await shepherd.call('POST', '/api/queue/review-1/claim', {}, bob)).status, 200);
  const open = await shepherd.call('POST', '/api/queue/review-1/close', {}, bob);
  assert.equal([open.status, open.body.reason], [400, 'invalid_closure']);
  const other = await shepherd.call(
    'POST',
    '/api/queue/create',
    { destination: 'eve', summary: 'x', id: 'review-1' },
    alice,
  );
  assert.equal([other.status, other.body.reason], [409, 'qitem_id_reuse']);
  for (const token of ['', 'f'.repeat(64)]) {
    const none = await shepherd.call('GET', '/api/queue/list', undefined, token);
    assert.equal([none.status, none.body.reason], [401, 'credential_missing']);
  }
  const shape = await shepherd.call('POST', '/api/queue/create', { destination: 'bob' });
  assert.equal([shape.status, shape.body.reason], [400, 'invalid_body']);
});

test.run();
