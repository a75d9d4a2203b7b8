// What policies look up of queue rows. Always true: it reads only what they need, by statements that are prepared once, so
// that a tick over ten thousand rows stays short. It changes nothing.
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { TimeMs } from '../port.js';
import type { RowFacts } from '../routine/policy.js';
import type { Store } from './open.js';
import { rows, timers } from './schema.js';

/** A seat with obligations, and what changes when they do. */
export interface Owner {
  readonly seat: string;
  readonly count: number;
  readonly updatedAt: TimeMs;
}

const OPEN = ['pending', 'in-progress', 'blocked'];
/** Rows looked at of one seat, and overdue ones in all: a text names five. */
const LOOKED = 200;

const COLUMNS = {
  id: rows.id,
  destination: rows.destination,
  state: rows.state,
  tags: rows.tags,
  blockedOn: rows.blockedOn,
  notBefore: rows.notBefore,
  closureRequiredAt: rows.closureRequiredAt,
  updatedAt: rows.updatedAt,
  wakeDueAt: timers.dueAt,
};

export class FactTable {
  readonly #open: { all(values: Record<string, unknown>): unknown[] };
  readonly #owners: { all(values: Record<string, unknown>): unknown[] };

  constructor(private readonly store: Store) {
    this.#open = store.db
      .select(COLUMNS)
      .from(rows)
      .leftJoin(timers, eq(timers.rowId, rows.id))
      .where(and(eq(rows.destination, sql.placeholder('seat')), inArray(rows.state, OPEN)))
      .orderBy(asc(rows.createdAt), asc(rows.id))
      .limit(LOOKED)
      .prepare();
    const now = sql.placeholder('now');
    this.#owners = store.db
      .select({
        seat: rows.destination,
        count: sql<number>`count(*)`,
        updatedAt: sql<number>`max(${rows.updatedAt})`,
      })
      .from(rows)
      .leftJoin(timers, eq(timers.rowId, rows.id))
      .where(
        and(
          inArray(rows.state, OPEN),
          sql`(${rows.notBefore} is null or ${rows.notBefore} <= ${now})`,
          sql`(${timers.dueAt} is null or ${timers.dueAt} <= ${now})`,
        ),
      )
      .groupBy(rows.destination)
      .prepare();
  }

  /** Open rows addressed to a seat, oldest first. */
  open(seat: string): RowFacts[] {
    return this.store.read(() => this.#open.all({ seat }) as RowFacts[]);
  }

  /** Seats that owe work on rows now. */
  owners(now: TimeMs): Owner[] {
    return this.store.read(() => this.#owners.all({ now }) as Owner[]);
  }

  overdue(of: string, now: TimeMs): RowFacts[] {
    const { db } = this.store;
    const late = and(eq(rows.state, 'in-progress'), lt(rows.closureRequiredAt, now));
    return this.store.read(
      () =>
        db
          .select(COLUMNS)
          .from(rows)
          .leftJoin(timers, eq(timers.rowId, rows.id))
          .where(of === '*' ? late : and(late, eq(rows.destination, of)))
          .orderBy(asc(rows.closureRequiredAt))
          .limit(LOOKED)
          .all() as RowFacts[],
    );
  }
}
