// The floor as a session sees it: what comes out for what goes in, in the order in which it happens.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FloorEffect } from '../../../runtime/floor/event.js';
import { Floor } from '../../../runtime/floor/floor.js';
import type { Request } from '../../../runtime/floor/request.js';
import { Rig, type RigOptions } from './rig.js';
import { NOW, requestOf, viewOf } from './vector.js';

const test = suite('floor/floor');
const rig = (options: Partial<RigOptions> = {}) =>
  new Rig({ reader: true, means: 'idle', auditSync: 'normal', ...options });
const kinds = (one: Rig) => one.effects.map((effect) => effect.kind);
const endingOf = (one: Rig, request: Request) => {
  const state = one.states.get(request.id);
  return typeof state === 'string' ? state : state && `${state.state} ${state.reason}`;
};
/** The agent draws, and the paste has time to settle. */
const show = (one: Rig) => {
  one.draw();
  one.deliver(9);
  one.read();
  one.advance(400);
};
const report = (one: Rig, state: 'idle' | 'working' | 'blocked') => {
  one.report(state);
  one.draw();
  one.deliver(9);
  one.read();
};

test('a send at an idle agent is accepted, granted, recorded, pasted, entered and confirmed', () => {
  const one = rig();
  const request = one.submit({}, 0);
  assert.equal(kinds(one).slice(0, 3), ['accepted', 'read_foreground', 'grant']);
  show(one);
  report(one, 'working');
  assert.is(endingOf(one, request), 'complete turn_started');
  assert.equal(
    one.log.map(({ text }) => text),
    [`\u001b[200~message ${request.id}.\u001b[201~`, '\r'],
  );
  assert.equal(one.submissions, [{ text: `message ${request.id}.`, by: 'grant' }]);
});

test('two messages go one after the other, each after its own turn', () => {
  const one = rig();
  const first = one.submit({}, 60_000);
  const second = one.submit({}, 60_000);
  show(one);
  assert.is(endingOf(one, second), 'waiting');
  report(one, 'working');
  assert.is(endingOf(one, first), 'complete turn_started');
  report(one, 'idle');
  assert.is(one.running?.request.id, second.id);
  show(one);
  report(one, 'working');
  assert.is(endingOf(one, second), 'complete turn_started');
  assert.equal(
    one.submissions.map(({ text }) => text),
    [first.body, second.body],
  );
});

test('a draft holds a message until the person has sent it and the agent is idle again', () => {
  const one = rig();
  one.key('deploy to');
  const request = one.submit({}, 60_000);
  one.advance(10_000);
  show(one);
  assert.is(endingOf(one, request), 'waiting');
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['draft_input_busy'],
  );
  one.enter();
  report(one, 'working');
  report(one, 'idle');
  one.advance(3_000);
  show(one);
  report(one, 'working');
  assert.is(endingOf(one, request), 'complete turn_started');
  assert.equal(one.submissions, [
    { text: 'deploy to', by: 'operator' },
    { text: request.body, by: 'grant' },
  ]);
});

test('a wait that ends is refused in off and kept in draft-aware, with nothing written', () => {
  for (const [mode, state] of [
    ['off', 'failed wait_for_idle_timeout'],
    ['draft-aware', 'held wait_for_idle_timeout'],
  ] as const) {
    const one = rig();
    one.mode(mode);
    report(one, 'working');
    const atOnce = one.submit({}, 0);
    const later = one.submit({}, 5_000);
    assert.is(endingOf(one, atOnce), state);
    one.advance(4_999);
    assert.is(endingOf(one, later), 'waiting');
    one.advance(1);
    assert.is(endingOf(one, later), state);
    assert.equal(one.log, []);
  }
});

test('a reading that is behind gets a moment, also without a wait', () => {
  const one = rig();
  one.floor.received(9_500);
  const request = one.submit({}, 0);
  assert.is(endingOf(one, request), 'waiting');
  one.advance(299);
  assert.is(endingOf(one, request), 'waiting');
  one.advance(1);
  assert.is(endingOf(one, request), 'failed draft_input_unknown');
});

test('a head that waits for its own reason does not block another group', () => {
  const one = rig();
  report(one, 'idle');
  one.step({ kind: 'facts', facts: { background: 'agents' } });
  const plain = one.submit({}, 60_000);
  const urgent = one.submit({ urgent: true, rank: 'urgent' }, 60_000);
  assert.is(endingOf(one, plain), 'waiting');
  assert.is(endingOf(one, urgent), 'sending');
});

