// The verbs against a real server in the background: started once, used, and ended with what it held.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Home } from './home.js';

const test = suite<{ home: Home }>('cli verbs');
test.before((context) => {
  context.home = new Home();
});
test.after(({ home }) => home.close());

test('the first run starts the server in the background, and the seat gets its name from the command', async ({
  home,
}) => {
  const { code, out, err } = await home.run('run', '--detach', 'bash');
  assert.is(code, 0, err);
  assert.match(out, /^bash, generation 1\nattach token \(does not expire\): [0-9a-f]{64}\n$/);
  assert.match(err, /started the server at http:\/\/127\.0\.0\.1:\d+/);
  assert.is(statSync(join(home.folder, '.config/openfloor/credential')).mode & 0o777, 0o600);
});

test('a second seat of the same command gets the next number, and no second server is started', async ({
  home,
}) => {
  const { pid } = home.record;
  const { out, err } = await home.run('run', '--detach', '--', 'bash', '--norc');
  assert.match(out, /^bash-2, /);
  assert.is(err, '');
  assert.is(home.record.pid, pid);
});

test('the server is in a process session of its own', ({ home }) => {
  const { pid } = home.record;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  assert.is(Number(session), pid);
  assert.is(terminal, '0');
});

test('a second up says where the first one is, in the foreground and in the background', async ({ home }) => {
  const { address, pid } = home.record;
  for (const args of [['up'], ['up', '--background']]) {
    const { code, out } = await home.run(...args);
    assert.is(code, 0);
    assert.is(out, `Openfloor already runs at ${address} (process ${pid}).\n`);
  }
});

test("the caller's folder and environment reach the seat, our own variables don't", async ({ home }) => {
  home.env.CALLER_WORD = 'floor wax';
  home.env.OPENFLOOR_WORD = 'secret';
  const words = [
    'run',
    '--detach',
    '--seat',
    'env',
    '--',
    'sh',
    '-c',
    'echo "$CALLER_WORD|$PWD|$OPENFLOOR_WORD|"; read _',
  ];
  assert.is((await home.run(...words)).code, 0);
  const attachment = home.client().attach('env', { mode: 'view', since: 0 });
  let seen = '';
  await new Promise<void>((resolve) => {
    attachment.on('bytes', ({ bytes }) => {
      seen += Buffer.from(bytes).toString();
      if (seen.includes('\n')) resolve();
    });
  });
  await attachment.detach();
  assert.is(seen, `floor wax|${home.folder}||\r\n`);
  delete home.env.OPENFLOOR_WORD;
});

test('a name that is taken, a name that is none and a command that is missing are one sentence each', async ({
  home,
}) => {
  const cases = [
    [['run', '--detach', '--seat', 'bash', 'bash'], /session already exists: bash/],
    [['new', 'BAD'], /invalid session name/],
    [['kill', 'nosuch'], /no such session: nosuch/],
    [['run', '--detach', '--seat', 'x', 'no-such-command-here'], /no-such-command-here/],
  ] as const;
  for (const [args, expected] of cases) {
    const { code, err } = await home.run(...args);
    assert.is(code, 1, err);
    assert.match(err, expected);
    assert.match(err, /^openfloor: .*\([a-z_]+\)\n( {2}next: .*\n)?$/);
  }
});

test('restart keeps the name and raises the generation; renew raises it again', async ({ home }) => {
  const pidOf = async () =>
    (await home.client().sessions.list()).sessions.find(({ name }) => name === 'bash-2')?.pid;
  const before = await pidOf();
  assert.match((await home.run('restart', 'bash-2')).out, /^bash-2, generation 2\n/);
  const after = await pidOf();
  assert.is.not(after, before);
  assert.match((await home.run('renew', 'bash-2')).out, /^bash-2, generation 3\n/);
  assert.is(await pidOf(), after);
});

test('credentials are minted once, listed without their secret, and revoked', async ({ home }) => {
  const minted = JSON.parse(
    (await home.run('token', 'mint', '--kind', 'auditor', '--name', 'ci', '--json')).out,
  ) as {
    id: string;
    token: string;
  };
  const list = (await home.run('token', 'list')).out;
  assert.match(list, new RegExp(`${minted.id} +auditor +ci `));
  assert.not.match(list, new RegExp(minted.token));
  assert.is((await home.run('token', 'revoke', minted.id)).code, 0);
  assert.is((await home.run('token', 'revoke', minted.id)).code, 1);
});

test('a login link works once, and only for the address it names', async ({ home }) => {
  const { link } = JSON.parse((await home.run('login', '--json')).out) as { link: string };
  const again = await home.run('login', link, '--profile', 'other');
  assert.is(again.code, 0, again.err);
  const file = join(home.folder, '.config/openfloor/profiles/other.json');
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is((await home.run('ls', '--profile', 'other')).code, 0);
  const { code, err } = await home.run('login', link, '--profile', 'third');
  assert.is(code, 1);
  assert.match(err, /\(ticket_invalid\)/);
  assert.not(existsSync(join(home.folder, '.config/openfloor/profiles/third.json')));
});

test('doctor finds nothing wrong and leaves no session behind', async ({ home }) => {
  const { code, out } = await home.run('doctor', '--json');
  const { checks } = JSON.parse(out) as { checks: Array<{ name: string; result: string; detail: string }> };
  assert.equal(
    checks.filter(({ result }) => result === 'fail'),
    [],
  );
  assert.is(code, 0);
  const names = (await home.client().sessions.list()).sessions.map(({ name }) => name);
  assert.equal(names, ['bash', 'bash-2', 'env']);
});

test('kill ends what it names and goes on after a name that is none', async ({ home }) => {
  const { code, out, err } = await home.run('kill', 'env', 'nosuch', 'bash-2');
  assert.match(out, /^env ended after \d+ ms\nbash-2 ended after \d+ ms\n$/);
  assert.is(code, 1);
  assert.match(err, /no such session: nosuch/);
});

test('no secret is in the log of the server or in its arguments', ({ home }) => {
  const log = readFileSync(join(home.folder, '.local/state/openfloor/server.log'), 'utf8');
  const line = readFileSync(`/proc/${home.record.pid}/cmdline`, 'utf8');
  for (const text of [log, line]) assert.not.match(text, /[0-9a-f]{64}/);
});

test('down names what it ends, and afterwards nothing runs and nothing is left to find', async ({ home }) => {
  const { pid } = home.record;
  const { code, out } = await home.run('down');
  assert.is(code, 0);
  assert.is(out, `Ending the server (process ${pid}) and with it: bash\nEnded.\n`);
  assert.not(existsSync(join(home.folder, '.local/state/openfloor/server.json')));
  assert.is((await home.run('down')).out, 'No server runs here.\n');
  assert.is((await home.run('ls')).code, 2);
});

test.run();
