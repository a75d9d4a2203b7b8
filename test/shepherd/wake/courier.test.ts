// Wakes and rows over a fake runtime and a fake clock: refused, joined, withdrawn, renewed, retried after a restart.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ShepherdError } from '../../../shepherd/port.js';
import { REPEAT } from '../../../shepherd/wake/envelope.js';
import { as, OPERATOR, Rig, turns } from '../rig.js';

const test = suite<{ rig: Rig }>('wake/courier');
test.before.each((context) => {
  context.rig = new Rig();
});
test.after.each(({ rig }) => rig.close());

const HOUR_MS = 3_600_000;

test('a wake is asked for after its row is written, may wait a day, and confirms on the row', async ({
  rig,
}) => {
  const row = rig.create('a', { priority: 'urgent' });
  const [asked] = rig.waiting;
  assert.is(rig.runtime.asked.length, 1);
  const { origin, priority, waitMs, supersede, seat } = asked?.message ?? {};
  assert.equal(
    [origin, priority, waitMs, supersede, seat],
    ['wake', 'urgent', 24 * HOUR_MS, `row:${row.id}`, 'a'],
  );
  await asked?.typed();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
  assert.is(rig.row(row.id).lastWakeAt, rig.now);
  assert.is(rig.row(row.id).updatedAt, row.updatedAt);
  assert.is(rig.row(row.id).state, 'pending');
});

test('49 a wake that is refused leaves its row pending, with the reason on it', async ({ rig }) => {
  rig.runtime.answer = (asked) => void asked.end({ state: 'failed', reason: 'seat_not_found' });
  const row = rig.create('nobody');
  await turns();
  assert.is(rig.row(row.id).state, 'pending');
  assert.is(rig.row(row.id).lastWakeResult, 'failed:seat_not_found');
  assert.is(rig.runtime.asked.length, 1);
});

test('49 a wake of a seat without an occupant is asked for again when there is one', async ({ rig }) => {
  const row = rig.create('late');
  await rig.waiting[0]?.end({ state: 'failed', reason: 'session_missing' });
  await rig.pass(10_000);
  assert.is(rig.waiting.length, 0);
  rig.runtime.set('late', 'idle', rig.now + 1);
  assert.is(rig.waiting.length, 1);
  await rig.waiting[0]?.typed();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
});

test('a wake that a dialog refused is asked for again when the seat leaves blocked, also after a lost event', async ({
  rig,
}) => {
  rig.runtime.set('a', 'blocked', rig.now);
  const row = rig.create('a');
  await rig.waiting[0]?.end({ state: 'failed', reason: 'target_needs_input' });
  assert.is(rig.row(row.id).lastWakeResult, 'failed:target_needs_input');
  await rig.pass(60_000);
  assert.is(rig.runtime.asked.length, 1);
  rig.runtime.set('a', 'idle', rig.now, false);
  await rig.pass(1_000);
  assert.is(rig.waiting.length, 1);
});

test('a held wake is recorded as held, and asked for again only when the row changes or somebody asks', async ({
  rig,
}) => {
  const row = rig.create('a', {}, as('b'));
  await rig.waiting[0]?.end({ state: 'held', reason: 'typing_guard_enabled' });
  assert.is(rig.row(row.id).lastWakeResult, 'held');
  rig.runtime.set('a', 'idle', rig.now + 1);
  await rig.pass(10_000);
  assert.is(rig.waiting.length, 0);
  await rig.shepherd.board.command(row.id, { kind: 'update', fields: { summary: 'new words' } }, as('b'));
  assert.is(rig.waiting.length, 1);
  assert.match(rig.waiting[0]?.message.body ?? '', /new words/);
  await rig.waiting[0]?.end({ state: 'held', reason: 'typing_guard_enabled' });
  await rig.shepherd.board.command(row.id, { kind: 'update', fields: { wake: true } }, OPERATOR);
  assert.is(rig.waiting.length, 1);
});

test('50 two wakes are joined into one message; both ids and both envelopes stay', async ({ rig }) => {
  const one = rig.create('a', { summary: 'first' });
  const two = rig.create('a', { summary: 'second' });
  await turns();
  assert.is(rig.waiting.length, 1);
  const [joined] = rig.waiting;
  assert.is(rig.runtime.asked[0]?.withdrawals, 1);
  for (const part of [one.id, two.id, 'first', 'second', '2 rows']) {
    assert.ok(joined?.message.body.includes(part), part);
  }
  assert.not.ok(joined?.message.body.includes(REPEAT));
  await joined?.typed();
  for (const { id } of [one, two]) {
    assert.is(rig.row(id).lastWakeResult, 'confirmed');
    const wake = rig.shepherd.wakes.newestOf(id);
    const request = rig.shepherd.wakes.request(wake?.requestKey ?? '');
    assert.equal(
      request?.wakes.map((each) => rig.shepherd.wakes.get(each)?.rowId),
      [one.id, two.id],
    );
    assert.match(wake?.envelope ?? '', new RegExp(id));
  }
});

