// The journal as the runtime uses it: one store, its tables, one commit. Always true: changes given together are written
// together or not at all, and what memory says of the chain, the credentials and the generations is what the store will
// say. It arbitrates nothing and knows no client.

import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from './audit.js';
import { Backlog } from './backlog.js';
import { Checkpointer } from './checkpoint.js';
import { CredentialTable } from './credential-table.js';
import { GenerationTable } from './generation-table.js';
import { openStore, type Store } from './open.js';
import {
  type AuditEntry,
  type AuditRecord,
  type Change,
  type Journal,
  JournalError,
  type OutboxRow,
  type SeatRow,
  type StartReport,
  type TimeMs,
} from './port.js';
import { type MessageRetention, RequestTable } from './requests.js';
import { RigTable } from './rig-table.js';
import { facts } from './schema.js';
import { SeatTable } from './seat-table.js';
import { entryOfGuard, entryOfUnsettled, guardAtStart, settledSeat } from './settle.js';

/** Final outbox rows are forgotten after this; the audit feed keeps what happened. */
const OUTBOX_KEPT_MS = 30 * 86_400_000;

/** More than this is left to the backlog's own timer: a store that is away must not cost each commit a long try. */
const FLUSHED_WITH_A_COMMIT = 64;

export interface JournalOptions {
  /** Path of the database; created, with its folder, when it is missing. */
  readonly file: string;
  /** `hash` keeps no text of a message once its outcome is known. */
  readonly auditMessage?: MessageRetention;
}

/** Opens the journal. Throws JournalError `store_unavailable` when the store can't be opened or is in use. */
export function openJournal(options: JournalOptions): Journal {
  const store = openStore(options.file);
  try {
    return new SqliteJournal(store, options.auditMessage ?? 'full');
  } catch (error) {
    store.close();
    throw error;
  }
}

function runtimeId(store: Store): string {
  const { db } = store;
  // Read first: a store that somebody else has locked can still be opened.
  const stored = store.read(() => db.select().from(facts).where(eq(facts.name, 'runtime')).get());
  if (stored !== undefined) return stored.value;
  const id = uuidv7();
  store.write(() => db.insert(facts).values({ name: 'runtime', value: id }).run());
  return id;
}

class SqliteJournal implements Journal {
  readonly runtime: string;
  readonly audit: AuditLog;
  readonly outbox: RequestTable;
  readonly seats: SeatTable;
  readonly rigs: RigTable;
  readonly credentials: CredentialTable;
  private readonly generations: GenerationTable;
  private readonly checkpointer: Checkpointer;
  private readonly pending: Backlog;
  private logHandle: Promise<FileHandle> | undefined;

  constructor(
    private readonly store: Store,
    private readonly retention: MessageRetention,
  ) {
    this.runtime = runtimeId(store);
    this.audit = new AuditLog(store, this.runtime);
    this.outbox = new RequestTable(store, retention);
    this.seats = new SeatTable(store);
    this.rigs = new RigTable(store);
    const owed = () => this.pending.retryLater();
    this.credentials = new CredentialTable(store, owed);
    this.generations = new GenerationTable(store, owed);
    this.checkpointer = new Checkpointer(store.file, () => store.checkpoint());
    this.pending = new Backlog(
      (changes) => void this.write(changes),
      () => {
        this.generations.record();
        this.credentials.record();
      },
    );
  }

  commit(changes: readonly Change[]): AuditRecord[] {
    // What happened before stands before it in the chain.
    const { waiting } = this.pending.counts;
    if (waiting > 0 && waiting <= FLUSHED_WITH_A_COMMIT) this.pending.flush();
    return this.write(changes);
  }

  private write(changes: readonly Change[]): AuditRecord[] {
    const entries: AuditEntry[] = [];
    const appended = this.store.write(() => {
      for (const change of changes) {
        if (change.type === 'audit') entries.push(this.retained(change.entry));
        else this.apply(change);
      }
      return this.audit.append(entries);
    });
    this.audit.committed(appended);
    let bytes = 0;
    for (const entry of appended) bytes += entry.bytes;
    for (const change of changes) if (change.type === 'accept') bytes += change.row.body.length;
    this.checkpointer.wrote(bytes);
    return appended.map(({ record }) => record);
  }

