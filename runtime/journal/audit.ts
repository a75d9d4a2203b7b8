// The audit feed over the store: append, page, verify, and tell listeners. Always true: records reach every listener in
// order, each once, and only after they are committed. It keeps the newest records in memory, so that live readers
// don't read the disk. It decides nothing about who may read.

import { and, asc, desc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type ChainRow, checkRows, START, seal, unseal } from './chain.js';
import type { Store } from './open.js';
import type {
  AuditEntry,
  AuditFeed,
  AuditFilter,
  AuditRecord,
  ChainCursor,
  ChainVerdict,
  Subscription,
} from './port.js';
import { audit, otherSession, rareKind } from './schema.js';

/** Newest records kept in memory: enough for every live reader between two turns of its socket. */
const TAIL_RECORDS = 1_024;
const TAIL_BYTES = 4 * 1_048_576;
/** A page ends here even when more was asked for, so that one answer never takes the loop or the memory. */
const PAGE_BYTES = 4 * 1_048_576;
const PAGE_RECORDS = 1_000;

interface TailEntry {
  readonly record: AuditRecord;
  readonly bytes: number;
}

function ofKind(kind: string): SQL[] {
  const same = eq(audit.kind, kind);
  return kind === 'injection.granted' || kind === 'injection.finished' ? [same] : [same, rareKind];
}

function ofSession(session: string): SQL {
  const same = eq(audit.session, session);
  return or(and(eq(audit.seat, session), same), and(otherSession, same)) ?? same;
}

export class AuditLog implements AuditFeed {
  private position: ChainCursor = START;
  private readonly tail: TailEntry[] = [];
  private tailBytes = 0;
  private undelivered: AuditRecord[] = [];
  private readonly listeners = new Set<{ from: number; tell(records: readonly AuditRecord[]): void }>();
  private readonly insert;

  constructor(
    private readonly store: Store,
    private readonly runtime: string,
  ) {
    this.insert = store.prepare(
      'insert into audit (seq, at, kind, seat, session, record, hash) values (?, ?, ?, ?, ?, ?, ?)',
    );
    const last = store.read(() => store.db.select().from(audit).orderBy(desc(audit.seq)).limit(1).get());
    if (last !== undefined) this.position = { seq: last.seq, hash: last.hash.toString('hex') };
  }

  get head(): ChainCursor {
    return this.position;
  }

  /** Inserts inside the caller's transaction. What it returns becomes true only by `committed`. */
  append(entries: readonly AuditEntry[]): TailEntry[] {
    let head = this.position;
    return entries.map((entry) => {
      const { record, bytes, hash } = seal(entry, this.runtime, head);
      const { seq, at, kind, seat = null, session = null } = record;
      this.insert.run(seq, at, kind, seat, session, bytes, hash);
      head = { seq: record.seq, hash: record.hash };
      return { record, bytes: bytes.length };
    });
  }

  /** The transaction went through: the head moves, and listeners are told once this turn is over. */
  committed(appended: readonly TailEntry[]): void {
    const last = appended.at(-1)?.record;
    if (last === undefined) return;
    this.position = { seq: last.seq, hash: last.hash };
    for (const entry of appended) {
      this.tail.push(entry);
      this.tailBytes += entry.bytes;
    }
    while (this.tail.length > TAIL_RECORDS || this.tailBytes > TAIL_BYTES) {
      this.tailBytes -= this.tail.shift()!.bytes;
    }
    if (this.listeners.size === 0) return;
    // The turn that grants also types: whoever reads the feed comes after the bytes.
    if (this.undelivered.length === 0) setImmediate(() => this.deliver());
    for (const { record } of appended) this.undelivered.push(record);
  }

