// Parked owners against their vectors: grace, obligations, attempts, rotation.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  afterAttempt,
  fingerprintOf,
  GRACE_MS,
  judgeOwner,
  NO_ATTEMPTS,
  type OwnerVerdict,
  observe,
  REPEAT_MS,
  type Waiting,
} from '../../../shepherd/parked/owner.js';
import { type Candidate, pick } from '../../../shepherd/parked/rotation.js';
import type { RowFacts, SeatFacts } from '../../../shepherd/routine/policy.js';
import { NOW, rowOf, seatOf } from '../routine/facts.js';
import { cases } from '../vector.js';

const test = suite('parked owners');

interface Case {
  readonly seat: Partial<SeatFacts> | null;
  readonly waitedMs?: number;
  readonly rows: ReadonlyArray<Partial<RowFacts>>;
  readonly asked?: boolean;
  readonly attemptedAt?: number;
  readonly confirmed?: { readonly occupant: string; readonly rows: ReadonlyArray<Partial<RowFacts>> };
  readonly graceMs?: number;
  readonly expect: Partial<OwnerVerdict>;
}
const FIELDS = ['seat', 'waitedMs', 'rows', 'asked', 'attemptedAt', 'confirmed', 'graceMs', 'expect'];
for (const one of cases<Case>('parked-owner.json', FIELDS)) {
  test(one.description, () => {
    const seat = one.seat === null ? undefined : seatOf('target', one.seat);
    const waiting = seat && observe(undefined, { ...seat, at: NOW - (one.waitedMs ?? 0) }, NOW);
    const { confirmed } = one;
    const verdict = judgeOwner(
      {
        seat,
        waiting,
        rows: one.rows.map(rowOf),
        asked: one.asked === true,
        attempts: {
          attemptedAt: one.attemptedAt ?? null,
          confirmed: confirmed
            ? { occupant: confirmed.occupant, fingerprint: fingerprintOf(confirmed.rows.map(rowOf)) }
            : null,
          unresolved: false,
        },
        graceMs: one.graceMs ?? GRACE_MS,
        repeatMs: REPEAT_MS,
      },
      NOW,
    );
    const shown = Object.entries(verdict).filter(([field]) => field === 'kind' || field in one.expect);
    assert.equal(Object.fromEntries(shown), one.expect);
  });
}

interface Look {
  readonly now: number;
  readonly seat: Partial<SeatFacts> | null;
  readonly since: number | null;
}
for (const { description, looks } of cases<{ looks: Look[] }>('waiting.json', ['looks'])) {
  test(`waiting: ${description}`, () => {
    let waiting: Waiting | undefined;
    for (const { now, seat, since } of looks) {
      waiting = observe(waiting, seat === null ? undefined : seatOf('target', seat), now);
      assert.is(waiting?.sinceAt ?? null, since);
    }
  });
}

interface RotationCase {
  readonly candidates: Candidate[];
  readonly notReady?: readonly string[];
  readonly expect: readonly string[];
}
for (const one of cases<RotationCase>('rotation.json', ['candidates', 'notReady', 'expect'])) {
  test(`rotation: ${one.description}`, () => {
    const picked = pick(one.candidates, ({ seat }) => !one.notReady?.includes(seat));
    assert.equal(
      picked.map(({ seat }) => seat),
      one.expect,
    );
  });
}

test('an attempt that nobody heard of again leaves nothing to rest on, and a later one says that it may repeat', () => {
  const at = { fingerprint: 'f', occupant: '1 10.1' };
  const confirmed = afterAttempt(NO_ATTEMPTS, 'confirmed', at, 1);
  assert.equal(confirmed.confirmed, at);
  const begun = afterAttempt(confirmed, null, at, 2);
  assert.equal(begun, { attemptedAt: 2, confirmed: null, unresolved: false });
  const unknown = afterAttempt(begun, 'unconfirmed', at, 3);
  assert.equal([unknown.confirmed, unknown.unresolved], [null, true]);
  // What fails before any byte proves nothing about the one before.
  assert.is(afterAttempt(unknown, 'failed', at, 4).unresolved, true);
  assert.is(afterAttempt(unknown, 'confirmed', at, 5).unresolved, false);
});

test.run();
