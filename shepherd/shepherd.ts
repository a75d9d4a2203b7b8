// Shepherd's rooms put together over a runtime and a store: what the process and the tests start. Always true: one tick at a
// time, once a second, and an error in one part of a tick stays in that part. It opens nothing and knows no transport.
import type { Runtime, TimeMs } from './port.js';
import { Board } from './queue/board.js';
import type { Store } from './store/open.js';
import { RowTable } from './store/row-table.js';
import { WakeTable } from './store/wake-table.js';
import { Courier } from './wake/courier.js';

export interface ShepherdPort {
  readonly runtime: Runtime;
  readonly store: Store;
  now(): TimeMs;
  /** A new unique id. */
  id(): string;
  after(ms: number, run: () => void): { cancel(): void };
  /** For the log. */
  failed(error: unknown): void;
}

export interface Shepherd {
  readonly board: Board;
  readonly courier: Courier;
  readonly rows: RowTable;
  readonly wakes: WakeTable;
  /** Once a second. */
  tick(): void;
  stop(): void;
}

/** Starts: finds what an earlier process left, and catches up. */
export function createShepherd(port: ShepherdPort): Shepherd {
  const rows = new RowTable(port.store);
  const wakes = new WakeTable(port.store);
  const courier = new Courier({ ...port, rows, wakes });
  const board = new Board({ ...port, rows, courier });
  const parts = [() => board.tick(), () => courier.tick()];
  courier.start();
  return {
    board,
    courier,
    rows,
    wakes,
    tick() {
      for (const part of parts) {
        try {
          part();
        } catch (error) {
          port.failed(error);
        }
      }
    },
    stop() {
      courier.stop();
    },
  };
}
