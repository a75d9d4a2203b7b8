// Causes of alerts and the rate cap against their vectors.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { causesOf, changesOf, type Failing, keyOf, type SeatState } from '../../../shepherd/alert/cause.js';
import { type Admission, RateCap } from '../../../shepherd/alert/rate-cap.js';
import type { Alert } from '../../../shepherd/port.js';
import { laid, NOW } from '../routine/facts.js';
import { cases } from '../vector.js';

const test = suite('causes of alerts');

const PLAIN: SeatState = {
  seat: 'builder',
  state: 'idle',
  at: 0,
  owes: false,
  waits: null,
  unsubmittedSince: null,
};
interface Case {
  readonly seats?: ReadonlyArray<Partial<SeatState>>;
  readonly failing?: readonly Failing[];
  readonly held?: Readonly<Record<string, { held: number; sinceAt: number }>>;
  readonly standing?: ReadonlyArray<readonly unknown[]>;
  readonly expect: readonly Alert[];
  readonly raise?: ReadonlyArray<readonly unknown[]>;
  readonly clear?: ReadonlyArray<readonly unknown[]>;
}
const FIELDS = ['seats', 'failing', 'held', 'standing', 'expect', 'raise', 'clear'];
for (const one of cases<Case>('alert.json', FIELDS)) {
  test(one.description, () => {
    const seats = (one.seats ?? []).map((seat) => laid(PLAIN, seat));
    const alerts = causesOf(seats, one.failing ?? [], new Map(Object.entries(one.held ?? {})), NOW);
    assert.equal(alerts, one.expect);
    if (one.standing === undefined) return;
    const text = (key: readonly unknown[]) => JSON.stringify(key);
    const { raise, clear } = changesOf(new Set(one.standing.map(text)), alerts);
    assert.equal(raise.map(keyOf), one.raise?.map(text));
    assert.equal(clear, one.clear?.map(text));
  });
}

interface CapCase {
  readonly messages: ReadonlyArray<{ from: string; to: string; at: number }>;
  /** Of the last message. */
  readonly expect: Admission;
}
for (const one of cases<CapCase>('rate-cap.json', ['messages', 'expect'])) {
  test(`rate cap: ${one.description}`, () => {
    const cap = new RateCap();
    const admissions = one.messages.map(({ from, to, at }) => cap.admit(from, to, at));
    assert.equal(admissions.at(-1), one.expect);
  });
}

test.run();
