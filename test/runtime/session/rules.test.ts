// The pure rules of a session: takeover budget, size election, lifetimes, reply order.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TAKEOVER_WINDOW_MS } from '../../../protocol/limit.js';
import { judgeLifetime, type LifetimeFacts } from '../../../runtime/session/lifetime.js';
import { encodeCursor, ReplyOrder } from '../../../runtime/session/reply-order.js';
import { electSize } from '../../../runtime/session/size.js';
import { FRESH_BUDGET, spendTakeover } from '../../../runtime/session/takeover.js';

const test = suite('session rules');

test('three takeovers a window, the next is refused, and a new window begins after it', () => {
  let budget = FRESH_BUDGET;
  for (const at of [10, 20, 30]) {
    const next = spendTakeover(budget, at);
    assert.ok(next);
    budget = next;
  }
  assert.is(spendTakeover(budget, 40), undefined);
  assert.is(spendTakeover(budget, 10 + TAKEOVER_WINDOW_MS - 1), undefined);
  assert.equal(spendTakeover(budget, 10 + TAKEOVER_WINDOW_MS), {
    windowStart: 10 + TAKEOVER_WINDOW_MS,
    used: 1,
  });
});

const size = (rows: number, cols: number) => ({ rows, cols });
test('the most recently active operator’s size rules and viewers never count', () => {
  const votes = [
    { mode: 'join', size: size(30, 100), activeAt: 1 },
    { mode: 'join', size: size(40, 120), activeAt: 2 },
    { mode: 'view', size: size(10, 30), activeAt: 9 },
  ] as const;
  assert.equal(electSize(votes), size(40, 120));
  assert.equal(electSize(votes.slice(0, 1)), size(30, 100));
  assert.is(electSize(votes.slice(2)), undefined);
  assert.is(electSize([{ mode: 'take', size: undefined, activeAt: 1 }]), undefined);
});
test('a shared size is clamped and a sole operator’s is not', () => {
  assert.equal(electSize([{ mode: 'join', size: size(1, 2), activeAt: 1 }]), size(5, 20));
  assert.equal(electSize([{ mode: 'take', size: size(1, 2), activeAt: 1 }]), size(1, 2));
});

const facts: LifetimeFacts = { startedAt: 0, lastActivityAt: 0, attached: false, warned: false };
test('the absolute lifetime warns 30 s before and ends, attached or not', () => {
  const rules = { absoluteMs: 100_000, detachedIdleMs: undefined };
  assert.equal(judgeLifetime(rules, facts, 0), { kind: 'lives', nextDeadline: 70_000 });
  assert.equal(judgeLifetime(rules, { ...facts, attached: true }, 70_000), {
    kind: 'warn',
    secondsRemaining: 30,
  });
  assert.equal(judgeLifetime(rules, { ...facts, warned: true }, 70_000), {
    kind: 'lives',
    nextDeadline: 100_000,
  });
  assert.equal(judgeLifetime(rules, { ...facts, attached: true, warned: true }, 100_000), {
    kind: 'expired',
    which: 'absolute',
  });
});
test('the idle lifetime runs only while nobody is attached', () => {
  const rules = { absoluteMs: undefined, detachedIdleMs: 50 };
  assert.equal(judgeLifetime(rules, { ...facts, attached: true }, 1000), {
    kind: 'lives',
    nextDeadline: undefined,
  });
  assert.equal(judgeLifetime(rules, { ...facts, lastActivityAt: 990 }, 1000), {
    kind: 'lives',
    nextDeadline: 1040,
  });
  assert.equal(judgeLifetime(rules, facts, 50), { kind: 'expired', which: 'detached_idle' });
});
test('a session that never expires sets no deadline', () => {
  const rules = { absoluteMs: undefined, detachedIdleMs: undefined };
  assert.equal(judgeLifetime(rules, facts, 1e15), { kind: 'lives', nextDeadline: undefined });
});

function order(cursor: () => Promise<{ row: number; col: number }>) {
  const sent: string[] = [];
  const timers: Array<() => void> = [];
  const replies = new ReplyOrder({
    send: (data) => sent.push(Buffer.from(data).toString()),
    cursor,
    lastCursor: () => ({ row: 9, col: 9 }),
    after: (_ms, run) => {
      timers.push(run);
      return () => {};
    },
  });
  return { replies, sent, timers };
}
const fixed = (text: string) => ({ kind: 'fixed', bytes: new TextEncoder().encode(text) }) as const;
test('a reply that needs the screen holds back later replies and not earlier ones', async () => {
  const { replies, sent } = order(async () => ({ row: 3, col: 4 }));
  replies.add(fixed('A'));
  replies.add({ kind: 'cursor', form: 'cpr' });
  replies.add({ kind: 'eaten' });
  replies.add(fixed('B'));
  assert.equal(sent, ['A']);
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(sent, ['A', '\x1b[3;4R', 'B']);
});
test('a screen that is too late is answered for with the last position, once', async () => {
  let answer: (cell: { row: number; col: number }) => void = () => {};
  const { replies, sent, timers } = order(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  replies.add({ kind: 'cursor', form: 'decxcpr' });
  timers[0]?.();
  assert.equal(sent, ['\x1b[?9;9;1R']);
  answer({ row: 1, col: 1 });
  await Promise.resolve();
  await Promise.resolve();
  assert.is(sent.length, 1);
});
test('a cursor position is reported one-based, row first', () => {
  assert.is(Buffer.from(encodeCursor('cpr', { row: 12, col: 40 })).toString(), '\x1b[12;40R');
});

test.run();
