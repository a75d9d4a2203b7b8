// Rows as they stand in answers: times as ISO 8601, the newest wake as one field. Pure.
import type { QueueRow, QueueTransitions } from '../../protocol/queue.js';
import type { TimeMs } from '../port.js';
import type { Transition } from '../store/row-table.js';
import type { Row } from './row.js';

const iso = (at: TimeMs) => new Date(at).toISOString();
export const isoOrNull = (at: TimeMs | null | undefined) =>
  at === null || at === undefined ? null : iso(at);

export function answerOf(row: Row): QueueRow {
  const { lastWakeAt, lastWakeResult, ...rest } = row;
  return {
    ...rest,
    tags: [...row.tags],
    expiresAt: isoOrNull(row.expiresAt),
    notBefore: isoOrNull(row.notBefore),
    closureRequiredAt: isoOrNull(row.closureRequiredAt),
    claimedAt: isoOrNull(row.claimedAt),
    lastWake: lastWakeAt === null ? null : { at: iso(lastWakeAt), result: lastWakeResult ?? '' },
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

export function transitionsOf(list: readonly Transition[]): QueueTransitions {
  return { transitions: list.map(({ rowId: _, at, ...rest }) => ({ at: iso(at), ...rest })) };
}

/** A time of a body: ISO 8601 or milliseconds; undefined when it is neither. */
export function timeOf(value: number | string): TimeMs | undefined {
  const at = typeof value === 'number' ? value : Date.parse(value);
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined;
}
