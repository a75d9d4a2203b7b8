// What stands between a message and an agent, on real PTYs: who is in front, what its hooks say, what its screen shows, and
// what a receipt claims. Numbers are those of the scenarios.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAgent, reads } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig; folder: string }>('guard scenes');
test.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'openfloor-scene-'));
  context.rig = await SeatRig.start();
});
test.after(async ({ rig, folder }) => {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a command in a seat; the answer posts hook signals with the token that the command was given. */
async function hooked(
  rig: SeatRig,
  folder: string,
  seat: string,
  command: readonly string[],
  more: object = {},
) {
  const tokenFile = join(folder, `${seat}.token`);
  const wrapped = ['sh', '-c', 'printf %s "$OPENFLOOR_TOKEN" > "$0"; exec "$@"', tokenFile, ...command];
  const made = await rig.call('POST', '/admin/sessions', {
    name: seat,
    command: wrapped,
    rows: 30,
    cols: 100,
    ...more,
  });
  assert.is(made.status, 200, JSON.stringify(made.body));
  await rig.status(seat, (status) => (status as { tenure?: object }).tenure !== undefined);
  const token = readFileSync(tokenFile, 'utf8');
  return async (state: string, kind?: string) => {
    const fields = { state, ...(kind === undefined ? {} : { kind }) };
    const posted = await rig.call(
      'POST',
      '/api/activity/hooks',
      { event: 'openfloor.signal', fields },
      token,
    );
    assert.is(posted.status, 202, JSON.stringify(posted.body));
  };
}

/** A demo agent whose status comes from hooks alone. */
async function silent(rig: SeatRig, folder: string, seat: string, switches: readonly string[] = []) {
  const agent = demoAgent(['--status', 'none', ...switches]);
  const signal = await hooked(rig, folder, seat, agent.command);
  await rig.composerEmpty(seat);
  return { agent, signal };
}

/** An agent of no known kind: it shows what it is given and keeps it in a file. No reader knows its composer. */
async function unread(rig: SeatRig, folder: string, seat: string) {
  const script = join(folder, `${seat}.mjs`);
  const file = join(folder, `${seat}.read`);
  writeFileSync(file, '');
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';
    process.stdin.setRawMode(true);
    process.stdout.write('\\x1b[?2004h› ');
    process.stdin.on('data', (data) => {
      appendFileSync(${JSON.stringify(file)}, data);
      process.stdout.write(data.toString().replace(/\\x1b\\[20[01]~/g, '').replace(/[\\r\\n]+/g, '\\r\\n› '));
    });`,
  );
  const signal = await hooked(rig, folder, seat, [process.execPath, script], { agent: 'osc7501' });
  return { signal, received: () => readFileSync(file, 'utf8') };
}

const floorOf = async (rig: SeatRig, seat: string) => (await rig.call('GET', `/api/seat/floor/${seat}`)).body;

test('5 a draft with a prompt glyph on its second line is one draft; of an unknown agent it is unknown', async ({
  rig,
  folder,
}) => {
  const agent = await rig.seat('s5');
  await rig.call('PATCH', '/api/seat/settings/s5', { human_quiet_ms: 0 });
  await rig.guard('s5', 'draft-aware');
  const operator = await rig.operator('s5');
  const draft = '\x1b[200~first\n› second\x1b[201~';
  operator.type(draft);
  await operator.until(() => operator.screen.includes('› second'));
  const { body } = await rig.send('s5', 'x');
  assert.equal([body.sent, body.reason], [false, 'draft_input_busy']);
  assert.is(await agent.received(), Buffer.from(draft, 'utf8').toString('latin1'));
  const other = await unread(rig, folder, 's5-unknown');
  await rig.guard('s5-unknown', 'draft-aware');
  await other.signal('idle');
  await rig.status('s5-unknown', ({ state }) => state === 'idle');
  const held = await rig.send('s5-unknown', 'x');
  assert.equal([held.body.outcome, held.body.reason], ['retained', 'draft_input_unknown']);
  assert.is(other.received(), '');
});

test('10 a hint in the composer does not make idle what a hook says is working', async ({ rig, folder }) => {
  const { agent, signal } = await silent(rig, folder, 's10');
  await signal('working');
  await rig.status('s10', ({ state }) => state === 'working');
  const { status, body } = await rig.send('s10', 'x', { wait_ms: 1_000 });
  assert.equal([status, body.sent, body.reason], [409, false, 'wait_for_idle_timeout']);
  assert.is(await agent.received(), '');
});

test('17 another screen, another program or a shell in an agent seat: a watchdog types nothing', async ({
  rig,
}) => {
  const shepherd = await rig.token('shepherd');
  const remind = async (seat: string) => {
    await rig.guard(seat, 'openrig-urgent');
    const notice = { seat, origin: 'notice', body: 'are you there?', raw: true, wait_ms: 1_000 };
    return rig.ask(shepherd, notice);
  };
  const pager = await rig.seat('s17-alt', ['--alt']);
  const onAlt = await remind('s17-alt');
  assert.equal(
    [onAlt.state, onAlt.reason, onAlt.cause, onAlt.bytes_written],
    ['failed', 'draft_input_unknown', 'alt_screen_other', 0],
  );
  assert.is(await pager.received(), '');
  const shared = await rig.seat('s17-child');
  await rig.send('s17-child', 'child 60s');
  await rig.status('s17-child', ({ state, turns }) => state === 'idle' && turns === 1);
  const before = await shared.received();
  assert.is((await remind('s17-child')).reason, 'foreground_other');
  assert.is(await shared.received(), before);
  await rig.seat('s17-shell', ['--exit-to-shell']);
  await rig.send('s17-shell', 'exit 0');
  await rig.status('s17-shell', ({ state }) => state === 'unknown');
  const atShell = await remind('s17-shell');
  assert.equal([atShell.state, atShell.bytes_written], ['failed', 0]);
  assert.is(atShell.reason, 'bare_shell');
});

test('C-32 a program that took the agent’s place by exec is not the agent', async ({ rig }) => {
  const agent = demoAgent([]);
  const command = ['bash', '--norc', '-c', '"$0" "$@"; exec cat', ...agent.command];
  await rig.call('POST', '/admin/sessions', { name: 's-exec', command, rows: 30, cols: 100 });
  await rig.status('s-exec', ({ state }) => state === 'idle');
  await rig.composerEmpty('s-exec');
  assert.is((await rig.send('s-exec', 'exit 0')).body.sent, true);
  await rig.status('s-exec', ({ state }) => state === 'unknown');
  const { body } = await rig.send('s-exec', 'rm -rf build', { wait_ms: 1_500 });
  assert.equal([body.sent, body.bytes_written], [false, 0], JSON.stringify(body));
  assert.ok(['foreground_other', 'bare_shell'].includes(body.reason), body.reason);
  const { body: screen } = await rig.call('POST', '/api/transport/capture', { seat: 's-exec' });
  assert.not.ok(screen.lines.some((line: string) => line.includes('rm -rf')));
  agent.close();
});

test('34 a hook that tells of a permission refuses, although the screen looks idle', async ({
  rig,
  folder,
}) => {
  const { agent, signal } = await silent(rig, folder, 's34');
  await signal('idle');
  await signal('blocked', 'permission');
  const { composer } = await rig.status('s34', ({ state }) => state === 'blocked');
  assert.is(composer.state, 'empty');
  const { status, body } = await rig.send('s34', 'yes');
  assert.equal([status, body.sent, body.reason], [409, false, 'target_needs_input']);
  assert.is(await agent.received(), '');
});

test('35 a hook says idle: a menu on the screen refuses all the same, a screen that nobody can read does not', async ({
  rig,
  folder,
}) => {
  const { agent, signal } = await silent(rig, folder, 's35');
  await signal('idle');
  await rig.status('s35', ({ state }) => state === 'idle');
  const operator = await rig.operator('s35');
  operator.type('question\r');
  await operator.until(() => operator.screen.includes('Which colour'));
  await rig.status('s35', ({ state }) => state === 'blocked');
  await signal('idle');
  const before = await agent.received();
  const { status, body } = await rig.send('s35', '1');
  assert.equal([status, body.sent, body.reason], [409, false, 'target_needs_input']);
  assert.is(await agent.received(), before);
  const other = await unread(rig, folder, 's35-unread');
  await rig.call('PATCH', '/api/seat/settings/s35-unread', { confirm_ms: 300 });
  await other.signal('idle');
  await rig.status('s35-unread', ({ state }) => state === 'idle');
  const sent = await rig.send('s35-unread', 'go on', { wait_ms: 10_000 });
  assert.equal([sent.body.ok, sent.body.sent], [true, true], JSON.stringify(sent.body));
  assert.is(other.received(), '\x1b[200~go on\x1b[201~\r');
});

test('36 a hook told of a permission and nothing came since: refused, whatever the screen is', async ({
  rig,
  folder,
}) => {
  const { signal, received } = await unread(rig, folder, 's36');
  await signal('blocked', 'permission');
  await rig.status('s36', ({ state }) => state === 'blocked');
  for (const more of [{}, { wait_ms: 500 }, { urgent: true }]) {
    const { body } = await rig.send('s36', 'yes', more);
    assert.equal([body.sent, body.reason], [false, 'target_needs_input']);
  }
  assert.is(received(), '');
});

test('38 an override into a text field: unframed, Enter once the whole answer stands there', async ({
  rig,
}) => {
  const agent = await rig.seat('s38');
  await rig.send('s38', 'question open');
  let { dialog } = await rig.status('s38', ({ state }) => state === 'blocked');
  while (dialog === undefined) ({ dialog } = await rig.status('s38', ({ state }) => state === 'blocked'));
  const before = (await agent.received()).length;
  const { status, body } = await rig.send('s38', 'floor', { dangerously_interact: true, reason: 'a test' });
  assert.equal([status, body.ok], [200, true], JSON.stringify(body));
  assert.is(body.promptInteraction, undefined);
  const chosen = await agent.until((entries) => entries.find((entry) => entry.type === 'answer'));
  assert.is((chosen as { choice?: number }).choice, 1);
  assert.is((await agent.received()).slice(before), 'floor\r');
  const several = await rig.send('s38', 'question open', { wait_ms: 10_000 });
  assert.is(several.body.ok, true);
});

test('46 an agent that draws late: typed, unconfirmed, and confirmed when its turn begins', async ({
  rig,
}) => {
  const agent = await rig.seat('s46', ['--late-clear', '2500']);
  await rig.call('PATCH', '/api/seat/settings/s46', { confirm_ms: 500 });
  const { status, body } = await rig.send('s46', 'hello');
  assert.equal([status, body.ok, body.sent, body.outcome], [200, true, true, 'unconfirmed']);
  await agent.until((entries) =>
    entries.find((entry) => entry.type === 'status' && entry.state.includes('working')),
  );
  await rig.status('s46', ({ turns }) => turns === 1);
  assert.equal(await agent.submitted(), ['hello']);
  assert.is(await agent.received(), '\x1b[200~hello\x1b[201~\r');
});

test('46 a paste that can not be written to its end is indeterminate', async ({ rig }) => {
  await rig.seat('s46-stall');
  const operator = await rig.operator('s46-stall');
  await rig.send('s46-stall', 'stall 120s');
  await rig.status('s46-stall', ({ state, turns }) => state === 'idle' && turns === 1);
  const sending = rig.send('s46-stall', 'x'.repeat(200_000), { wait_ms: 5_000 });
  const granted = () =>
    operator.frames.filter(({ type, phase }) => type === 'injection' && phase === 'granted');
  await operator.until(() => granted().length === 2);
  await rig.call('DELETE', '/admin/sessions/s46-stall');
  const { status, body } = await sending;
  assert.equal(
    [status, body.ok, body.outcome, body.sent],
    [502, false, 'indeterminate', undefined],
    JSON.stringify(body),
  );
});

test('47 a busy agent: what waits says session_working, what can not wait is told how to', async ({
  rig,
}) => {
  const agent = await rig.seat('s47');
  await rig.send('s47', 'work 4s');
  await rig.status('s47', ({ state }) => state === 'working');
  assert.is((await floorOf(rig, 's47')).reason, 'session_working');
  const now = await rig.send('s47', 'at once');
  assert.equal(
    [now.status, now.body.sent, now.body.reason, now.body.cause],
    [409, false, 'wait_for_idle_timeout', 'session_working'],
  );
  const later = rig.send('s47', 'afterwards', { wait_ms: 20_000 });
  for (;;) {
    const [waiting] = (await floorOf(rig, 's47')).waiting;
    if (waiting?.reason === 'session_working') break;
  }
  assert.is((await later).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 4s', 'afterwards']);
  assert.is(reads(await agent.journal()).filter((text) => text.includes('at once')).length, 0);
});

test.run();
