// What seats that are added to a rig begin with, one fact a rig. Always true: a seat keeps the copy that it was made with.
import { eq } from 'drizzle-orm';
import type { Store } from './open.js';
import type { Rigs } from './port.js';
import { facts } from './schema.js';

const nameOf = (rig: string) => `rig_policy:${rig}`;

export class RigTable implements Rigs {
  constructor(private readonly store: Store) {}

  policy(rig: string): Readonly<Record<string, unknown>> {
    const { db } = this.store;
    const stored = this.store.read(() =>
      db
        .select()
        .from(facts)
        .where(eq(facts.name, nameOf(rig)))
        .get(),
    );
    return stored === undefined ? {} : (JSON.parse(stored.value) as Record<string, unknown>);
  }

  /** Inside the caller's transaction. */
  put(rig: string, policy: Readonly<Record<string, unknown>>): void {
    const value = JSON.stringify(policy);
    this.store.db
      .insert(facts)
      .values({ name: nameOf(rig), value })
      .onConflictDoUpdate({ target: facts.name, set: { value } })
      .run();
  }
}
