// What has gone wrong elsewhere, on real PTYs: faults of public reports (C-…) and scenarios of deliveries, each by its id.
// What other files show already is not repeated: spec/coverage.md has the table.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reads } from '../support/demo-agent.js';
import { type Answer, SeatRig } from '../support/seat-rig.js';

interface Context {
  rig: SeatRig;
  folder: string;
  /** Begun at once, since it takes the five seconds after which a paste that nobody reads is given up. */
  stalled: Promise<Answer>;
}

const test = suite<Context>('reports');
test.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'openfloor-reports-'));
  context.rig = await SeatRig.start();
  await context.rig.seat('stalls');
  await context.rig.send('stalls', 'stall 60s');
  context.stalled = context.rig.send('stalls', 'never read '.repeat(40_000), { wait_ms: 10_000 });
});
test.after(async ({ rig, folder }) => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A seat whose program is a shell line; `osc7501` takes any program for the agent. */
async function program(rig: SeatRig, name: string, script: string): Promise<void> {
  const command = ['/bin/sh', '-c', script];
  const { status, body } = await rig.call('POST', '/admin/sessions', {
    ...{ name, command, rows: 30, cols: 100, agent: 'osc7501' },
  });
  assert.is(status, 200, JSON.stringify(body));
}

const enters = (text: string) => text.split('\r').length - 1;

test('C-02 an agent that is busy with a large paste: one submission, confirmed by its turn alone', async ({
  rig,
}) => {
  const agent = await rig.seat('ingests', ['--slow-paste', '800']);
  const text = 'twenty thousand characters '.repeat(800).trim();
  const { body } = await rig.send('ingests', text);
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), [text]);
  const deaf = await rig.seat('ingests-on', ['--slow-paste', '60000']);
  await rig.call('PATCH', '/api/seat/settings/ingests-on', { confirm_ms: 500 });
  const unsure = await rig.send('ingests-on', text);
  assert.is(unsure.body.outcome, 'unconfirmed', 'the label on the screen is no turn');
  assert.is(enters(await deaf.received()), 1);
  assert.equal(await deaf.submitted(), []);
});

