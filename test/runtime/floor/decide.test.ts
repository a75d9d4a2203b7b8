// One vector per row of the decision, per cell of the origins' table, and per way in which a wait can end.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reason } from '../../../protocol/reason.js';
import { decide, decideEnter, endOfWait, explain, ROWS } from '../../../runtime/floor/decide.js';
import type { Request } from '../../../runtime/floor/request.js';
import type { View } from '../../../runtime/floor/view.js';
import { cases, NOW, requestOf, viewOf } from './vector.js';

const test = suite('floor/decide');

interface DecideCase {
  readonly view: Partial<View>;
  readonly request: Partial<Request>;
  readonly stage: 'submitted' | 'waiting';
  readonly now: number;
  readonly expect: { kind: string; row: number; reason?: Reason; cause?: Reason };
}

const FIELDS = ['view', 'request', 'stage', 'now', 'expect'];
for (const path of ['floor/decide.json', 'guard/origin.json']) {
  for (const one of cases<DecideCase>(path, FIELDS)) {
    test(`${path}: ${one.description}`, () => {
      const judged = decide(requestOf(one.request), viewOf(one.view), one.now, one.stage);
      const { kind, row } = judged;
      const reason = 'reason' in judged ? { reason: judged.reason } : {};
      const cause = 'cause' in judged && judged.cause ? { cause: judged.cause } : {};
      assert.equal({ kind, row, ...reason, ...cause }, one.expect);
      if (judged.kind === 'grant') assert.is(judged.rows.length, ROWS.length);
    });
  }
}

test('every row but the last has a vector in which it is the one that fails', () => {
  const rows = new Set(cases<DecideCase>('floor/decide.json', FIELDS).map((one) => one.expect.row));
  assert.equal(
    [...rows].sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  );
});

test('explain gives every row with its evidence, also after the first that fails', () => {
  const view = viewOf({ status: { state: 'working' }, ledger: 'draft' });
  const rows = explain(requestOf(), view, NOW);
  assert.is(rows.length, ROWS.length);
  const failed = rows.filter(({ finding }) => finding.kind !== 'pass').map(({ row }) => row);
  assert.equal(failed, [7, 11]);
  assert.equal(rows[9]?.finding, { kind: 'pass', evidence: { composing: false } });
  assert.equal(rows[10]?.finding, {
    kind: 'wait',
    reason: 'draft_input_busy',
    evidence: { reading: 'empty', ledger: 'draft' },
  });
});

test('the evidence of a decision is plain data', () => {
  const rows = explain(requestOf(), viewOf(), NOW);
  assert.equal(JSON.parse(JSON.stringify(rows)), rows);
});

test('the re-check before Enter looks at rows 1, 2, 5 to 8, 12 and 14', () => {
  const view = viewOf({
    mode: { desired: 'hold', effective: 'hold' },
    holder: { kind: 'held', request: 'r1', sinceAt: NOW },
    evidence: { kind: 'consumed', by: 'paste', at: NOW, signal: 5, offset: 9_000, turnSeen: false },
    presence: { lastKeyAt: NOW, composingUntilAt: undefined },
    ledger: 'draft',
  });
  const judged = decideEnter(requestOf(), view, NOW);
  assert.ok(judged.kind === 'grant');
  assert.equal(
    judged.rows.map(({ row }) => row),
    [1, 2, 5, 6, 7, 8, 12, 14],
  );
});

interface EndCase {
  readonly view: Partial<View>;
  readonly request: Partial<Request>;
  readonly judged: { readonly reason: Reason; readonly cause?: Reason };
  readonly expect: { readonly state: string; readonly reason: Reason; readonly cause?: Reason };
}
for (const one of cases<EndCase>('floor/wait-end.json', ['view', 'request', 'judged', 'expect'])) {
  test(`floor/wait-end.json: ${one.description}`, () => {
    assert.equal(endOfWait(requestOf(one.request), viewOf(one.view), one.judged), one.expect);
  });
}

test.run();
