// Seats, their occupants and the provenance of handovers, as rows. Always true: `guard_enabled` is true for every mode
// but off, and a write of it by somebody else is noticed. It interprets no setting, policy or provenance record.

import { desc, eq, sql } from 'drizzle-orm';
import type { Store } from './open.js';
import type { GuardMode, HandoverRow, OccupantRow, SeatRow, Seats } from './port.js';
import { handovers, occupants, seats } from './schema.js';

/** A seat row with what only the start of a process needs. */
export interface StoredSeat {
  readonly row: SeatRow;
  readonly guardEnabled: boolean;
  /** Somebody wrote `guard_enabled` and knew nothing of modes. */
  readonly guardWrittenAlone: boolean;
}

function rowOf(stored: typeof seats.$inferSelect): SeatRow {
  return {
    seat: stored.seat,
    kind: stored.kind as SeatRow['kind'],
    pack: stored.pack,
    settings: stored.settings,
    policy: stored.policy,
    binding: stored.binding,
    guardDesired: stored.guardDesired as GuardMode,
    guardEffective: stored.guardEffective as GuardMode,
    guardRevision: stored.guardRevision,
    createdAt: stored.createdAt,
  };
}

export class SeatTable implements Seats {
  constructor(private readonly store: Store) {}

  get(seat: string): SeatRow | undefined {
    const { db } = this.store;
    const stored = this.store.read(() => db.select().from(seats).where(eq(seats.seat, seat)).get());
    return stored && rowOf(stored);
  }

  list(): SeatRow[] {
    return this.stored().map(({ row }) => row);
  }

  stored(): StoredSeat[] {
    return this.store
      .read(() => this.store.db.select().from(seats).orderBy(seats.seat).all())
      .map((stored) => ({
        row: rowOf(stored),
        guardEnabled: stored.guardEnabled,
        guardWrittenAlone: stored.guardWrites === 0,
      }));
  }

  occupants(seat: string): OccupantRow[] {
    const { db } = this.store;
    return this.store.read(() =>
      db.select().from(occupants).where(eq(occupants.seat, seat)).orderBy(desc(occupants.version)).all(),
    );
  }

  handovers(seat: string, limit: number): HandoverRow[] {
    const { db } = this.store;
    return this.store.read(() =>
      db
        .select()
        .from(handovers)
        .where(eq(handovers.seat, seat))
        .orderBy(desc(handovers.at), desc(handovers.id))
        .limit(limit)
        .all(),
    );
  }

  /** Inside the caller's transaction. */
  put(row: SeatRow): void {
    const values = { ...row, guardEnabled: row.guardDesired !== 'off', guardWrites: 1 };
    const { seat: _, createdAt: __, ...changing } = values;
    this.store.db
      .insert(seats)
      .values(values)
      .onConflictDoUpdate({
        target: seats.seat,
        set: { ...changing, guardWrites: sql`${seats.guardWrites} + 1` },
      })
      .run();
  }

  /** Inside the caller's transaction. The lineage stays. */
  remove(seat: string): void {
    this.store.db.delete(seats).where(eq(seats.seat, seat)).run();
  }

  /** Inside the caller's transaction. */
  putOccupant(row: OccupantRow): void {
    const { seat: _, version: __, ...changing } = row;
    this.store.db
      .insert(occupants)
      .values(row)
      .onConflictDoUpdate({ target: [occupants.seat, occupants.version], set: changing })
      .run();
  }

  /** Inside the caller's transaction. Append-only. */
  addHandover(row: HandoverRow): void {
    this.store.db.insert(handovers).values(row).run();
  }
}
