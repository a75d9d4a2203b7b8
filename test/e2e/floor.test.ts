// Automation types into real PTYs with the demo agent: exactly once, only when it is safe, and never at the wrong moment.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reads, submissions } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('floor');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

test('C-01 C-06 a send to an idle agent is one frame, one Enter, one submission, and confirmed', async ({
  rig,
}) => {
  const agent = await rig.seat('one');
  const { status, body } = await rig.send('one', 'hello there\n');
  assert.is(status, 200);
  assert.is(body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['hello there']);
  assert.is(await agent.received(), '\x1b[200~hello there\x1b[201~\r');
  const kinds = (await rig.audit('one')).filter(({ kind }) => kind.startsWith('injection'));
  assert.equal(
    kinds.map(({ kind, reason }) => [kind, reason]),
    [
      ['injection.granted', undefined],
      ['injection.finished', 'turn_started'],
    ],
  );
});

test('C-05 many lines and 8 KB arrive whole, as one submission each', async ({ rig }) => {
  const agent = await rig.seat('many');
  const lines = 'first line\n  second line\nthird: `code` "quotes" ünïcödé 漢字';
  assert.is((await rig.send('many', lines)).body.outcome, 'delivered');
  const large = Array.from({ length: 160 }, (_, n) => `line ${n} ${'x'.repeat(40)}`).join('\n');
  assert.is((await rig.send('many', large, { wait_ms: 15_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), [lines, large]);
});

test('42 a send while it works waits and is typed when the turn is over', async ({ rig }) => {
  const agent = await rig.seat('busy');
  await rig.send('busy', 'work 1500ms');
  const now = await rig.send('busy', 'at once');
  assert.is(now.status, 409);
  assert.is(now.body.sent, false);
  const later = await rig.send('busy', 'afterwards', { wait_ms: 15_000 });
  assert.is(later.body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 1500ms', 'afterwards']);
});

test('C-28 a dialog is up: zero bytes, and one that waits goes on waiting', async ({ rig }) => {
  const agent = await rig.seat('asks');
  await rig.send('asks', 'ask rm -rf build');
  await rig.status('asks', ({ state, kind }) => state === 'blocked' && kind === 'permission');
  const before = await agent.received();
  const refused = await rig.send('asks', 'yes please', { wait_ms: 5_000 });
  assert.is(refused.status, 409);
  assert.is(refused.body.reason, 'target_needs_input');
  assert.is(await agent.received(), before);
});

test('C-18 a half-typed draft is never touched, and the message goes once the draft is sent', async ({
  rig,
}) => {
  const agent = await rig.seat('draft');
  const operator = await rig.operator('draft');
  operator.type('deploy to');
  await operator.until(() => operator.screen.includes('deploy to'));
  const refused = await rig.send('draft', 'status?');
  assert.is(refused.body.sent, false);
  const waiting = rig.send('draft', 'status?', { wait_ms: 20_000 });
  await operator.until(() => operator.screen.includes('deploy to'));
  assert.equal(await agent.submitted(), []);
  operator.type(' staging\r');
  assert.is((await waiting).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['deploy to staging', 'status?']);
});

test('a draft that its operator deletes stops holding, by what the screen shows', async ({ rig }) => {
  const agent = await rig.seat('deleted');
  await rig.call('PATCH', '/api/seat/settings/deleted', { human_quiet_ms: 100 });
  const operator = await rig.operator('deleted');
  operator.type('oops');
  await operator.until(() => operator.screen.includes('oops'));
  operator.type('\x15');
  const { body } = await rig.send('deleted', 'go on', { wait_ms: 15_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['go on']);
});

test('C-32 after the agent has gone to its shell nothing is typed', async ({ rig }) => {
  await rig.seat('gone', ['--exit-to-shell']);
  await rig.send('gone', 'exit 0');
  await rig.status('gone', ({ state }) => state === 'unknown');
  const { body } = await rig.send('gone', 'touch /tmp/must-not-exist', { wait_ms: 1_500 });
  assert.is(body.sent, false);
  assert.is(body.reason, 'bare_shell', JSON.stringify(body));
  const { body: screen } = await rig.call('POST', '/api/transport/capture', { seat: 'gone' });
  assert.not.ok(screen.lines.some((line: string) => line.includes('must-not-exist')));
});

test('C-25 a key between the paste and Enter revokes: no Enter, nothing erased, said so', async ({ rig }) => {
  const agent = await rig.seat('revoked');
  const operator = await rig.operator('revoked');
  const sending = rig.send('revoked', 'from automation');
  await operator.until(() => operator.screen.includes('from automation'));
  operator.type('x');
  const { status, body } = await sending;
  assert.is(status, 502, JSON.stringify(body));
  assert.is(body.outcome, 'indeterminate');
  assert.is(body.reason, 'floor_revoked_by_human');
  // The receipt may be here before the agent has read the key.
  await agent.until((entries) => reads(entries).join('').endsWith('x') || undefined);
  assert.is(await agent.received(), '\x1b[200~from automation\x1b[201~x');
  assert.equal(await agent.submitted(), []);
  const frames = operator.frames.filter(({ type }) => type === 'injection');
  assert.equal(
    frames.map(({ phase, reason }) => [phase, reason]),
    [
      ['granted', undefined],
      ['finished', 'floor_revoked_by_human'],
    ],
  );
});

test('C-28 a dialog that opens between the paste and Enter gets no Enter', async ({ rig }) => {
  const agent = await rig.seat('sudden', ['--dialog-on-paste']);
  const { body } = await rig.send('sudden', 'anything');
  assert.is(body.outcome, 'indeterminate', JSON.stringify(body));
  assert.not.ok((await agent.received()).includes('\r'));
  assert.not.ok((await agent.journal()).some((entry) => entry.type === 'answer'));
});

test('C-12 a dozen sends at once are a dozen submissions, each intact, in the order of their grants', async ({
  rig,
}) => {
  const agent = await rig.seat('dozen');
  await rig.call('PATCH', '/api/seat/settings/dozen', { human_quiet_ms: 0 });
  const texts = Array.from({ length: 12 }, (_, n) => `message ${n} ${'-'.repeat(n)}`);
  const answers = await Promise.all(texts.map((text) => rig.send('dozen', text, { wait_ms: 60_000 })));
  for (const { body } of answers) assert.is(body.outcome, 'delivered', JSON.stringify(body));
  const typed = await agent.submitted();
  assert.equal([...typed].sort(), [...texts].sort());
  const granted = (await rig.audit('dozen')).filter(({ kind }) => kind === 'injection.granted');
  assert.equal(
    granted.map((record) => (record as { message?: string }).message),
    typed,
  );
});

test('C-09 C-11 control characters and frame terminators are refused whole', async ({ rig }) => {
  const agent = await rig.seat('clean');
  for (const text of [
    'a\x03',
    'b\x15',
    'safe \x1b[201~\rtouch X\r',
    '\x1b[20\x1b[201~1~',
    'c\u009b201~',
    'd\x7f',
  ]) {
    const { status, body } = await rig.send('clean', text);
    assert.is(status, 400, JSON.stringify(text));
    assert.is(body.reason, 'body_control_characters');
  }
  assert.is(await agent.received(), '');
});

test('C-13 the same key gives the same receipt and no new byte; another body under it is a conflict', async ({
  rig,
}) => {
  const agent = await rig.seat('keyed');
  const first = await rig.send('keyed', 'once', { idempotency_key: 'k1' });
  assert.is(first.body.outcome, 'delivered');
  const again = await rig.send('keyed', 'once', { idempotency_key: 'k1' });
  assert.is(again.body.id, first.body.id);
  assert.is(again.body.outcome, 'delivered');
  const other = await rig.send('keyed', 'twice', { idempotency_key: 'k1' });
  assert.is(other.body.reason, 'idempotency_conflict');
  assert.equal(submissions(await agent.journal()), ['once']);
});

test('C-14 46 an agent that swallows Enter: unconfirmed, and never a second Enter', async ({ rig }) => {
  const agent = await rig.seat('swallows', ['--swallow-enter']);
  await rig.call('PATCH', '/api/seat/settings/swallows', { confirm_ms: 600 });
  const { status, body } = await rig.send('swallows', 'hello');
  assert.is(status, 200);
  assert.is(body.outcome, 'unconfirmed');
  assert.is((await agent.received()).split('\r').length - 1, 1);
  const next = await rig.send('swallows', 'another');
  assert.is(next.body.sent, false, 'the text stands in the composer');
});

test('C-10 while it boots nothing is typed, and the message goes at its first ready signal', async ({
  rig,
}) => {
  const agent = await rig.seat('boots', ['--boot', '1500'], false);
  const now = await rig.send('boots', 'too early');
  assert.is(now.body.sent, false);
  const { body } = await rig.send('boots', 'ready', { wait_ms: 20_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['ready']);
});

test('C-05 without bracketed paste one line is typed and many are refused', async ({ rig }) => {
  const agent = await rig.seat('plain', ['--no-paste']);
  const many = await rig.send('plain', 'a\nb', { wait_ms: 2_000 });
  assert.is(many.body.reason, 'multiline_unframed', JSON.stringify(many.body));
  const { body } = await rig.send('plain', 'just one', { wait_ms: 10_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['just one']);
});

test('the floor explains itself, changes nothing, and the chain verifies', async ({ rig }) => {
  await rig.seat('asked');
  const { body } = await rig.call('GET', '/api/seat/floor/asked');
  assert.is(body.decision, 'grant', JSON.stringify(body.rows));
  assert.ok(body.rows.length >= 14);
  const { body: verdict } = await rig.call('GET', '/api/audit/verify');
  assert.is(verdict.ok, true);
});

test.run();
