// Routines over a fake runtime and a fake clock: scenarios 56 to 61, digests, withdrawals, restarts, the rate cap.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REPEAT } from '../../../shepherd/routine/digest.js';
import type { RoutineWish } from '../../../shepherd/routine/register.js';
import { as, OPERATOR, Rig, turns } from '../rig.js';

const test = suite<{ rig: Rig }>('routine/ticker');
test.before.each((context) => {
  context.rig = new Rig();
});
test.after.each(({ rig }) => rig.close());

const MINUTE_MS = 60_000;

function add(rig: Rig, wish: Partial<RoutineWish>, actor = OPERATOR) {
  return rig.shepherd.roster.register(
    {
      policy: 'periodic-reminder',
      seat: 'a',
      spec: wish.policy === undefined || wish.policy === 'periodic-reminder' ? { text: 'look' } : {},
      schedule: { kind: 'interval', everyMs: MINUTE_MS },
      ...wish,
    },
    actor,
  );
}
const parked = (rig: Rig, wish: Partial<RoutineWish> = {}) =>
  add(rig, { policy: 'parked-owner', seat: '*', schedule: undefined, ...wish } as Partial<RoutineWish>);
const notices = (rig: Rig) => rig.runtime.asked.filter(({ message }) => message.origin === 'notice');
const waiting = (rig: Rig) => notices(rig).filter(({ over }) => !over);
const history = (rig: Rig, id: string) =>
  rig.shepherd.roster.history(id).map(({ outcome, result }) => result ?? outcome);

test('56 a new routine fires on its first tick, then at its interval, whatever a tick is late by', async ({
  rig,
}) => {
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  const { id } = add(rig, {});
  await rig.skip(1_000);
  assert.equal(history(rig, id), ['confirmed']);
  await rig.skip(58_000);
  assert.is(notices(rig).length, 1);
  await rig.skip(3_000);
  assert.is(notices(rig).length, 2);
  // The beat is kept: the next one is two minutes after the first.
  await rig.skip(57_000);
  assert.is(notices(rig).length, 2);
  await rig.skip(1_000);
  assert.is(notices(rig).length, 3);
  assert.match(
    notices(rig)[0]?.message.body ?? '',
    /^\[openfloor notice, routine r-id-\d+ of operator\] look$/,
  );
});

test('56 a scan interval takes the place of the interval', async ({ rig }) => {
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  add(rig, { scanMs: 10_000 });
  await rig.pass(25_000);
  assert.is(notices(rig).length, 3);
});

test('56 a restart keeps the due time', async ({ rig }) => {
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  const { id } = add(rig, {});
  await rig.skip(1_000);
  const due = rig.shepherd.routines.get(id)?.nextDueAt;
  rig.kill();
  rig.start();
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  await rig.skip(50_000);
  assert.is(notices(rig).length, 0);
  assert.is(rig.shepherd.routines.get(id)?.nextDueAt, due);
  await rig.skip(10_000);
  assert.is(notices(rig).length, 1);
});

