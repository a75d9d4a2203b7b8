// Alerts that stand, as rows of the store. Always true: one row a cause and subject, so that a restart raises nothing twice. It
// judges nothing.
import { asc, eq } from 'drizzle-orm';
import type { Store } from './open.js';
import { alerts } from './routine-schema.js';

export type StoredAlert = typeof alerts.$inferSelect;

export class AlertTable {
  readonly #all: { all(): StoredAlert[] };

  constructor(private readonly store: Store) {
    this.#all = store.db.select().from(alerts).orderBy(asc(alerts.raisedAt)).prepare();
  }

  all(): StoredAlert[] {
    return this.store.read(() => this.#all.all());
  }

  /** Inside the caller's write. */
  insert(alert: StoredAlert): void {
    this.store.db.insert(alerts).values(alert).onConflictDoNothing().run();
  }

  /** Inside the caller's write. */
  told(key: string): void {
    this.store.db.update(alerts).set({ told: true }).where(eq(alerts.key, key)).run();
  }

  /** Inside the caller's write. */
  remove(key: string): void {
    this.store.db.delete(alerts).where(eq(alerts.key, key)).run();
  }
}
