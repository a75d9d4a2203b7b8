// Keeps the history of Shepherd short. Always true: one batch a tick at most, so that no tick is long; the newest fifty rows of
// a routine stay whatever their age; what is archived can still be read with its row. Time is given.
import type { TimeMs } from '../port.js';
import type { AttemptTable } from '../store/attempt-table.js';
import type { Store } from '../store/open.js';
import type { RoutineTable } from '../store/routine-table.js';
import type { RowTable } from '../store/row-table.js';

export interface PrunePort {
  readonly store: Store;
  readonly attempts: AttemptTable;
  readonly routines: RoutineTable;
  readonly rows: RowTable;
}

const DAY_MS = 86_400_000;
export const HISTORY_MS = 14 * DAY_MS;
export const HISTORY_KEPT = 50;
/** A routine that sends every second has no more than this, however young. */
export const HISTORY_MOST = 1_000;
export const ARCHIVED_AFTER_MS = 30 * DAY_MS;
/** Rows in one batch. */
export const BATCH = 500;
/** Between two sweeps; within one, a batch a tick until nothing is left. */
const SWEEP_MS = 3_600_000;

export class Prune {
  #nextAt = 0;

  constructor(private readonly port: PrunePort) {}

  tick(now: TimeMs): void {
    if (now < this.#nextAt) return;
    // A batch that was full has more behind it.
    if (this.#batch(now) < BATCH) this.#nextAt = now + SWEEP_MS;
  }

  #batch(now: TimeMs): number {
    const { store, attempts, routines, rows } = this.port;
    return store.write(() => {
      let left = BATCH;
      for (const id of attempts.longer(HISTORY_KEPT)) {
        if (left <= 0) break;
        left -= attempts.prune(id, null, HISTORY_MOST, left);
        if (left > 0) left -= attempts.prune(id, now - HISTORY_MS, HISTORY_KEPT, left);
      }
      if (left > 0) left -= routines.forget(now - ARCHIVED_AFTER_MS, left);
      if (left > 0) left -= attempts.pruneOrphans(left);
      if (left > 0) left -= rows.archive(now - ARCHIVED_AFTER_MS, left);
      return BATCH - left;
    });
  }
}