test('a send that waits while the mode becomes hold is kept at once, and clearing the mode delivers nothing', () => {
  const one = rig();
  report(one, 'working');
  const request = one.submit({}, 60_000);
  one.mode('hold');
  assert.is(endingOf(one, request), 'held typing_guard_enabled');
  one.mode('off');
  report(one, 'idle');
  one.advance(60_000);
  assert.equal(one.log, []);
});

test('a mode that comes during a transaction is desired at once and effective when the floor is free', () => {
  const one = rig();
  one.submit({}, 0);
  one.mode('hold');
  assert.equal(one.floor.view.mode, { desired: 'hold', effective: 'off' });
  const request = one.submit({}, 60_000);
  assert.is(endingOf(one, request), 'held typing_guard_enabled');
  show(one);
  report(one, 'working');
  assert.equal(one.floor.view.mode, { desired: 'hold', effective: 'hold' });
  assert.is(kinds(one).filter((kind) => kind === 'mode_effective').length, 1);
});

test('a request is refused when it comes to a blocked agent, and waits if it came before', () => {
  const one = rig();
  report(one, 'working');
  const before = one.submit({}, 60_000);
  report(one, 'blocked');
  const after = one.submit({}, 60_000);
  assert.is(endingOf(one, before), 'waiting');
  assert.is(endingOf(one, after), 'failed target_needs_input');
});

test('an answer types its keys and is done when the dialog has gone', () => {
  const one = rig();
  one.openDialog('permission');
  report(one, 'blocked');
  const identity = { kind: 'admin', name: 'root', scopes: [] } as const;
  const answer = one.submit(
    { origin: 'answer', body: '', identity, dialog: { instance: 'd1', choice: 'deny_once' } },
    0,
  );
  assert.equal(
    one.log.map(({ text }) => text),
    ['2'],
  );
  show(one);
  assert.is(endingOf(one, answer), 'complete dialog_answered');
});

test('withdraw and grant are ordered: a waiting request is withdrawn, a granted one is not', () => {
  const one = rig();
  const granted = one.submit({}, 60_000);
  const waiting = one.submit({}, 60_000);
  const answer = (id: string) => one.step({ kind: 'withdraw', id, reason: 'draft_wake_superseded' }).at(-1);
  assert.equal(answer(waiting.id), { kind: 'withdraw_answer', id: waiting.id, answer: 'withdrawn' });
  assert.equal(answer(granted.id), { kind: 'withdraw_answer', id: granted.id, answer: 'already_granted' });
  assert.equal(answer('nobody'), { kind: 'withdraw_answer', id: 'nobody', answer: 'unknown' });
  assert.is(endingOf(one, waiting), 'failed draft_wake_superseded');
});

test('a newer request takes the place of the waiting one with its key, not of one that is being typed', () => {
  const one = rig();
  const typed = one.submit({ supersede: 'row:1' }, 60_000);
  const second = one.submit({ supersede: 'row:1' }, 60_000);
  const third = one.submit({ supersede: 'row:1' }, 60_000);
  assert.is(endingOf(one, typed), 'sending');
  assert.is(endingOf(one, second), 'failed superseded');
  assert.is(endingOf(one, third), 'waiting');
});

test('a key returns the open request, then its result; a result without a byte lets it try again', () => {
  const one = rig();
  const first = one.submit({ idempotencyKey: 'k', body: 'once' }, 0);
  const again = one.submit({ idempotencyKey: 'k', body: 'once' }, 0);
  const duplicate = () => one.effects.filter((effect) => effect.kind === 'duplicate').at(-1);
  assert.equal(duplicate(), { kind: 'duplicate', request: again, of: first.id, result: undefined });
  show(one);
  report(one, 'working');
  one.submit({ idempotencyKey: 'k', body: 'once' }, 0);
  const found = duplicate() as FloorEffect & { kind: 'duplicate' };
  assert.is(found.result?.reason, 'turn_started');
  one.submit({ idempotencyKey: 'k', body: 'other' }, 0);
  assert.is(one.effects.at(-1)?.kind, 'rejected');
  const refused = one.submit({ idempotencyKey: 'z', body: 'later' }, 0);
  assert.is(endingOf(one, refused), 'failed wait_for_idle_timeout');
  report(one, 'idle');
  const retried = one.submit({ idempotencyKey: 'z', body: 'later' }, 0);
  assert.is(endingOf(one, retried), 'sending');
});

