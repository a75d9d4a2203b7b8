// A store that is locked by another process, full or read-only under a running server, and one that a start can't use:
// operators feel nothing, requests end as the guard contract says, and what happened is recorded once it is back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openJournal } from '../../runtime/journal/journal.js';
import { type Operator, SeatRig } from '../support/seat-rig.js';
import { startServer } from '../support/server.js';
import { Home } from './home.js';

/** SQLite's own patience with a lock is five seconds: an echo that waits for it is told from a slow machine's. */
const BLOCKED_MS = 2_000;

/** A process that locks the database for writing, and lets go when it is told to. */
async function lockedBy(file: string): Promise<{ release(): Promise<void> }> {
  const script = `
    import Database from 'better-sqlite3';
    const db = new Database(${JSON.stringify(file)});
    db.exec('BEGIN IMMEDIATE');
    console.log('locked');
    process.stdin.on('end', () => process.exit(0)).resume();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: new URL('../../../', import.meta.url),
  });
  await once(child.stdout, 'data');
  return {
    async release() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

/** The longest of so many echoes of an operator who types into `cat`, one after the other. */
async function longestEchoMs(operator: Operator, count: number): Promise<number> {
  let longest = 0;
  for (let n = 0; n < count; n++) {
    const before = operator.screen.length;
    const startedAt = performance.now();
    operator.type('k');
    await operator.until(() => operator.screen.length > before);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  return longest;
}

interface Context {
  rig: SeatRig;
  /** The server's own connection to its database. */
  own: Database.Database;
  typist: Operator;
}

const test = suite<Context>('store');
test.before(async (context) => {
  // The first connection that opens the database itself is the journal's; real faults of SQLite are asked of it.
  const { pragma } = Database.prototype;
  Database.prototype.pragma = function (this: Database.Database, ...args) {
    if (this.name.endsWith('openfloor.db')) context.own ??= this;
    return pragma.apply(this, args);
  };
  context.rig = await SeatRig.start();
  Database.prototype.pragma = pragma;
  const raw = ['/bin/sh', '-c', 'stty raw -echo; exec cat'];
  await context.rig.call('POST', '/admin/sessions', { name: 'typist', command: raw, rows: 30, cols: 100 });
  context.typist = await context.rig.operator('typist');
});
test.after(({ rig }) => rig.close());

test('R5 locked by another process: echoes go on, a send fails with no byte and works when it is free', async ({
  rig,
  typist,
}) => {
  const agent = await rig.seat('locked');
  const lock = await lockedBy(join(rig.server.dataDir, 'openfloor.db'));
  const sends = [1, 2, 3].map((n) => rig.send('locked', `message ${n}`));
  const longest = await longestEchoMs(typist, 500);
  for (const sent of await Promise.all(sends)) {
    assert.is(sent.status, 503, JSON.stringify(sent.body));
    assert.is(sent.body.reason, 'audit_unavailable');
    assert.is(sent.body.sent, false);
    assert.is(sent.body.bytes_written, 0);
    assert.ok(sent.body.next.length > 0);
  }
  assert.ok(longest < BLOCKED_MS, `the longest echo took ${longest.toFixed(1)} ms`);
  assert.is(await agent.received(), '');
  await lock.release();
  const { body } = await rig.send('locked', 'free again', { wait_ms: 30_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['free again']);
});

test('R5 30 what should be held and can’t be kept has failed, with the reason that protects', async ({
  rig,
}) => {
  const agent = await rig.seat('held');
  await rig.guard('held', 'hold');
  const lock = await lockedBy(join(rig.server.dataDir, 'openfloor.db'));
  const { status, body } = await rig.send('held', 'keep this');
  assert.is(body.ok, false, JSON.stringify(body));
  assert.is(body.sent, false);
  assert.is(body.reason, 'typing_guard_enabled');
  assert.is(body.cause, 'store_unavailable');
  assert.ok(status >= 400);
  await lock.release();
  const { body: held } = await rig.call('GET', '/api/seat/held-messages/held');
  assert.is(held.total, 0, JSON.stringify(held));
  assert.is(await agent.received(), '');
});

test('R5 30 an end that can’t be stored is a warning, and is recorded once when the store is back', async ({
  rig,
}) => {
  await rig.seat('late', ['--swallow-enter']);
  // The end comes so long after Enter: the lock is there by then.
  await rig.call('PATCH', '/api/seat/settings/late', { confirm_ms: 1_500 });
  const operator = await rig.operator('late');
  const sending = rig.send('late', 'typed while it locks', { idempotency_key: 'late' });
  await operator.until(() => operator.frames.find(({ type }) => type === 'injection'));
  const other = new Database(join(rig.server.dataDir, 'openfloor.db'), { timeout: 0 });
  other.exec('BEGIN IMMEDIATE');
  const { status, body } = await sending;
  other.close();
  assert.is(status, 200, JSON.stringify(body));
  assert.is(body.outcome, 'unconfirmed');
  assert.is(body.warnings.length, 1, 'the receipt could not be stored');
  const finished = async () =>
    (await rig.audit('late')).filter(({ kind }) => kind === 'injection.finished').length;
  while ((await finished()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is(await finished(), 1);
  const stored = new Database(join(rig.server.dataDir, 'openfloor.db'));
  const row = stored.prepare("select state from outbox where idempotency_key = 'late'").get();
  stored.close();
  assert.equal(row, { state: 'complete' }, 'or the next start would end it once more');
});

for (const [fault, spoil, mend] of [
  ['full', 'max_page_count = 1', 'max_page_count = 1073741823'],
  ['read-only', 'query_only = ON', 'query_only = OFF'],
] as const) {
  test(`R5 ${fault} under a running server: echoes go on, a send is refused with no byte`, async ({
    rig,
    own,
    typist,
  }) => {
    const agent = await rig.seat(fault);
    own.pragma(spoil);
    // More than what is left on the pages that are there.
    const sending = rig.send(fault, 'much '.repeat(40_000));
    const longest = await longestEchoMs(typist, 200);
    const { status, body } = await sending;
    own.pragma(mend);
    assert.is(status, 503, JSON.stringify(body));
    assert.is(body.reason, 'audit_unavailable');
    assert.is(body.sent, false);
    assert.ok(longest < BLOCKED_MS, `the longest echo took ${longest.toFixed(1)} ms`);
    assert.is(await agent.received(), '');
    const again = await rig.send(fault, 'room again', { wait_ms: 20_000 });
    assert.is(again.body.outcome, 'delivered', JSON.stringify(again.body));
  });
}

test('R5 after all that every grant has one end and the chain verifies', async ({ rig }) => {
  const { body: verdict } = await rig.call('GET', '/api/audit/verify');
  assert.is(verdict.ok, true);
  const count = async (from: SeatRig) => {
    const { body } = await from.call('GET', '/api/audit?kind=injection.granted&limit=1000');
    const granted = body.records.map(({ request }: { request: string }) => request);
    const { body: ends } = await from.call('GET', '/api/audit?kind=injection.finished&limit=1000');
    const ended = ends.records.map(({ request }: { request: string }) => request);
    assert.equal([...ended].sort(), [...granted].sort());
    return ended.length;
  };
  assert.is(await count(rig), 4);
});

const starts = suite<{ home: Home }>('store at start');
starts.before((context) => {
  context.home = new Home();
});
starts.after(({ home }) => home.close());

/** One sentence with a reason code, and the next step; exit status 2. */
async function refused(home: Home, data: string, expected: RegExp): Promise<void> {
  const { code, out, err } = await home.run('up', '--data', data);
  assert.is(code, 2, err);
  assert.is(out, '');
  assert.match(err, /^openfloor: [^\n]+ \([a-z_]+\)\n {2}next: [^\n]+\n$/);
  assert.match(err, expected);
}

starts('R5 a start whose store is locked by another process says so and ends with 2', async ({ home }) => {
  const data = join(home.folder, 'left-open');
  const file = join(data, 'openfloor.db');
  const journal = openJournal({ file });
  const row = { id: 'r1', seat: 'one', identity: 'admin operator', origin: 'send', urgent: false } as const;
  journal.commit([{ type: 'accept', row: { ...row, body: 'hi', state: 'waiting', createdAt: 1 } }]);
  await journal.close();
  const lock = await lockedBy(file);
  await refused(home, data, /What the last run left open can't be settled.*locked.*\(audit_unavailable\)/);
  await lock.release();
});

starts('R5 a start whose store is no database says so and ends with 2', async ({ home }) => {
  const data = join(home.folder, 'no-database');
  mkdirSync(data);
  writeFileSync(join(data, 'openfloor.db'), 'this is not a database '.repeat(100));
  await refused(home, data, /can't be opened \(corrupt.*\(store_unavailable\)\n.*restore/);
});

starts('R5 a start whose data folder can’t be written says so and ends with 2', async ({ home }) => {
  const file = join(home.folder, 'a-file');
  writeFileSync(file, '');
  await refused(
    home,
    join(file, 'data'),
    /can't be used: something above it is no folder \(folder_unusable\)/,
  );
});

starts('R5 a start on the data of a running server says so and ends with 2', async ({ home }) => {
  const data = mkdtempSync(join(tmpdir(), 'openfloor-two-'));
  const server = await startServer({ dataDir: data });
  await refused(home, data, /Another runtime is using the database.*\(store_unavailable\)\n.*openfloor down/);
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

test.run();
starts.run();