test('C-03 an agent that takes fast characters for a paste gets Enter after them, not among them', async ({
  rig,
}) => {
  const agent = await rig.seat('bursts', ['--burst', '120', '--no-paste']);
  const { body } = await rig.send('bursts', 'hi there', { wait_ms: 10_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['hi there']);
});

test('C-07 a command is refused; as a command whose list takes Enter it is unconfirmed, with no second Enter', async ({
  rig,
}) => {
  const agent = await rig.seat('lists', ['--popup']);
  await rig.call('PATCH', '/api/seat/settings/lists', { confirm_ms: 500 });
  const refused = await rig.send('lists', '/compact');
  assert.equal([refused.status, refused.body.reason], [409, 'command_prefix']);
  assert.is(await agent.received(), '');
  const prose = await rig.send('lists', 'either / or');
  assert.is(prose.body.outcome, 'delivered', JSON.stringify(prose.body));
  const typed = await rig.send('lists', '/compact', { command: true, wait_ms: 10_000 });
  assert.is(typed.body.outcome, 'unconfirmed', JSON.stringify(typed.body));
  assert.is(enters(await agent.received()), 2);
});

test('C-09 no pack and no failure makes automation write a key of its own', async ({ rig }) => {
  const agent = await rig.seat('bare-bytes', ['--dialog-on-paste']);
  await rig.send('bare-bytes', 'one');
  const bytes = reads(await agent.journal()).join('');
  assert.is(bytes, '\x1b[200~one\x1b[201~', 'no Escape, no Ctrl-U, no Ctrl-C');
});

test('C-13 C-14 a turn that begins late: unconfirmed at first, confirmed when it begins, one Enter, one submission', async ({
  rig,
}) => {
  const agent = await rig.seat('clears-late', ['--late-clear', '2000']);
  await rig.call('PATCH', '/api/seat/settings/clears-late', { confirm_ms: 300 });
  const { body } = await rig.send('clears-late', 'once', { idempotency_key: 'late' });
  assert.is(body.outcome, 'unconfirmed', JSON.stringify(body));
  await rig.status('clears-late', ({ turns }) => turns === 1);
  const again = await rig.told('clears-late', 'late');
  assert.equal(
    [again.state, again.confirmed, again.reason],
    ['complete', true, 'confirmed_late'],
    JSON.stringify(again),
  );
  assert.is(enters(await agent.received()), 1);
  assert.equal(await agent.submitted(), ['once']);
});

test('C-15 a terminal that collects lines gets no automation byte, and an operator types as ever', async ({
  rig,
}) => {
  await program(rig, 'cooked', `printf '\\033]7501;state=idle\\007'; exec cat`);
  await rig.status('cooked', ({ state }) => state === 'idle');
  for (const [text, reason] of [
    ['x'.repeat(5_000), 'multiline_unframed'],
    ['short', 'canonical_mode'],
  ] as const) {
    const { body } = await rig.send('cooked', text, { wait_ms: 3_000 });
    assert.equal([body.sent, body.bytes_written, body.reason], [false, 0, reason], JSON.stringify(body));
  }
  const operator = await rig.operator('cooked');
  operator.type('by hand\r');
  await operator.until(() => operator.screen.includes('by hand\r\nby hand'));
});

test('C-16 a mebibyte of an operator’s paste reaches a raw child that sleeps first, byte for byte', async ({
  rig,
  folder,
}) => {
  const bytes = Array.from({ length: 32_768 }, (_, n) => `${n} `.padEnd(32, 'abcdefgh')).join('');
  const sum = join(folder, 'sum');
  await program(
    rig,
    'sleeper',
    `stty raw -echo; printf ready; sleep 1; head -c ${bytes.length} | md5sum > ${sum}; printf done; exec cat`,
  );
  const operator = await rig.operator('sleeper');
  await operator.until(() => operator.screen.includes('ready'));
  for (let at = 0; at < bytes.length; at += 32_768) operator.type(bytes.slice(at, at + 32_768));
  await operator.until(() => operator.screen.includes('done'));
  assert.is(readFileSync(sum, 'utf8').slice(0, 32), createHash('md5').update(bytes).digest('hex'));
});

test('C-17 a child that never reads: its operator is told, and another session echoes', async ({ rig }) => {
  await program(rig, 'deaf', 'stty raw -echo; printf ready; exec sleep 1000');
  await program(rig, 'hears', 'stty raw -echo; printf ready; exec cat');
  const [deaf, hears] = [await rig.operator('deaf'), await rig.operator('hears')];
  await Promise.all([deaf, hears].map((one) => one.until(() => one.screen.includes('ready'))));
  for (let n = 0; n < 32; n++) deaf.type('x'.repeat(32_768));
  await deaf.until(() => deaf.frames.find(({ type, active }) => type === 'input_backpressure' && active));
  hears.type('echo');
  await hears.until(() => hears.screen.includes('echo'));
});

test('34 35 hooks: a question they tell of refuses; an unread screen at rest is typed into', async ({
  rig,
  folder,
}) => {
  const file = join(folder, 'token');
  const report = (state: string) =>
    rig.call('POST', '/api/activity/hooks', { event: state, fields: {} }, readFileSync(file, 'utf8').trim());
  await program(
    rig,
    'hooked',
    `stty raw -echo; echo "$OPENFLOOR_TOKEN" > ${file}; printf '\\033[?2004h> '; exec cat`,
  );
  const operator = await rig.operator('hooked', 'view');
  await operator.until(() => operator.screen.includes('> '));
  await rig.call('PATCH', '/api/seat/settings/hooked', { confirm_ms: 300 });
  assert.is((await report('idle')).status, 202);
  await rig.status('hooked', ({ state }) => state === 'idle');
  const typed = await rig.send('hooked', 'hello', { wait_ms: 5_000 });
  assert.is(typed.body.outcome, 'unconfirmed', JSON.stringify(typed.body));
  await report('blocked');
  const refused = await rig.send('hooked', 'yes please');
  assert.equal([refused.status, refused.body.reason], [409, 'target_needs_input']);
  assert.not.ok(operator.screen.includes('please'));
});

test('44 an agent that is idle after the deadline changes nothing: the message is not sent', async ({
  rig,
}) => {
  const agent = await rig.seat('too-late');
  await rig.send('too-late', 'work 1s');
  const { body } = await rig.send('too-late', 'late', { wait_ms: 300 });
  assert.equal([body.sent, body.reason], [false, 'wait_for_idle_timeout'], JSON.stringify(body));
  await rig.status('too-late', ({ state }) => state === 'idle');
  assert.is((await rig.send('too-late', 'next', { wait_ms: 10_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 1s', 'next']);
});

test('48 once the floor is granted a request can’t be taken back, and is typed once', async ({ rig }) => {
  const agent = await rig.seat('begun');
  const operator = await rig.operator('begun', 'view');
  const sending = rig.send('begun', 'begun');
  const { request } = await operator.until(() => operator.frames.find(({ type }) => type === 'injection'));
  const answer = await rig.withdraw('begun', String(request));
  assert.is(answer, 'already_granted');
  assert.is((await sending).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['begun']);
});

test('75 bodies that a shell or a terminal would read otherwise arrive as they are, or are refused whole', async ({
  rig,
}) => {
  const agent = await rig.seat('exact');
  const odd = `--- -n "double" 'single' \`back\` $(touch /tmp/x); rm -rf ~ | cat > y & \\n %s {a,b} ~ * ?`;
  assert.is((await rig.send('exact', odd)).body.outcome, 'delivered');
  const lines = await rig.send('exact', 'a\r\nb\rc\n\n', { wait_ms: 10_000 });
  assert.is(lines.body.outcome, 'delivered');
  assert.equal(await agent.submitted(), [odd, 'a\nb\nc']);
  for (const text of ['a\0b', 'a\x1bb', 'a\x1b[201~b']) {
    assert.is((await rig.send('exact', text)).body.reason, 'body_control_characters');
  }
  const mebibyte = 'm'.repeat(1_048_576);
  assert.is((await rig.send('exact', `${mebibyte}m`)).body.reason, 'body_too_large');
  const large = await rig.send('exact', mebibyte, { wait_ms: 20_000 });
  assert.is(large.body.outcome, 'delivered', JSON.stringify(large.body));
  assert.is((await agent.submitted()).at(-1), mebibyte);
});

test('76 an address is whole: neither a prefix nor the same name in another rig is touched', async ({
  rig,
}) => {
  const [dev, longer, other] = [await rig.seat('near'), await rig.seat('near-2'), await rig.seat('near@lab')];
  assert.is((await rig.send('nea', 'x')).body.reason, 'seat_not_found');
  assert.is((await rig.send('near@nowhere', 'x')).body.reason, 'seat_not_found');
  assert.is((await rig.send('near', 'for near')).body.outcome, 'delivered');
  assert.equal(await dev?.submitted(), ['for near']);
  assert.is(await longer?.received(), '');
  assert.is(await other?.received(), '');
});

test('46 a paste that nobody reads is given up: 502, indeterminate, no Enter', async ({ stalled }) => {
  const { status, body } = await stalled;
  assert.equal(
    [status, body.outcome, body.reason],
    [502, 'indeterminate', 'paste_stalled'],
    JSON.stringify(body),
  );
  assert.ok(body.bytes_written > 0 && body.bytes_written < 440_000);
});

test.run();
