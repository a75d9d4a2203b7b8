// The outbox: every accepted request with its state (guard contract 3). Always true: a final state never changes, held
// never becomes sending, and a newer held record with the same supersede key retires the older one in the same commit.
// It knows no quota: it counts, and the guard decides.

import { hash } from 'node:crypto';
import { and, count, desc, eq, getTableColumns, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Store } from './open.js';
import {
  type HeldQuota,
  JournalError,
  type Outbox,
  type OutboxDraft,
  type OutboxPatch,
  type OutboxRow,
  type OutboxState,
  type TimeMs,
} from './port.js';
import { isFinal, isHeld, isOpen, outbox } from './schema.js';

type Stored = typeof outbox.$inferSelect;

/** Whether the text of a message is kept once its outcome is known; its size and hash always are. */
export type MessageRetention = 'full' | 'hash';

function rowOf(stored: Stored): OutboxRow {
  return {
    ...stored,
    state: stored.state as OutboxState,
    confirmed: stored.confirmed === null ? null : stored.confirmed === 1,
  };
}

function flag(value: boolean | null | undefined): number | null {
  return value === undefined || value === null ? null : Number(value);
}

/** What a row keeps of its body, by the state it enters. */
function bodyDropped(state: OutboxState, retention: MessageRetention): boolean {
  return retention === 'hash' && (state === 'complete' || state === 'indeterminate' || state === 'failed');
}

/** Columns that a new row leaves empty. */
const RETIREMENT: ReadonlySet<string> = new Set(['retiredAt', 'retiredBy', 'retiredReason']);

export class RequestTable implements Outbox {
  private readonly statements;
  private readonly insert;

  constructor(
    private readonly store: Store,
    private readonly retention: MessageRetention,
  ) {
    this.statements = prepare(store);
    const names = Object.entries(getTableColumns(outbox)).filter(([key]) => !RETIREMENT.has(key));
    this.insert = store.prepare(
      `insert into outbox (${names.map(([, column]) => column.name).join(', ')})
       values (${names.map(([key]) => `@${key}`).join(', ')})`,
    );
  }

  get(id: string): OutboxRow | undefined {
    const stored = this.store.read(() => this.statements.get.get({ id }));
    return stored && rowOf(stored);
  }

  byKey(seat: string, idempotencyKey: string): OutboxRow | undefined {
    const stored = this.store.read(() => this.statements.byKey.get({ seat, idempotencyKey }));
    return stored && rowOf(stored);
  }

  heldBySupersede(seat: string, supersede: string): OutboxRow | undefined {
    const stored = this.store.read(() => this.statements.heldBySupersede.get({ seat, supersede }));
    return stored && rowOf(stored);
  }

  heldQuota(seat: string): HeldQuota {
    const found = this.store.read(() => this.statements.quota.get({ seat }));
    return { records: found?.records ?? 0, bytes: found?.bytes ?? 0, notices: found?.notices ?? 0 };
  }

  held(seat: string, page: { limit: number; offset: number; retired?: boolean }) {
    const { db } = this.store;
    const where = and(eq(outbox.seat, seat), isHeld, page.retired ? undefined : isNull(outbox.retiredAt));
    return this.store.read(() => ({
      items: db
        .select()
        .from(outbox)
        .where(where)
        .orderBy(desc(outbox.createdAt), desc(outbox.id))
        .limit(Math.max(1, Math.min(1_000, page.limit)))
        .offset(Math.max(0, page.offset))
        .all()
        .map(rowOf),
      total: db.select({ n: count() }).from(outbox).where(where).get()?.n ?? 0,
    }));
  }

  /** Inside the caller's transaction. */
  accept(draft: OutboxDraft): void {
    const supersede = draft.supersede ?? null;
    const before =
      draft.state === 'held' ? this.retireOlder(draft.seat, supersede, draft.createdAt) : undefined;
    this.insert.run({
      id: draft.id,
      seat: draft.seat,
      session: draft.session ?? null,
      generation: draft.generation ?? null,
      tenure: draft.tenure ?? null,
      identity: draft.identity,
      actor: draft.actor ?? null,
      origin: draft.origin,
      urgent: Number(draft.urgent),
      routine: draft.routine ?? null,
      body: bodyDropped(draft.state, this.retention) ? '' : draft.body,
      bytes: Buffer.byteLength(draft.body),
      sha256: draft.sha256 ?? hash('sha256', draft.body, 'hex'),
      supersede,
      idempotencyKey: draft.idempotencyKey ?? null,
      state: draft.state,
      reason: draft.reason ?? null,
      confirmed: flag(draft.confirmed),
      bytesWritten: 0,
      createdAt: draft.createdAt,
      deadlineAt: draft.deadlineAt ?? null,
      updatedAt: draft.createdAt,
      supersededCount: before?.count ?? 0,
      firstHeldAt: before?.firstHeldAt ?? (draft.state === 'held' ? draft.createdAt : null),
    });
  }

