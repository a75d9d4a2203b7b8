// Wakes and the requests that carry them, as rows of the store. Always true: a wake and its request are recorded before the
// request is made, so that a Shepherd that ends in between finds it by its key. It judges nothing.
import { and, asc, desc, eq, inArray, lte, ne, sql } from 'drizzle-orm';
import type { FloorOutcome, Priority, TimeMs } from '../port.js';
import type { Until, Wake } from '../wake/wake.js';
import { insertInto, type Store } from './open.js';
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

/** A row that a wake still says something true of: addressed to the wake's seat, and not taken up. */
const current = and(
  eq(rows.id, wakes.rowId),
  eq(rows.destination, wakes.seat),
  inArray(rows.state, ['pending', 'blocked']),
);

export class WakeTable {
  /** Built once: every change of a row asks several of these, and building costs ten times as much as running. */
  readonly #query: ReturnType<typeof prepare>;

  constructor(private readonly store: Store) {
    this.#query = prepare(store);
  }

  get(id: string): Wake | undefined {
    const stored = this.store.read(() => this.#query.get.get({ id }));
    return stored && wakeOf(stored);
  }

  /** The row's newest wake. */
  newestOf(rowId: string): Wake | undefined {
    const stored = this.store.read(() => this.#query.newestOf.get({ rowId }));
    return stored && wakeOf(stored);
  }

  /** Wakes of a row that are not over. */
  liveOf(rowId: string): Wake[] {
    return this.store.read(() => this.#query.liveOf.all({ rowId })).map(wakeOf);
  }

  /** Due wakes of one batch whose rows still need them, oldest first. */
  due({ seat, origin, priority }: Batch, now: TimeMs, limit: number): Wake[] {
    return this.store
      .read(() => this.#query.due.all({ seat, origin, priority, now, limit }))
      .map(({ wake }) => wakeOf(wake));
  }

  /** Batches that have a due wake. */
  dueBatches(now: TimeMs): Batch[] {
    return this.store.read(() => this.#query.dueBatches.all({ now })) as Batch[];
  }

  /** Wakes of a request that are still on their way and whose rows still need them. */
  currentIn(requestKey: string): Set<string> {
    return new Set(this.store.read(() => this.#query.currentIn.all({ requestKey })).map(({ id }) => id));
  }

  /** Seats with parked wakes, and what those wait for. */
  parkedSeats(): Array<{ readonly seat: string; readonly until: Until }> {
    const list = this.store.read(() => this.#query.parkedSeats.all());
    return list as Array<{ seat: string; until: Until }>;
  }

  /** Parked wakes of a seat, oldest first. */
  parkedOf(seat: string, limit: number): Wake[] {
    return this.store.read(() => this.#query.parkedOf.all({ seat, limit })).map(wakeOf);
  }

  /** Parked wakes that wait for the next connection or start. */
  parkedForPass(): Wake[] {
    return this.store.read(() => this.#query.parkedForPass.all()).map(wakeOf);
  }

  /** Wakes of open rows that are parked or unconfirmed, for the start-up pass. */
  unsettled(): Wake[] {
    return this.store.read(() => this.#query.unsettled.all()).map(({ wake }) => wakeOf(wake));
  }

  /** Requests whose outcome isn't known. */
  open(): CarriedRequest[] {
    return this.store.read(() => this.#query.open.all()) as CarriedRequest[];
  }

  request(key: string): (CarriedRequest & { readonly outcome: string | null }) | undefined {
    return this.store.read(() => this.#query.request.get({ key })) as
      | (CarriedRequest & { readonly outcome: string | null })
      | undefined;
  }

  /** Inside the caller's write. */
  insert(wake: Wake): void {
    this.#query.insert.run({ ...wake });
  }

  /** Inside the caller's write. */
  update(id: string, changes: Partial<Omit<Wake, 'id'>>): void {
    const before = this.get(id);
    if (before === undefined) return;
    const { unresolved, ...after } = { ...before, ...changes };
    this.#query.update.run({ ...after, unresolved: unresolved ? 1 : 0 });
  }

  /** Inside the caller's write. */
  insertRequest(request: CarriedRequest): void {
    this.#query.insertRequest.run({ ...request, state: 'asked', outcome: null, reason: null, endedAt: null });
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
}

function prepare({ db }: Store) {
  const { placeholder } = sql;
  const oldest = [asc(wakes.createdAt), asc(wakes.id)] as const;
  const parked = eq(wakes.state, 'parked');
  const isDue = and(eq(wakes.state, 'due'), lte(wakes.dueAt, placeholder('now')));
  const batch = and(
    eq(wakes.seat, placeholder('seat')),
    eq(wakes.origin, placeholder('origin')),
    eq(wakes.priority, placeholder('priority')),
  );
  const given = (name: string) => sql`${placeholder(name)}`;
  return {
    get: db
      .select()
      .from(wakes)
      .where(eq(wakes.id, placeholder('id')))
      .prepare(),
    newestOf: db
      .select()
      .from(wakes)
      .where(eq(wakes.rowId, placeholder('rowId')))
      .orderBy(desc(wakes.createdAt), desc(wakes.id))
      .limit(1)
      .prepare(),
    liveOf: db
      .select()
      .from(wakes)
      .where(and(eq(wakes.rowId, placeholder('rowId')), ne(wakes.state, 'over')))
      .orderBy(...oldest)
      .prepare(),
    due: db
      .select({ wake: wakes })
      .from(wakes)
      .innerJoin(rows, current)
      .where(and(isDue, batch))
      .orderBy(...oldest)
      .limit(placeholder('limit'))
      .prepare(),
    dueBatches: db
      .selectDistinct({ seat: wakes.seat, origin: wakes.origin, priority: wakes.priority })
      .from(wakes)
      .where(isDue)
      .prepare(),
    currentIn: db
      .select({ id: wakes.id })
      .from(wakes)
      .innerJoin(rows, current)
      .where(and(eq(wakes.requestKey, placeholder('requestKey')), eq(wakes.state, 'asked')))
      .prepare(),
    parkedSeats: db
      .selectDistinct({ seat: wakes.seat, until: wakes.until })
      .from(wakes)
      .where(and(parked, inArray(wakes.until, ['unblocked', 'occupied'])))
      .prepare(),
    parkedOf: db
      .select()
      .from(wakes)
      .where(
        and(parked, eq(wakes.seat, placeholder('seat')), inArray(wakes.until, ['unblocked', 'occupied'])),
      )
      .orderBy(...oldest)
      .limit(placeholder('limit'))
      .prepare(),
    parkedForPass: db
      .select()
      .from(wakes)
      .where(and(parked, eq(wakes.until, 'pass')))
      .orderBy(...oldest)
      .prepare(),
    unsettled: db
      .select({ wake: wakes })
      .from(wakes)
      .innerJoin(rows, current)
      .where(
        sql`(${wakes.state} = 'parked' or (${wakes.state} = 'over' and ${wakes.result} = 'unconfirmed'))`,
      )
      .orderBy(...oldest)
      .prepare(),
    open: db
      .select()
      .from(requests)
      .where(eq(requests.state, 'asked'))
      .orderBy(asc(requests.askedAt))
      .prepare(),
    request: db
      .select()
      .from(requests)
      .where(eq(requests.key, placeholder('key')))
      .prepare(),
    insert: insertInto(db, wakes),
    insertRequest: insertInto(db, requests),
    update: db
      .update(wakes)
      .set({
        origin: given('origin'),
        priority: given('priority'),
        state: given('state'),
        until: given('until'),
        untilAt: given('untilAt'),
        requestKey: given('requestKey'),
        unresolved: given('unresolved'),
        result: given('result'),
        dueAt: given('dueAt'),
        updatedAt: given('updatedAt'),
      })
      .where(eq(wakes.id, placeholder('id')))
      .prepare(),
  };
}