test('50 a wake that comes too late to join goes alone: what was granted is not withdrawn', async ({
  rig,
}) => {
  rig.create('a');
  const first = rig.waiting[0];
  if (first) first.onWithdraw = 'already_granted';
  const two = rig.create('a');
  await turns();
  assert.is(rig.waiting.length, 1);
  await first?.typed();
  assert.is(rig.waiting.length, 1);
  assert.ok(rig.waiting[0]?.message.body.includes(two.id));
  assert.not.ok(rig.waiting[0]?.message.body.includes('2 rows'));
});

test('wakes of another urgency or another seat are not joined', async ({ rig }) => {
  rig.create('a');
  rig.create('a', { priority: 'urgent' });
  rig.create('b');
  await turns();
  assert.is(rig.waiting.length, 3);
});

test('51 a claim withdraws the waiting wake first: superseded, zero bytes, and the answer says so', async ({
  rig,
}) => {
  const row = rig.create('a');
  const changed = await rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  assert.is(changed.wake, 'withdrawn');
  assert.is(changed.row.state, 'in-progress');
  assert.is(rig.row(row.id).lastWakeResult, 'failed:draft_wake_superseded');
  await rig.pass(5_000);
  assert.is(rig.waiting.length, 0);
  assert.is(rig.runtime.asked.length, 1);
});

test('51 a claim of one of two joined rows leaves the other waiting alone', async ({ rig }) => {
  const one = rig.create('a');
  const two = rig.create('a');
  await turns();
  const changed = await rig.shepherd.board.command(one.id, { kind: 'claim' }, as('a'));
  await turns();
  assert.is(changed.wake, 'withdrawn');
  assert.is(rig.waiting.length, 1);
  assert.ok(rig.waiting[0]?.message.body.includes(two.id));
  assert.not.ok(rig.waiting[0]?.message.body.includes(one.id));
});

test('51 a claim waits half a second for the runtime, then says that it is unknown', async ({ rig }) => {
  const row = rig.create('a');
  const [asked] = rig.waiting;
  if (asked) asked.onWithdraw = 'silent';
  const claim = rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  await turns();
  assert.is(rig.row(row.id).state, 'pending');
  await rig.pass(1_000);
  const changed = await claim;
  assert.is(changed.wake, 'unknown');
  assert.is(changed.row.state, 'in-progress');
  // It was typed all the same: the row says so, and stays as it is.
  await asked?.typed();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
  assert.is(rig.row(row.id).state, 'in-progress');
});

test('51 a wake that was granted already is told as such', async ({ rig }) => {
  const row = rig.create('a');
  const [asked] = rig.waiting;
  if (asked) asked.onWithdraw = 'already_granted';
  const changed = await rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  assert.is(changed.wake, 'already_granted');
});

test('two claims of one row come one after another: the second is refused', async ({ rig }) => {
  const row = rig.create('a');
  const first = rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  const second = rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  assert.is((await first).row.state, 'in-progress');
  const error = await second.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ShepherdError);
  assert.is((error as ShepherdError).reason, 'qitem_not_claimable');
});

test('a handoff withdraws the old wake and wakes the new owner, in one write', async ({ rig }) => {
  const row = rig.create('a');
  const changed = await rig.shepherd.board.command(
    row.id,
    { kind: 'handoff', to: 'b', id: 'q-next' },
    as('a'),
  );
  assert.is(changed.wake, 'withdrawn');
  assert.is(changed.row.state, 'handed-off');
  assert.is(rig.row('q-next').source, 'a');
  assert.equal(
    rig.waiting.map(({ message }) => message.seat),
    ['b'],
  );
  const states = rig.shepherd.board.transitions(row.id, OPERATOR).map(({ from, to }) => `${from} ${to}`);
  assert.equal(states, ['null pending', 'pending handed-off']);
});

