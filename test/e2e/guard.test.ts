// The typing guard on real PTYs: which mode lets whom ask, what is held and how it is read, and what draft-aware makes of
// composers. Numbers are those of the scenarios.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reads } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('guard');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

test('18 hold keeps a send for reading, types nothing, and lifting it delivers nothing', async ({ rig }) => {
  const agent = await rig.seat('g18');
  const { body: set } = await rig.guard('g18', 'hold');
  assert.equal([set.desired, set.effective, set.revision, set.pending], ['hold', 'hold', 1, false]);
  const operator = await rig.operator('g18');
  const { status, body } = await rig.send('g18', 'later');
  assert.is(status, 200);
  assert.equal(
    [body.ok, body.sent, body.outcome, body.reason, body.outboxIds],
    [true, false, 'retained', 'typing_guard_enabled', [body.id]],
  );
  await operator.until(() =>
    operator.frames.find(({ type, request }) => type === 'held' && request === body.id),
  );
  const held = await rig.call('GET', '/api/seat/held-messages/g18');
  assert.equal(
    held.body.items.map((one: { id: string; body: string }) => [one.id, one.body]),
    [[body.id, 'later']],
  );
  await rig.guard('g18', 'off');
  assert.is((await rig.send('g18', 'now')).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['now']);
});

test('19 openrig-urgent: an ordinary send is held, an urgent one and a notice are typed', async ({ rig }) => {
  const agent = await rig.seat('g19');
  await rig.guard('g19', 'shepherd-urgent');
  const peer = await rig.token('agent');
  const shepherd = await rig.token('shepherd');
  const ordinary = await rig.call('POST', '/api/transport/send', { seat: 'g19', text: 'a', raw: true }, peer);
  assert.equal([ordinary.body.outcome, ordinary.body.reason], ['retained', 'typing_guard_enabled']);
  const urgent = await rig.call(
    'POST',
    '/api/transport/send',
    { seat: 'g19', text: 'b', raw: true, urgent: true },
    peer,
  );
  assert.is(urgent.body.outcome, 'delivered', JSON.stringify(urgent.body));
  const notice = { seat: 'g19', origin: 'notice', body: 'c', raw: true, wait_ms: 15_000 };
  assert.is((await rig.ask(shepherd, notice)).state, 'complete');
  assert.equal(await agent.submitted(), ['b', 'c']);
});

test('20 urgent-only: a notice is held, a critical wake is typed, a routine one is held', async ({ rig }) => {
  const agent = await rig.seat('g20');
  await rig.guard('g20', 'urgent-only');
  const shepherd = await rig.token('shepherd');
  const ask = (more: object) => rig.ask(shepherd, { seat: 'g20', raw: true, wait_ms: 10_000, ...more });
  assert.is((await ask({ origin: 'notice', body: 'watchdog' })).state, 'held');
  assert.is((await ask({ origin: 'wake', body: 'routine', priority: 'routine' })).state, 'held');
  assert.is((await ask({ origin: 'wake', body: 'critical', priority: 'critical' })).state, 'complete');
  assert.equal(await agent.submitted(), ['critical']);
});

test('21 sends-only: a send is typed, a notice is held; a terminal seat starts with it', async ({ rig }) => {
  const agent = await rig.seat('g21');
  await rig.guard('g21', 'sends-only');
  const shepherd = await rig.token('shepherd');
  assert.is((await rig.ask(shepherd, { seat: 'g21', origin: 'notice', body: 'parked' })).state, 'held');
  assert.is((await rig.send('g21', 'by a person')).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['by a person']);
  const made = await rig.call('POST', '/admin/sessions', {
    name: 'g21-shell',
    command: ['bash', '--norc'],
    kind: 'terminal',
  });
  assert.is(made.status, 200, JSON.stringify(made.body));
  const { body } = await rig.call('GET', '/api/seat/status/g21-shell');
  assert.is(body.typing_guard, 'sends-only');
});

