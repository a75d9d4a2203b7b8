// Routines as rows of the store. Always true: what is due is what the store says is due, so a restart resumes it. It judges
// nothing.
import { and, asc, desc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { TimeMs } from '../port.js';
import type { Routine } from '../routine/routine.js';
import type { Store } from './open.js';
import { routines } from './routine-schema.js';

export type RoutineChanges = Partial<Omit<Routine, 'id' | 'policy' | 'createdAt'>>;

/** What one look changes of a routine that sends nothing. */
export type Looked = Pick<Routine, 'id' | 'nextDueAt' | 'lastEvaluatedAt' | 'actionable' | 'memo'>;

const COUNT = sql<number>`count(*)`;

/** A statement that every tick runs is prepared once: building it costs more than running it. */
interface Prepared {
  all(values: Record<string, unknown>): Routine[];
}

export class RoutineTable {
  readonly #looked: { run(values: Record<string, unknown>): unknown };
  readonly #due: Prepared;
  readonly #failing: Prepared;

  constructor(private readonly store: Store) {
    const active = eq(routines.state, 'active');
    const select = (where: SQL | undefined) =>
      store.db
        .select()
        .from(routines)
        .where(and(active, where))
        .orderBy(asc(routines.nextDueAt), asc(routines.id))
        .limit(sql.placeholder('limit'))
        .prepare();
    this.#due = select(lte(routines.nextDueAt, sql.placeholder('now')));
    this.#failing = select(gt(routines.failures, sql.placeholder('less')));
    this.#looked = store.db
      .update(routines)
      .set({
        nextDueAt: sql`${sql.placeholder('nextDueAt')}`,
        lastEvaluatedAt: sql`${sql.placeholder('lastEvaluatedAt')}`,
        actionable: sql`${sql.placeholder('actionable')}`,
        memo: sql`${sql.placeholder('memo')}`,
      })
      .where(eq(routines.id, sql.placeholder('id')))
      .prepare();
  }

  get(id: string): Routine | undefined {
    return this.#all(eq(routines.id, id), 1)[0];
  }

  /** Newest first, with how many there are in all. `party`: registered by or aimed at this seat. */
  list(filter: { party?: string; seat?: string; state?: string; limit: number; offset: number }): {
    routines: Routine[];
    total: number;
  } {
    const { db } = this.store;
    const { party, seat, state, limit, offset } = filter;
    const where = and(
      party === undefined
        ? undefined
        : or(eq(routines.seat, party), sql`${routines.registrar} ->> 'seat' = ${party}`),
      seat === undefined ? undefined : eq(routines.seat, seat),
      state === undefined ? undefined : sql`${routines.state} = ${state}`,
    );
    return this.store.read(() => ({
      routines: db
        .select()
        .from(routines)
        .where(where)
        .orderBy(desc(routines.createdAt), desc(routines.id))
        .limit(limit)
        .offset(offset)
        .all(),
      total: db.select({ n: COUNT }).from(routines).where(where).get()?.n ?? 0,
    }));
  }

  /** Active ones that are due, the longest due first. */
  due(now: TimeMs, limit: number): Routine[] {
    return this.store.read(() => this.#due.all({ now, limit }));
  }

  /** Active ones with this target. */
  activeOf(seat: string): Routine[] {
    return this.#all(and(eq(routines.seat, seat), eq(routines.state, 'active')), 1_000);
  }

  /** Active ones that failed so often or more. */
  failing(times: number): Routine[] {
    return this.store.read(() => this.#failing.all({ less: times - 1, limit: 1_000 }));
  }

  activeCount(registrarSeat?: string): number {
    const { db } = this.store;
    const where = and(
      eq(routines.state, 'active'),
      registrarSeat === undefined ? undefined : sql`${routines.registrar} ->> 'seat' = ${registrarSeat}`,
    );
    return this.store.read(() => db.select({ n: COUNT }).from(routines).where(where).get()?.n ?? 0);
  }

  /** Inside the caller's write. */
  insert(routine: Routine): void {
    this.store.db.insert(routines).values(routine).run();
  }

  /** Inside the caller's write. */
  update(id: string, changes: RoutineChanges): void {
    this.store.db.update(routines).set(changes).where(eq(routines.id, id)).run();
  }

  /** Inside the caller's write. */
  looked({ id, nextDueAt, lastEvaluatedAt, actionable, memo }: Looked): void {
    const stored = memo === null ? null : JSON.stringify(memo);
    this.#looked.run({ id, nextDueAt, lastEvaluatedAt, actionable: actionable ? 1 : 0, memo: stored });
  }

  /** Inside the caller's write: forgets routines that ended long ago, with their history. */
  forget(endedBefore: TimeMs, limit: number): number {
    const { db } = this.store;
    const old = sql`select ${routines.id} from ${routines} where ${routines.state} <> 'active' and coalesce(${routines.lastEvaluatedAt}, ${routines.createdAt}) < ${endedBefore} limit ${limit}`;
    return db.delete(routines).where(sql`${routines.id} in (${old})`).run().changes;
  }

  #all(where: SQL | undefined, limit: number): Routine[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select()
        .from(routines)
        .where(where)
        .orderBy(asc(routines.nextDueAt), asc(routines.id))
        .limit(limit)
        .all(),
    );
  }
}