test('a wake is renewed an hour before its day is over, and the row may wait on', async ({ rig }) => {
  const row = rig.create('a');
  await rig.skip(23 * HOUR_MS - 1);
  assert.is(rig.runtime.asked.length, 1);
  await rig.skip(1);
  assert.is(rig.runtime.asked.length, 2);
  assert.is(rig.waiting.length, 1);
  assert.ok(rig.waiting[0]?.message.body.includes(row.id));
  assert.is(rig.row(row.id).lastWakeResult, null);
});

test('a row with wake false wakes nobody; one that starts later wakes then', async ({ rig }) => {
  rig.create('a', {}, OPERATOR, false);
  rig.create('a', { notBefore: rig.now + 5_000 });
  await rig.pass(4_000);
  assert.is(rig.runtime.asked.length, 0);
  await rig.pass(1_000);
  assert.is(rig.runtime.asked.length, 1);
});

test('52 after a restart failed and unconfirmed wakes are tried once more with the warning; the others stay', async ({
  rig,
}) => {
  const wanted = ['failed', 'unconfirmed', 'confirmed', 'held', 'closed', 'claimed', 'reassigned'];
  const rows = new Map(wanted.map((name) => [name, rig.create(`seat-${name}`)]));
  const end = (name: string, outcome: Parameters<(typeof rig.waiting)[0]['end']>[0]) =>
    rig.waiting.find(({ message }) => message.seat === `seat-${name}`)?.end(outcome);
  await end('failed', { state: 'failed', reason: 'audit_unavailable' });
  await end('confirmed', { state: 'complete', confirmed: true, reason: 'confirmed' });
  await end('held', { state: 'held', reason: 'typing_guard_enabled' });
  for (const name of ['unconfirmed', 'closed', 'claimed', 'reassigned']) {
    await end(name, { state: 'complete', reason: 'unconfirmed' });
  }
  const board = rig.shepherd.board;
  const id = (name: string) => rows.get(name)?.id ?? '';
  await board.command(id('closed'), { kind: 'close', closureReason: 'no-follow-on' }, OPERATOR);
  await board.command(id('claimed'), { kind: 'claim' }, as('seat-claimed'));
  await board.command(id('reassigned'), { kind: 'handoff', to: 'c', id: 'q-c' }, OPERATOR, false);
  const envelopes = new Map(
    wanted.map((name) => [name, rig.shepherd.wakes.newestOf(id(name))?.envelope ?? '-']),
  );
  rig.kill();
  rig.start();
  await turns();
  assert.equal(rig.waiting.map(({ message }) => message.seat).sort(), ['seat-failed', 'seat-unconfirmed']);
  for (const { message } of rig.waiting) {
    assert.is(message.origin, 'notice');
    const envelope = envelopes.get(message.seat.slice('seat-'.length));
    assert.is(message.body, `${envelope} (${REPEAT})`);
  }
  // Once a pass: what fails again waits for the next one, and a failure before any byte settles no earlier unknown.
  for (const asked of rig.waiting) await asked.end({ state: 'failed', reason: 'audit_unavailable' });
  await rig.pass(10_000);
  assert.is(rig.waiting.length, 0);
  assert.is(rig.row(id('failed')).lastWakeResult, 'failed:audit_unavailable');
  assert.is(rig.row(id('unconfirmed')).lastWakeResult, 'unconfirmed');
});

test('52 a wake that waited when Shepherd was killed is followed, not asked for again', async ({ rig }) => {
  const row = rig.create('a');
  const key = rig.waiting[0]?.key;
  rig.kill();
  rig.start();
  await rig.pass(3_000);
  assert.is(rig.runtime.asked.length, 1);
  assert.is(rig.runtime.asked[0]?.followed, true);
  assert.is(rig.runtime.asked[0]?.key, key);
  await rig.runtime.asked[0]?.typed();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
  await rig.pass(3_000);
  assert.is(rig.runtime.asked.length, 1);
});

test('52 a request that the runtime never heard of is made once, without a warning', async ({ rig }) => {
  rig.create('a');
  rig.kill();
  rig.start();
  await rig.waiting[0]?.end({ state: 'failed', reason: 'request_not_found', early: true });
  assert.is(rig.waiting.length, 1);
  assert.not.ok(rig.waiting[0]?.message.body.includes(REPEAT));
});