for (const mode of ['off', 'draft-aware', 'sends-only']) {
  test(`22 ${mode}: a person's key after the paste arrives, revokes Enter and erases nothing`, async ({
    rig,
  }) => {
    const seat = `g22-${mode}`;
    const agent = await rig.seat(seat);
    await rig.guard(seat, mode);
    const operator = await rig.operator(seat);
    const sending = rig.send(seat, 'from automation');
    await operator.until(() => operator.screen.includes('from automation'));
    operator.type('x');
    const { status, body } = await sending;
    assert.equal([status, body.outcome, body.sent], [502, 'indeterminate', undefined]);
    await agent.until((entries) => reads(entries).join('').endsWith('~x') || undefined);
    assert.is(await agent.received(), '\x1b[200~from automation\x1b[201~x');
    const { body: held } = await rig.call('GET', `/api/seat/held-messages/${seat}`);
    assert.is(held.total, 0, 'what may have been written is never held');
  });
}

test('23 a mode that is set while a message is typed is pending until it has ended, and holds at once', async ({
  rig,
}) => {
  const agent = await rig.seat('g23', ['--swallow-enter']);
  await rig.call('PATCH', '/api/seat/settings/g23', { confirm_ms: 4_000 });
  const operator = await rig.operator('g23');
  const sending = rig.send('g23', 'under way');
  await operator.until(() => operator.screen.includes('under way'));
  const set = rig.guard('g23', 'hold');
  await rig.status('g23', () => true);
  const meanwhile = await rig.send('g23', 'meanwhile');
  assert.equal([meanwhile.body.outcome, meanwhile.body.reason], ['retained', 'typing_guard_enabled']);
  const { status, body } = await set;
  assert.equal([status, body.pending, body.desired, body.effective], [202, true, 'hold', 'off']);
  assert.is((await sending).body.outcome, 'unconfirmed');
  const { body: now } = await rig.call('GET', '/api/seat/status/g23');
  assert.equal([now.typing_guard, now.typing_guard_desired], ['hold', 'hold']);
  assert.is(await agent.received(), '\x1b[200~under way\x1b[201~\r');
});

test('24 the actor of a change is the credential, never the body', async ({ rig }) => {
  await rig.seat('g24');
  const named = { mode: 'hold', reason: 'why', actor: 'somebody else' };
  assert.is((await rig.call('POST', '/api/seat/set-typing-guard/g24', named)).status, 200);
  const [record] = (await rig.audit('g24')).filter(({ kind }) => kind === 'guard.changed');
  assert.is((record as { identity?: string }).identity, 'admin operator: unattributed (no seat identity)');
});

test('25 both mode and enabled, neither, no reason, retry settings: each is refused whole', async ({
  rig,
}) => {
  await rig.seat('g25');
  for (const body of [
    { mode: 'hold', enabled: true, reason: 'x' },
    { reason: 'x' },
    { mode: 'hold' },
    { mode: 'hold', reason: '  ' },
    { mode: 'sometimes', reason: 'x' },
    { mode: 'hold', reason: 'x', retries: 3 },
  ]) {
    const { status } = await rig.call('POST', '/api/seat/set-typing-guard/g25', body);
    assert.is(status, 400, JSON.stringify(body));
  }
  const { body } = await rig.call('POST', '/api/seat/set-typing-guard/g25', { enabled: true, reason: 'x' });
  assert.equal([body.effective, body.revision], ['hold', 1]);
  assert.is((await rig.guard('g25', 'hold')).body.revision, 1, 'the same mode is no new revision');
  assert.is((await rig.audit('g25')).filter(({ kind }) => kind === 'guard.changed').length, 2);
});

test('27 raw and force bypass nothing', async ({ rig }) => {
  const agent = await rig.seat('g27');
  await rig.guard('g27', 'hold');
  const { body } = await rig.send('g27', 'x', { raw: true, force: true });
  assert.is(body.outcome, 'retained');
  assert.ok(body.warnings.some((one: string) => one.startsWith('force is ignored')));
  assert.is(await agent.received(), '');
});

test('28 a message that waits is not typed to a successor', async ({ rig }) => {
  await rig.seat('g28');
  await rig.send('g28', 'work 20s');
  await rig.status('g28', ({ state }) => state === 'working');
  const waiting = rig.send('g28', 'for the old one', { wait_ms: 60_000 });
  await rig.status('g28', () => true);
  const { body: floor } = await rig.call('GET', '/api/seat/floor/g28');
  const { status } = await rig.call('POST', '/admin/sessions/g28/restart');
  assert.is(status, 200);
  const { body } = await waiting;
  assert.is(body.sent, false);
  assert.ok(['occupant_changed', 'session_ended'].includes(body.reason), body.reason);
  await rig.status('g28', ({ state }) => state === 'idle');
  assert.is(floor.waiting.length, 1);
  const stale = await rig.send('g28', 'x', { expect_generation: 1 });
  assert.is(stale.body.reason, 'occupant_changed');
});

