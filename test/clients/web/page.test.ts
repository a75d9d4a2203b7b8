// The page's decisions without a browser: which seat needs a person, what a band remembers, what a fragment brings, and that
// text and bytes of strangers come through harmless and whole.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byNeed, needOf, type SeatSummary } from '../../../clients/web/desk/need.js';
import { loadPass, readFragment, savePass, ticketIn, viewLink } from '../../../clients/web/pass.js';
import { CodePoints } from '../../../clients/web/terminal/code-points.js';
import { visible } from '../../../clients/web/text/visible.js';
import {
  emptyTimeline,
  rowsOf,
  seeRecord,
  seeStatus,
  seeWaiting,
} from '../../../clients/web/timeline/model.js';
import { tellAsk } from '../../../clients/web/timeline/tell.js';
import type { AuditRecordValue } from '../../../protocol/audit.js';

const test = suite('page');

test('the same bytes one at a time are the same text, with no code point cut', () => {
  const text = 'a é 你 👩‍👩‍👧 end';
  const bytes = new TextEncoder().encode(text);
  const points = new CodePoints();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  assert.is([...bytes].map((byte) => decoder.decode(points.take(Uint8Array.of(byte)))).join(''), text);
  // What can't become a code point is not held back.
  assert.equal([...points.take(Uint8Array.of(0xff))], [0xff]);
});

test('seats that need a person come first, then by name', () => {
  const seat = (name: string, state: string, more: Partial<SeatSummary> = {}): SeatSummary => ({
    seat: name,
    status: { state },
    floor: { waiting: 0, reason: null },
    held: 0,
    ...more,
  });
  const seats = [
    seat('f', 'working'),
    seat('e', 'idle'),
    seat('d', 'unknown'),
    seat('c', 'idle', { held: 1 }),
    seat('b', 'idle', { floor: { waiting: 1, reason: 'draft_input_busy' } }),
    seat('a2', 'blocked'),
    seat('a1', 'blocked'),
  ];
  assert.is(
    byNeed(seats)
      .map(({ seat: name }) => name)
      .join(' '),
    'a1 a2 b c d e f',
  );
  // A wait that ends by itself needs nobody.
  assert.is(needOf(seat('x', 'working', { floor: { waiting: 1, reason: 'session_working' } })).level, 'none');
});

test('a request keeps the reasons of its wait through to its outcome', () => {
  const timeline = emptyTimeline();
  const at = Date.parse('2026-01-01T00:00:00Z');
  const waiting = (reason: string, since: number) => ({
    id: 'r',
    origin: 'wake',
    identity: 'shepherd s',
    accepted_at: new Date(at).toISOString(),
    reason,
    since: new Date(since).toISOString(),
  });
  seeWaiting(timeline, [waiting('human_active', at)], at);
  seeWaiting(timeline, [waiting('draft_input_busy', at + 3_000)], at + 3_000);
  const record = (seq: number, kind: string, time: number, more: object) =>
    seeRecord(timeline, { seq, kind, at: time, request: 'r', origin: 'wake', ...more } as AuditRecordValue);
  record(1, 'injection.granted', at + 9_000, { message: 'go' });
  record(2, 'injection.finished', at + 9_500, {
    outcome: 'complete',
    confirmed: true,
    reason: 'turn_started',
  });
  const [ask] = timeline.asks;
  assert.is(ask?.outcome, 'delivered');
  assert.is(ask?.seq, 2);
  assert.match(
    tellAsk(ask as NonNullable<typeof ask>, at + 10_000),
    /human_active.*draft_input_busy.*a turn began/,
  );
  assert.is(timeline.asks.length, 1);
});

test('a request that vanishes without a record ends; the status is told once a change', () => {
  const timeline = emptyTimeline();
  seeWaiting(
    timeline,
    [{ id: 'r', origin: 'send', identity: 'i', accepted_at: '', reason: null, since: null }],
    0,
  );
  seeWaiting(timeline, [], 1_000);
  assert.is(timeline.asks[0]?.to, undefined);
  seeWaiting(timeline, [], 5_000);
  assert.is(timeline.asks[0]?.outcome, 'over');
  for (const [state, now] of [
    ['idle', 0],
    ['idle', 5],
    ['working', 9],
  ] as const)
    seeStatus(timeline, { state }, now);
  assert.equal(
    timeline.spans.map(({ state, from, to }) => [state, from, to]),
    [
      ['idle', 0, 9],
      ['working', 9, undefined],
    ],
  );
  for (let index = 0; index < 3_000; index++) seeStatus(timeline, { state: `s${index}` }, index + 10);
  assert.is(timeline.spans.length, 1_000);
  assert.is(rowsOf(timeline.asks, 9_000, 2).get('r'), 0);
});

test('a fragment brings a ticket, a view or a seat, and nothing malformed', () => {
  assert.equal(readFragment('#ticket=abc'), { kind: 'ticket', ticket: 'abc' });
  assert.equal(readFragment('#seat=a%40b'), { kind: 'seat', seat: 'a@b' });
  assert.equal(readFragment('#seat=<img>'), { kind: 'plain' });
  assert.equal(readFragment('#ticket=<x>'), { kind: 'plain' });
  assert.is(ticketIn(' http://h/#ticket=abc '), 'abc');
  assert.is(ticketIn('not one'), undefined);
  const link = viewLink('http://h/p/', 'a@b', 't');
  assert.equal(readFragment(new URL(link).hash), {
    kind: 'view',
    pass: { kind: 'viewer', seat: 'a@b', token: 't' },
  });
});

test('a pass is kept for one address and gone after logging out', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  savePass(store, 'http://h/a/', { kind: 'operator', token: 't' });
  assert.equal(loadPass(store, 'http://h/a/'), { kind: 'operator', token: 't' });
  assert.is(loadPass(store, 'http://h/b/'), undefined);
  savePass(store, 'http://h/a/', undefined);
  assert.is(kept.size, 0);
});

test('control and direction characters show as code points, and length is bounded', () => {
  assert.is(visible('a\x1b[31m\u202eb\u200b'), 'a\\u{1b}[31m\\u{202e}b\\u{200b}');
  assert.is(visible('x'.repeat(300)).length, 241);
});

test.run();
