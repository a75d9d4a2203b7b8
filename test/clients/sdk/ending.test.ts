// What a client does when a connection ends: the table of spec/sdk.md 4, every code of the closed list included.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, backoffMs } from '../../../clients/sdk/backoff.js';
import { judgeClose, judgeRefusal } from '../../../clients/sdk/ending.js';
import { CLOSE_CODES } from '../../../protocol/close-code.js';

const test = suite('ending');

test('of the closed list only 4005 is resumed, every other code is final with its own sentence and next step', () => {
  for (const [code, { text, next }] of Object.entries(CLOSE_CODES)) {
    const ending = judgeClose(Number(code), '', 'attached');
    if (code === '4005') assert.is(ending.kind, 'resume');
    else {
      assert.is(ending.kind, 'final', code);
      if (ending.kind !== 'final') continue;
      assert.is(ending.error.message, text);
      assert.is(ending.error.next, next);
      assert.is(ending.error.reason, 'closed');
    }
  }
});

test('a broken connection is resumed once attached, and final before', () => {
  for (const code of [1001, 1005, 1006, 1011, 1012, 1013, 1014]) {
    assert.is(judgeClose(code, '', 'attached').kind, 'resume');
    assert.is(judgeClose(code, '', 'resuming').kind, 'resume');
    const first = judgeClose(code, '', 'first');
    assert.is(first.kind === 'final' && first.error.reason, 'connection_lost');
  }
});

test('a spent takeover budget is waited for while resuming and final otherwise', () => {
  assert.is(judgeClose(4007, 'attach refused', 'resuming').kind, 'resume');
  assert.is(judgeClose(4007, 'attach refused', 'first').kind, 'final');
  assert.is(judgeClose(4007, '', 'attached').kind, 'final');
});

test('a code that nobody knows is final and keeps its reason', () => {
  const ending = judgeClose(4999, 'something new', 'attached');
  assert.is(ending.kind === 'final' && ending.error.message, 'something new');
});

const refused = (status: number | undefined) => ({ status, message: 'refused', retryAfterMs: undefined });

test('a refused upgrade is final the first time, with the reason of its status', () => {
  const reasons = [
    [undefined, 'unreachable'],
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'throttled'],
    [500, 'server_error'],
    [503, 'unavailable'],
  ] as const;
  for (const [status, reason] of reasons) {
    const ending = judgeRefusal(refused(status), 'first', true);
    assert.is(ending.kind === 'final' && ending.error.reason, reason);
  }
});

test('while resuming, an unreachable or busy server is tried again and a refused token renewed at most once', () => {
  for (const status of [undefined, 429, 500, 502, 503]) {
    assert.is(judgeRefusal(refused(status), 'resuming', false).kind, 'resume');
  }
  assert.is(judgeRefusal(refused(401), 'resuming', true).kind, 'new-token');
  assert.is(judgeRefusal(refused(401), 'resuming', false).kind, 'final');
  assert.is(judgeRefusal(refused(400), 'resuming', true).kind, 'final');
});

test('the backoff doubles from 0.1 s to 5 s and chance takes at most half of it', () => {
  assert.equal(
    [0, 1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, 1)),
    [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000],
  );
  assert.is(backoffMs(3, 0), 400);
  assert.is(backoffMs(0, 0), BACKOFF_FIRST_MS);
  assert.is(backoffMs(10_000, 1), BACKOFF_MAX_MS);
});

test.run();