test('56 ticks that were missed are one reminder, and an error in one routine stays in it', async ({
  rig,
}) => {
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.set('b', 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  const broken = add(rig, { policy: 'overdue', seat: 'b' });
  // A store that a later version wrote.
  rig.store.write(() =>
    rig.shepherd.routines.update(broken.id, { schedule: { kind: 'cron', line: 'x' } as never }),
  );
  const fine = add(rig, {});
  await rig.skip(1_000);
  assert.equal(history(rig, broken.id), ['error']);
  assert.equal(history(rig, fine.id), ['confirmed']);
  assert.is(rig.errors.length, 1);
  rig.errors.length = 0;
  await rig.skip(3_600_000);
  assert.equal(history(rig, fine.id), ['confirmed', 'confirmed']);
  rig.errors.length = 0;
  await rig.skip(MINUTE_MS);
  rig.errors.length = 0;
  // Three in a row are an alert, and the others never noticed.
  await rig.skip(MINUTE_MS);
  await turns();
  rig.errors.length = 0;
  assert.equal(
    rig.runtime.alerts.map(({ cause, routine }) => [cause, routine]),
    [['routine_failing', broken.id]],
  );
});

test('57 an idle gate with anything but fresh hard idle leaves no history and sends nothing in 100 ticks', async ({
  rig,
}) => {
  rig.create('a', { tags: ['gate'] }, OPERATOR, false);
  const { id } = add(rig, { policy: 'idle-gate', scanMs: 1_000 });
  for (const state of ['unknown', 'working', 'blocked'] as const) {
    rig.runtime.set('a', state, rig.now);
    await rig.pass(100_000);
    assert.equal(history(rig, id), []);
  }
  assert.is(notices(rig).length, 0);
  rig.runtime.set('a', 'idle', rig.now);
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
  // It only points to the row.
  assert.is(rig.shepherd.rows.openOf('a')[0]?.state, 'pending');
});

test('58 after an attempt whose end is unknown the next due tick makes a new one, warns, and joins the digest', async ({
  rig,
}) => {
  rig.runtime.set('a', 'idle', rig.now);
  const first = add(rig, {});
  await rig.skip(1_000);
  await waiting(rig)[0]?.end({ state: 'indeterminate', reason: 'draft_input_changed', bytesWritten: 9 });
  assert.equal(history(rig, first.id), ['unconfirmed']);
  await rig.skip(50_000);
  const second = add(rig, { spec: { text: 'drink' } });
  await rig.skip(1_000);
  await waiting(rig)[0]?.typed();
  await rig.skip(60_000);
  // Both are due within this minute, each in its own tick; the unknown one says so.
  const bodies = notices(rig).map(({ message }) => message.body);
  assert.is(bodies.filter((body) => body.includes(`${first.id} of operator] look (${REPEAT})`)).length, 1);
  // A digest brings both in one message.
  for (const asked of waiting(rig)) await asked.end({ state: 'indeterminate', reason: 'runtime_restarted' });
  add(rig, { policy: 'digest' });
  await rig.skip(1_000);
  const digest = waiting(rig)[0]?.message.body.split('\n');
  assert.equal(digest?.[0], '[openfloor] 2 notices:');
  assert.ok(digest?.some((line) => line.includes(first.id) && line.endsWith(`(${REPEAT})`)));
  assert.ok(digest?.some((line) => line.includes(second.id)));
  await waiting(rig)[0]?.typed();
  assert.is(history(rig, first.id)[0], 'confirmed');
  assert.is(history(rig, second.id)[0], 'confirmed');
  assert.is(rig.shepherd.routines.get(first.id)?.unresolved, false);
});

test('58 an attempt that was interrupted by the end of Shepherd is followed, and a new one is made when it is due', async ({
  rig,
}) => {
  rig.runtime.set('a', 'idle', rig.now);
  const { id } = add(rig, {});
  await rig.skip(1_000);
  const key = waiting(rig)[0]?.key;
  rig.kill();
  rig.start();
  rig.runtime.set('a', 'idle', rig.now);
  assert.equal(
    rig.runtime.asked.map((asked) => [asked.key, asked.followed]),
    [[key, true]],
  );
  // While the old one waits with the runtime nothing is asked for twice.
  await rig.skip(MINUTE_MS);
  assert.is(rig.runtime.asked.length, 1);
  await rig.runtime.asked[0]?.end({ state: 'indeterminate', reason: 'runtime_restarted' });
  await rig.skip(MINUTE_MS);
  assert.equal(history(rig, id), ['asked', 'unconfirmed']);
  assert.ok(waiting(rig)[0]?.message.body.endsWith(`(${REPEAT})`));
});

test('notices that are due for one seat in one tick are one message; those of another seat are another', async ({
  rig,
}) => {
  for (const seat of ['a', 'b']) rig.runtime.set(seat, 'idle', rig.now);
  add(rig, { id: 'r-1' });
  add(rig, { id: 'r-2', spec: { text: 'drink' } });
  add(rig, { id: 'r-3', seat: 'b' });
  await rig.skip(1_000);
  assert.equal(
    waiting(rig).map(({ message }) => [message.seat, message.body.split('\n').length]),
    [
      ['a', 3],
      ['b', 1],
    ],
  );
});

test('at a dialog a reminder stays due and goes as soon as the dialog is answered', async ({ rig }) => {
  rig.runtime.set('a', 'blocked', rig.now);
  const { id } = add(rig, {});
  await rig.pass(10_000);
  assert.equal(history(rig, id), []);
  rig.runtime.set('a', 'idle', rig.now);
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
});

test('a stop takes back what waits, and ends it for good', async ({ rig }) => {
  rig.runtime.set('a', 'working', rig.now);
  const { id } = add(rig, {});
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
  rig.shepherd.roster.stop(id, 'enough', OPERATOR);
  await turns();
  assert.is(waiting(rig).length, 0);
  await rig.skip(2 * MINUTE_MS);
  assert.is(notices(rig).length, 1);
  assert.equal(history(rig, id), ['failed:draft_wake_superseded']);
  assert.is(rig.shepherd.roster.get(id, OPERATOR).state, 'stopped');
});

test('a notice that waits is withdrawn when what it says is not true any more, and its company goes on', async ({
  rig,
}) => {
  rig.runtime.set('a', 'idle', rig.now);
  const row = rig.create('a', { tags: ['gate'] }, OPERATOR, false);
  const gate = add(rig, { policy: 'idle-gate' });
  const reminder = add(rig, {});
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
  await rig.shepherd.board.command(row.id, { kind: 'claim' }, as('a'));
  rig.runtime.set('a', 'working', rig.now);
  await rig.pass(3_000);
  assert.is(waiting(rig).length, 1);
  assert.not.match(waiting(rig)[0]?.message.body ?? '', gate.id);
  assert.match(waiting(rig)[0]?.message.body ?? '', reminder.id);
});

test('a one-shot is sent once; one that failed before any byte is tried again', async ({ rig }) => {
  rig.runtime.set('a', 'idle', rig.now);
  const { id } = add(rig, { schedule: { kind: 'once', at: rig.now + 5_000 } });
  await rig.pass(4_000);
  assert.is(notices(rig).length, 0);
  await rig.skip(1_000);
  await waiting(rig)[0]?.end({ state: 'failed', reason: 'audit_unavailable' });
  await rig.skip(MINUTE_MS);
  await waiting(rig)[0]?.typed();
  assert.equal(history(rig, id), ['confirmed', 'failed:audit_unavailable']);
  assert.equal([rig.shepherd.roster.get(id, OPERATOR).state, waiting(rig).length], ['terminal', 0]);
});

test('a reminder ends when the occupant that registered it is replaced, and says so once', async ({
  rig,
}) => {
  for (const seat of ['a', 'lead']) rig.runtime.set(seat, 'idle', rig.now);
  const { id } = add(rig, {}, as('lead'));
  await rig.skip(1_000);
  await waiting(rig)[0]?.typed();
  const lead = rig.runtime.known.get('lead')!;
  rig.runtime.known.set('lead', { ...lead, generation: 2 });
  await rig.skip(2 * MINUTE_MS);
  assert.is(notices(rig).length, 1);
  assert.equal(history(rig, id), ['terminal', 'confirmed']);
  const { state, terminalReason } = rig.shepherd.roster.get(id, OPERATOR);
  assert.equal([state, terminalReason], ['terminal', 'registrar_replaced']);
});

test('a ninth message between two agents in ten minutes is capped, with one alert, rows and notices together', async ({
  rig,
}) => {
  for (const seat of ['a', 'b']) rig.runtime.set(seat, 'idle', rig.now);
  rig.runtime.answer = (asked) => void asked.typed();
  for (let row = 0; row < 7; row++) rig.create('b', {}, as('a'));
  const { id } = add(rig, { seat: 'a' }, as('b'));
  await rig.skip(1_000);
  assert.throws(() => rig.create('b', {}, as('a')), /too many messages/);
  for (let tick = 0; tick < 3; tick++) await rig.skip(MINUTE_MS);
  assert.equal(history(rig, id), ['confirmed']);
  // A row without a wake, an operator's row and another pair are free.
  rig.create('b', {}, as('a'), false);
  rig.create('b', {}, OPERATOR);
  rig.create('c', {}, as('a'));
  const capped = rig.runtime.alerts.filter(({ cause }) => cause === 'rate_capped');
  assert.equal(
    capped.map(({ seat, detail }) => [seat, detail?.from]),
    [['b', 'a']],
  );
});

test('while the runtime is out of reach nothing is judged, and all stays due', async ({ rig }) => {
  rig.runtime.set('a', 'idle', rig.now);
  const { id } = add(rig, {});
  rig.runtime.online = false;
  for (let tick = 0; tick < 3; tick++) await rig.skip(MINUTE_MS);
  assert.equal([notices(rig).length, history(rig, id).length], [0, 0]);
  rig.runtime.online = true;
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
});

test('59 a parked owner is reminded after five minutes, once for the same obligations and occupant', async ({
  rig,
}) => {
  parked(rig);
  rig.create('a', {}, OPERATOR, false);
  rig.runtime.set('a', 'idle', rig.now);
  await rig.skip(299_000);
  assert.is(notices(rig).length, 0);
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
  assert.is(waiting(rig)[0]?.message.expectGeneration, 1);
  await waiting(rig)[0]?.typed();
  for (let tick = 0; tick < 30; tick++) await rig.skip(MINUTE_MS);
  assert.is(notices(rig).length, 1);
  // Another occupant of the seat is reminded, after its own grace.
  rig.runtime.set('a', 'idle', rig.now);
  rig.runtime.known.set('a', { ...rig.runtime.known.get('a')!, generation: 2 });
  await rig.skip(300_000);
  assert.is(waiting(rig).length, 1);
  await waiting(rig)[0]?.typed();
  // One obligation more is another set of them.
  rig.create('a', {}, OPERATOR, false);
  await rig.pass(2_000);
  assert.is(waiting(rig).length, 1);
  assert.match(waiting(rig)[0]?.message.body ?? '', /you hold 2 open rows/);
});

test('59 at a dialog there is no grace: an alert in the same tick, and nothing is typed', async ({ rig }) => {
  parked(rig);
  rig.create('a', {}, OPERATOR, false);
  rig.runtime.set('a', 'blocked', rig.now);
  await rig.skip(1_000);
  const since = rig.now - 1_000;
  assert.equal(
    rig.runtime.alerts.map(({ cause, seat, sinceAt }) => [cause, seat, sinceAt]),
    [['blocked', 'a', since]],
  );
  for (let tick = 0; tick < 30; tick++) await rig.skip(MINUTE_MS);
  assert.equal([notices(rig).length, rig.runtime.alerts.length], [0, 1]);
  rig.runtime.set('a', 'working', rig.now);
  await rig.skip(1_000);
  assert.equal(rig.runtime.alerts.at(-1)?.cleared, true);
});

test('59 a reminder that waits is withdrawn when its seat begins to work, and its grace begins anew', async ({
  rig,
}) => {
  parked(rig);
  rig.create('a', {}, OPERATOR, false);
  rig.runtime.set('a', 'idle', rig.now);
  await rig.skip(300_000);
  assert.is(waiting(rig).length, 1);
  rig.runtime.set('a', 'working', rig.now);
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 0);
  rig.runtime.set('a', 'idle', rig.now);
  await rig.skip(299_000);
  assert.is(waiting(rig).length, 0);
  await rig.pass(1_000);
  assert.is(waiting(rig).length, 1);
});

