// What seats that are added to a rig begin with, one fact a rig. Always true: a seat keeps the copy that it was made with.
import { like } from 'drizzle-orm';
import type { Store } from './open.js';
import type { Rigs } from './port.js';
import { facts } from './schema.js';

const PREFIX = 'rig_policy:';

export class RigTable implements Rigs {
  constructor(private readonly store: Store) {}

  policies(): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
    const { db } = this.store;
    const stored = this.store.read(() =>
      db
        .select()
        .from(facts)
        .where(like(facts.name, `${PREFIX}%`))
        .all(),
    );
    return new Map(
      stored.map(({ name, value }) => [
        name.slice(PREFIX.length),
        JSON.parse(value) as Readonly<Record<string, unknown>>,
      ]),
    );
  }

  /** Inside the caller's transaction. */
  put(rig: string, policy: Readonly<Record<string, unknown>>): void {
    const value = JSON.stringify(policy);
    this.store.db
      .insert(facts)
      .values({ name: `${PREFIX}${rig}`, value })
      .onConflictDoUpdate({ target: facts.name, set: { value } })
      .run();
  }
}
