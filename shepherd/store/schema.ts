// The tables of Shepherd's store. Always true: times are milliseconds since 1970 (UTC); a row is the truth and a wake only
// points to it; transitions are only ever appended. It holds no query.
// After a change: npx drizzle-kit generate --dialect=sqlite --schema='shepherd/store/*schema.ts' --out=shepherd/store/migrations

import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Queue rows (shepherd contract 1). */
export const rows = sqliteTable(
  'queue_rows',
  {
    id: text('id').primaryKey(),
    source: text('source').notNull(),
    destination: text('destination').notNull(),
    state: text('state').notNull(),
    priority: text('priority').notNull(),
    tier: text('tier'),
    tags: text('tags', { mode: 'json' }).$type<readonly string[]>().notNull(),
    summary: text('summary').notNull(),
    body: text('body').notNull(),
    blockedOn: text('blocked_on'),
    handedOffTo: text('handed_off_to'),
    handedOffFrom: text('handed_off_from'),
    expiresAt: integer('expires_at'),
    notBefore: integer('not_before'),
    closureReason: text('closure_reason'),
    closureTarget: text('closure_target'),
    closureRequiredAt: integer('closure_required_at'),
    claimedAt: integer('claimed_at'),
    lastWakeAt: integer('last_wake_at'),
    lastWakeResult: text('last_wake_result'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('queue_rows_by_destination').on(table.destination, table.state),
    index('queue_rows_by_state').on(table.state, table.closureRequiredAt),
    index('queue_rows_by_update').on(table.updatedAt),
  ],
);

export const transitions = sqliteTable(
  'queue_transitions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    rowId: text('row_id').notNull(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    /** Null for the creation. */
    from: text('from_state'),
    to: text('to_state').notNull(),
    note: text('note'),
    closureReason: text('closure_reason'),
    closureTarget: text('closure_target'),
  },
  (table) => [index('queue_transitions_by_row').on(table.rowId, table.id)],
);

/** Transitions of rows that were closed long ago. */
export const archivedTransitions = sqliteTable(
  'queue_transitions_archive',
  {
    id: integer('id').primaryKey(),
    rowId: text('row_id').notNull(),
    at: integer('at').notNull(),
    actor: text('actor').notNull(),
    from: text('from_state'),
    to: text('to_state').notNull(),
    note: text('note'),
    closureReason: text('closure_reason'),
    closureTarget: text('closure_target'),
  },
  (table) => [index('queue_transitions_archive_by_row').on(table.rowId, table.id)],
);

/** One-shot timers: at most one a row. */
export const timers = sqliteTable(
  'queue_timers',
  {
    rowId: text('row_id').primaryKey(),
    dueAt: integer('due_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('queue_timers_by_due').on(table.dueAt)],
);

/** Wakes of rows. A row has at most one that is not over. */
export const wakes = sqliteTable(
  'queue_wakes',
  {
    id: text('id').primaryKey(),
    rowId: text('row_id').notNull(),
    seat: text('seat').notNull(),
    /** wake, or notice for timers and start-up retries. */
    origin: text('origin').notNull(),
    priority: text('priority').notNull(),
    /** The envelope; a retry keeps it. */
    envelope: text('envelope').notNull(),
    /** due, asked, parked or over: see wake/wake.ts. */
    state: text('state').notNull(),
    /** With `parked`: what it waits for. */
    until: text('until'),
    /** Generation of the seat when it was parked because the seat had no occupant or was blocked. */
    untilAt: integer('until_at'),
    /** Idempotency key of the request that carries it. */
    requestKey: text('request_key'),
    /** Some earlier attempt may have been typed. */
    unresolved: integer('unresolved', { mode: 'boolean' }).notNull(),
    /** confirmed, unconfirmed, held, failed:<reason>; null before the first. */
    result: text('result'),
    dueAt: integer('due_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('queue_wakes_by_row').on(table.rowId),
    index('queue_wakes_by_state').on(table.state, table.seat),
    index('queue_wakes_by_request').on(table.requestKey),
  ],
);

/** Requests to the runtime that carry wakes. Kept, with what was typed, as long as their rows. */
export const requests = sqliteTable(
  'queue_requests',
  {
    key: text('key').primaryKey(),
    seat: text('seat').notNull(),
    origin: text('origin').notNull(),
    priority: text('priority').notNull(),
    /** Ids of the wakes it carries. */
    wakes: text('wakes', { mode: 'json' }).$type<readonly string[]>().notNull(),
    body: text('body').notNull(),
    supersede: text('supersede').notNull(),
    /** asked, or over. */
    state: text('state').notNull(),
    outcome: text('outcome'),
    reason: text('reason'),
    askedAt: integer('asked_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [index('queue_requests_by_state').on(table.state, table.seat)],
);
