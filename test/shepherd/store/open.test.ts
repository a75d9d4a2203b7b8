// Shepherd's store: one owner, private files, all or nothing, and what was written is there after it is opened again.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ShepherdError } from '../../../shepherd/port.js';
import type { Row } from '../../../shepherd/queue/row.js';
import { openStore } from '../../../shepherd/store/open.js';
import { RowTable } from '../../../shepherd/store/row-table.js';

const test = suite<{ folder: string; file: string }>("Shepherd's store");
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'openfloor-shepherd-'));
  context.file = join(context.folder, 'deep', 'shepherd.db');
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const ROW: Row = {
  id: 'q-1',
  source: 'operator',
  destination: 'a',
  state: 'pending',
  priority: 'routine',
  tier: null,
  tags: ['x'],
  summary: 's',
  body: 'b',
  blockedOn: null,
  handedOffTo: null,
  handedOffFrom: null,
  expiresAt: null,
  notBefore: null,
  closureReason: null,
  closureTarget: null,
  closureRequiredAt: null,
  claimedAt: null,
  lastWakeAt: null,
  lastWakeResult: null,
  createdAt: 1,
  updatedAt: 1,
};

test('a row is there after the store is opened again, and its file is for its owner alone', ({ file }) => {
  const first = openStore(file);
  first.write(() => new RowTable(first).insert(ROW));
  first.close();
  const second = openStore(file);
  const table = new RowTable(second);
  assert.equal(table.get('q-1'), ROW);
  assert.equal(table.openOf('a'), [ROW]);
  assert.equal(table.owners(), [{ seat: 'a', open: 1 }]);
  assert.is(table.list({ tag: 'x', limit: 10, offset: 0 }).total, 1);
  assert.is(table.list({ tag: 'y', limit: 10, offset: 0 }).total, 0);
  second.close();
  assert.is(statSync(file).mode & 0o777, 0o600);
});

test('a second Shepherd on the same store is refused with what to do', ({ file }) => {
  const first = openStore(file);
  try {
    openStore(file);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ShepherdError);
    assert.is((error as ShepherdError).reason, 'store_unavailable');
    assert.match((error as ShepherdError).next, /openfloor down/);
  }
  first.close();
});

test('a write that fails leaves nothing, also of what it did before', ({ file }) => {
  const store = openStore(file);
  const table = new RowTable(store);
  assert.throws(
    () =>
      store.write(() => {
        table.insert(ROW);
        table.insert(ROW);
      }),
    /can't be written/,
  );
  assert.is(table.get('q-1'), undefined);
  store.close();
  assert.throws(() => table.get('q-1'), /can't be read/);
});

test.run();
