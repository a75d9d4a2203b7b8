// Presence: keystrokes and composing make a person recent, clicks and replies do not.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMPOSING_MS } from '../../../protocol/limit.js';
import {
  isComposing,
  isRecent,
  NOBODY,
  presenceAfter,
  presenceDeadlineMs,
} from '../../../runtime/input/presence.js';
import type { KeyClass, Segment, SegmentKind } from '../../../runtime/input/segment.js';

const test = suite('presence');
const QUIET_MS = 3_000;
const segment = (kind: SegmentKind, key?: KeyClass): Segment => ({
  kind,
  bytes: new Uint8Array(1),
  passes: true,
  ...(key && { key }),
});
const typed = (kind: SegmentKind, key: KeyClass | undefined, atMs: number) =>
  presenceAfter(NOBODY, { kind: 'input', segment: segment(kind, key), atMs });

test('nobody is not recent', () => {
  assert.not(isRecent(NOBODY, QUIET_MS, 0));
  assert.is(presenceDeadlineMs(NOBODY, QUIET_MS, 0), undefined);
});

test('a key is recent until the quiet time is over, and the deadline says when', () => {
  const presence = typed('key', 'text', 1_000);
  assert.ok(isRecent(presence, QUIET_MS, 3_999));
  assert.not(isRecent(presence, QUIET_MS, 4_000));
  assert.is(presenceDeadlineMs(presence, QUIET_MS, 1_000), 4_000);
  assert.is(presenceDeadlineMs(presence, QUIET_MS, 4_000), undefined);
});

test('with a quiet time of 0 no key is recent', () => {
  assert.not(isRecent(typed('key', 'text', 1_000), 0, 1_000));
});

for (const kind of ['paste-start', 'paste', 'paste-end'] as const) {
  test(`${kind} counts as a keystroke`, () => assert.ok(isRecent(typed(kind, undefined, 0), QUIET_MS, 1)));
}

test('Esc, scrolling and function keys count as keystrokes, a release does not', () => {
  for (const key of ['escape', 'scroll', 'function'] as const) {
    assert.ok(isRecent(typed('key', key, 0), QUIET_MS, 1));
  }
  assert.is(typed('key', 'release', 0), NOBODY);
});

test('a click is activity and not recent; motion, focus and replies are nothing', () => {
  const clicked = typed('pointer', undefined, 5);
  assert.is(clicked.activityAtMs, 5);
  assert.not(isRecent(clicked, QUIET_MS, 6));
  for (const kind of ['motion', 'focus-in', 'focus-out', 'reply', 'other'] as const) {
    assert.is(typed(kind, undefined, 5), NOBODY);
  }
});

test('composing is recent while it is renewed, at most a minute without', () => {
  const compose = (active: boolean, atMs: number, before = NOBODY) =>
    presenceAfter(before, { kind: 'composing', client: 'a', active, atMs });
  const active = compose(true, 0);
  assert.ok(isRecent(active, QUIET_MS, COMPOSING_MS - 1));
  assert.not(isRecent(active, QUIET_MS, COMPOSING_MS));
  assert.ok(isComposing(compose(true, 50_000, active), COMPOSING_MS + 1));
  assert.not(isComposing(compose(false, 10, active), 11));
  assert.is(presenceDeadlineMs(active, QUIET_MS, 0), COMPOSING_MS);
});

test('who leaves no longer composes, and others go on', () => {
  const both = ['a', 'b'].reduce(
    (presence, client) => presenceAfter(presence, { kind: 'composing', client, active: true, atMs: 0 }),
    NOBODY,
  );
  const one = presenceAfter(both, { kind: 'left', client: 'a' });
  assert.ok(isComposing(one, 1));
  assert.not(isComposing(presenceAfter(one, { kind: 'left', client: 'b' }), 1));
  assert.is(presenceAfter(one, { kind: 'left', client: 'a' }), one);
});

test.run();
