// What waits while the store is away: audit records that nothing depends on. Always true: order is kept, the oldest
// 1000 stay, later ones are dropped and counted, and the count itself is recorded once the store is back.

import { type AuditEntry, JournalError } from './port.js';

const WAITING_RECORDS = 1_000;
/** How often a store that is away is tried. */
const RETRY_MS = 250;

export class Backlog {
  private readonly entries: AuditEntry[] = [];
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;
  private droppedTotal = 0;

  /**
   * @param write appends these records in one commit, or throws JournalError
   * @param also what else the store is owed; throws JournalError
   */
  constructor(
    private readonly write: (entries: readonly AuditEntry[]) => void,
    private readonly also: () => void,
  ) {}

  get counts(): { waiting: number; dropped: number } {
    return { waiting: this.entries.length, dropped: this.droppedTotal };
  }

  add(entry: AuditEntry): void {
    if (this.entries.length >= WAITING_RECORDS) {
      this.unreported++;
      this.droppedTotal++;
      return;
    }
    this.entries.push(entry);
    // While the timer runs the store is known to be away.
    if (this.timer === undefined) this.flush();
  }

  /** Writes what waits, now; when the store is still away, a timer tries again. */
  flush(): void {
    try {
      if (this.entries.length > 0) {
        const last = this.entries[this.entries.length - 1]!;
        const report: AuditEntry[] =
          this.unreported === 0
            ? []
            : [{ at: last.at, kind: 'alert.audit_dropped', detail: { count: this.unreported } }];
        this.write([...this.entries, ...report]);
        this.entries.length = 0;
        this.unreported = 0;
      }
      this.also();
    } catch (error) {
      if (error instanceof JournalError) {
        if (error.fault !== 'closed') this.retryLater();
        return;
      }
      // A record that can't be encoded is our mistake: it must not stop those behind it.
      this.droppedTotal += this.entries.length;
      this.unreported += this.entries.length;
      this.entries.length = 0;
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