test('60 an owner whose input is held does not starve another: one a tick, in turn', async ({ rig }) => {
  parked(rig);
  for (const seat of ['a', 'b']) {
    rig.create(seat, {}, OPERATOR, false);
    rig.runtime.set(seat, 'idle', rig.now);
  }
  rig.runtime.answer = (asked) =>
    void (asked.message.seat === 'a'
      ? asked.end({ state: 'held', reason: 'typing_guard_enabled' })
      : asked.typed());
  await rig.skip(300_000);
  assert.equal(
    notices(rig).map(({ message }) => message.seat),
    ['a'],
  );
  await rig.skip(1_000);
  assert.equal(
    notices(rig).map(({ message }) => message.seat),
    ['a', 'b'],
  );
  // The held one is tried again, in its turn; the other rests on its success.
  await rig.skip(300_000);
  assert.equal(
    notices(rig).map(({ message }) => message.seat),
    ['a', 'b', 'a'],
  );
});

test('61 a reminder waits while a lifecycle step is owed', async ({ rig }) => {
  parked(rig);
  rig.create('a', {}, OPERATOR, false);
  rig.runtime.set('a', 'idle', rig.now);
  const owed = (lifecycle_owed: boolean) => {
    const entry = rig.runtime.known.get('a')!;
    rig.runtime.known.set('a', { ...entry, floor: { ...entry.floor, lifecycle_owed } });
  };
  owed(true);
  await rig.skip(400_000);
  assert.is(notices(rig).length, 0);
  owed(false);
  await rig.skip(1_000);
  assert.is(waiting(rig).length, 1);
  // A step that begins after the paste: no Enter, and the partial result is what it is.
  await waiting(rig)[0]?.end({ state: 'indeterminate', reason: 'lifecycle_owed', bytesWritten: 40 });
  const [attempt] = rig.shepherd.attempts.history(rig.shepherd.routines.activeOf('*')[0]?.id ?? '', 1);
  assert.is(attempt?.result, 'unconfirmed');
  await rig.skip(300_000);
  assert.ok(waiting(rig)[0]?.message.body.endsWith(`(${REPEAT})`));
});

test.run();
