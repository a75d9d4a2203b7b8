// What a start settles, what survives a restart, and what goes on while the store is away.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GuardMode, Journal, SeatRow } from '../../../runtime/journal/port.js';
import { draft, entry, faultOf, verifyAll, type Workspace, workspace } from './workspace.js';

const test = suite('start');
const NOW = 50_000;

function seat(guardDesired: GuardMode, extra: Partial<SeatRow> = {}): SeatRow {
  return {
    seat: 'dev1',
    kind: 'agent',
    pack: 'auto',
    settings: { humanQuietMs: 3_000 },
    policy: {},
    binding: null,
    guardDesired,
    guardEffective: guardDesired,
    guardRevision: 1,
    createdAt: 1_000,
    ...extra,
  };
}

test('waiting requests have failed and sending ones are indeterminate, each with one audit record', () =>
  workspace(async (space) => {
    const before = space.open();
    before.commit([
      { type: 'accept', row: draft('w') },
      { type: 'accept', row: draft('s') },
      { type: 'accept', row: draft('h', { state: 'held' }) },
      { type: 'audit', entry: entry({ request: 's' }) },
      { type: 'settle', id: 's', at: 1_100, patch: { state: 'sending', bytesWritten: 12 } },
    ]);
    await before.close();
    const journal = space.open();
    const report = journal.settleStart(NOW);
    assert.equal(
      report.failed.map(({ id }) => id),
      ['w'],
    );
    assert.equal(
      report.indeterminate.map(({ id }) => id),
      ['s'],
    );
    const of = (id: string) => {
      const { state, reason, bytesWritten, updatedAt } = journal.outbox.get(id)!;
      return [state, reason, bytesWritten, updatedAt];
    };
    assert.equal(of('w'), ['failed', 'runtime_restarted', 0, NOW]);
    assert.equal(of('s'), ['indeterminate', 'runtime_restarted', 12, NOW]);
    assert.equal(of('h'), ['held', null, 0, 1_000]);
    const records = journal.audit
      .page(1, {}, 10)
      .map(({ kind, request, outcome }) => [kind, request, outcome]);
    assert.equal(records, [
      ['request.refused', 'w', 'failed'],
      ['injection.finished', 's', 'indeterminate'],
    ]);
    assert.equal(journal.settleStart(NOW + 1), { failed: [], indeterminate: [], guards: [] });
    assert.is(verifyAll(journal), '3 good');
  }));

interface GuardCase {
  readonly description: string;
  readonly desired: GuardMode;
  readonly effective: GuardMode;
  readonly audited: GuardMode | null;
  readonly written_alone: readonly boolean[];
  readonly starts_as: GuardMode;
  readonly settled: boolean;
}
const FIELDS = ['audited', 'description', 'desired', 'effective', 'settled', 'starts_as', 'written_alone'];
const cases = JSON.parse(
  readFileSync(new URL('../../../../spec/vectors/guard/start.json', import.meta.url), 'utf8'),
) as GuardCase[];

/** Leaves a seat as the case says, and what an older writer did to it afterwards. */
async function leave(space: Workspace, given: GuardCase): Promise<void> {
  const before = space.open();
  before.commit([
    { type: 'seat', row: seat(given.desired, { guardEffective: given.effective }) },
    ...(given.audited === null
      ? []
      : [
          {
            type: 'audit' as const,
            entry: entry({ kind: 'guard.changed', detail: { mode: given.audited } }),
          },
        ]),
  ]);
  const older = space.stranger();
  for (const enabled of given.written_alone) {
    older.prepare("update seats set guard_enabled = ? where seat = 'dev1'").run(Number(enabled));
  }
  await before.close();
}

for (const given of cases) {
  test(`guard at start: ${given.description}`, () =>
    workspace(async (space) => {
      assert.equal(
        Object.keys(given).sort(),
        FIELDS,
        'the case has exactly the fields this test understands',
      );
      await leave(space, given);
      const journal = space.open();
      const report = journal.settleStart(NOW);
      const row = journal.seats.get('dev1')!;
      assert.equal([row.guardDesired, row.guardEffective], [given.starts_as, given.starts_as]);
      assert.is(report.guards.length, given.settled ? 1 : 0);
      assert.is(row.guardRevision, given.desired === given.starts_as ? 1 : 2);
      assert.equal(journal.settleStart(NOW + 1).guards, [], 'and it is settled once');
      const stored = space.stranger().prepare('select guard_enabled as enabled from seats').get();
      assert.equal(stored, { enabled: Number(given.starts_as !== 'off') });
    }));
}