test('29 in hold the hundred-and-first message fails, retiring frees its place, a newer one replaces its older', async ({
  rig,
}) => {
  await rig.seat('g29');
  await rig.guard('g29', 'hold');
  const ids: string[] = [];
  for (let n = 0; n < 100; n++)
    ids.push((await rig.send('g29', `m${n}`, n === 0 ? { supersede: 'row:1' } : {})).body.id);
  const full = await rig.send('g29', 'one too many');
  assert.equal(
    [full.status, full.body.ok, full.body.sent, full.body.reason, full.body.cause],
    [409, false, false, 'retention_full', 'typing_guard_enabled'],
  );
  const newer = await rig.send('g29', 'newer', { supersede: 'row:1' });
  assert.is(newer.body.outcome, 'retained', 'it takes the place of the older one');
  const page = await rig.call('GET', '/api/seat/held-messages/g29?limit=2&offset=0');
  assert.is(page.body.total, 100);
  assert.equal(
    page.body.items.map((one: { body: string; superseded: number }) => [one.body, one.superseded]),
    [
      ['newer', 1],
      ['m99', 0],
    ],
  );
  const last = await rig.call('GET', '/api/seat/held-messages/g29?limit=2&offset=99');
  assert.is(last.body.items.length, 1);
  const retire = `/api/seat/retire-held-message/g29/${ids[50]}`;
  assert.is((await rig.call('POST', retire, { reason: 'read' })).status, 200);
  assert.is((await rig.send('g29', 'again')).body.outcome, 'retained');
});

test('29 notices have twenty places of their own', async ({ rig }) => {
  await rig.seat('g29n');
  await rig.guard('g29n', 'sends-only');
  const shepherd = await rig.token('shepherd');
  const states: unknown[] = [];
  for (let n = 0; n < 21; n++) {
    const { state } = await rig.ask(shepherd, { seat: 'g29n', origin: 'notice', body: `n${n}` });
    states.push(state);
  }
  assert.equal(states.slice(0, 20), Array(20).fill('held'));
  assert.is(states[20], 'failed');
  await rig.guard('g29n', 'hold');
  assert.is((await rig.send('g29n', 'a message')).body.outcome, 'retained');
});

test('29 eight megabytes of held text are the other limit; draft-aware goes on and warns', async ({
  rig,
}) => {
  const agent = await rig.seat('g29b');
  await rig.guard('g29b', 'hold');
  const large = 'x'.repeat(1_048_576);
  for (let n = 0; n < 8; n++) assert.is((await rig.send('g29b', large)).body.outcome, 'retained');
  assert.is((await rig.send('g29b', 'y')).body.reason, 'retention_full');
  await rig.guard('g29b', 'draft-aware');
  const { body } = await rig.send('g29b', 'typed all the same');
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.is(body.warnings.length, 1);
  assert.equal(await agent.submitted(), ['typed all the same']);
});

test('32 retiring keeps the record; a foreign seat, a second time and no reason are refused', async ({
  rig,
}) => {
  await rig.seat('g32');
  await rig.seat('g32-other');
  await rig.guard('g32', 'hold');
  const { body } = await rig.send('g32', 'evidence');
  const retire = (seat: string, reason: string) =>
    rig.call('POST', `/api/seat/retire-held-message/${seat}/${body.id}`, { reason });
  assert.is((await retire('g32-other', 'x')).status, 404);
  assert.is((await retire('g32', ' ')).status, 400);
  assert.is((await retire('g32', 'read it')).status, 200);
  assert.is((await retire('g32', 'again')).status, 404);
  assert.is((await rig.call('GET', '/api/seat/held-messages/g32')).body.total, 0);
  const { body: all } = await rig.call('GET', '/api/seat/held-messages/g32?retired=1');
  assert.equal([all.items[0].body, all.items[0].retired_reason], ['evidence', 'read it']);
  assert.ok(
    (await rig.audit('g32')).some(({ kind, request }) => kind === 'held.retired' && request === body.id),
  );
});

test.run();
