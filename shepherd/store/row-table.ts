// Queue rows, their transitions and their timers, as rows of the store. Always true: a change and its transition are written
// together by the caller's one `write`. It judges no change.
import { and, asc, desc, eq, inArray, isNotNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { TimeMs } from '../port.js';
import type { Row, State } from '../queue/row.js';
import { insertInto, type Store } from './open.js';
import { archivedTransitions, rows, timers, transitions } from './schema.js';

export interface Transition {
  readonly rowId: string;
  readonly at: TimeMs;
  readonly actor: string;
  /** Null for the creation. */
  readonly from: State | null;
  readonly to: State;
  readonly note: string | null;
  readonly closureReason: string | null;
  readonly closureTarget: string | null;
}

export interface RowFilter {
  readonly states?: readonly State[];
  readonly destination?: string;
  readonly source?: string;
  /** Rows of which this seat is source or destination. */
  readonly party?: string;
  readonly tag?: string;
  readonly limit: number;
  readonly offset: number;
}

const OPEN: State[] = ['pending', 'in-progress', 'blocked'];

const rowOf = (stored: typeof rows.$inferSelect): Row => stored as Row;

export class RowTable {
  /** Built once: building costs ten times as much as running, and every change asks several of these. */
  readonly #query: ReturnType<typeof prepare>;

  constructor(private readonly store: Store) {
    this.#query = prepare(store);
  }

  get(id: string): Row | undefined {
    const stored = this.store.read(() => this.#query.get.get({ id }));
    return stored && rowOf(stored);
  }

  /** Newest first, with how many there are in all. */
  list(filter: RowFilter): { rows: Row[]; total: number } {
    const { db } = this.store;
    const { states, destination, source, party, tag } = filter;
    const wanted: Array<SQL | undefined> = [
      states && inArray(rows.state, [...states]),
      destination === undefined ? undefined : eq(rows.destination, destination),
      source === undefined ? undefined : eq(rows.source, source),
      party === undefined ? undefined : or(eq(rows.source, party), eq(rows.destination, party)),
      tag === undefined
        ? undefined
        : sql`exists (select 1 from json_each(${rows.tags}) where json_each.value = ${tag})`,
    ];
    const where = and(...wanted);
    return this.store.read(() => ({
      rows: db
        .select()
        .from(rows)
        .where(where)
        .orderBy(desc(rows.createdAt), desc(rows.id))
        .limit(filter.limit)
        .offset(filter.offset)
        .all()
        .map(rowOf),
      total: db.select({ n: sql<number>`count(*)` }).from(rows).where(where).get()?.n ?? 0,
    }));
  }

  /** Open rows addressed to a seat, oldest first. */
  openOf(destination: string): Row[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select()
        .from(rows)
        .where(and(eq(rows.destination, destination), inArray(rows.state, OPEN)))
        .orderBy(asc(rows.createdAt), asc(rows.id))
        .all()
        .map(rowOf),
    );
  }

  openCount(destination: string): number {
    return this.store.read(() => this.#query.openCount.get({ destination })?.n ?? 0);
  }

  /** How many open rows each seat has that has any. */
  owners(): Array<{ readonly seat: string; readonly open: number }> {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select({ seat: rows.destination, open: sql<number>`count(*)` })
        .from(rows)
        .where(inArray(rows.state, OPEN))
        .groupBy(rows.destination)
        .all(),
    );
  }

  /** In progress past their closure time, the longest overdue first. */
  overdue(now: TimeMs, limit: number): Row[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select()
        .from(rows)
        .where(and(eq(rows.state, 'in-progress'), lt(rows.closureRequiredAt, now)))
        .orderBy(asc(rows.closureRequiredAt))
        .limit(limit)
        .all()
        .map(rowOf),
    );
  }

  /** Pending rows whose time to live is over. */
  expired(now: TimeMs, limit: number): Row[] {
    return this.store.read(() => this.#query.expired.all({ now, limit })).map(rowOf);
  }

  /** Inside the caller's write: the newest attempt's result. The row itself has not changed. */
  setLastWake(id: string, result: string, at: TimeMs): void {
    this.#query.setLastWake.run({ id, result, at });
  }

  /** Oldest first, archived ones included. */
  transitions(rowId: string): Transition[] {
    const { db } = this.store;
    const of = (table: typeof transitions | typeof archivedTransitions) =>
      db.select().from(table).where(eq(table.rowId, rowId)).orderBy(asc(table.id)).all();
    return this.store
      .read(() => [...of(archivedTransitions), ...of(transitions)])
      .map(({ id: _, ...transition }) => transition as Transition);
  }

  /** Inside the caller's write: puts transitions of rows that were closed before that time aside. How many. */
  archive(closedBefore: TimeMs, limit: number): number {
    const { db } = this.store;
    const old = db
      .select({ transition: transitions })
      .from(rows)
      .innerJoin(transitions, eq(transitions.rowId, rows.id))
      .where(and(lt(rows.updatedAt, closedBefore), notInArray(rows.state, OPEN)))
      .orderBy(asc(transitions.id))
      .limit(limit)
      .all()
      .map(({ transition }) => transition);
    for (const transition of old) {
      db.insert(archivedTransitions).values(transition).run();
      db.delete(transitions).where(eq(transitions.id, transition.id)).run();
    }
    return old.length;
  }

  /** Inside the caller's write. */
  insert(row: Row): void {
    this.#query.insert.run({ ...row });
  }

  /** Inside the caller's write. */
  update(id: string, changes: Partial<Omit<Row, 'id' | 'createdAt'>>): void {
    this.store.db.update(rows).set(changes).where(eq(rows.id, id)).run();
  }

  /** Inside the caller's write. Append-only. */
  addTransition(transition: Transition): void {
    this.#query.addTransition.run({ ...transition });
  }

  /** Inside the caller's write. The new timer of a row replaces its old one. */
  setTimer(rowId: string, dueAt: TimeMs, now: TimeMs): void {
    this.store.db
      .insert(timers)
      .values({ rowId, dueAt, createdAt: now })
      .onConflictDoUpdate({ target: timers.rowId, set: { dueAt, createdAt: now } })
      .run();
  }

  /** Inside the caller's write. */
  removeTimer(rowId: string): void {
    this.store.db.delete(timers).where(eq(timers.rowId, rowId)).run();
  }

  timer(rowId: string): TimeMs | undefined {
    const { db } = this.store;
    return this.store.read(() => db.select().from(timers).where(eq(timers.rowId, rowId)).get()?.dueAt);
  }

  timersDue(now: TimeMs, limit: number): string[] {
    return this.store.read(() => this.#query.timersDue.all({ now, limit })).map(({ rowId }) => rowId);
  }

  timerCount(): number {
    const { db } = this.store;
    return this.store.read(() => db.select({ n: sql<number>`count(*)` }).from(timers).get()?.n ?? 0);
  }
}

function prepare({ db }: Store) {
  const { placeholder } = sql;
  return {
    get: db
      .select()
      .from(rows)
      .where(eq(rows.id, placeholder('id')))
      .prepare(),
    openCount: db
      .select({ n: sql<number>`count(*)` })
      .from(rows)
      .where(and(eq(rows.destination, placeholder('destination')), inArray(rows.state, OPEN)))
      .prepare(),
    expired: db
      .select()
      .from(rows)
      .where(
        and(eq(rows.state, 'pending'), isNotNull(rows.expiresAt), lte(rows.expiresAt, placeholder('now'))),
      )
      .limit(placeholder('limit'))
      .prepare(),
    timersDue: db
      .select()
      .from(timers)
      .where(lte(timers.dueAt, placeholder('now')))
      .orderBy(asc(timers.dueAt))
      .limit(placeholder('limit'))
      .prepare(),
    insert: insertInto(db, rows),
    addTransition: insertInto(db, transitions, ['id']),
    setLastWake: db
      .update(rows)
      .set({ lastWakeAt: sql`${placeholder('at')}`, lastWakeResult: sql`${placeholder('result')}` })
      .where(eq(rows.id, placeholder('id')))
      .prepare(),
  };
}