test('seats, occupants and provenance come back as they were written; provenance is append-only', () =>
  workspace(async (space) => {
    const before = space.open();
    const row = seat('hold', { binding: { step: 'detach' }, policy: { peer: { compaction: 'deny' } } });
    const occupant = {
      seat: 'dev1',
      version: 1,
      session: 'dev1',
      generation: 4,
      state: 'bound',
      conversation: 'c-1',
      boundAt: 5,
      endedAt: null,
      outcome: null,
    };
    const handover = { id: 'h1', seat: 'dev1', at: 7, record: { continuityOutcome: 'fresh', steps: [1, 2] } };
    before.commit([
      { type: 'seat', row },
      { type: 'occupant', row: occupant },
      { type: 'occupant', row: { ...occupant, version: 2, boundAt: 9 } },
      { type: 'handover', row: handover },
    ]);
    before.commit([
      { type: 'occupant', row: { ...occupant, state: 'retired', endedAt: 8, outcome: 'retired' } },
    ]);
    await before.close();
    const journal = space.open();
    assert.equal(journal.seats.list(), [row]);
    assert.equal(
      journal.seats.occupants('dev1').map(({ version, state }) => [version, state]),
      [
        [2, 'bound'],
        [1, 'retired'],
      ],
    );
    assert.equal(journal.seats.handovers('dev1', 10), [handover]);
    assert.throws(() => space.stranger().exec('delete from handovers'), /append-only/);
    assert.throws(() => space.stranger().exec("update handovers set seat = 'x'"), /append-only/);
    journal.commit([{ type: 'seat_removed', seat: 'dev1' }]);
    assert.is(journal.seats.get('dev1'), undefined);
    assert.is(journal.seats.occupants('dev1').length, 2, 'the lineage stays');
  }));

test('generations start at 1, rise by one, and go on after a restart', () =>
  workspace(async (space) => {
    const before = space.open();
    assert.equal(
      [before.nextGeneration('a'), before.nextGeneration('a'), before.nextGeneration('b')],
      [1, 2, 1],
    );
    await before.close();
    const journal = space.open();
    assert.equal([journal.nextGeneration('a'), journal.nextGeneration('b')], [3, 2]);
  }));

/** The ways in which a store goes away, each with the way back. */
const outages: ReadonlyArray<readonly [string, string, (space: Workspace, journal: Journal) => () => void]> =
  [
    [
      'locked by another process',
      'locked',
      (space) => {
        const other = space.stranger();
        other.exec('BEGIN IMMEDIATE');
        return () => other.exec('ROLLBACK');
      },
    ],
    [
      'read-only',
      'read_only',
      (_, journal) => {
        const { client } = connectionOf(journal);
        client.pragma('query_only = ON');
        return () => client.pragma('query_only = OFF');
      },
    ],
    [
      'full',
      'full',
      (_, journal) => {
        const { client } = connectionOf(journal);
        const pages = client.pragma('page_count', { simple: true });
        client.pragma(`max_page_count = ${pages}`);
        return () => client.pragma('max_page_count = 1073741823');
      },
    ],
  ];

/** The journal's own connection: some outages can be brought about only there. */
function connectionOf(journal: Journal) {
  const { store } = journal as unknown as {
    store: { db: { $client: { pragma(text: string, options?: { simple: boolean }): unknown } } };
  };
  return { client: store.db.$client };
}

for (const [what, fault, begin] of outages) {
  test(`with the store ${what} writes fail at once, operators go on, and all is recorded afterwards`, () =>
    workspace(async (space) => {
      const journal = space.open();
      const admin = journal.credentials.mint({ kind: 'admin', name: 'op' }, NOW);
      journal.commit([{ type: 'audit', entry: entry() }]);
      const end = begin(space, journal);
      // A full store still has room in its last pages: a large record has not.
      const large = { type: 'audit' as const, entry: entry({ message: 'x'.repeat(200_000) }) };
      assert.is(
        faultOf(() => journal.commit([large])),
        `audit_unavailable: ${fault}`,
      );
      assert.is(journal.credentials.check(admin.secret, NOW).state, 'valid');
      assert.is(journal.nextGeneration('dev9'), 1);
      journal.note({ ...large.entry, kind: 'attach' });
      journal.note(entry({ kind: 'detach' }));
      assert.equal(journal.backlog, { waiting: 2, dropped: 0 });
      assert.is(journal.audit.head.seq, 1);
      end();
      const feed = new Promise<void>((resolve) => {
        let left = 2;
        journal.audit.subscribe((records) => (left -= records.length) <= 0 && resolve());
      });
      // The retry's timer doesn't keep a process alive; this one does until the feed has told.
      const alive = setInterval(() => {}, 1_000);
      await feed;
      clearInterval(alive);
      assert.equal(journal.backlog, { waiting: 0, dropped: 0 });
      assert.equal(
        journal.audit.page(1, {}, 10).map(({ kind }) => kind),
        ['attach', 'detach'],
      );
      assert.is(verifyAll(journal), '3 good');
      await journal.close();
      assert.is(space.open().nextGeneration('dev9'), 2);
    }));
}

