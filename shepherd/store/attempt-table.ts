// The history of routines as rows of the store, and what is remembered of parked owners. Always true: an attempt is written
// before its message is asked for; `asked` means that nobody has heard yet what became of it. It judges nothing.
import { and, asc, desc, eq, lt, sql } from 'drizzle-orm';
import type { Attempts } from '../parked/owner.js';
import type { TimeMs } from '../port.js';
import type { Store } from './open.js';
import { attempts, parkedOwners } from './routine-schema.js';

export type Attempt = typeof attempts.$inferSelect;
export type AttemptDraft = Omit<Attempt, 'id' | 'endedAt'>;

export class AttemptTable {
  readonly #owners: { all(): Array<typeof parkedOwners.$inferSelect> };

  constructor(private readonly store: Store) {
    this.#owners = store.db.select().from(parkedOwners).prepare();
  }

  /** Inside the caller's write. */
  add(draft: AttemptDraft): void {
    this.store.db.insert(attempts).values(draft).run();
  }

  /** Inside the caller's write: what became of a request. */
  end(requestKey: string, result: string, now: TimeMs): void {
    this.store.db
      .update(attempts)
      .set({ result, endedAt: now })
      .where(eq(attempts.requestKey, requestKey))
      .run();
  }

  /** Attempts of which nobody has heard the end. */
  open(): Attempt[] {
    const { db } = this.store;
    return this.store.read(() =>
      db.select().from(attempts).where(eq(attempts.result, 'asked')).orderBy(asc(attempts.id)).all(),
    );
  }

  /** Newest first. */
  history(routineId: string, limit: number): Attempt[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select()
        .from(attempts)
        .where(eq(attempts.routineId, routineId))
        .orderBy(desc(attempts.id))
        .limit(limit)
        .all(),
    );
  }

  /** Routines with more than so many rows of history. */
  longer(than: number): string[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select({ id: attempts.routineId })
        .from(attempts)
        .groupBy(attempts.routineId)
        .having(sql`count(*) > ${than}`)
        .all()
        .map(({ id }) => id),
    );
  }

  /** Inside the caller's write: drops rows of one routine, the oldest first, but not its newest `keep`. Null: of any age. */
  prune(routineId: string, before: TimeMs | null, keep: number, limit: number): number {
    const { db } = this.store;
    const mine = eq(attempts.routineId, routineId);
    const edge = db
      .select({ id: attempts.id })
      .from(attempts)
      .where(mine)
      .orderBy(desc(attempts.id))
      .limit(1)
      .offset(keep - 1)
      .get();
    if (edge === undefined) return 0;
    const old = db
      .select({ id: attempts.id })
      .from(attempts)
      .where(and(mine, lt(attempts.id, edge.id), before === null ? undefined : lt(attempts.at, before)))
      .orderBy(asc(attempts.id))
      .limit(limit);
    return db.delete(attempts).where(sql`${attempts.id} in (${old})`).run().changes;
  }

  /** Inside the caller's write: drops history of routines that are forgotten. */
  pruneOrphans(limit: number): number {
    const orphans = sql`select id from routine_attempts where routine_id not in (select id from routines) limit ${limit}`;
    return this.store.db.delete(attempts).where(sql`${attempts.id} in (${orphans})`).run().changes;
  }

  /** Inside the caller's write. */
  setOwner(seat: string, { attemptedAt, confirmed, unresolved }: Attempts): void {
    const values = {
      attemptedAt,
      unresolved,
      fingerprint: confirmed?.fingerprint ?? null,
      occupant: confirmed?.occupant ?? null,
    };
    this.store.db
      .insert(parkedOwners)
      .values({ seat, ...values })
      .onConflictDoUpdate({ target: parkedOwners.seat, set: values })
      .run();
  }

  owner(seat: string): Attempts | undefined {
    const { db } = this.store;
    const row = this.store.read(() =>
      db.select().from(parkedOwners).where(eq(parkedOwners.seat, seat)).get(),
    );
    return row && attemptsOf(row);
  }

  owners(): Map<string, Attempts> {
    const rows = this.store.read(() => this.#owners.all());
    return new Map(rows.map((row) => [row.seat, attemptsOf(row)]));
  }

  /** Inside the caller's write: a seat that owes nothing any more starts anew. */
  dropOwner(seat: string): void {
    this.store.db.delete(parkedOwners).where(eq(parkedOwners.seat, seat)).run();
  }
}

function attemptsOf({
  attemptedAt,
  fingerprint,
  occupant,
  unresolved,
}: typeof parkedOwners.$inferSelect): Attempts {
  const confirmed = fingerprint === null || occupant === null ? null : { fingerprint, occupant };
  return { attemptedAt, confirmed, unresolved };
}
