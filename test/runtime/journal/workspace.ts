// A journal in a folder of its own, and what tests of this room say again and again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openJournal } from '../../../runtime/journal/journal.js';
import type { AuditEntry, Journal, OutboxDraft } from '../../../runtime/journal/port.js';

export interface Workspace {
  readonly file: string;
  /** Opens the journal; the one opened before must be closed. */
  open(auditMessage?: 'full' | 'hash'): Journal;
  /** Another connection to the same file, as a stranger would have. */
  stranger(): Database.Database;
}

/** Runs `work` with a fresh folder, and closes and removes everything afterwards. */
export async function workspace(work: (space: Workspace) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-journal-'));
  const file = join(folder, 'data', 'openfloor.db');
  const journals: Journal[] = [];
  const strangers: Database.Database[] = [];
  try {
    await work({
      file,
      open(auditMessage = 'full') {
        const journal = openJournal({ file, auditMessage });
        journals.push(journal);
        return journal;
      },
      stranger() {
        const client = new Database(file, { timeout: 0 });
        strangers.push(client);
        return client;
      },
    });
  } finally {
    for (const client of strangers) client.close();
    for (const journal of journals) await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function entry(extra: Partial<AuditEntry> = {}): AuditEntry {
  return { at: 1_000, kind: 'injection.granted', seat: 'dev1', session: 'dev1', generation: 1, ...extra };
}

export function draft(id: string, extra: Partial<OutboxDraft> = {}): OutboxDraft {
  return {
    id,
    seat: 'dev1',
    identity: 'admin',
    origin: 'send',
    urgent: false,
    body: `body of ${id}`,
    state: 'waiting',
    createdAt: 1_000,
    ...extra,
  };
}

/** The fault of a JournalError that `work` must throw. */
export function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const { reason, fault } = error as { reason?: string; fault?: string };
    return `${reason}${fault === undefined ? '' : `: ${fault}`}`;
  }
  return 'nothing was thrown';
}

/** Checks the whole chain, page by page; the number of records, or where it is broken. */
export function verifyAll(journal: Journal): string {
  let cursor = { seq: 0, hash: '0'.repeat(64) };
  for (;;) {
    const verdict = journal.audit.verify(cursor, 100);
    if (verdict.state === 'broken') return `${verdict.fault} at ${verdict.seq}`;
    cursor = verdict.cursor;
    if (verdict.done) return `${cursor.seq} good`;
  }
}
