// The verbs about seats against a real server with demo agents: status, ls, send, capture, audit, settings.
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DemoAgent, demoAgent } from '../support/demo-agent.js';
import { Home, MAIN, type Ran } from './home.js';

const agents: DemoAgent[] = [];

/** A seat with a demo agent that has said that it is idle. */
async function seat(home: Home, name: string, ...switches: string[]): Promise<DemoAgent> {
  const agent = demoAgent(switches);
  agents.push(agent);
  const { code, err } = await home.run('run', '--detach', '--seat', name, '--', ...agent.command);
  assert.is(code, 0, err);
  await state(home, name, 'idle');
  return agent;
}

/** Follows the seat over the floor plane until it is in that state. */
async function state(home: Home, name: string, wanted: string): Promise<void> {
  const floor = home.client().floor();
  const seen = new Promise<void>((resolve) =>
    floor.on('status', (status) => {
      if (status.seat === name && status.state === wanted) resolve();
    }),
  );
  await floor.watch([name]);
  await seen;
  floor.close();
}

const test = suite<{ home: Home }>('cli seats');
test.before(async (context) => {
  context.home = new Home();
  await context.home.run('up', '--background');
});
test.after(async ({ home }) => {
  await home.close();
  for (const agent of agents) agent.close();
});

test('a send is delivered, said and on the screen; the same key types nothing again', async ({ home }) => {
  const agent = await seat(home, 'one');
  const sent = await home.run('send', 'one', 'say', 'hello', '--idempotency-key', 'k1');
  assert.equal(sent, { code: 0, out: 'Delivered to one: a turn began.\n', err: '' });
  const again = await home.run('send', 'one', 'say hello', '--idempotency-key', 'k1');
  assert.is(again.code, 0, again.err);
  assert.equal(await agent.submitted(), ['say hello']);
  await state(home, 'one', 'idle');
  const screen = (await home.run('capture', 'one')).out;
  assert.match(screen, /hello/);
  const { out } = await home.run('capture', 'one', '--lines', '2', '--json');
  assert.is((JSON.parse(out) as { lines: string[] }).lines.length, 2);
});