  /** Inside the caller's transaction. Throws `unknown_record` when the row is missing or its state is final. */
  settle(id: string, at: TimeMs, patch: OutboxPatch): void {
    let before: { count: number; firstHeldAt: TimeMs } | undefined;
    if (patch.state === 'held') {
      const row = this.statements.get.get({ id });
      before = row && this.retireOlder(row.seat, row.supersede, at);
    }
    const changed = this.statements.settle.run({
      id,
      at,
      state: patch.state,
      reason: patch.reason ?? null,
      confirmed: flag(patch.confirmed),
      bytesWritten: patch.bytesWritten ?? null,
      session: patch.session ?? null,
      generation: patch.generation ?? null,
      tenure: patch.tenure ?? null,
      dropBody: Number(bodyDropped(patch.state, this.retention)),
      supersededCount: before?.count ?? 0,
      firstHeldAt: before?.firstHeldAt ?? (patch.state === 'held' ? at : null),
    }).changes;
    if (changed !== 1) {
      throw new JournalError(
        'unknown_record',
        `Request ${JSON.stringify(id)} can't become ${patch.state}: it is unknown or already final.`,
        'Read its record; a final state never changes.',
      );
    }
  }

  /** Inside the caller's transaction. Throws `unknown_record` when there is no such held, unretired row. */
  retire(id: string, at: TimeMs, by: string, reason: string): void {
    if (this.statements.retire.run({ id, at, by, reason }).changes !== 1) {
      throw new JournalError(
        'unknown_record',
        `There is no held message ${JSON.stringify(id)} that could be retired.`,
        'List the held messages of the seat.',
      );
    }
  }

  private retireOlder(seat: string, supersede: string | null, at: TimeMs) {
    const older = supersede === null ? undefined : this.statements.heldBySupersede.get({ seat, supersede });
    if (older === undefined) return undefined;
    this.retire(older.id, at, 'openfloor', 'superseded');
    return { count: older.supersededCount + 1, firstHeldAt: older.firstHeldAt ?? older.createdAt };
  }

  /** Rows a dead process left in this state, oldest first. */
  unsettled(state: 'waiting' | 'sending'): OutboxRow[] {
    const where = and(isOpen, eq(outbox.state, state));
    return this.store.db.select().from(outbox).where(where).orderBy(outbox.createdAt).all().map(rowOf);
  }

  /** Forgets final rows that nobody can ask for any more; the audit feed keeps what happened. Inside a transaction. */
  prune(before: TimeMs): number {
    const final = and(isFinal, lt(outbox.updatedAt, before));
    const retired = and(isHeld, isNotNull(outbox.retiredAt), lt(outbox.retiredAt, before));
    const { db } = this.store;
    return db.delete(outbox).where(final).run().changes + db.delete(outbox).where(retired).run().changes;
  }
}

function prepare({ db }: Store) {
  const { placeholder } = sql;
  const heldBySupersede = and(
    eq(outbox.seat, placeholder('seat')),
    eq(outbox.supersede, placeholder('supersede')),
    isHeld,
    isNull(outbox.retiredAt),
  );
  // waiting and sending may end in anything; complete only gains its confirmation; the others are final.
  const mayBecome = sql`(${outbox.state} = 'waiting'
    or (${outbox.state} = 'sending' and ${placeholder('state')} <> 'waiting')
    or (${outbox.state} = 'complete' and ${placeholder('state')} = 'complete'))`;
  return {
    get: db
      .select()
      .from(outbox)
      .where(eq(outbox.id, placeholder('id')))
      .prepare(),
    byKey: db
      .select()
      .from(outbox)
      .where(
        and(eq(outbox.seat, placeholder('seat')), eq(outbox.idempotencyKey, placeholder('idempotencyKey'))),
      )
      .orderBy(desc(outbox.createdAt), desc(outbox.id))
      .limit(1)
      .prepare(),
    heldBySupersede: db.select().from(outbox).where(heldBySupersede).limit(1).prepare(),
    quota: db
      .select({
        records: sql<number>`sum(${outbox.origin} <> 'notice')`,
        bytes: sql<number>`sum(case when ${outbox.origin} <> 'notice' then ${outbox.bytes} else 0 end)`,
        notices: sql<number>`sum(${outbox.origin} = 'notice')`,
      })
      .from(outbox)
      .where(and(eq(outbox.seat, placeholder('seat')), isHeld, isNull(outbox.retiredAt)))
      .prepare(),
    settle: db
      .update(outbox)
      .set({
        state: sql`${placeholder('state')}`,
        reason: sql`${placeholder('reason')}`,
        confirmed: sql`${placeholder('confirmed')}`,
        bytesWritten: sql`coalesce(${placeholder('bytesWritten')}, ${outbox.bytesWritten})`,
        session: sql`coalesce(${placeholder('session')}, ${outbox.session})`,
        generation: sql`coalesce(${placeholder('generation')}, ${outbox.generation})`,
        tenure: sql`coalesce(${placeholder('tenure')}, ${outbox.tenure})`,
        body: sql`case when ${placeholder('dropBody')} then '' else ${outbox.body} end`,
        supersededCount: sql`${outbox.supersededCount} + ${placeholder('supersededCount')}`,
        firstHeldAt: sql`coalesce(${placeholder('firstHeldAt')}, ${outbox.firstHeldAt})`,
        updatedAt: sql`${placeholder('at')}`,
      })
      .where(and(eq(outbox.id, placeholder('id')), mayBecome))
      .prepare(),
    retire: db
      .update(outbox)
      .set({
        retiredAt: sql`${placeholder('at')}`,
        retiredBy: sql`${placeholder('by')}`,
        retiredReason: sql`${placeholder('reason')}`,
        updatedAt: sql`${placeholder('at')}`,
      })
      .where(and(eq(outbox.id, placeholder('id')), eq(outbox.state, 'held'), isNull(outbox.retiredAt)))
      .prepare(),
  };
}
