// Shepherd under `openfloor up`, as processes: its routes stand under the one address, and kill -9 of either side types
// nothing twice.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DemoAgent, demoAgent } from '../support/demo-agent.js';
import { Home } from './home.js';

const test = suite<{ home: Home; agents: DemoAgent[] }>('shepherd process');
test.before((context) => {
  context.home = new Home();
  context.agents = [];
});
test.after(async ({ home, agents }) => {
  await home.close();
  for (const agent of agents) agent.close();
});

const LIMIT_MS = 30_000;
async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await find().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`${what}: it never came`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function seat(home: Home, name: string, agents: DemoAgent[]): Promise<DemoAgent> {
  const agent = demoAgent();
  agents.push(agent);
  const client = home.client();
  await client.sessions.create({ name, command: agent.command, rows: 24, cols: 80 });
  await until('idle', async () => (await client.seats.status(name)).status.state === 'idle');
  return agent;
}

/** The Shepherd that belongs to this server: its only child with that verb. */
async function shepherdPid(home: Home): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const { pid } = home.record;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  for (const child of children) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (line.split('\0').includes('shepherd')) return Number(child);
  }
  throw new Error('there is no Shepherd');
}

test('up serves the queue; a killed Shepherd is started again and its wake is typed once', async ({
  home,
  agents,
}) => {
  assert.is((await home.run('up', '--background')).code, 0);
  const agent = await seat(home, 'work', agents);
  const client = home.client();
  // A draft holds the wake for as long as the test needs.
  const operator = client.attach('work', { mode: 'join', rows: 24, cols: 80 });
  await operator.ready;
  operator.write('half a sentence');
  const made = await home.run(
    'queue',
    'create',
    '--destination',
    'work',
    '--summary',
    'after the work',
    '--json',
  );
  assert.is(made.code, 0, made.err);
  const { id } = JSON.parse(made.out) as { id: string };
  await until('the wake waits', async () => (await client.seats.floor('work')).waiting.length === 1);
  const before = await shepherdPid(home);
  process.kill(before, 'SIGKILL');
  // A call waits for the next one, once it is known that this one is gone.
  await until('the next one', async () => (await client.queue.show(id)).wake?.state === 'asked');
  operator.write('\r');
  const row = await until('confirmed', async () => {
    const shown = await client.queue.show(id);
    return shown.lastWake?.result === 'confirmed' && shown;
  });
  assert.is(row.state, 'pending');
  assert.is.not(await shepherdPid(home), before);
  const texts = await agent.submitted();
  assert.is(texts.length, 2);
  assert.is(texts[0], 'half a sentence');
  assert.ok(texts[1]?.includes(id));
  await operator.detach();
  const shown = await home.run('queue', 'list');
  assert.match(shown.out, new RegExp(`${id} +pending +operator +work +routine .*confirmed +after the work`));
});

test('kill -9 of the server ends both; the next one wakes a waiting row once and leaves a confirmed one alone', async ({
  home,
  agents,
}) => {
  const client = home.client();
  const [confirmed] = (await client.queue.list({ state: 'open' })).rows;
  await client.send({ seat: 'work', text: 'work 60000ms', wait_ms: 20_000 });
  const { id } = await client.queue.create({ destination: 'work', summary: 'over a crash' });
  await until('the wake waits', async () => (await client.seats.floor('work')).waiting.length === 1);
  const shepherd = await shepherdPid(home);
  process.kill(home.record.pid, 'SIGKILL');
  await until('Shepherd ends with its parent', async () => {
    try {
      process.kill(shepherd, 0);
      return false;
    } catch {
      return true;
    }
  });
  assert.is((await home.run('up', '--background')).code, 0);
  const agent = await seat(home, 'work', agents);
  const again = home.client();
  await until('confirmed', async () => (await again.queue.show(id)).lastWake?.result === 'confirmed');
  const texts = await agent.submitted();
  assert.is(texts.filter((text) => text.includes(id)).length, 1);
  assert.not.ok(texts.some((text) => text.includes(confirmed?.id ?? '-')));
  assert.is((await again.audit.verify()).ok, true);
});

test('down ends Shepherd too', async ({ home }) => {
  const shepherd = await shepherdPid(home);
  assert.is((await home.run('down')).code, 0);
  assert.throws(() => process.kill(shepherd, 0), /ESRCH/);
});

test.run();
