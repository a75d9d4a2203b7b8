// The hash chain over audit records (spec/audit.md). Always true: a record's hash covers every one of its fields but
// itself, its `prev` is the hash of the record before, and seq has no gap. Pure but for the hash function: no store.

import { hash as digestOf } from 'node:crypto';
import { decodeFrame, encodeFrame, type PlainMap } from '../../protocol/codec.js';
import { MESSAGE_BODY_BYTES } from '../../protocol/limit.js';
import type { AuditEntry, AuditRecord, ChainCursor, ChainVerdict } from './port.js';

/** Where every chain begins. */
export const START: ChainCursor = { seq: 0, hash: '0'.repeat(64) };

/** A message as large as any, and the other fields; what we wrote ourselves is never larger. */
const RECORD_LIMITS = { bytes: 2 * MESSAGE_BODY_BYTES, depth: 32 };

export interface Sealed {
  readonly record: AuditRecord;
  /** The bytes that the hash covers. */
  readonly bytes: Uint8Array;
  readonly hash: Buffer;
}

/** One row as the store keeps it. */
export interface ChainRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly seat: string | null;
  readonly session: string | null;
  readonly record: Uint8Array;
  readonly hash: Uint8Array;
}

function digest(bytes: Uint8Array): Buffer {
  return digestOf('sha256', bytes, 'buffer');
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The record that follows `head`. */
export function seal(entry: AuditEntry, runtime: string, head: ChainCursor): Sealed {
  const covered = { ...entry, runtime, seq: head.seq + 1, prev: head.hash };
  const bytes = encodeFrame(covered as unknown as PlainMap);
  const hash = digest(bytes);
  return { record: { ...covered, hash: hash.toString('hex') }, bytes, hash };
}

/** The record of a row, its hash attached. Undefined when the bytes are no record. */
export function unseal(row: Pick<ChainRow, 'record' | 'hash'>): AuditRecord | undefined {
  const decoded = decodeFrame(row.record, RECORD_LIMITS);
  if (!decoded.ok) return undefined;
  return { ...(decoded.value as unknown as AuditRecord), hash: toHex(row.hash) };
}

/** The first row that doesn't continue the chain from `cursor`, or the cursor after the last one. */
export function checkRows(rows: readonly ChainRow[], cursor: ChainCursor, done: boolean): ChainVerdict {
  let { seq, hash } = cursor;
  for (const row of rows) {
    const broken = (fault: Extract<ChainVerdict, { state: 'broken' }>['fault']): ChainVerdict => ({
      state: 'broken',
      seq: seq + 1,
      fault,
    });
    if (row.seq !== seq + 1) return broken('gap');
    if (!digest(row.record).equals(row.hash)) return broken('hash_mismatch');
    const record = unseal(row);
    if (record === undefined) return broken('undecodable');
    if (record.prev !== hash) return broken('prev_mismatch');
    const same =
      record.seq === row.seq &&
      record.at === row.at &&
      record.kind === row.kind &&
      (record.seat ?? null) === row.seat &&
      (record.session ?? null) === row.session;
    if (!same) return broken('column_mismatch');
    seq = row.seq;
    hash = record.hash;
  }
  return { state: 'good', cursor: { seq, hash }, done };
}
