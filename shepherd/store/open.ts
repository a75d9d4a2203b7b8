// Opens Shepherd's store: one SQLite file of its own in WAL mode with the migrations applied, owned by this process alone.
// Always true: what `write` did is durable when it returns, across kill -9; a fault of SQLite leaves as a ShepherdError. It
// knows no table.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { getTableColumns, sql } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { ShepherdError } from '../port.js';

export interface Store {
  readonly file: string;
  readonly db: BetterSQLite3Database;
  /** All or nothing, the write lock taken first. Throws ShepherdError `store_unavailable` with nothing written. */
  write<T>(work: () => T): T;
  /** Throws ShepherdError `store_unavailable`. */
  read<T>(work: () => T): T;
  close(): void;
}

/** A backup or somebody's reading shell may have the lock for a moment; nobody's typing waits for this process. */
const LOCK_WAIT_MS = 1_000;

function codeOf(error: unknown): string {
  let inner = error;
  // The query layer wraps what SQLite threw.
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const code = (inner as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The error as ours when SQLite or the disk is at fault; anything else is a mistake of ours and passes. */
function storeError(error: unknown, what: string): unknown {
  if (error instanceof ShepherdError) return error;
  const code = codeOf(error);
  const closed = error instanceof TypeError && /not open/.test(error.message);
  if (!closed && !/^(SQLITE_|E[A-Z]+$)/.test(code)) return error;
  return new ShepherdError(
    'store_unavailable',
    503,
    `${what} (${closed ? 'closed' : code}).`,
    'Look at the disk of the data folder and at the log of Shepherd.',
  );
}

/** From the sources as well as from dist. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('the package that holds the migrations is not complete');
    folder = above;
  }
  return join(folder, 'shepherd/store/migrations');
}

function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives its other files the mode of this one.
  if (existsSync(file)) chmodSync(file, 0o600);
  else writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
}

/** Held for the life of the process, however it ends: two Shepherds would each send the wakes of the same rows. */
function own(file: string): Database.Database {
  const owner = new Database(`${file}.owner`, { timeout: LOCK_WAIT_MS });
  try {
    owner.exec('BEGIN EXCLUSIVE');
    return owner;
  } catch (error) {
    owner.close();
    if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))) throw error;
    throw new ShepherdError(
      'store_unavailable',
      503,
      `Another Shepherd is using the database ${JSON.stringify(file)}.`,
      'Stop it with `openfloor down`, or choose another data folder with --data.',
    );
  }
}

/** Opens or creates the store. Throws ShepherdError `store_unavailable` when it can't be used. */
export function openStore(file: string): Store {
  let owner: Database.Database | undefined;
  let client: Database.Database | undefined;
  try {
    prepareFile(file);
    owner = own(file);
    client = new Database(file, { timeout: LOCK_WAIT_MS });
    client.pragma('journal_mode = WAL');
    // NORMAL: a commit survives the end of the process without an fsync.
    client.pragma('synchronous = NORMAL');
    client.pragma('foreign_keys = ON');
    const db = drizzle(client);
    migrate(db, { migrationsFolder: migrationsFolder() });
    return storeOf(file, client, db, owner);
  } catch (error) {
    client?.close();
    owner?.close();
    throw storeError(error, `The database ${JSON.stringify(file)} can't be opened`);
  }
}

function storeOf(
  file: string,
  client: Database.Database,
  db: BetterSQLite3Database,
  owner: Database.Database,
): Store {
  const run = client.transaction((work: () => unknown) => work());
  return {
    file,
    db,
    write<T>(work: () => T): T {
      try {
        // A write inside a write is part of it.
        return (client.inTransaction ? work() : run.immediate(work)) as T;
      } catch (error) {
        throw storeError(error, "The change can't be written");
      }
    },
    read<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        throw storeError(error, "The database can't be read");
      }
    },
    close() {
      client.close();
      owner.close();
    },
  };
}

/** An insert of whole rows, built once; `run` takes a value for each column but those the database numbers itself. */
export function insertInto<Table extends SQLiteTable>(
  db: BetterSQLite3Database,
  table: Table,
  numbered: readonly string[] = [],
): { run(row: Record<string, unknown>): unknown } {
  const names = Object.keys(getTableColumns(table)).filter((name) => !numbered.includes(name));
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
  return db
    .insert(table)
    .values(values as never)
    .prepare();
}
