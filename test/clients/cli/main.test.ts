// The command itself, as a process: help with an example everywhere, one sentence for every mistake, exit statuses.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callerEnvironment } from '../../../clients/cli/create.js';
import { freeName, seatNameOf } from '../../../clients/cli/run.js';
import { parseTtl } from '../../../clients/cli/token.js';
import { findVerb, VERBS } from '../../../clients/cli/verb-table.js';
import { startTapeServer, type TapeServer } from '../sdk/tape-server.js';

const MAIN = fileURLToPath(new URL('../../../clients/cli/main.js', import.meta.url));
const test = suite<{ home: string; server: TapeServer }>('main');
test.before(async (context) => {
  context.home = mkdtempSync(join(tmpdir(), 'openfloor-main-'));
  context.server = await startTapeServer();
});
test.after(async ({ home, server }) => {
  await server.close();
  rmSync(home, { recursive: true });
});

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function openfloor(
  context: { home: string },
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Result> {
  return new Promise((resolve) => {
    const options = {
      env: { PATH: process.env.PATH, HOME: context.home, ...env },
      encoding: 'utf8' as const,
    };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
    child.stdin?.end();
  });
}
const seatEnvironment = (server: TapeServer) => ({ OPENFLOOR_URL: server.url, OPENFLOOR_TOKEN: 't' });

test('every verb has help with an example, and the page of all verbs names each', async (context) => {
  const names = Object.keys(VERBS);
  const all = await openfloor(context, ['--help']);
  assert.is(all.code, 0);
  const pages = [...names.map((name) => [name]), ['token', 'mint'], ['token', 'list'], ['token', 'revoke']];
  for (const name of names) assert.match(all.out, new RegExp(`\\n  ${name} `));
  // Two at a time: the machine has two cores.
  for (let at = 0; at < pages.length; at += 2) {
    const results = await Promise.all(
      pages.slice(at, at + 2).map((page) => openfloor(context, [...page, '--help'])),
    );
    results.forEach((result, index) => {
      const page = pages[at + index]?.join(' ');
      assert.is(result.code, 0, page);
      assert.match(result.out, /Examples?:\n {2}\$ openfloor/, page);
      assert.match(result.out, /--json/, page);
      assert.is(result.err, '', page);
    });
  }
});

test('a mistake in the command line is one sentence with status 1', async (context) => {
  const cases = [
    [['frobnicate'], /^openfloor: there is no verb "frobnicate" \(unknown_verb\)\n {2}next: /],
    [
      ['ls', '--bogus'],
      /^openfloor: unknown option '--bogus' \(usage\)\n {2}next: See openfloor ls --help\.\n$/,
    ],
    [['attach'], /^openfloor: missing required argument 'seat' \(usage\)/],
    [['new', 'x', '--rows', '0'], /Expected a whole number from 1 to 1000/],
    [['attach', 'x', '--detach-keys', 'd'], /Expected for example/],
  ] as const;
  for (const [args, expected] of cases) {
    const { code, out, err } = await openfloor(context, args);
    assert.is(code, 1, args.join(' '));
    assert.is(out, '');
    assert.match(err, expected);
  }
});

test('a machine where no server was started says so and how to start one', async (context) => {
  const { code, err } = await openfloor(context, ['ls']);
  assert.is(code, 1);
  assert.match(err, /\(no_server\)\n {2}next: .*openfloor up/);
});

test('an address where nothing answers is on the server side: status 2', async (context) => {
  const { code, err } = await openfloor(context, ['ls', '--json'], {
    OPENFLOOR_URL: 'http://127.0.0.1:1',
    OPENFLOOR_TOKEN: 't',
  });
  assert.is(code, 2);
  assert.is((JSON.parse(err) as { reason: string }).reason, 'unreachable');
});

test('--json may stand before or after the verb, and is the answer of the server', async (context) => {
  const list = { sessions: [], draining: false, seats: [] };
  context.server.answer = () => ({ status: 200, body: JSON.stringify(list) });
  for (const args of [
    ['ls', '--json'],
    ['--json', 'ls'],
  ]) {
    const { code, out } = await openfloor(context, args, seatEnvironment(context.server));
    assert.is(code, 0);
    assert.equal(JSON.parse(out), list);
  }
});

test('a list is a table, with what sessions say about themselves escaped', async (context) => {
  const session = {
    name: 'bash',
    generation: 1,
    alive: true,
    attached: true,
    clients: 2,
    bytes_written: 5,
    rows: 24,
    cols: 80,
    pid: 42,
    command: ['bash', '-c', 'printf \x1b[2J'],
    created_at: new Date().toISOString(),
  };
  context.server.answer = () => ({
    status: 200,
    body: JSON.stringify({ sessions: [session], draining: false, seats: [] }),
  });
  const { out } = await openfloor(context, ['ls'], seatEnvironment(context.server));
  assert.match(
    out,
    /^SEAT +STATE +KIND +THERE +FLOOR +WAITING +PID +AGE +COMMAND\nbash +- +- +- +- +0 +42 +\ds +bash -c printf \\x1b\[2J\n$/,
  );
});

test('words after -- belong to the command, whatever they look like', async (context) => {
  context.server.requests.length = 0;
  context.server.answer = () => ({
    status: 200,
    body: '{"session":"x","generation":1,"token":"abc","token_expires_in_secs":null}',
  });
  const args = ['new', 'x', '--rows', '30', '--', 'ls', '--json', '--rows', '5'];
  const { out } = await openfloor(context, args, seatEnvironment(context.server));
  assert.equal(JSON.parse(context.server.requests[0]?.body ?? ''), {
    name: 'x',
    command: ['ls', '--json', '--rows', '5'],
    rows: 30,
  });
  assert.is(out, 'x, generation 1\nattach token (does not expire): abc\n');
});

test('attach and run without a terminal are refused before anything is asked of the server', async (context) => {
  context.server.requests.length = 0;
  for (const args of [
    ['attach', 'bash'],
    ['run', 'bash'],
  ]) {
    const { code, err } = await openfloor(context, args, seatEnvironment(context.server));
    assert.is(code, 1);
    assert.match(err, /\(not_a_terminal\)\n {2}next: /);
  }
  assert.equal(context.server.requests, []);
});

test('a viewer without a terminal copies the bytes of the session until it ends', async (context) => {
  context.server.answer = () => ({
    status: 200,
    body: '{"session":"bash","generation":1,"token":"abc","token_expires_in_secs":null}',
  });
  const attached = context.server.nextAttach();
  const result = openfloor(context, ['attach', 'bash', '--view'], seatEnvironment(context.server));
  const client = await attached;
  client.socket.send(Buffer.from('hello\r\n'));
  client.send({ type: 'exit', code: 0, signal: null });
  client.socket.close(4004, 'session ended');
  assert.equal(await result, { code: 0, out: 'hello\r\n', err: '' });
});

test('the verb is found behind global options', () => {
  assert.is(findVerb(['--url', 'run', '--json', 'ls']), 'ls');
  assert.is(findVerb(['--url=x', 'ls', 'run']), 'ls');
  assert.is(findVerb(['constructor']), undefined);
  assert.is(findVerb([]), undefined);
});

test('a seat is named after its command, with the next free number', () => {
  assert.equal(['bash', '/usr/bin/Foo_bar.sh', '---', 'ünïcode', 'x'.repeat(60)].map(seatNameOf), [
    'bash',
    'foo-bar-sh',
    'seat',
    'n-code',
    'x'.repeat(28),
  ]);
  assert.is(freeName('bash', new Set()), 'bash');
  assert.is(freeName('bash', new Set(['bash', 'bash-2'])), 'bash-3');
});

test("the caller's environment goes along without our own variables", () => {
  const env = {
    PATH: '/bin',
    OPENFLOOR_TOKEN: 'secret',
    OPENFLOOR_URL: 'u',
    OPENFLOORX: 'kept',
    GONE: undefined,
  };
  assert.equal(callerEnvironment(env), { PATH: '/bin', OPENFLOORX: 'kept' });
});

test('times to live are a number and a unit', () => {
  assert.equal(['90s', '15m', '12h', '30d'].map(parseTtl), [90, 900, 43_200, 2_592_000]);
  for (const bad of ['', '1', '0s', '-1s', '1w', '1.5h', '1h1m'])
    assert.throws(() => parseTtl(bad), undefined, bad);
});

test.run();
