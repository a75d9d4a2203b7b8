// The generation counters of session names. Always true: a name's generations rise by one, never fall and never repeat,
// also across a restart. Counting happens in memory, so a session can start while the store is away; what the store has
// not recorded yet is written as soon as it is back.

import { sql } from 'drizzle-orm';
import type { Store } from './open.js';
import { JournalError } from './port.js';
import { generations } from './schema.js';

export class GenerationTable {
  private readonly last = new Map<string, number>();
  private readonly unrecorded = new Set<string>();
  private readonly upsert;

  /** @param owed called when the store could not record a generation that was given out */
  constructor(
    private readonly store: Store,
    private readonly owed: () => void,
  ) {
    const { db } = store;
    const { placeholder } = sql;
    for (const row of store.read(() => db.select().from(generations).all())) {
      this.last.set(row.session, row.generation);
    }
    this.upsert = db
      .insert(generations)
      .values({ session: placeholder('session'), generation: placeholder('generation') })
      .onConflictDoUpdate({
        target: generations.session,
        set: { generation: sql`max(${generations.generation}, excluded.generation)` },
      })
      .prepare();
  }

  next(session: string): number {
    const generation = (this.last.get(session) ?? 0) + 1;
    this.last.set(session, generation);
    this.unrecorded.add(session);
    try {
      this.record();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.owed();
    }
    return generation;
  }

  /** Records what is only in memory. Throws JournalError while the store is away. */
  record(): void {
    if (this.unrecorded.size === 0) return;
    this.store.write(() => {
      for (const session of this.unrecorded) {
        this.upsert.run({ session, generation: this.last.get(session)! });
      }
    });
    this.unrecorded.clear();
  }
}
