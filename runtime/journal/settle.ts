// What a start puts right before any route or writer exists: requests of a dead process get their true final state, and
// guard modes that were pending or written by somebody else are decided. Always true: nothing is typed, nothing is
// released, and every change is an audit record in the same commit.

import type { AuditEntry, AuditRecord, GuardMode, OutboxRow, SeatRow, TimeMs } from './port.js';
import type { StoredSeat } from './seat-table.js';

const REASON = 'runtime_restarted';

/** The audit record of a request that the dead process left open (floor contract I4, I5). */
export function entryOfUnsettled(row: OutboxRow, now: TimeMs): AuditEntry {
  const sending = row.state === 'sending';
  return {
    at: now,
    kind: sending ? 'injection.finished' : 'request.refused',
    seat: row.seat,
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.generation === null ? {} : { generation: row.generation }),
    request: row.id,
    identity: row.identity,
    ...(row.actor === null ? {} : { actor: row.actor }),
    ...(row.routine === null ? {} : { routine: row.routine }),
    origin: row.origin,
    urgent: row.urgent,
    message_sha256: row.sha256,
    bytes: row.bytes,
    outcome: sending ? 'indeterminate' : 'failed',
    reason: REASON,
  };
}

/**
 * The mode a seat starts with. A boolean written alone after ours wins: true is hold, false is off. Otherwise the newest
 * audit record decides, because a store put together from two backups may disagree with it.
 */
export function guardAtStart(seat: StoredSeat, newest: AuditRecord | undefined): GuardMode {
  if (seat.guardWrittenAlone) return seat.guardEnabled ? 'hold' : 'off';
  const audited = newest?.detail?.mode;
  return typeof audited === 'string' && isGuardMode(audited) ? audited : seat.row.guardDesired;
}

const MODES: readonly GuardMode[] = [
  'off',
  'draft-aware',
  'openrig-urgent',
  'urgent-only',
  'sends-only',
  'hold',
];

function isGuardMode(text: string): text is GuardMode {
  return (MODES as readonly string[]).includes(text);
}

/** The row to write, or undefined when the stored one already says this and nothing is pending. */
export function settledSeat(seat: StoredSeat, mode: GuardMode): SeatRow | undefined {
  const { row } = seat;
  if (!seat.guardWrittenAlone && row.guardDesired === mode && row.guardEffective === mode) return undefined;
  const revision = row.guardRevision + (row.guardDesired === mode ? 0 : 1);
  return { ...row, guardDesired: mode, guardEffective: mode, guardRevision: revision };
}

/** The audit record of a guard mode that the start decided. */
export function entryOfGuard(row: SeatRow, before: GuardMode, now: TimeMs): AuditEntry {
  return {
    at: now,
    kind: 'guard.changed',
    seat: row.seat,
    identity: 'openfloor',
    reason: REASON,
    detail: { mode: row.guardDesired, before, revision: row.guardRevision },
  };
}
