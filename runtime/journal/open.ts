// Opens the store: one SQLite file in WAL mode with the migrations applied, owned by this process alone. Always true: a
// call on it never waits for a lock (timeout 0) and never checkpoints; every fault of SQLite leaves as a JournalError.
// It knows no table. It must not open and close the database file by other means: POSIX would drop SQLite's locks.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { JournalError, type StoreFault } from './port.js';

export interface Store {
  readonly file: string;
  readonly db: BetterSQLite3Database;
  /** A statement without the query layer: for the few that are part of the turn that types. */
  prepare(sql: string): Database.Statement;
  /** All or nothing, the write lock taken first. Throws JournalError `audit_unavailable` with nothing written. */
  write<T>(work: () => T): T;
  /** Throws JournalError `store_unavailable`. */
  read<T>(work: () => T): T;
  /** Moves what it can from the log into the database, with fsync. Never throws: the next one goes on. */
  checkpoint(): void;
  close(): void;
}

const NEXT: Readonly<Record<StoreFault, string>> = {
  locked: 'End the other process that has the database open, then try again.',
  full: 'Free space on the disk of the data folder, then try again.',
  read_only: 'Make the data folder writable for the user that runs the runtime, then try again.',
  corrupt: 'Stop the runtime, keep a copy of the data folder, and restore the database from a backup.',
  io: 'Look at the disk of the data folder; the log of the system says what failed.',
  closed: 'Nothing: the runtime is ending.',
};

const LOG_BYTES = 256 * 1_048_576;

function codeOf(error: unknown): string {
  let inner = error;
  // The query layer wraps what SQLite threw.
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const code = (inner as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return inner instanceof TypeError && /not open/.test(inner.message) ? 'CLOSED' : '';
}

function faultOf(code: string): StoreFault | undefined {
  if (code === 'CLOSED') return 'closed';
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return 'locked';
  if (/^SQLITE_FULL|^ENOSPC|^EDQUOT/.test(code)) return 'full';
  if (/^SQLITE_(READONLY|PERM|AUTH)|^EROFS|^EACCES|^EPERM/.test(code)) return 'read_only';
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return 'corrupt';
  if (/^SQLITE_(IOERR|CANTOPEN|NOMEM|TOOBIG)|^E[A-Z]+$/.test(code)) return 'io';
  return undefined;
}

/** The error as this room's own when SQLite or the disk is at fault; anything else is a mistake of ours and passes. */
export function asJournalError(error: unknown, reason: JournalError['reason'], what: string): unknown {
  if (error instanceof JournalError) return error;
  const code = codeOf(error);
  const fault = faultOf(code);
  if (fault === undefined) return error;
  return new JournalError(reason, `${what} (${fault.replace('_', ' ')}, ${code}).`, NEXT[fault], fault);
}

/** The folder of the package this file belongs to, from the sources as well as from dist. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('the package that holds the migrations is not complete');
    folder = above;
  }
  return folder;
}

function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives its other files the mode of this one.
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
}

/**
 * Held for the life of the process, and gone with it however it ends: settling another live runtime's requests as those
 * of a dead one would be wrong. A file of its own, so that readers of the database are not shut out.
 */
function own(file: string): Database.Database {
  const owner = new Database(`${file}.owner`, { timeout: 0 });
  try {
    owner.exec('BEGIN EXCLUSIVE');
    return owner;
  } catch (error) {
    owner.close();
    if (faultOf(codeOf(error)) !== 'locked') throw error;
    throw new JournalError(
      'store_unavailable',
      `Another runtime is using the database ${JSON.stringify(file)}.`,
      'Stop it with `openfloor down`, or choose another data folder with --data.',
      'locked',
    );
  }
}

/** Opens or creates the store. Throws JournalError `store_unavailable` when it can't be used. */
export function openStore(file: string): Store {
  let owner: Database.Database | undefined;
  let client: Database.Database | undefined;
  try {
    prepareFile(file);
    owner = own(file);
    client = new Database(file, { timeout: 0 });
    client.pragma('journal_mode = WAL');
    // NORMAL: a commit survives the end of the process without an fsync in the turn that types.
    client.pragma('synchronous = NORMAL');
    client.pragma('foreign_keys = ON');
    client.pragma('wal_autocheckpoint = 0');
    // The log file shrinks back to this when it begins anew after a burst.
    client.pragma(`journal_size_limit = ${LOG_BYTES}`);
    const db = drizzle(client);
    migrate(db, { migrationsFolder: join(packageRoot(), 'runtime/journal/migrations') });
    return storeOf(file, client, db, owner);
  } catch (error) {
    client?.close();
    owner?.close();
    throw asJournalError(error, 'store_unavailable', `The database ${JSON.stringify(file)} can't be opened`);
  }
}

function storeOf(
  file: string,
  client: Database.Database,
  db: BetterSQLite3Database,
  owner: Database.Database,
): Store {
  const run = client.transaction((work: () => unknown) => work()).immediate;
  return {
    file,
    db,
    prepare: (sql) => client.prepare(sql),
    write<T>(work: () => T): T {
      try {
        return run(work) as T;
      } catch (error) {
        throw asJournalError(error, 'audit_unavailable', "The record can't be written");
      }
    },
    read<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        throw asJournalError(error, 'store_unavailable', "The database can't be read");
      }
    },
    checkpoint() {
      try {
        client.pragma('wal_checkpoint(PASSIVE)');
      } catch (error) {
        if (faultOf(codeOf(error)) === undefined) throw error;
      }
    },
    close() {
      client.close();
      owner.close();
    },
  };
}
