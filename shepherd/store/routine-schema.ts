// The tables of routines, parked owners and alerts. Always true: SQLite is the schedule; an attempt is recorded before its
// message is asked for. It holds no query.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Memo, Policy, Registrar, RoutineState, Spec } from '../routine/routine.js';
import type { Schedule } from '../routine/schedule.js';

export const routines = sqliteTable(
  'routines',
  {
    id: text('id').primaryKey(),
    policy: text('policy').$type<Policy>().notNull(),
    spec: text('spec', { mode: 'json' }).$type<Spec>().notNull(),
    seat: text('seat').notNull(),
    schedule: text('schedule', { mode: 'json' }).$type<Schedule>().notNull(),
    scanMs: integer('scan_ms'),
    activeWakeMs: integer('active_wake_ms'),
    state: text('state').$type<RoutineState>().notNull(),
    registrar: text('registrar', { mode: 'json' }).$type<Registrar>().notNull(),
    nextDueAt: integer('next_due_at'),
    lastEvaluatedAt: integer('last_evaluated_at'),
    lastFiredAt: integer('last_fired_at'),
    actionable: integer('actionable', { mode: 'boolean' }).notNull(),
    memo: text('memo', { mode: 'json' }).$type<Memo>(),
    unresolved: integer('unresolved', { mode: 'boolean' }).notNull(),
    failures: integer('failures').notNull(),
    failingSince: integer('failing_since'),
    terminalReason: text('terminal_reason'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('routines_by_due').on(table.state, table.nextDueAt),
    index('routines_by_seat').on(table.seat, table.state),
    index('routines_by_failures').on(table.failures),
  ],
);

/** History: what was sent, ended or went wrong. Quiet skips leave no row. */
export const attempts = sqliteTable(
  'routine_attempts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    routineId: text('routine_id').notNull(),
    at: integer('at').notNull(),
    /** sent, terminal or error. */
    outcome: text('outcome').$type<'sent' | 'terminal' | 'error'>().notNull(),
    seat: text('seat').notNull(),
    /** Of a sent one: asked (with the runtime), confirmed, unconfirmed, held or failed:<reason>. */
    result: text('result'),
    /** Idempotency key of the request; notices that travel together share it. */
    requestKey: text('request_key'),
    /** Rows that it speaks of. */
    rows: text('rows', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Of a parked owner: its obligations and its occupant. */
    fingerprint: text('fingerprint'),
    occupant: text('occupant'),
    note: text('note'),
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('routine_attempts_by_routine').on(table.routineId, table.id),
    index('routine_attempts_by_request').on(table.requestKey),
    index('routine_attempts_by_result').on(table.result),
  ],
);

/** What is remembered of the attempts at one parked owner. */
export const parkedOwners = sqliteTable('parked_owners', {
  seat: text('seat').primaryKey(),
  attemptedAt: integer('attempted_at'),
  fingerprint: text('fingerprint'),
  occupant: text('occupant'),
  unresolved: integer('unresolved', { mode: 'boolean' }).notNull(),
});

/** Alerts that stand. */
export const alerts = sqliteTable('alerts', {
  key: text('key').primaryKey(),
  cause: text('cause').notNull(),
  seat: text('seat'),
  routine: text('routine'),
  sinceAt: integer('since_at').notNull(),
  detail: text('detail', { mode: 'json' }).$type<Readonly<Record<string, string | number>>>(),
  raisedAt: integer('raised_at').notNull(),
  /** The runtime's feed has it. */
  told: integer('told', { mode: 'boolean' }).notNull(),
});
