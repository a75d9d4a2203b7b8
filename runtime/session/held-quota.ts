// How much a seat keeps of messages that were not typed (guard contract 3). Always true: notices have a quota of their own;
// a record that replaces an older one takes its place. Pure: it counts nothing itself.
import type { HeldQuota, OutboxRow } from '../journal/port.js';

/** Held and not retired, notices left out. */
export const HELD_RECORDS = 100;
export const HELD_BYTES = 8 * 1024 * 1024;
export const HELD_NOTICES = 20;

/** Whether one more record has no room. `older`: the held record that it would retire. */
export function isFull(
  quota: HeldQuota,
  wish: { readonly origin: string; readonly bodyBytes: number },
  older: Pick<OutboxRow, 'origin' | 'bytes'> | undefined,
): boolean {
  const notice = wish.origin === 'notice';
  // The quota that the older record counts in is freed by the newer one.
  const freed = older !== undefined && (older.origin === 'notice') === notice ? older : undefined;
  const less = freed === undefined ? 0 : 1;
  if (notice) return quota.notices - less >= HELD_NOTICES;
  const bytes = quota.bytes - (freed?.bytes ?? 0) + wish.bodyBytes;
  return quota.records - less >= HELD_RECORDS || bytes > HELD_BYTES;
}
