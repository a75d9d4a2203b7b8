// The record and the lock of the local server, in the state folder: which process serves at which address. Always true:
// whoever holds the lock is the one that may write the record; a lock of a process that has ended is nobody's. The
// address in use is the last word: two servers that both think they hold the lock can't both listen.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ensureFolder, type Folders } from './folders.js';

export interface ServerRecord {
  readonly pid: number;
  /** For example http://127.0.0.1:8090, without a trailing slash. */
  readonly address: string;
  readonly started_at: string;
}

interface Owner {
  readonly pid: number;
  /** When the process began, in the kernel's words; '' where it doesn't tell. A reused pid has another one. */
  readonly began: string;
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function readRecord(folders: Folders): ServerRecord | undefined {
  const { pid, address, started_at } = readJson(folders.record) ?? {};
  if (typeof pid !== 'number' || typeof address !== 'string' || typeof started_at !== 'string')
    return undefined;
  return { pid, address, started_at };
}

export function writeRecord(folders: Folders, record: ServerRecord): void {
  writeFileSync(folders.record, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** Start time of a process in clock ticks since boot, or '' where there is no /proc. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process that holds the lock, if it still lives. */
export function lockOwner(folders: Folders): number | undefined {
  const { pid, began } = readJson(folders.lock) ?? {};
  if (typeof pid !== 'number' || typeof began !== 'string' || !processLives(pid)) return undefined;
  return began === beganAt(pid) ? pid : undefined;
}

/** Takes the lock, or answers with the process that has it. `release` gives up lock and record. */
export function claimLock(folders: Folders): { readonly release: () => void } | { readonly heldBy: number } {
  ensureFolder(folders.state);
  const mine: Owner = { pid: process.pid, began: beganAt(process.pid) };
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(folders.lock, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      return {
        release: () => {
          if (lockOwner(folders) !== process.pid) return;
          rmSync(folders.record, { force: true });
          rmSync(folders.lock, { force: true });
        },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt >= 2) throw error;
    }
    const owner = lockOwner(folders);
    if (owner !== undefined) return { heldBy: owner };
    rmSync(folders.lock, { force: true });
  }
}