  private deliver(): void {
    const records = this.undelivered;
    this.undelivered = [];
    for (const listener of [...this.listeners]) {
      if (!this.listeners.has(listener)) continue;
      const news =
        records[0]!.seq > listener.from ? records : records.filter(({ seq }) => seq > listener.from);
      if (news.length === 0) continue;
      try {
        listener.tell(news);
      } catch (error) {
        // One reader's fault must not cost the others their records, nor this one an order with holes.
        this.listeners.delete(listener);
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }

  subscribe(tell: (records: readonly AuditRecord[]) => void): Subscription {
    const listener = { from: this.position.seq, tell };
    this.listeners.add(listener);
    return { from: listener.from, close: () => void this.listeners.delete(listener) };
  }

  page(after: number, filter: AuditFilter, limit: number): AuditRecord[] {
    const wanted = Math.max(1, Math.min(PAGE_RECORDS, Math.trunc(limit)));
    const oldest = this.tail[0]?.record.seq;
    if (oldest !== undefined && after >= oldest - 1) return this.pageTail(after, filter, wanted);
    return this.store.read(() => this.pageStore(after, filter, wanted));
  }

  private pageTail(after: number, filter: AuditFilter, limit: number): AuditRecord[] {
    const records: AuditRecord[] = [];
    const first = this.tail[0]!.record.seq;
    for (let at = Math.max(0, after + 1 - first); at < this.tail.length && records.length < limit; at++) {
      const { record } = this.tail[at]!;
      if (
        (filter.seat === undefined || record.seat === filter.seat) &&
        (filter.session === undefined || record.session === filter.session) &&
        (filter.kind === undefined || record.kind === filter.kind)
      ) {
        records.push(record);
      }
    }
    return records;
  }

  private pageStore(after: number, filter: AuditFilter, limit: number): AuditRecord[] {
    const { db } = this.store;
    const where: SQL[] = [gt(audit.seq, after)];
    if (filter.seat !== undefined) where.push(eq(audit.seat, filter.seat));
    if (filter.session !== undefined) where.push(ofSession(filter.session));
    if (filter.kind !== undefined) where.push(...ofKind(filter.kind));
    const last = this.lastOf(where, limit);
    if (last === undefined) return [];
    const rows = db
      .select({ record: audit.record, hash: audit.hash })
      .from(audit)
      .where(and(...where, lte(audit.seq, last)))
      .orderBy(asc(audit.seq))
      .all();
    return rows.flatMap((row) => unseal(row) ?? []);
  }

  /** The newest record of this kind of a seat. */
  newest(filter: { seat: string; kind: string }): AuditRecord | undefined {
    const where = and(eq(audit.seat, filter.seat), ...ofKind(filter.kind));
    const { db } = this.store;
    const row = this.store.read(() =>
      db.select().from(audit).where(where).orderBy(desc(audit.seq)).limit(1).get(),
    );
    return row && unseal(row);
  }

  /** The last seq of a page of at most `limit` records and PAGE_BYTES. SQLite knows lengths without reading records. */
  private lastOf(where: readonly SQL[], limit: number): number | undefined {
    const sizes = this.store.db
      .select({ seq: audit.seq, bytes: sql<number>`length(${audit.record})` })
      .from(audit)
      .where(and(...where))
      .orderBy(asc(audit.seq))
      .limit(limit)
      .all();
    let bytes = 0;
    let last: number | undefined;
    for (const size of sizes) {
      bytes += size.bytes;
      if (last !== undefined && bytes > PAGE_BYTES) break;
      last = size.seq;
    }
    return last;
  }

  verify(cursor: ChainCursor, limit: number): ChainVerdict {
    return this.store.read(() => {
      const where = [gt(audit.seq, cursor.seq)];
      const last = this.lastOf(where, Math.max(1, Math.min(PAGE_RECORDS, Math.trunc(limit))));
      // The head is in memory: rows cut off the end of the file are a gap, too.
      if (last === undefined) {
        return cursor.seq < this.position.seq
          ? { state: 'broken', seq: cursor.seq + 1, fault: 'gap' }
          : { state: 'good', cursor, done: true };
      }
      const rows: ChainRow[] = this.store.db
        .select()
        .from(audit)
        .where(and(...where, lte(audit.seq, last)))
        .orderBy(asc(audit.seq))
        .all();
      return checkRows(rows, cursor, last >= this.position.seq);
    });
  }
}
