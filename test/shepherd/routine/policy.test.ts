// The policies of routines against their vectors: each a function of routine, facts and time.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReason } from '../../../protocol/reason.js';
import { digestOf, type Notice } from '../../../shepherd/routine/digest.js';
import { isStale, judge } from '../../../shepherd/routine/judge.js';
import { QUIET_SKIPS, type Verdict } from '../../../shepherd/routine/policy.js';
import type { Policy, Routine } from '../../../shepherd/routine/routine.js';
import { firstDue, nextDue, type Schedule, scheduleFault } from '../../../shepherd/routine/schedule.js';
import { cases } from '../vector.js';
import { type FactsCase, factsOf, NOW, routineOf } from './facts.js';

const test = suite('policies of routines');

interface Case {
  readonly routine: Partial<Routine>;
  readonly facts: FactsCase;
  readonly waiting?: boolean;
  /** Rows that a waiting message speaks of: is it stale? */
  readonly stale?: readonly string[];
  readonly expect: Partial<Verdict> | boolean;
}

const spoken: readonly Policy[] = ['periodic-reminder', 'idle-gate', 'overdue', 'on-status'];
for (const policy of spoken) {
  for (const one of cases<Case>(`${policy}.json`, ['routine', 'facts', 'waiting', 'stale', 'expect'])) {
    test(`${policy}: ${one.description}`, () => {
      const base = policy === 'periodic-reminder' ? {} : { spec: {} };
      const routine = routineOf({ policy, ...base, ...one.routine });
      const facts = factsOf(one.facts);
      if (one.stale !== undefined) return assert.is(isStale(routine, one.stale, facts), one.expect);
      const verdict = judge(routine, facts, NOW, one.waiting === true);
      const expected = one.expect as Partial<Verdict>;
      // A case may leave the text out where another one has it.
      const { text: _, ...rest } = verdict as Verdict & { text?: string };
      assert.equal('text' in expected ? verdict : rest, expected);
    });
  }
}

test('the list of quiet skips is closed, and each is a reason of the table', () => {
  assert.equal(
    [...QUIET_SKIPS],
    [
      'not_due',
      'nothing_actionable',
      'seat_working',
      'seat_needs_input',
      'activity_unknown',
      'active_wake_not_due',
      'healthy',
    ],
  );
  for (const skip of QUIET_SKIPS) assert.ok(isReason(skip), skip);
});

interface ScheduleCase {
  readonly schedule: Schedule;
  readonly now: number;
  readonly scanMs?: number;
  readonly dueAt?: number;
  readonly first?: number;
  readonly next?: number | null;
  readonly fault?: string;
}
const FIELDS = ['schedule', 'now', 'scanMs', 'dueAt', 'first', 'next', 'fault'];
for (const one of cases<ScheduleCase>('schedule.json', FIELDS)) {
  test(`schedule: ${one.description}`, () => {
    const { schedule, now, fault } = one;
    if (fault !== undefined)
      return assert.ok(scheduleFault(schedule, now)?.includes(fault), scheduleFault(schedule, now) ?? 'none');
    assert.is(scheduleFault(schedule, now), undefined);
    if (one.first !== undefined) assert.is(firstDue(schedule, now), one.first);
    if (one.next !== undefined)
      assert.is(nextDue(schedule, one.scanMs ?? null, one.dueAt ?? now, now), one.next);
  });
}

for (const one of cases<{ notices: Notice[]; expect: string }>('digest.json', ['notices', 'expect'])) {
  test(`digest: ${one.description}`, () => assert.is(digestOf(one.notices), one.expect));
}

test.run();
