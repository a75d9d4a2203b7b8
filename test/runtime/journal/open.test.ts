// The store on disk: private files, WAL, one owner, faults told at once, and nothing lost when the process is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { draft, entry, faultOf, verifyAll, workspace } from './workspace.js';

const test = suite('open');
const here = new URL('.', import.meta.url);

/** A process that says `ready` and then lives until it is killed. */
async function program(text: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: new URL('../../../../', here),
  });
  await once(child.stdout, 'data');
  return {
    async kill() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

test('the database and its log are private, and the log is a write-ahead log', () =>
  workspace((space) => {
    const journal = space.open();
    journal.commit([{ type: 'audit', entry: entry() }]);
    for (const suffix of ['', '-wal', '-shm']) {
      assert.is(statSync(space.file + suffix).mode & 0o777, 0o600, suffix);
    }
    assert.is(space.stranger().pragma('journal_mode', { simple: true }), 'wal');
  }));

test('closing leaves one file with everything in it', () =>
  workspace(async (space) => {
    const journal = space.open();
    journal.commit([{ type: 'audit', entry: entry() }]);
    await journal.close();
    assert.not.ok(existsSync(`${space.file}-wal`));
    assert.is(verifyAll(space.open()), '1 good');
  }));

test('a second runtime on the same data is refused with what to do', () =>
  workspace((space) => {
    space.open();
    assert.is(
      faultOf(() => space.open()),
      'store_unavailable: locked',
    );
    try {
      space.open();
    } catch (error) {
      assert.match((error as Error).message, /Another runtime is using the database/);
      assert.match((error as { next: string }).next, /openfloor down|--data/);
    }
  }));

test('a file that is no database is refused, and stays as it is', () =>
  workspace(async (space) => {
    await space.open().close();
    writeFileSync(space.file, 'this is not a database, and it is longer than a header would be'.repeat(20));
    assert.is(
      faultOf(() => space.open()),
      'store_unavailable: corrupt',
    );
    assert.ok(statSync(space.file).size > 1_000);
  }));

test('a store locked by another process fails at once, and works again when the lock is gone', () =>
  workspace(async (space) => {
    const journal = space.open();
    journal.commit([{ type: 'audit', entry: entry() }]);
    const locker = await program(`
      import Database from 'better-sqlite3';
      const db = new Database(${JSON.stringify(space.file)});
      db.exec('BEGIN IMMEDIATE');
      console.log('ready');
      setInterval(() => {}, 1000);
    `);
    const startedAt = performance.now();
    for (let n = 0; n < 100; n++) {
      assert.is(
        faultOf(() => journal.commit([{ type: 'audit', entry: entry() }])),
        'audit_unavailable: locked',
      );
    }
    // SQLite's own waiting would take five seconds each.
    assert.ok(performance.now() - startedAt < 2_000);
    assert.is(journal.audit.page(0, {}, 10).length, 1);
    assert.is(journal.audit.head.seq, 1, 'nothing of a failed commit is remembered');
    await locker.kill();
    journal.commit([{ type: 'audit', entry: entry() }]);
    assert.is(verifyAll(journal), '2 good');
  }));

test('after kill -9 every commit is there, whole, and the chain verifies', () =>
  workspace(async (space) => {
    const writer = await program(`
      import { openJournal } from ${JSON.stringify(new URL('../../../runtime/journal/journal.js', here).href)};
      const journal = openJournal({ file: ${JSON.stringify(space.file)} });
      for (let n = 1; ; n++) {
        journal.commit([
          { type: 'accept', row: ${JSON.stringify(draft('x')).replace('"x"', '"r" + n')} },
          { type: 'audit', entry: { at: n, kind: 'request.held', request: 'r' + n } },
        ]);
        if (n === 200) console.log('ready');
        if (n % 20 === 0) await new Promise(setImmediate);
      }
    `);
    await writer.kill();
    const journal = space.open();
    const { seq } = journal.audit.head;
    assert.ok(seq >= 200);
    assert.is(verifyAll(journal), `${seq} good`);
    const rows = space.stranger().prepare('select count(*) as n from outbox').get();
    assert.equal(rows, { n: seq }, 'both halves of every commit or neither');
  }));

test('`durable` resolves once the log is on the disk', () =>
  workspace(async (space) => {
    const journal = space.open();
    journal.commit([{ type: 'audit', entry: entry() }]);
    await journal.durable();
    await journal.durable();
    assert.is(verifyAll(journal), '1 good');
  }));

test('a closed journal says so', () =>
  workspace(async (space) => {
    const journal = space.open();
    await journal.close();
    assert.is(
      faultOf(() => journal.commit([{ type: 'audit', entry: entry() }])),
      'audit_unavailable: closed',
    );
    assert.is(
      faultOf(() => journal.outbox.get('x')),
      'store_unavailable: closed',
    );
    journal.note(entry());
  }));

test('under steady commits the log is moved into the database by the worker and stays bounded', () =>
  workspace(async (space) => {
    const journal = space.open();
    const size = () => statSync(`${space.file}-wal`).size;
    // 40 MiB of messages; each pause lets the worker report.
    for (let n = 0; n < 80; n++) {
      journal.commit([{ type: 'audit', entry: entry({ message: 'x'.repeat(524_288) }) }]);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const until = performance.now() + 20_000;
    while (statSync(space.file).size < 36 * 1_048_576 && performance.now() < until) {
      journal.commit([{ type: 'audit', entry: entry() }]);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    assert.ok(statSync(space.file).size >= 36 * 1_048_576, 'the pages are in the database');
    assert.ok(size() < 128 * 1_048_576, `the log has ${size()} bytes`);
    assert.match(verifyAll(journal), /good/);
  }));

test.run();
