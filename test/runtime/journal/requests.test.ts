// The outbox: one row a request, one final state, quotas that count, and all of it in one commit with the audit feed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OutboxState } from '../../../runtime/journal/port.js';
import { draft, entry, faultOf, workspace } from './workspace.js';

const test = suite('requests');

test('a row comes back as it was accepted, with size and hash of its body', () =>
  workspace((space) => {
    const journal = space.open();
    const row = draft('r1', {
      body: 'grüße',
      session: 'dev1',
      generation: 3,
      tenure: '12:9:claude',
      actor: 'me',
      routine: 'nightly',
      supersede: 'row:q-1',
      idempotencyKey: 'k',
      deadlineAt: 9_000,
      urgent: true,
    });
    journal.commit([{ type: 'accept', row }]);
    assert.equal(journal.outbox.get('r1'), {
      ...row,
      bytes: 7,
      sha256: '8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834',
      reason: null,
      confirmed: null,
      bytesWritten: 0,
      updatedAt: 1_000,
      supersededCount: 0,
      firstHeldAt: null,
      retiredAt: null,
      retiredBy: null,
      retiredReason: null,
    });
    assert.is(journal.outbox.get('r2'), undefined);
  }));

const ORDER: readonly OutboxState[] = ['waiting', 'sending', 'held', 'complete', 'indeterminate', 'failed'];
const ALLOWED: Readonly<Record<OutboxState, readonly OutboxState[]>> = {
  waiting: ORDER,
  sending: ['sending', 'held', 'complete', 'indeterminate', 'failed'],
  held: [],
  complete: ['complete'],
  indeterminate: [],
  failed: [],
};
test('a final state never changes and held never becomes sending, for every pair of states', () =>
  workspace((space) => {
    const journal = space.open();
    for (const from of ORDER) {
      for (const to of ORDER) {
        const id = `${from}-${to}`;
        journal.commit([{ type: 'accept', row: draft(id, { state: from }) }]);
        const outcome = faultOf(() =>
          journal.commit([{ type: 'settle', id, at: 2_000, patch: { state: to } }]),
        );
        assert.is(outcome, ALLOWED[from].includes(to) ? 'nothing was thrown' : 'unknown_record', id);
        assert.is(journal.outbox.get(id)?.state, ALLOWED[from].includes(to) ? to : from, id);
      }
    }
  }));

test('a change that fails takes the whole commit with it, its audit record too', () =>
  workspace((space) => {
    const journal = space.open();
    journal.commit([{ type: 'accept', row: draft('r1') }]);
    const outcome = faultOf(() =>
      journal.commit([
        { type: 'audit', entry: entry() },
        { type: 'settle', id: 'r1', at: 2_000, patch: { state: 'sending' } },
        { type: 'settle', id: 'missing', at: 2_000, patch: { state: 'failed' } },
      ]),
    );
    assert.is(outcome, 'unknown_record');
    assert.is(journal.outbox.get('r1')?.state, 'waiting');
    assert.is(journal.audit.head.seq, 0);
    assert.equal(journal.audit.page(0, {}, 10), []);
  }));

test('settling keeps what the patch leaves out, and says null where a result has none', () =>
  workspace((space) => {
    const journal = space.open();
    journal.commit([
      { type: 'accept', row: draft('r1', { reason: 'human_active', tenure: 'a' }) },
      { type: 'settle', id: 'r1', at: 2_000, patch: { state: 'sending', bytesWritten: 40, tenure: 'b' } },
    ]);
    journal.commit([{ type: 'settle', id: 'r1', at: 3_000, patch: { state: 'complete', confirmed: false } }]);
    const row = journal.outbox.get('r1')!;
    assert.is(row.bytesWritten, 40);
    assert.is(row.tenure, 'b');
    assert.is(row.confirmed, false);
    assert.is(row.reason, null);
    assert.is(row.updatedAt, 3_000);
    journal.commit([{ type: 'settle', id: 'r1', at: 4_000, patch: { state: 'complete', confirmed: true } }]);
    assert.is(journal.outbox.get('r1')!.confirmed, true, 'a late turn start upgrades it');
  }));

