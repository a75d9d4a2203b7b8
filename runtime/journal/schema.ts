// The tables of the runtime's store. Always true: times are milliseconds since 1970 (UTC), audit rows are only ever
// appended, and nothing here is a secret: credentials are kept as verifiers. It holds no query.
// After a change: npx drizzle-kit generate --dialect=sqlite --schema=runtime/journal/schema.ts --out=runtime/journal/migrations

import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Facts about this store: the runtime's persistent id. */
export const facts = sqliteTable('facts', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Credentials that outlive the process: admin, shepherd, auditor. The others die with their PTY and stay in memory. */
export const credentials = sqliteTable('credentials', {
  id: text('id').primaryKey(),
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  /** SHA-256 of the 64 hex characters that were shown once, as hex. */
  verifier: text('verifier').notNull().unique(),
  seats: text('seats', { mode: 'json' }).$type<readonly string[]>(),
  scopes: text('scopes', { mode: 'json' }).$type<readonly string[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
});

/** The last generation given out for a session name. A row is never removed: a name's generations never fall. */
export const generations = sqliteTable('generations', {
  session: text('session').primaryKey(),
  generation: integer('generation').notNull(),
});

/** Seats with their settings and their typing guard. Settings and policy are the seats room's own maps. */
export const seats = sqliteTable('seats', {
  seat: text('seat').primaryKey(),
  kind: text('kind').notNull(),
  pack: text('pack').notNull(),
  settings: text('settings', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  policy: text('policy', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** What a handover has done so far, so that a crash leaves it halted and not forgotten; null when none runs. */
  binding: text('binding', { mode: 'json' }).$type<Record<string, unknown>>(),
  /** True for every mode but `off`, so that a reader that knows no modes holds. */
  guardEnabled: integer('guard_enabled', { mode: 'boolean' }).notNull(),
  guardDesired: text('guard_desired').notNull(),
  guardEffective: text('guard_effective').notNull(),
  guardRevision: integer('guard_revision').notNull(),
  /** Rises with every write of ours; a trigger zeroes it when somebody writes `guard_enabled` alone. */
  guardWrites: integer('guard_writes').notNull(),
  createdAt: integer('created_at').notNull(),
});

/** One row for each occupant a seat has had; `version` counts from 1. */
export const occupants = sqliteTable(
  'occupants',
  {
    seat: text('seat').notNull(),
    version: integer('version').notNull(),
    session: text('session').notNull(),
    generation: integer('generation').notNull(),
    /** bound, retired, advising, shadowing, or the word of the seats room. */
    state: text('state').notNull(),
    conversation: text('conversation'),
    boundAt: integer('bound_at').notNull(),
    endedAt: integer('ended_at'),
    outcome: text('outcome'),
  },
  (table) => [primaryKey({ columns: [table.seat, table.version] })],
);

/** Provenance of handovers, append-only: the record is the seats room's own map. */
export const handovers = sqliteTable(
  'handovers',
  {
    id: text('id').primaryKey(),
    seat: text('seat').notNull(),
    at: integer('at').notNull(),
    record: text('record', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index('handovers_by_seat').on(table.seat, table.at)],
);

/**
 * What each index of the outbox holds. A commit that types touches none that it needn't: most rows are neither held nor
 * keyed nor final when they are written. A query must repeat the condition for SQLite to use the index.
 */
export const isHeld = sql.raw("state = 'held'");
export const isOpen = sql.raw("state in ('waiting', 'sending')");
export const isFinal = sql.raw("state in ('complete', 'indeterminate', 'failed')");
const isKeyed = sql.raw('idempotency_key is not null');

/** Every accepted request with its state (guard contract 3). */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    seat: text('seat').notNull(),
    session: text('session'),
    generation: integer('generation'),
    tenure: text('tenure'),
    identity: text('identity').notNull(),
    actor: text('actor'),
    origin: text('origin').notNull(),
    urgent: integer('urgent', { mode: 'boolean' }).notNull(),
    routine: text('routine'),
    body: text('body').notNull(),
    bytes: integer('bytes').notNull(),
    sha256: text('sha256').notNull(),
    supersede: text('supersede'),
    idempotencyKey: text('idempotency_key'),
    state: text('state').notNull(),
    reason: text('reason'),
    /** 1, 0 or null: written through a placeholder, where a boolean column would turn null into 0. */
    confirmed: integer('confirmed'),
    bytesWritten: integer('bytes_written').notNull(),
    createdAt: integer('created_at').notNull(),
    deadlineAt: integer('deadline_at'),
    updatedAt: integer('updated_at').notNull(),
    /** Held records only: how many older ones with the same supersede key it retired, and since when. */
    supersededCount: integer('superseded_count').notNull(),
    firstHeldAt: integer('first_held_at'),
    retiredAt: integer('retired_at'),
    retiredBy: text('retired_by'),
    retiredReason: text('retired_reason'),
  },
  (table) => [
    index('outbox_held').on(table.seat, table.retiredAt).where(isHeld),
    index('outbox_open').on(table.state).where(isOpen),
    index('outbox_final').on(table.updatedAt).where(isFinal),
    index('outbox_by_key').on(table.seat, table.idempotencyKey).where(isKeyed),
  ],
);

/** Kinds that are few among many. A query must repeat this condition for SQLite to use the index. */
export const rareKind = sql.raw("kind not in ('injection.granted', 'injection.finished')");

/** A session has its seat's name, so the index of seats finds it; what is otherwise has an index of its own. */
export const otherSession = sql.raw('session is not seat');

/** The chain. `record` is the canonical MessagePack that `hash` covers; the other columns only find it. */
export const audit = sqliteTable(
  'audit',
  {
    seq: integer('seq').primaryKey(),
    at: integer('at').notNull(),
    kind: text('kind').notNull(),
    seat: text('seat'),
    session: text('session'),
    record: blob('record', { mode: 'buffer' }).notNull(),
    hash: blob('hash', { mode: 'buffer' }).notNull(),
  },
  (table) => [
    index('audit_by_seat').on(table.seat, table.seq),
    index('audit_by_other_session').on(table.session, table.seq).where(otherSession),
    // Injections are most of the feed and found by reading on; leaving them out keeps the commit that types small.
    index('audit_by_rare_kind').on(table.kind, table.seq).where(rareKind),
  ],
);