test('52 what the end of both cut short is tried once more: with a warning when it may have been typed', async ({
  rig,
}) => {
  rig.create('a');
  rig.create('b');
  rig.kill();
  rig.start();
  const [first, second] = rig.waiting;
  await first?.end({ state: 'failed', reason: 'runtime_restarted', early: true });
  await second?.end({ state: 'indeterminate', reason: 'runtime_restarted', bytesWritten: 4, early: true });
  const again = rig.waiting.map(({ message }) => message);
  assert.equal(
    again.map(({ seat }) => seat),
    ['a', 'b'],
  );
  assert.ok(again[1]?.body.includes(REPEAT));
  await rig.waiting[0]?.typed();
  await rig.waiting[0]?.typed();
  assert.is(rig.waiting.length, 0);
});

test('wakes that a restart of the runtime ended are asked for again when it is back', async ({ rig }) => {
  const row = rig.create('a');
  await rig.waiting[0]?.end({ state: 'failed', reason: 'runtime_restarted' });
  await rig.pass(5_000);
  assert.is(rig.waiting.length, 0);
  rig.runtime.tell({ kind: 'connected', resumed: true });
  assert.is(rig.waiting.length, 1);
  await rig.waiting[0]?.typed();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
});

test('a turn that begins late makes an unconfirmed wake confirmed', async ({ rig }) => {
  const row = rig.create('a');
  const [asked] = rig.waiting;
  await asked?.typed(false);
  assert.is(rig.row(row.id).lastWakeResult, 'unconfirmed');
  asked?.confirm();
  assert.is(rig.row(row.id).lastWakeResult, 'confirmed');
  rig.kill();
  rig.start();
  assert.is(rig.runtime.asked.length, 0);
});

test('53 a row that is created again is the same row and wakes nobody', async ({ rig }) => {
  const row = rig.create('a', { id: 'mine' });
  assert.equal(rig.create('a', { id: 'mine', summary: 'other' }), row);
  assert.is(rig.runtime.asked.length, 1);
  try {
    rig.create('b', { id: 'mine' });
    assert.unreachable();
  } catch (error) {
    assert.is((error as ShepherdError).reason, 'qitem_id_reuse');
    assert.is((error as ShepherdError).status, 409);
  }
  assert.is(rig.shepherd.board.transitions('mine', OPERATOR).length, 1);
});

test('55 a timer that is set again is one timer, and leaving blocked cancels it', async ({ rig }) => {
  const row = rig.create('a', {}, OPERATOR, false);
  const block = (wakeAfterMs?: number) =>
    rig.shepherd.board.command(
      row.id,
      { kind: 'block', on: 'review', ...(wakeAfterMs === undefined ? {} : { wakeAfterMs }) },
      as('a'),
    );
  await block(10_000);
  await rig.pass(5_000);
  await block(10_000);
  assert.is(rig.shepherd.rows.timerCount(), 1);
  await rig.pass(9_000);
  assert.is(rig.runtime.asked.length, 0);
  await rig.pass(1_000);
  assert.is(rig.runtime.asked.length, 1);
  assert.is(rig.waiting[0]?.message.origin, 'notice');
  assert.match(rig.waiting[0]?.message.body ?? '', /still blocked on "review"/);
  await rig.waiting[0]?.typed();
  await rig.pass(60_000);
  assert.is(rig.runtime.asked.length, 1);
  await block(10_000);
  await rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  assert.is(rig.shepherd.rows.timerCount(), 0);
  await rig.pass(60_000);
  assert.is(rig.runtime.asked.length, 1);
});

test('55 a timer is kept over a restart', async ({ rig }) => {
  const row = rig.create('a', {}, OPERATOR, false);
  await rig.shepherd.board.command(row.id, { kind: 'block', on: 'x', wakeAfterMs: 10_000 }, as('a'));
  rig.kill();
  rig.start();
  await rig.pass(10_000);
  assert.is(rig.waiting.length, 1);
});

test('a pending row past its time to live is canceled, and its wake withdrawn', async ({ rig }) => {
  const row = rig.create('a', { expiresAt: rig.now + 5_000 });
  await rig.pass(6_000);
  assert.is(rig.row(row.id).state, 'canceled');
  assert.is(rig.waiting.length, 0);
  assert.is(rig.shepherd.board.transitions(row.id, OPERATOR).at(-1)?.note, 'expired');
});

test('more wakes than fit into one message wait for the next', async ({ rig }) => {
  for (let at = 0; at < 60; at++) rig.create('a');
  await turns();
  await turns();
  const [first] = rig.waiting;
  assert.match(first?.message.body ?? '', /^\[openfloor\] 50 rows/);
  await first?.typed();
  assert.match(rig.waiting[0]?.message.body ?? '', /^\[openfloor\] 10 rows/);
});

test.run();
