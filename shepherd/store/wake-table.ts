// Wakes and the requests that carry them, as rows of the store. Always true: a wake and its request are recorded before the
// request is made, so that a Shepherd that ends in between finds it by its key. It judges nothing.
import { and, asc, desc, eq, inArray, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { FloorOutcome, Priority, TimeMs } from '../port.js';
import type { Wake } from '../wake/wake.js';
import type { Store } from './open.js';
import { requests, rows, wakes } from './schema.js';

export interface CarriedRequest {
  readonly key: string;
  readonly seat: string;
  readonly origin: 'wake' | 'notice';
  readonly priority: Priority;
  /** Ids of the wakes it carries. */
  readonly wakes: readonly string[];
  readonly body: string;
  readonly supersede: string;
  readonly askedAt: TimeMs;
}

export interface Batch {
  readonly seat: string;
  readonly origin: 'wake' | 'notice';
  readonly priority: Priority;
}

const wakeOf = (stored: typeof wakes.$inferSelect): Wake => stored as Wake;

export class WakeTable {
  constructor(private readonly store: Store) {}

  get(id: string): Wake | undefined {
    return this.#wakes(eq(wakes.id, id), 1)[0];
  }

  /** The row's newest wake. */
  newestOf(rowId: string): Wake | undefined {
    const { db } = this.store;
    const stored = this.store.read(() =>
      db
        .select()
        .from(wakes)
        .where(eq(wakes.rowId, rowId))
        .orderBy(desc(wakes.createdAt), desc(wakes.id))
        .limit(1)
        .get(),
    );
    return stored && wakeOf(stored);
  }

  /** Wakes of a row that are not over. */
  liveOf(rowId: string): Wake[] {
    return this.#wakes(and(eq(wakes.rowId, rowId), ne(wakes.state, 'over')), 100);
  }

  /** Due wakes of one batch, oldest first. */
  due({ seat, origin, priority }: Batch, now: TimeMs, limit: number): Wake[] {
    const batch = and(
      eq(wakes.state, 'due'),
      eq(wakes.seat, seat),
      eq(wakes.origin, origin),
      eq(wakes.priority, priority),
    );
    return this.#wakes(and(batch, lte(wakes.dueAt, now)), limit);
  }

  /** Batches that have a due wake. */
  dueBatches(now: TimeMs): Batch[] {
    const { db } = this.store;
    return this.store.read(
      () =>
        db
          .selectDistinct({ seat: wakes.seat, origin: wakes.origin, priority: wakes.priority })
          .from(wakes)
          .where(and(eq(wakes.state, 'due'), lte(wakes.dueAt, now)))
          .all() as Batch[],
    );
  }

  /** Parked wakes that wait for one of these things, of one seat or of all. */
  parked(until: readonly string[], seat: string | undefined, limit: number): Wake[] {
    return this.#wakes(
      and(
        eq(wakes.state, 'parked'),
        seat === undefined ? undefined : eq(wakes.seat, seat),
        inArray(wakes.until, [...until]),
      ),
      limit,
    );
  }

  /** Wakes of open rows that are parked or unconfirmed, for the start-up pass. */
  unsettled(): Wake[] {
    const { db } = this.store;
    return this.store
      .read(() =>
        db
          .select({ wake: wakes })
          .from(wakes)
          .innerJoin(rows, eq(rows.id, wakes.rowId))
          .where(
            and(
              inArray(rows.state, ['pending', 'blocked']),
              sql`(${wakes.state} = 'parked' or (${wakes.state} = 'over' and ${wakes.result} = 'unconfirmed'))`,
            ),
          )
          .orderBy(asc(wakes.createdAt), asc(wakes.id))
          .all(),
      )
      .map(({ wake }) => wakeOf(wake));
  }

  /** Requests whose outcome isn't known. */
  open(): CarriedRequest[] {
    const { db } = this.store;
    return this.store.read(() =>
      db.select().from(requests).where(eq(requests.state, 'asked')).orderBy(asc(requests.askedAt)).all(),
    ) as CarriedRequest[];
  }

  request(
    key: string,
  ): (CarriedRequest & { readonly outcome: string | null; readonly reason: string | null }) | undefined {
    const { db } = this.store;
    return this.store.read(() => db.select().from(requests).where(eq(requests.key, key)).get()) as
      | (CarriedRequest & { readonly outcome: string | null; readonly reason: string | null })
      | undefined;
  }

  /** Inside the caller's write. */
  insert(wake: Wake): void {
    this.store.db.insert(wakes).values(wake).run();
  }

  /** Inside the caller's write. */
  update(id: string, changes: Partial<Omit<Wake, 'id'>>): void {
    this.store.db.update(wakes).set(changes).where(eq(wakes.id, id)).run();
  }

  /** Inside the caller's write. */
  insertRequest(request: CarriedRequest): void {
    this.store.db
      .insert(requests)
      .values({ ...request, state: 'asked' })
      .run();
  }

  /** Inside the caller's write. */
  endRequest(key: string, outcome: FloorOutcome, now: TimeMs): void {
    const told = outcome.state === 'complete' && outcome.confirmed ? 'confirmed' : outcome.state;
    this.store.db
      .update(requests)
      .set({ state: 'over', outcome: told, reason: outcome.reason, endedAt: now })
      .where(eq(requests.key, key))
      .run();
  }

  #wakes(where: SQL | undefined, limit: number): Wake[] {
    const { db } = this.store;
    return this.store
      .read(() =>
        db.select().from(wakes).where(where).orderBy(asc(wakes.createdAt), asc(wakes.id)).limit(limit).all(),
      )
      .map(wakeOf);
  }
}