test('a record that fails writes nothing and shuts the floor for a second', () => {
  const one = rig();
  one.auditWorks = false;
  const first = one.submit({}, 60_000);
  const second = one.submit({}, 60_000);
  assert.is(endingOf(one, first), 'failed audit_unavailable');
  assert.is(endingOf(one, second), 'waiting');
  one.auditWorks = true;
  one.advance(999);
  assert.is(endingOf(one, second), 'waiting');
  one.advance(1);
  assert.is(endingOf(one, second), 'sending');
  assert.is(one.log.length, 1);
});

test('with a full audit the intent comes first and the decision again', () => {
  const floor = new Floor({ auditSync: 'full', view: { ...viewOf(), foreground: { kind: 'unread' } } });
  const front = { kind: 'facts', facts: { foreground: { kind: 'agent', carrier: false } } } as const;
  floor.step({ kind: 'submit', request: requestOf() }, NOW);
  const intent = floor.step(front, NOW);
  assert.equal(
    intent.map(({ kind }) => kind),
    ['commit_intent', 'group_waits'],
  );
  floor.step({ kind: 'operator', input: 'key' }, NOW + 1);
  const committed = floor.step({ kind: 'intent_committed', id: 'r1' }, NOW + 2);
  assert.not.ok(committed.some(({ kind }) => kind === 'grant'));
  assert.is(floor.fence, undefined);
  floor.step({ kind: 'tick' }, NOW + 3_001);
  assert.ok(floor.step(front, NOW + 3_001).some(({ kind }) => kind === 'grant'));
});

test('a stale fence moves nothing', () => {
  const one = rig();
  one.submit({}, 0);
  const { fence } = one.floor;
  assert.ok(fence);
  const stale = { generation: fence.generation, epoch: fence.epoch - 1 };
  one.step({ kind: 'enter_written', fence: stale, taken: true });
  one.step({ kind: 'write_failed', fence: stale });
  one.step({ kind: 'paste_written', fence: { ...fence, generation: 6 }, bytes: 3, complete: true });
  assert.is(one.floor.transaction?.phase.kind, 'settling');
  assert.equal(one.floor.fence, fence);
});

test('a message waits for the occupant it was sent to, and is refused when there is another', () => {
  const one = rig();
  report(one, 'working');
  const request = one.submit({}, 60_000);
  one.restartSession();
  assert.is(endingOf(one, request), 'failed session_ended');
});

test('a late turn start confirms a complete message, unless a person’s Enter came between', () => {
  for (const between of [false, true]) {
    const one = rig();
    const request = one.submit({}, 0);
    show(one);
    one.advance(5_000);
    assert.is(endingOf(one, request), 'complete unconfirmed');
    if (between) one.enter();
    report(one, 'working');
    report(one, 'working');
    assert.is(kinds(one).filter((kind) => kind === 'upgraded').length, between ? 0 : 1);
  }
});

test('text that stays unsubmitted raises its alert after a minute, and a turn ends it', () => {
  const one = rig({ reader: false });
  one.submit({}, 0);
  show(one);
  one.advance(59_000);
  const alerts = () => one.effects.flatMap((effect) => (effect.kind === 'alert' ? [effect.on] : []));
  assert.equal(alerts(), []);
  one.advance(1_000);
  assert.equal(alerts(), [true]);
  const waiting = one.submit({}, 60_000);
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['awaiting_turn'],
  );
  report(one, 'working');
  assert.equal(alerts(), [true, false]);
  report(one, 'idle');
  assert.is(endingOf(one, waiting), 'sending');
});

test('an operator who settles the seat ends the wait for a turn', () => {
  const one = rig({ reader: false });
  one.submit({}, 0);
  show(one);
  one.advance(5_000);
  const waiting = one.submit({}, 60_000);
  assert.is(endingOf(one, waiting), 'waiting');
  one.declareSettled();
  assert.is(endingOf(one, waiting), 'sending');
});