test('a store that another process has locked can be opened, and settled if nothing is open in it', () =>
  workspace(async (space) => {
    const before = space.open();
    before.commit([{ type: 'audit', entry: entry() }]);
    await before.close();
    const other = space.stranger();
    other.exec('BEGIN IMMEDIATE');
    const journal = space.open();
    assert.equal(journal.settleStart(NOW), { failed: [], indeterminate: [], guards: [] });
    assert.is(journal.audit.page(0, {}, 10).length, 1);
    other.exec('ROLLBACK');
    journal.commit([{ type: 'accept', row: draft('w') }]);
    await journal.close();
    other.exec('BEGIN IMMEDIATE');
    assert.is(
      faultOf(() => space.open().settleStart(NOW)),
      'audit_unavailable: locked',
    );
  }));

test('beyond 1000 waiting records later ones are dropped, counted and reported', () =>
  workspace(async (space) => {
    const journal = space.open();
    const other = space.stranger();
    other.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < 1_010; n++) journal.note(entry({ kind: 'attach', at: n }));
    assert.equal(journal.backlog, { waiting: 1_000, dropped: 10 });
    other.exec('ROLLBACK');
    await journal.close();
    const after = space.open();
    assert.is(after.audit.head.seq, 1_001);
    const [report] = after.audit.page(1_000, {}, 1);
    assert.equal([report!.kind, report!.detail], ['alert.audit_dropped', { count: 10 }]);
  }));

test('what is owed is made once the store is back, whole, before later commits, and no start settles it again', () =>
  workspace(async (space) => {
    const journal = space.open();
    journal.commit([{ type: 'accept', row: draft('r1', { state: 'sending' }) }]);
    const other = space.stranger();
    other.exec('BEGIN IMMEDIATE');
    const patch = { state: 'complete', reason: 'turn_started', confirmed: true } as const;
    journal.owe(NOW, [
      { type: 'settle', id: 'r1', at: NOW, patch },
      { type: 'audit', entry: entry({ kind: 'injection.finished', request: 'r1' }) },
    ]);
    // A row that nobody knows: what is owed of it is dropped alone.
    journal.owe(NOW, [{ type: 'settle', id: 'nobody', at: NOW, patch }]);
    assert.equal(journal.backlog, { waiting: 2, dropped: 0 });
    assert.is(journal.outbox.get('r1')?.state, 'sending');
    other.exec('ROLLBACK');
    const warned = new Promise((resolve) => process.once('warning', resolve));
    journal.commit([{ type: 'audit', entry: entry({ kind: 'attach' }) }]);
    await warned;
    assert.equal(journal.backlog, { waiting: 0, dropped: 1 });
    assert.equal(
      journal.audit.page(0, {}, 10).map(({ kind }) => kind),
      ['injection.finished', 'attach'],
    );
    await journal.close();
    const after = space.open();
    assert.is(after.settleStart(NOW).indeterminate.length, 0);
    assert.is(after.outbox.get('r1')?.state, 'complete');
  }));

test('a noted record that cannot be encoded is dropped and counted, and those behind it are written', () =>
  workspace(async (space) => {
    const journal = space.open();
    const warned = new Promise((resolve) => process.once('warning', resolve));
    journal.note(entry({ detail: { wrong: (() => 1) as never } }));
    journal.note(entry({ kind: 'detach' }));
    await warned;
    assert.equal(journal.backlog, { waiting: 0, dropped: 1 });
    assert.equal(
      journal.audit.page(0, {}, 10).map(({ kind }) => kind),
      ['detach', 'alert.audit_dropped'],
    );
  }));

test.run();
