// What waits while the store is away: records that nothing depends on, and how requests have ended. Always true: order is
// kept and what belongs together stays one commit; the oldest 1000 stay, later ones are dropped and counted, and the count
// itself is recorded once the store is back. A row whose end was dropped is settled by the next start.

import { type Change, JournalError, type TimeMs } from './port.js';

const WAITING_ITEMS = 1_000;
/** Text of messages that may wait: the records of large ones must not fill the memory. */
const WAITING_BYTES = 16 * 1_048_576;
/** How often a store that is away is tried. */
const RETRY_MS = 250;

interface Item {
  readonly at: TimeMs;
  /** One commit. */
  readonly changes: readonly Change[];
  readonly bytes: number;
}

export class Backlog {
  private readonly items: Item[] = [];
  private bytes = 0;
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;
  private droppedTotal = 0;

  /**
   * @param write makes these changes in one commit, or throws JournalError
   * @param also what else the store is owed; throws JournalError
   */
  constructor(
    private readonly write: (changes: readonly Change[]) => void,
    private readonly also: () => void,
  ) {}

  get counts(): { waiting: number; dropped: number } {
    return { waiting: this.items.length, dropped: this.droppedTotal };
  }

  add(at: TimeMs, changes: readonly Change[]): void {
    let bytes = 0;
    for (const change of changes) bytes += textBytes(change);
    if (this.items.length >= WAITING_ITEMS || this.bytes + bytes > WAITING_BYTES) {
      this.drop(1);
      return;
    }
    this.items.push({ at, changes, bytes });
    this.bytes += bytes;
    // While the timer runs the store is known to be away.
    if (this.timer === undefined) this.flush();
  }

  private drop(count: number): void {
    this.unreported += count;
    this.droppedTotal += count;
  }

  /** Writes what waits, now; when the store is still away, a timer tries again. */
  flush(): void {
    try {
      this.writeAll();
      this.also();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (error.fault !== 'closed') this.retryLater();
    }
  }

  private writeAll(): void {
    if (this.items.length === 0) return;
    const report: Change[] = [];
    if (this.unreported > 0) {
      const { at } = this.items.at(-1)!;
      const detail = { count: this.unreported };
      report.push({ type: 'audit', entry: { at, kind: 'alert.audit_dropped', detail } });
    }
    try {
      this.write([...this.items.flatMap(({ changes }) => changes), ...report]);
      this.unreported = 0;
    } catch (error) {
      if (isAway(error)) throw error;
      // One of them can't be written at all: it must not stop the others.
      for (const { changes } of this.items) this.writeOne(changes);
    }
    this.items.length = 0;
    this.bytes = 0;
  }

  private writeOne(changes: readonly Change[]): void {
    try {
      this.write(changes);
    } catch (error) {
      this.drop(1);
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  /** The store owes something: try again soon. */
  retryLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, RETRY_MS).unref();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** The store itself is at fault, and may come back. */
function isAway(error: unknown): boolean {
  return error instanceof JournalError && error.fault !== undefined;
}

function textBytes(change: Change): number {
  if (change.type === 'accept') return change.row.body.length;
  return change.type === 'audit' ? (change.entry.message?.length ?? 0) : 0;
}
