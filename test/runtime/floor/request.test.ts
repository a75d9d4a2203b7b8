// Bodies and requests: what is accepted, normalised, and refused whole.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginsLikeCommand, readBody } from '../../../runtime/floor/body.js';
import { type RequestInput, type RequestStamp, readRequest } from '../../../runtime/floor/request.js';
import { cases } from './vector.js';

const test = suite('floor/request');

interface BodyCase {
  readonly raw: string;
  readonly repeat?: number;
  readonly expect: { ok: boolean; text?: string; bytes?: number; reason?: string };
}
for (const one of cases<BodyCase>('floor/body.json', ['raw', 'repeat', 'expect'])) {
  test(`floor/body.json: ${one.description}`, () => {
    const raw = one.raw.repeat(one.repeat ?? 1);
    const read = readBody(raw);
    if (one.repeat !== undefined && read.ok) {
      assert.is(read.text, raw);
      assert.equal({ ok: read.ok, bytes: read.bytes }, one.expect);
    } else assert.equal(read, one.expect);
  });
}

interface CommandCase {
  readonly text: string;
  readonly prefixes: readonly string[];
  readonly command: boolean;
}
for (const one of cases<CommandCase>('floor/command.json', ['text', 'prefixes', 'command'])) {
  test(`floor/command.json: ${one.description}`, () => {
    assert.is(beginsLikeCommand(one.text, one.prefixes), one.command);
  });
}

const stamp: RequestStamp = {
  id: 'r1',
  seat: 'builder',
  identity: { kind: 'agent', name: 'lead', seat: 'lead', scopes: [] },
  now: 1_000,
  commandPrefixes: ['!', '/'],
  sha256: (text) => `digest of ${text}`,
};
const read = (input: Partial<RequestInput>, change: Partial<RequestStamp> = {}) =>
  readRequest({ origin: 'send', body: 'hello', ...input }, { ...stamp, ...change });
const reasonOf = (input: Partial<RequestInput>, change: Partial<RequestStamp> = {}) => {
  const result = read(input, change);
  return result.ok ? 'ok' : result.field === undefined ? result.reason : `${result.reason} ${result.field}`;
};
const admin: RequestStamp['identity'] = { kind: 'admin', name: 'root', scopes: [] };

test('a plain send is normalised, digested and given its deadline', () => {
  assert.equal(read({ body: 'a\r\nb\n', wait_ms: 500, actor: 'someone' }), {
    ok: true,
    request: {
      id: 'r1',
      seat: 'builder',
      origin: 'send',
      urgent: false,
      rank: 'normal',
      identity: stamp.identity,
      actor: 'someone',
      body: 'a\nb',
      bodyBytes: 3,
      bodySha256: 'digest of a\nb',
      waitMs: 500,
      acceptedAt: 1_000,
      deadlineAt: 1_500,
      typeWithoutChecking: false,
    },
  });
});

test('urgency is asked for or inherited from the row, and gives the rank', () => {
  const rank = (input: Partial<RequestInput>) => {
    const result = read(input);
    return result.ok ? `${result.request.urgent} ${result.request.rank}` : result.reason;
  };
  assert.is(rank({}), 'false normal');
  assert.is(rank({ origin: 'wake' }), 'false normal');
  assert.is(rank({ origin: 'notice' }), 'false notice');
  assert.is(rank({ urgent: true }), 'true urgent');
  assert.is(rank({ origin: 'notice', urgent: true }), 'true urgent');
  assert.is(rank({ origin: 'wake', priority: 'routine' }), 'false normal');
  assert.is(rank({ origin: 'wake', priority: 'urgent' }), 'true urgent');
  assert.is(rank({ origin: 'wake', priority: 'critical' }), 'true critical');
});

test('a wait is a whole number of milliseconds from 0 to 24 hours', () => {
  assert.is(reasonOf({ wait_ms: 0 }), 'ok');
  assert.is(reasonOf({ wait_ms: 86_400_000 }), 'ok');
  for (const wait_ms of [-1, 86_400_001, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.is(reasonOf({ wait_ms }), 'invalid_wait_for_idle');
  }
});

test('a command needs the flag and the scope, and text that looks like one is refused', () => {
  const scoped: RequestStamp['identity'] = { kind: 'agent', name: 'lead', scopes: ['command'] };
  assert.is(reasonOf({ body: ' /compact' }), 'command_prefix');
  assert.is(reasonOf({ body: '/compact', command: true }), 'command_forbidden');
  assert.is(reasonOf({ body: '/compact', command: true }, { identity: scoped }), 'ok');
  assert.is(reasonOf({ body: '/compact', command: true }, { identity: admin }), 'ok');
  assert.is(reasonOf({ body: '/compact' }, { identity: admin }), 'command_prefix');
  assert.is(reasonOf({ origin: 'lifecycle', body: '/compact' }, { identity: admin }), 'ok');
});

test('an override needs a reason and can not wait', () => {
  const by = { identity: admin };
  assert.is(reasonOf({ origin: 'override', reason: 'stuck' }, by), 'ok');
  assert.is(reasonOf({ origin: 'override' }, by), 'dangerously_interact_requires_reason');
  assert.is(reasonOf({ origin: 'override', reason: ' ' }, by), 'dangerously_interact_requires_reason');
  assert.is(reasonOf({ origin: 'override', reason: 'x', wait_ms: 1 }, by), 'invalid_dangerously_interact');
  assert.is(reasonOf({ type_without_checking: true }, by), 'invalid_dangerously_interact');
  assert.is(reasonOf({ origin: 'override', reason: 'x' }), 'override_forbidden');
});

test('an answer names its dialog and one of two choices', () => {
  const by = { identity: admin };
  const answer = { origin: 'answer', dialog: 'd1', choice: 'deny_once' } as const;
  const result = read(answer, by);
  assert.ok(result.ok);
  assert.equal(result.request.dialog, { instance: 'd1', choice: 'deny_once' });
  assert.is(result.request.body, '');
  assert.is(reasonOf({ ...answer, choice: 'allow_always' }, by), 'invalid_request choice');
  assert.is(reasonOf({ ...answer, dialog: '' }, by), 'invalid_request dialog');
  assert.is(reasonOf({ ...answer, wait_ms: 1 }, by), 'invalid_wait_for_idle');
  assert.is(reasonOf(answer), 'answer_forbidden');
});

test('labels and keys are neither empty nor long', () => {
  assert.is(reasonOf({ idempotency_key: 'k'.repeat(200) }), 'ok');
  assert.is(reasonOf({ idempotency_key: 'k'.repeat(201) }), 'invalid_request idempotency_key');
  assert.is(reasonOf({ supersede: '' }), 'invalid_request supersede');
  assert.is(reasonOf({ routine: 'r'.repeat(201) }), 'invalid_request routine');
});

test('an origin that does not exist is refused', () => {
  assert.is(reasonOf({ origin: 'toString' as 'send' }), 'invalid_request origin');
});

test.run();
