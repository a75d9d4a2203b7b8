// What becomes of a wake and what a batch does, by their vectors; the text of a wake.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FloorOutcome } from '../../../shepherd/port.js';
import { envelopeOf, messageOf, REPEAT } from '../../../shepherd/wake/envelope.js';
import { type Carried, JOINED, planBatch } from '../../../shepherd/wake/plan.js';
import { afterOutcome, BLOCKED_SPACING_MS, isDueAgain, type Wake } from '../../../shepherd/wake/wake.js';
import { cases } from '../vector.js';

const test = suite('wake');

interface OutcomeCase {
  readonly outcome: FloorOutcome;
  readonly unresolved: boolean;
  readonly retired: boolean;
  readonly expect: object;
}
for (const one of cases<OutcomeCase>('wake.json', ['outcome', 'unresolved', 'retired', 'expect'])) {
  test(`wake.json: ${one.description}`, () => {
    const { untilAt, ...after } = afterOutcome(one, one.outcome, one.retired, 7);
    assert.equal(after, one.expect as never);
    assert.is(untilAt, after.state === 'parked' ? 7 : null);
  });
}

interface BatchCase {
  readonly carried: Carried | null;
  readonly due: readonly string[];
  readonly retired: readonly string[];
  readonly now: number;
  readonly expect: { readonly kind: string; readonly wakes?: readonly string[] };
}
for (const one of cases<BatchCase>('batch.json', ['carried', 'due', 'retired', 'now', 'expect'])) {
  test(`batch.json: ${one.description}`, () => {
    const due = one.due.map((id) => ({ id }) as Wake);
    const plan = planBatch(one.carried ?? undefined, due, new Set(one.retired), one.now);
    const told = plan.kind === 'ask' ? { kind: plan.kind, wakes: plan.wakes.map(({ id }) => id) } : plan;
    assert.equal(told, one.expect as never);
  });
}

const ROW = { id: 'q-1', source: 'b', summary: 'look', priority: 'routine', blockedOn: null } as const;

test('an envelope is one line without control characters, whatever the summary holds', () => {
  const text = envelopeOf({ ...ROW, summary: 'a\x1b]0;x\x07\nb\u202ec' }, 'row');
  assert.not.match(text, /[\p{Cc}\p{Cf}\n]/u);
  assert.match(
    text,
    /^\[openfloor wake, row from b\] q-1 ".*" is in your queue\. Read it: openfloor queue show q-1$/,
  );
  assert.match(envelopeOf({ ...ROW, priority: 'critical' }, 'row'), /\(critical\)/);
  assert.match(envelopeOf({ ...ROW, blockedOn: 'review' }, 'timer'), /still blocked on "review"/);
  assert.ok(envelopeOf({ ...ROW, summary: 'x'.repeat(10_000) }, 'row').length < 300);
});

test('a message says that delivery may repeat for the wakes of which it may, and only for those', () => {
  const one = messageOf([{ envelope: 'e1', repeat: false }]);
  assert.is(one, 'e1');
  assert.is(messageOf([{ envelope: 'e1', repeat: true }]), `e1 (${REPEAT})`);
  const lines = messageOf([
    { envelope: 'e1', repeat: true },
    { envelope: 'e2', repeat: false },
  ]).split('\n');
  assert.equal(lines, ['[openfloor] 2 rows are in your queue:', `e1 (${REPEAT})`, 'e2']);
  const full = Array.from({ length: JOINED }, () => ({ envelope: 'x'.repeat(300), repeat: true }));
  assert.ok(messageOf(full).length < 1_048_576);
});

test('a parked wake is due when its seat is ready, and not at every look at a screen that refuses', () => {
  const seat = { occupied: true, blocked: false, statusAt: 50 };
  const due = (until: Wake['until'], facts: Partial<typeof seat>, now: number) =>
    isDueAgain({ until, untilAt: 100 }, { ...seat, ...facts }, now);
  assert.not.ok(due('unblocked', {}, 101));
  assert.ok(due('unblocked', { statusAt: 101 }, 101));
  assert.ok(due('unblocked', {}, 100 + BLOCKED_SPACING_MS));
  assert.not.ok(due('unblocked', { blocked: true, statusAt: 101 }, 100 + BLOCKED_SPACING_MS));
  assert.not.ok(due('unblocked', { occupied: false }, 100 + BLOCKED_SPACING_MS));
  assert.ok(due('occupied', { statusAt: 101, blocked: true }, 101));
  assert.not.ok(due('occupied', { occupied: false, statusAt: 101 }, 1e9));
  assert.not.ok(due('asked', { statusAt: 101 }, 1e9));
  assert.not.ok(due('pass', { statusAt: 101 }, 1e9));
});

test.run();