test('47 a busy seat refuses at once and names both ways to wait; with a wait it is typed afterwards', async ({
  home,
}) => {
  const agent = await seat(home, 'busy');
  assert.is((await home.run('send', 'busy', 'work 6s')).code, 0);
  const { code, out, err } = await home.run('send', 'busy', 'now');
  assert.is(code, 1);
  assert.is(out, '');
  assert.match(err, /^openfloor: No text was sent\. .* Nothing is kept\. \([a-z_]+\)\n/);
  assert.match(err, /--wait-for-idle/);
  assert.match(err, /queue create/);
  const later = await home.run('send', 'busy', '--wait-for-idle', '20', 'later', '--json');
  assert.is(later.code, 0, later.err);
  assert.is((JSON.parse(later.out) as { outcome: string }).outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 6s', 'later']);
});

test('a wait that ends is exit 1, no text was sent and nothing is kept', async ({ home }) => {
  await home.run('send', 'busy', '--wait-for-idle', '20', 'work 5s');
  const { code, err } = await home.run('send', 'busy', '--wait-for-idle', '0.3', 'never');
  assert.is(code, 1);
  assert.match(err, /No text was sent\. .*Nothing is kept\. \(wait_for_idle_timeout\)/);
});

test('the body comes from a file or from standard input, whole', async ({ home }) => {
  const agent = await seat(home, 'file');
  const file = join(home.folder, 'message.txt');
  writeFileSync(file, 'one\n  two\n');
  assert.is((await home.run('send', 'file', '--from-file', file)).code, 0);
  const piped = await new Promise<Ran>((resolve) => {
    const args = [MAIN, 'send', 'file', '--wait-for-idle', '20', '--from-file', '-'];
    const child = execFile(process.execPath, args, { env: home.env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end('piped');
  });
  assert.is(piped.code, 0, piped.err);
  assert.equal(await agent.submitted(), ['one\n  two', 'piped']);
});

test('bad usage is refused before anything is sent', async ({ home }) => {
  const cases = [
    [['send', 'file'], /give the text, or --from-file/],
    [['send', 'file', 'x', '--dangerously-interact'], /needs --reason/],
    [['send', 'file', 'x', '--type-without-checking'], /goes with --dangerously-interact/],
    [['send', 'file', 'x', '--wait-for-idle', 'soon'], /Expected seconds/],
    [['send', 'file', '/compact'], /\(command_prefix\)/],
    [['send', 'file', 'a\x1bb'], /\(body_control_characters\)/],
    [['send', 'nosuch', 'x'], /\(seat_not_found\)/],
  ] as const;
  for (const [args, expected] of cases) {
    const { code, err, out } = await home.run(...args);
    assert.is(code, 1, err);
    assert.is(out, '');
    assert.match(err, expected);
  }
});

test('39 40 an override that is refused shows what stands in the composer; unchecked it says so', async ({
  home,
}) => {
  await seat(home, 'drafted');
  const attachment = home.client().attach('drafted', { mode: 'join' });
  await attachment.ready;
  attachment.write('half a thought');
  const because = ['--dangerously-interact', '--reason', 'a test'];
  await home.client().seats.settings('drafted', { human_quiet_ms: 0 });
  while (!(await home.run('capture', 'drafted')).out.includes('half a thought'));
  const { code, out, err } = await home.run('send', 'drafted', ...because, 'x');
  assert.equal([code, out], [1, ''], err);
  assert.match(err, /^\[openfloor\] in the composer of drafted: cursor at row \d+, column \d+ of 80x24\n/);
  assert.match(err, / {2}\| half a thought\n/);
  assert.match(err, /\(override_input_present\)/);
  const unchecked = await home.run('send', 'drafted', ...because, '--type-without-checking', ' and more');
  assert.match(unchecked.err, /the composer was not looked at, as asked/);
  await attachment.detach();
});

test('38 an override into a dialog says that nobody knows whether it was taken', async ({ home }) => {
  await seat(home, 'asked');
  assert.is((await home.run('send', 'asked', 'question')).code, 0);
  await state(home, 'asked', 'blocked');
  const { code, out, err } = await home.run(
    'send',
    'asked',
    '--dangerously-interact',
    '--reason',
    'a test',
    '2',
  );
  assert.is(code, 0, err);
  assert.match(out, /^Typed into a dialog of asked, unverified: Enter was not sent/);
});

test('a dialog blocks; status names it, and leaves empty sections out', async ({ home }) => {
  await seat(home, 'asks');
  const quiet = (await home.run('status', 'asks')).out;
  assert.match(quiet, /^asks agent seat, generation 1, process \d+, \d+x\d+\n/);
  assert.match(quiet, /\nstatus {6}idle/);
  assert.match(quiet, /\nfloor {7}open: a send would be typed now\n/);
  for (const empty of ['dialog', 'guard', 'held', 'settings', 'WAITING', 'composer']) {
    assert.not.match(quiet, new RegExp(`\n${empty}`));
  }
  await home.run('send', 'asks', 'ask rm -rf build');
  await state(home, 'asks', 'blocked');
  const { out } = await home.run('status', 'asks');
  assert.match(out, /\nstatus {6}blocked: permission/);
  assert.match(out, /\ndialog {6}permission: Run command\?\n/);
  assert.match(out, /Yes \[allow_once\]/);
  assert.match(out, /a send would be refused: target_needs_input\n/);
  const refused = await home.run('send', 'asks', 'yes');
  assert.is(refused.code, 1);
  assert.match(refused.err, /\(target_needs_input\)/);
});

test('--explain shows each channel, each rule that was tried with what it saw, and every row of the floor', async ({
  home,
}) => {
  const { out } = await home.run('status', 'asks', '--explain');
  assert.match(out, /\n1 +program_status +decides +means blocked, kind permission/);
  assert.match(out, /\n2 +sequence +\w+/);
  assert.match(out, /\n4 +screen +blocks +dialog permission/);
  assert.match(out, /title: /);
  assert.match(out, / {2}title-rest +idle_or_blocked +\w+/);
  for (const row of [1, 5, 14]) assert.match(out, new RegExp(`\n${row} +`));
  const json = JSON.parse((await home.run('status', 'asks', '--explain', '--json')).out) as {
    explain: { channels: unknown[] };
    floor_answer: { rows: unknown[] };
  };
  assert.is(json.explain.channels.length, 3);
  assert.is(json.floor_answer.rows.length, 14);
});

test('--watch follows until the session ends', async ({ home }) => {
  const agent = await seat(home, 'watched');
  const child = spawn(process.execPath, [MAIN, 'status', 'watched', '--watch', '--json'], { env: home.env });
  let out = '';
  const seen = (text: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (out.includes(text)) resolve();
      };
      child.stdout.on('data', check);
      check();
    });
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await seen('"state":"idle"');
  await home.run('send', 'watched', 'work 300ms');
  await seen('"state":"working"');
  await home.run('kill', 'watched');
  assert.is(await ended, 0);
  const types = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  assert.is(types.at(-1), 'ended');
  assert.equal(await agent.submitted(), ['work 300ms']);
});

test('ls has what goes on in each seat', async ({ home }) => {
  const { out } = await home.run('ls');
  assert.match(out, /^SEAT +STATE +KIND +THERE +FLOOR +WAITING +PID +AGE +COMMAND\n/);
  assert.match(out, /\nasks +blocked: permission +demo +- +free +0 +\d+ +\w+ +/);
});

test('settings change what is named and keep the rest; settle is for a seat that is', async ({ home }) => {
  const set = await home.run(
    ...['seat', 'settings', 'one', '--human-quiet', '100', '--carrier', 'ssh', '--carrier', 'docker'],
    ...['--grant-in-background', 'on'],
  );
  assert.is(set.code, 0, set.err);
  const { code, out } = await home.run('seat', 'settings', 'one', '--model', 'large', '--json');
  assert.is(code, 0);
  assert.equal(JSON.parse(out), {
    human_quiet_ms: 100,
    carriers: ['ssh', 'docker'],
    grant_in_background: true,
    model: 'large',
  });
  const wrong = await home.run('seat', 'settings', 'one', '--agent', 'nosuch');
  assert.is(wrong.code, 1);
  assert.match(wrong.err, /\(unknown_pack\)/);
  assert.is((await home.run('seat', 'settle', 'one')).code, 0);
  assert.is((await home.run('seat', 'settle', 'nosuch')).code, 1);
});

test('the audit lists, follows and verifies', async ({ home }) => {
  const listed = await home.run('audit', '--seat', 'one', '--json');
  const records = listed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; kind: string; seat: string; message?: string });
  assert.ok(records.every((record) => record.seat === 'one'));
  const granted = records.find(({ kind }) => kind === 'injection.granted');
  assert.is(granted?.message, 'say hello');
  const text = (await home.run('audit', '--seat', 'one', '--kind', 'injection.finished')).out;
  assert.match(
    text,
    /injection\.finished {2}one {2}complete, confirmed {2}turn_started {2}by admin operator {2}"say hello"\n/,
  );

  const busy = (await home.run('audit', '--seat', 'busy', '--kind', 'injection.granted')).out;
  assert.match(busy, /"later" {2}waited \d+s: .*session_working/);

  const child = spawn(
    process.execPath,
    [MAIN, 'audit', '--follow', '--after', '0', '--seat', 'one', '--json'],
    { env: home.env },
  );
  let out = '';
  const fresh = new Promise<void>((resolve) =>
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      if (out.includes('"message":"followed"')) resolve();
    }),
  );
  assert.is((await home.run('send', 'one', '--wait-for-idle', '20', 'followed')).code, 0);
  await fresh;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  assert.is(await ended, 0);
  const [first] = out.split('\n');
  assert.is((JSON.parse(first ?? '') as { seq: number }).seq, records[0]?.seq);

  assert.match(
    (await home.run('audit', 'verify')).out,
    /^The chain is whole: \d+ records\.\nhead [0-9a-f]{64}\n$/,
  );
});

test('an agent in a seat uses its own credential: it sees its seat, writes to others, and is named to them', async ({
  home,
}) => {
  const target = await seat(home, 'target');
  const script = [
    `"${process.execPath}" "${MAIN}" status "$OPENFLOOR_SEAT" --json > "$HOME/own.json"`,
    `"${process.execPath}" "${MAIN}" status target > "$HOME/other.txt" 2>&1`,
    `"${process.execPath}" "${MAIN}" send target "from within" > "$HOME/sent.txt" 2>&1; echo "all done"; read _`,
  ].join('; ');
  await home.run('run', '--detach', '--seat', 'inner', '--', 'bash', '-c', script);
  const [message] = await target.until((entries) => {
    const texts = entries.flatMap((entry) => (entry.type === 'submit' ? [entry.text] : []));
    return texts.length > 0 ? texts : undefined;
  });
  assert.is(message, '[message from agent inner; reply: openfloor send inner "..."]\nfrom within');
});

test.run();