test('what was drawn before the last piece of a cut paste does not vouch for an empty composer', () => {
  const one = rig();
  one.room = 8;
  const stuck = one.submit({}, 0);
  show(one);
  one.advance(5_000);
  assert.is(endingOf(one, stuck), 'indeterminate paste_stalled');
  one.room = 1_000;
  const later = one.submit({}, 60_000);
  one.advance(30_000);
  assert.is(endingOf(one, later), 'waiting');
  show(one);
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['awaiting_turn'],
  );
  one.enter();
  report(one, 'working');
  report(one, 'idle');
  one.advance(3_000);
  assert.is(endingOf(one, later), 'sending');
});

test('a question that comes and goes does not say that a pasted text has gone', () => {
  const one = rig({ reader: false });
  const staged = one.submit({}, 0);
  report(one, 'blocked');
  one.advance(5_000);
  assert.is(endingOf(one, staged), 'indeterminate target_needs_input');
  report(one, 'idle');
  const later = one.submit({}, 60_000);
  assert.is(endingOf(one, later), 'waiting');
  report(one, 'working');
  report(one, 'idle');
  assert.is(endingOf(one, later), 'sending');
});

test('an answer to a dialog does not say that a pasted text has gone', () => {
  const one = rig({ reader: false });
  one.submit({}, 0);
  one.advance(5_000);
  one.openDialog('permission');
  report(one, 'blocked');
  const identity = { kind: 'admin', name: 'root', scopes: [] } as const;
  one.submit({ origin: 'answer', body: '', identity, dialog: { instance: 'd1', choice: 'allow_once' } }, 0);
  report(one, 'idle');
  const later = one.submit({}, 60_000);
  assert.is(endingOf(one, later), 'waiting');
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['awaiting_turn'],
  );
});

test('a lifecycle step is owed from its Enter to the next idle', () => {
  const one = rig();
  const identity = { kind: 'admin', name: 'root', scopes: [] } as const;
  const compact = one.submit({ origin: 'lifecycle', body: '/compact', identity }, 0);
  show(one);
  assert.is(one.floor.view.lifecycleOwed, true);
  report(one, 'working');
  assert.is(endingOf(one, compact), 'complete turn_started');
  one.submit({}, 60_000);
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['lifecycle_owed'],
  );
  report(one, 'idle');
  assert.is(one.floor.view.lifecycleOwed, false);
  assert.ok(one.running);
});

test('the next deadline is always ahead, and nothing is due when nothing waits', () => {
  const one = rig();
  assert.is(one.floor.nextDeadline(), undefined);
  report(one, 'working');
  one.submit({}, 500);
  assert.is(one.floor.nextDeadline(), one.now + 500);
  one.submit({}, 60_000);
  one.advance(500);
  assert.is(one.floor.nextDeadline(), one.now + 1_000);
  one.key('x');
  one.advance(2_500);
  assert.is(one.floor.nextDeadline(), one.now + 1_000, 'who waits for a turn does not wait for the typist');
  assert.is(one.floor.wantsReading, false, 'and no reading changes it');
});

test('a grant tells what its request waited for, in order; one that did not wait tells nothing', () => {
  const one = rig();
  report(one, 'working');
  one.submit({}, 60_000);
  const since = one.now;
  one.advance(1_000);
  report(one, 'idle');
  one.advance(2_000);
  assert.equal(one.injections[0]?.waits[0], { row: 7, reason: 'session_working', sinceAt: since });
  const other = rig();
  report(other, 'idle');
  other.submit({}, 60_000);
  assert.equal(other.injections[0]?.waits, []);
});

test('who waits for a typist is judged when the quiet time is over', () => {
  const one = rig();
  report(one, 'idle');
  one.key('x');
  one.submit({}, 60_000);
  assert.equal(
    [...one.floor.waiting()].map(({ wait }) => wait?.reason),
    ['human_active'],
  );
  one.advance(2_500);
  assert.is(one.floor.nextDeadline(), one.now + 500);
});

test('explaining is a pure read', () => {
  const one = rig();
  report(one, 'working');
  const before = one.floor.view;
  const rows = one.floor.explain(requestOf(), one.now);
  assert.equal(
    rows.filter(({ finding }) => finding.kind === 'wait').map(({ row }) => row),
    [7],
  );
  assert.is(one.floor.view, before);
  assert.is(one.floor.waitingCount, 0);
});

test.run();
