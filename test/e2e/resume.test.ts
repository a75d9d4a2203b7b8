// Lost connections, through a proxy that cuts: byte-exact in the SDK, and in the CLI a screen that goes on, keys that are
// not kept, and a terminal that is given back while nobody answers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../clients/sdk/index.js';
import { CutProxy } from './cut-proxy.js';
import { Home } from './home.js';

const test = suite<{ home: Home; proxy: CutProxy }>('resume');
test.before(async (context) => {
  context.home = new Home();
  const { code, err } = await context.home.run('up', '--background');
  assert.is(code, 0, err);
  const { port } = new URL(context.home.record.address);
  context.proxy = new CutProxy({ host: '127.0.0.1', port: Number(port) });
  await context.proxy.open();
});
test.after(async ({ home, proxy }) => {
  await proxy.close();
  await home.close();
});

/** What the seat prints for one request: numbered lines, so that a lost or doubled byte can't hide. */
const LINES = 12_000;
const COUNTER = `stty -echo; while read -r from; do seq $from $((from + ${LINES} - 1)); done`;
const expected = (round: number) =>
  Array.from({ length: LINES }, (_, line) => `${round * LINES + line}\r\n`).join('');

test('output is byte-exact over ten cuts in the middle of it', async ({ home, proxy }) => {
  await home.client().sessions.create({ name: 'counter', command: ['/bin/bash', '-c', COUNTER] });
  const client = connect({ url: proxy.url, credential: home.credential });
  const attachment = client.attach('counter', { since: 0, retryDelayMs: () => 10 });
  const chunks: Buffer[] = [];
  let total = 0;
  let wake = () => {};
  attachment.on('bytes', ({ offset, bytes }) => {
    assert.is(offset, total);
    chunks.push(Buffer.from(bytes));
    total += bytes.length;
    wake();
  });
  attachment.on('gap', (gap) => assert.unreachable(JSON.stringify(gap)));
  await attachment.ready;
  const until = async (count: number) => {
    while (total < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  let wanted = 0;
  for (let round = 0; round < 10; round++) {
    const begin = wanted;
    wanted += Buffer.byteLength(expected(round));
    assert.is(attachment.write(`${round * LINES}\n`), 'sent');
    // Cut on its way through the output: after the first bytes in one round, near the end in another.
    await until(begin + Math.floor((wanted - begin) * (round / 12)) + 1);
    const again = attachment.once('attached');
    proxy.cut();
    // What is typed next must not go into the connection that was just cut.
    await again;
    await until(wanted);
  }
  await attachment.detach();
  const all = Array.from({ length: 10 }, (_, round) => expected(round)).join('');
  assert.ok(Buffer.concat(chunks).toString() === all, 'every byte once and in order');
  assert.ok(proxy.connections >= 11);
});

const viaProxy = (home: Home, proxy: CutProxy, args: string) =>
  home.terminal(
    `export OPENFLOOR_URL=${proxy.url} OPENFLOOR_TOKEN=${home.credential}; openfloor ${args}; echo "status $?"; read -r _`,
  );
const ECHO = 'stty raw -echo; printf ready; cat -v';

test('after a short break the screen goes on, and nothing was drawn over it', async ({ home, proxy }) => {
  await home.client().sessions.create({ name: 'short', command: ['/bin/sh', '-c', ECHO] });
  const terminal = viaProxy(home, proxy, 'attach short');
  await terminal.shows('ready');
  terminal.type('one');
  await terminal.shows('readyone');
  const before = proxy.connections;
  proxy.cut();
  await terminal.until(() => true, 'the cut');
  // The seat is attached again once the server counts a client, and types on as if nothing had been.
  const client = home.client();
  const attached = async () => {
    const { sessions } = await client.sessions.list();
    return (
      proxy.connections > before && sessions.some(({ name, clients }) => name === 'short' && clients === 1)
    );
  };
  while (!(await attached()));
  terminal.type('two');
  await terminal.shows('readyonetwo');
  assert.equal(
    terminal.screen.filter((row) => row !== ''),
    ['readyonetwo'],
  );
  terminal.type('\x1cd');
  await terminal.seen(/left short[\s\S]*status 0/);
});

test('out of reach for longer, the terminal is given back, keys are dropped, and the picture comes again', async ({
  home,
  proxy,
}) => {
  await home.client().sessions.create({ name: 'long', command: ['/bin/sh', '-c', ECHO] });
  const terminal = viaProxy(home, proxy, 'attach long');
  await terminal.shows('ready');
  await proxy.close();
  const from = terminal.output.length;
  terminal.type('stale');
  await terminal.seen(/\x07/, from);
  await terminal.seen(/connection to long lost; trying again \(Ctrl-C stops\)/, from);
  await proxy.open();
  await terminal.seen(/connected again/, from);
  await terminal.shows('ready');
  terminal.type('fresh');
  await terminal.shows('readyfresh');
  assert.not(terminal.screen.some((row) => row.includes('stale')));
  terminal.type('\x1cd');
  await terminal.seen(/left long[\s\S]*status 0/);
});

test('a server that was killed ends the stay with status 2 and a terminal that was given back', async ({
  home,
  proxy,
}) => {
  await home
    .client()
    .sessions.create({ name: 'gone', command: ['/bin/sh', '-c', `printf '\\033[?1049h'; ${ECHO}`] });
  const terminal = viaProxy(home, proxy, 'attach gone');
  await terminal.shows('ready');
  const from = terminal.output.length;
  process.kill(home.record.pid, 'SIGKILL');
  await terminal.seen(/\(connection_lost\)[\s\S]*next: [\s\S]*status 2/, from);
  assert.ok(terminal.output.slice(from).includes('\x1b[?1049l'));
  // What it left behind is nobody's: the next start is a fresh one.
  const { code, out } = await home.run('up', '--background');
  assert.is(code, 0);
  assert.match(out, /^Openfloor runs at /);
});

test.run();
