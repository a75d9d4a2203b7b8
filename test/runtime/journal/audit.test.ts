// The audit feed: a chain nobody can change unnoticed, pages without gap or duplicate, and listeners told in order.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { START, seal } from '../../../runtime/journal/chain.js';
import type { AuditRecord } from '../../../runtime/journal/port.js';
import { entry, verifyAll, workspace } from './workspace.js';

const test = suite('audit');

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('records count from 1, name this installation, and each holds the hash of the one before', () =>
  workspace((space) => {
    const journal = space.open();
    const [first, second] = journal.commit([
      { type: 'audit', entry: entry({ message: 'hello', checks: [{ row: 1, ok: true }] }) },
      { type: 'audit', entry: entry({ kind: 'injection.finished', outcome: 'complete', confirmed: true }) },
    ]);
    assert.is(first!.seq, 1);
    assert.is(first!.prev, '0'.repeat(64));
    assert.is(first!.runtime, journal.runtime);
    assert.is(first!.bytes, 5);
    assert.is(first!.message_sha256, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    assert.is(second!.seq, 2);
    assert.is(second!.prev, first!.hash);
    assert.is(verifyAll(journal), '2 good');
  }));

test('the chain goes on after a restart, with the same installation id', () =>
  workspace(async (space) => {
    const before = space.open();
    const [first] = before.commit([{ type: 'audit', entry: entry() }]);
    await before.close();
    const after = space.open();
    assert.is(after.runtime, before.runtime);
    const [second] = after.commit([{ type: 'audit', entry: entry() }]);
    assert.is(second!.seq, 2);
    assert.is(second!.prev, first!.hash);
    assert.is(verifyAll(after), '2 good');
  }));

test('a hash depends on every field, and on nothing else', () => {
  const one = seal(entry({ reason: 'granted' }), 'r', START).record;
  assert.is(seal({ reason: 'granted', ...entry() }, 'r', START).record.hash, one.hash);
  assert.is.not(seal(entry({ reason: 'refused' }), 'r', START).record.hash, one.hash);
  assert.is.not(seal(entry({ reason: 'granted' }), 'other', START).record.hash, one.hash);
  assert.is.not(
    seal(entry({ reason: 'granted' }), 'r', { seq: 0, hash: '1'.repeat(64) }).record.hash,
    one.hash,
  );
});

const tamperings: ReadonlyArray<readonly [string, string, string]> = [
  ['a changed record', "update audit set record = x'80' where seq = 3", 'hash_mismatch at 3'],
  ['a changed hash', 'update audit set hash = zeroblob(32) where seq = 3', 'hash_mismatch at 3'],
  ['a removed record', 'delete from audit where seq = 3', 'gap at 3'],
  ['records cut off the end', 'delete from audit where seq > 3', 'gap at 4'],
  [
    'a record that is findable under another seat',
    "update audit set seat = 'x' where seq = 3",
    'column_mismatch at 3',
  ],
  [
    'a record put in the place of another',
    'update audit set (record, hash) = (select record, hash from audit where seq = 2) where seq = 3',
    'prev_mismatch at 3',
  ],
];
for (const [what, statement, verdict] of tamperings) {
  test(`verifying finds ${what}`, () =>
    workspace((space) => {
      const journal = space.open();
      for (let n = 1; n <= 5; n++) journal.commit([{ type: 'audit', entry: entry({ at: n }) }]);
      assert.is(verifyAll(journal), '5 good');
      const stranger = space.stranger();
      assert.throws(() => stranger.exec(statement), /append-only/, 'the store itself refuses it');
      stranger.exec('drop trigger audit_keeps_rows; drop trigger audit_keeps_records');
      stranger.exec(statement);
      assert.is(verifyAll(journal), verdict);
    }));
}

test('pages are in order, filtered by seat, session and kind, from memory and from disk alike', () =>
  workspace(async (space) => {
    let journal = space.open();
    for (let n = 1; n <= 30; n++) {
      const kind = n % 3 === 0 ? 'attach' : 'injection.granted';
      const seat = n % 2 === 0 ? 'dev1' : 'dev2';
      journal.commit([{ type: 'audit', entry: entry({ kind, seat, session: seat }) }]);
    }
    const look = () => ({
      all: journal.audit.page(0, {}, 1_000).map(({ seq }) => seq),
      rest: journal.audit.page(27, {}, 10).map(({ seq }) => seq),
      attach: journal.audit.page(5, { kind: 'attach' }, 2).map(({ seq }) => seq),
      granted: journal.audit.page(5, { kind: 'injection.granted', seat: 'dev1' }, 3).map(({ seq }) => seq),
      session: journal.audit.page(20, { session: 'dev2' }, 2).map(({ seq }) => seq),
      none: journal.audit.page(30, {}, 10),
    });
    const live = look();
    assert.equal(
      live.all,
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
    assert.equal(live.rest, [28, 29, 30]);
    assert.equal(live.attach, [6, 9]);
    assert.equal(live.granted, [8, 10, 14]);
    assert.equal(live.session, [21, 23]);
    assert.equal(live.none, []);
    await journal.close();
    journal = space.open();
    assert.equal(look(), live);
  }));

test('a page of large records ends early instead of filling the memory', () =>
  workspace(async (space) => {
    const before = space.open();
    for (let n = 0; n < 10; n++) {
      before.commit([{ type: 'audit', entry: entry({ message: 'x'.repeat(1_048_576) }) }]);
    }
    await before.close();
    const journal = space.open();
    const seen: number[] = [];
    for (let page: AuditRecord[]; (page = journal.audit.page(seen.at(-1) ?? 0, {}, 100)).length > 0; ) {
      assert.ok(page.length <= 4);
      for (const { seq } of page) seen.push(seq);
    }
    assert.equal(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }));

test('a reader that pages and then listens sees every record once and in order, and so do 100 of them', () =>
  workspace(async (space) => {
    const journal = space.open();
    for (let n = 0; n < 50; n++) journal.commit([{ type: 'audit', entry: entry() }]);
    const readers = Array.from({ length: 100 }, () => {
      const seen: number[] = [];
      // Committed before this turn ends, so not yet delivered to anybody: still the page's, not the listener's.
      journal.commit([{ type: 'audit', entry: entry() }]);
      const feed = journal.audit.subscribe((records) => {
        for (const { seq } of records) seen.push(seq);
      });
      for (const { seq } of journal.audit.page(0, {}, 1_000)) if (seq <= feed.from) seen.push(seq);
      return { seen, feed };
    });
    for (let n = 0; n < 50; n++) {
      journal.commit([{ type: 'audit', entry: entry() }]);
      if (n % 7 === 0) await turn();
    }
    await turn();
    const all = Array.from({ length: 200 }, (_, at) => at + 1);
    for (const { seen } of readers) assert.equal(seen, all);
    readers[0]!.feed.close();
    journal.commit([{ type: 'audit', entry: entry() }]);
    await turn();
    assert.is(readers[0]!.seen.length, 200);
    assert.is(readers[1]!.seen.length, 201);
  }));

test('listeners hear of a record only after the turn that committed it', () =>
  workspace(async (space) => {
    const journal = space.open();
    const heard: number[] = [];
    journal.audit.subscribe((records) => heard.push(...records.map(({ seq }) => seq)));
    journal.commit([{ type: 'audit', entry: entry() }]);
    assert.equal(heard, []);
    await turn();
    assert.equal(heard, [1]);
  }));

test('a listener that throws is told no more, and the others miss nothing', () =>
  workspace(async (space) => {
    const journal = space.open();
    const heard: number[] = [];
    let calls = 0;
    journal.audit.subscribe(() => {
      calls++;
      throw new Error('a fault of this listener');
    });
    journal.audit.subscribe((records) => heard.push(...records.map(({ seq }) => seq)));
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    journal.commit([{ type: 'audit', entry: entry() }]);
    assert.match((await warned).message, /a fault of this listener/);
    journal.commit([{ type: 'audit', entry: entry() }]);
    await turn();
    assert.equal(heard, [1, 2]);
    assert.is(calls, 1);
  }));

test('with `hash` no text of a message is kept, only its size and hash', () =>
  workspace((space) => {
    const journal = space.open('hash');
    const [record] = journal.commit([{ type: 'audit', entry: entry({ message: 'secret plan' }) }]);
    assert.is(record!.message, undefined);
    assert.is(record!.bytes, 11);
    assert.is(record!.message_sha256!.length, 64);
    assert.not.ok(JSON.stringify(journal.audit.page(0, {}, 10)).includes('secret plan'));
    assert.is(verifyAll(journal), '1 good');
  }));

test.run();