  private apply(change: Exclude<Change, { type: 'audit' }>): void {
    switch (change.type) {
      case 'accept':
        this.outbox.accept(change.row);
        break;
      case 'settle':
        this.outbox.settle(change.id, change.at, change.patch);
        break;
      case 'retire':
        this.outbox.retire(change.id, change.at, change.by, change.reason);
        break;
      case 'seat':
        this.seats.put(change.row);
        break;
      case 'seat_removed':
        this.seats.remove(change.seat);
        break;
      case 'occupant':
        this.seats.putOccupant(change.row);
        break;
      case 'handover':
        this.seats.addHandover(change.row);
        break;
      case 'rig_policy':
        this.rigs.put(change.rig, change.policy);
        break;
    }
  }

  /** The entry with size and hash of its message, and with the message itself only where the configuration keeps it. */
  private retained(entry: AuditEntry): AuditEntry {
    const { message, ...rest } = entry;
    if (message === undefined) return entry;
    return {
      bytes: Buffer.byteLength(message),
      ...rest,
      message_sha256: rest.message_sha256 ?? hash('sha256', message, 'hex'),
      ...(this.retention === 'full' ? { message } : {}),
    };
  }

  note(entry: AuditEntry): void {
    this.pending.add(entry.at, [{ type: 'audit', entry }]);
  }

  owe(at: TimeMs, changes: readonly Change[]): void {
    this.pending.add(at, changes);
  }

  get backlog(): { waiting: number; dropped: number } {
    return this.pending.counts;
  }

  nextGeneration(session: string): number {
    return this.generations.next(session);
  }

  async durable(): Promise<void> {
    // Only the log: checkpoints sync what they move. Closing a handle of it drops no lock; SQLite keeps none on it.
    this.logHandle ??= open(`${this.store.file}-wal`, 'r+').catch((error) => {
      this.logHandle = undefined;
      throw error;
    });
    await (await this.logHandle).datasync();
  }

  settleStart(now: TimeMs): StartReport {
    const failed = this.outbox.unsettled('waiting');
    const indeterminate = this.outbox.unsettled('sending');
    const guards = this.settledGuards();
    const changes: Change[] = guards.flatMap(({ row, before }) => [
      { type: 'seat', row },
      { type: 'audit', entry: entryOfGuard(row, before, now) },
    ]);
    const settle = (row: OutboxRow, state: 'failed' | 'indeterminate') => {
      changes.push({ type: 'settle', id: row.id, at: now, patch: { state, reason: 'runtime_restarted' } });
      changes.push({ type: 'audit', entry: entryOfUnsettled(row, now) });
    };
    for (const row of failed) settle(row, 'failed');
    for (const row of indeterminate) settle(row, 'indeterminate');
    if (changes.length > 0) this.commit(changes);
    this.prune(now);
    return { failed, indeterminate, guards: guards.map(({ row }) => row) };
  }

  private prune(now: TimeMs): void {
    try {
      this.store.write(() => {
        this.outbox.prune(now - OUTBOX_KEPT_MS);
        this.credentials.prune(now);
      });
    } catch (error) {
      // The next start does it.
      if (!(error instanceof JournalError)) throw error;
    }
  }

  private settledGuards(): Array<{ row: SeatRow; before: SeatRow['guardDesired'] }> {
    return this.seats.stored().flatMap((seat) => {
      const newest = this.audit.newest({ seat: seat.row.seat, kind: 'guard.changed' });
      const row = settledSeat(seat, guardAtStart(seat, newest));
      return row === undefined ? [] : [{ row, before: seat.row.guardDesired }];
    });
  }

  async close(): Promise<void> {
    this.pending.flush();
    this.pending.close();
    await this.checkpointer.close();
    await (await this.logHandle?.catch(() => undefined))?.close();
    this.store.close();
  }
}