test('quotas count held, unretired records of one seat; notices count apart', () =>
  workspace((space) => {
    const journal = space.open();
    assert.equal(journal.outbox.heldQuota('dev1'), { records: 0, bytes: 0, notices: 0 });
    journal.commit([
      { type: 'accept', row: draft('a', { state: 'held', body: '12345' }) },
      { type: 'accept', row: draft('b', { state: 'held', body: '123' }) },
      { type: 'accept', row: draft('n', { state: 'held', body: '1', origin: 'notice' }) },
      { type: 'accept', row: draft('w') },
      { type: 'accept', row: draft('o', { state: 'held', seat: 'dev2' }) },
    ]);
    assert.equal(journal.outbox.heldQuota('dev1'), { records: 2, bytes: 8, notices: 1 });
    journal.commit([{ type: 'retire', id: 'a', at: 5_000, by: 'admin', reason: 'read' }]);
    assert.equal(journal.outbox.heldQuota('dev1'), { records: 1, bytes: 3, notices: 1 });
    const retired = journal.outbox.get('a')!;
    assert.equal([retired.retiredBy, retired.retiredReason, retired.retiredAt], ['admin', 'read', 5_000]);
    assert.is(retired.body, '12345', 'the evidence stays');
    const again = () => journal.commit([{ type: 'retire', id: 'a', at: 6_000, by: 'x', reason: 'y' }]);
    assert.is(faultOf(again), 'unknown_record');
  }));

test('a newer held record with the same supersede key retires the older one and keeps count and first time', () =>
  workspace((space) => {
    const journal = space.open();
    const held = (id: string, at: number, extra = {}) =>
      journal.commit([
        { type: 'accept', row: draft(id, { state: 'held', supersede: 'row:q-1', createdAt: at, ...extra }) },
      ]);
    held('a', 1_000);
    held('other seat', 1_500, { seat: 'dev2' });
    held('b', 2_000);
    journal.commit([
      { type: 'accept', row: draft('c', { supersede: 'row:q-1', createdAt: 3_000 }) },
      { type: 'settle', id: 'c', at: 4_000, patch: { state: 'held', reason: 'typing_guard_enabled' } },
    ]);
    assert.is(journal.outbox.heldBySupersede('dev1', 'row:q-1')?.id, 'c');
    const newest = journal.outbox.get('c')!;
    assert.equal([newest.supersededCount, newest.firstHeldAt], [2, 1_000]);
    assert.is(journal.outbox.get('b')!.retiredReason, 'superseded');
    assert.is(journal.outbox.get('other seat')!.retiredAt, null);
    assert.is(journal.outbox.heldQuota('dev1').records, 1);
  }));

test('held records are paged newest first, retired ones only when asked', () =>
  workspace((space) => {
    const journal = space.open();
    for (let n = 1; n <= 5; n++) {
      journal.commit([{ type: 'accept', row: draft(`h${n}`, { state: 'held', createdAt: n }) }]);
    }
    journal.commit([{ type: 'retire', id: 'h4', at: 9, by: 'a', reason: 'b' }]);
    const page = journal.outbox.held('dev1', { limit: 2, offset: 1 });
    assert.equal(
      page.items.map(({ id }) => id),
      ['h3', 'h2'],
    );
    assert.is(page.total, 4);
    assert.is(journal.outbox.held('dev1', { limit: 9, offset: 0, retired: true }).total, 5);
    assert.is(journal.outbox.held('dev2', { limit: 9, offset: 0 }).total, 0);
  }));

test('a key finds its newest row, in its own seat only', () =>
  workspace((space) => {
    const journal = space.open();
    journal.commit([
      { type: 'accept', row: draft('a', { idempotencyKey: 'k', createdAt: 1 }) },
      { type: 'accept', row: draft('b', { idempotencyKey: 'k', createdAt: 2 }) },
      { type: 'accept', row: draft('c', { idempotencyKey: 'k', createdAt: 3, seat: 'dev2' }) },
    ]);
    assert.is(journal.outbox.byKey('dev1', 'k')?.id, 'b');
    assert.is(journal.outbox.byKey('dev1', 'other'), undefined);
  }));

test('with `hash` a body goes when the outcome is known, and stays while somebody may still read it', () =>
  workspace((space) => {
    const journal = space.open('hash');
    journal.commit([
      { type: 'accept', row: draft('a') },
      { type: 'accept', row: draft('b') },
    ]);
    journal.commit([
      { type: 'settle', id: 'a', at: 2, patch: { state: 'complete', confirmed: true } },
      { type: 'settle', id: 'b', at: 2, patch: { state: 'held' } },
    ]);
    assert.is(journal.outbox.get('a')!.body, '');
    assert.is(journal.outbox.get('a')!.bytes, 9);
    assert.is(journal.outbox.get('b')!.body, 'body of b');
  }));

test.run();
