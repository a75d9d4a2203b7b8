// Shepherd's rooms put together over a runtime and a store: what the process and the tests start. Always true: one tick at a
// time, once a second, and an error in one part of a tick stays in that part. It opens nothing and knows no transport.
import { Desk } from './alert/desk.js';
import { RateCap } from './alert/rate-cap.js';
import type { Webhook } from './alert/webhook.js';
import { Supervisor } from './parked/supervisor.js';
import type { Runtime, TimeMs } from './port.js';
import { Board } from './queue/board.js';
import { Dispatch } from './routine/dispatch.js';
import { Prune } from './routine/prune.js';
import { Roster } from './routine/roster.js';
import { seatFactsOf } from './routine/seat-facts.js';
import { cappedAlert, Ticker } from './routine/ticker.js';
import { AlertTable } from './store/alert-table.js';
import { AttemptTable } from './store/attempt-table.js';
import { FactTable } from './store/fact-table.js';
import type { Store } from './store/open.js';
import { RoutineTable } from './store/routine-table.js';
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
  /** Where alerts go besides the audit feed. */
  readonly webhook?: Pick<Webhook, 'post'>;
  /** For the log. */
  failed(error: unknown): void;
}

export interface Shepherd {
  readonly board: Board;
  readonly courier: Courier;
  readonly rows: RowTable;
  readonly wakes: WakeTable;
  readonly roster: Roster;
  readonly routines: RoutineTable;
  readonly attempts: AttemptTable;
  readonly desk: Desk;
  /** Once a second. */
  tick(): void;
  stop(): void;
}

/** Starts: finds what an earlier process left, and catches up. */
export function createShepherd(port: ShepherdPort): Shepherd {
  const rows = new RowTable(port.store);
  const wakes = new WakeTable(port.store);
  const routines = new RoutineTable(port.store);
  const attempts = new AttemptTable(port.store);
  const facts = new FactTable(port.store);
  const cap = new RateCap();
  const webhook = port.webhook ?? { post() {} };
  const desk = new Desk({ ...port, routines, alerts: new AlertTable(port.store), webhook });
  const courier = new Courier({ ...port, rows, wakes });
  const board = new Board({
    ...port,
    rows,
    courier,
    admit: (from, to) => {
      const admission = cap.admit(from, to, port.now());
      if (admission.kind === 'rate_capped' && admission.tell) {
        desk.tell(cappedAlert(from, to, admission.sinceAt));
      }
      return admission.kind === 'admitted';
    },
  });
  const dispatch = new Dispatch({ ...port, routines, attempts });
  const supervisor = new Supervisor({ facts, attempts });
  const ticker = new Ticker({
    ...port,
    routines,
    attempts,
    facts,
    supervisor,
    dispatch,
    cap,
    tell: (alert) => desk.tell(alert),
  });
  const roster = new Roster({ ...port, routines, attempts, dispatch });
  const prune = new Prune({ store: port.store, routines, attempts, rows });
  const watch = () => {
    // What nobody can see is judged when it can be seen again.
    if (!port.runtime.connected()) return;
    const now = port.now();
    const owners = facts.owners(now);
    const seats = new Map(port.runtime.seats().map((entry) => [entry.seat, seatFactsOf(entry)]));
    desk.tick(new Set(owners.map(({ seat }) => seat)));
    ticker.tick({ now, owners, seats });
  };
  const parts = [() => board.tick(), () => courier.tick(), watch, () => prune.tick(port.now())];
  courier.start();
  dispatch.start();
  return {
    board,
    courier,
    rows,
    wakes,
    roster,
    routines,
    attempts,
    desk,
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
      dispatch.stop();
    },
  };
}
