// The operator's alerts: what stands is raised once, told to the audit feed and the webhook, and cleared when its cause ends.
// Always true: what stands is in the store before it is told; the feed gets each when it can, and nothing waits for it.
import type { SeatEntry } from '../../protocol/seat.js';
import type { Alert, Runtime, TimeMs } from '../port.js';
import type { AlertTable, StoredAlert } from '../store/alert-table.js';
import type { Store } from '../store/open.js';
import type { RoutineTable } from '../store/routine-table.js';
import { causesOf, changesOf, FAILURES, keyOf, NEARLY_FULL, type SeatState } from './cause.js';
import type { Webhook } from './webhook.js';

export interface DeskPort {
  readonly store: Store;
  readonly alerts: AlertTable;
  readonly routines: RoutineTable;
  readonly runtime: Pick<Runtime, 'seats' | 'alert' | 'held' | 'connected'>;
  readonly webhook: Pick<Webhook, 'post'>;
  now(): TimeMs;
  failed(error: unknown): void;
}

/** The runtime puts these on its feed itself. */
const RUNTIMES_OWN: ReadonlySet<string> = new Set(['unsubmitted_text']);
/** Between two attempts to tell the feed. */
const AGAIN_MS = 10_000;
/** Alerts that wait for the feed without standing; more are dropped, the oldest first. */
const PASSING = 100;

function stateOf({ seat, status, floor }: SeatEntry, owes: boolean): SeatState {
  const { reason, since, unsubmitted_since } = floor;
  return {
    seat,
    state: status.state,
    at: Date.parse(status.at),
    owes,
    waits: reason === null || since === null ? null : { reason, sinceAt: Date.parse(since) },
    unsubmittedSince: unsubmitted_since === null ? null : Date.parse(unsubmitted_since),
  };
}

export class Desk {
  /** Told once, standing nowhere: a cap, a clearing. */
  readonly #passing: Alert[] = [];
  readonly #held = new Map<string, { held: number; sinceAt: TimeMs }>();
  #turn = 0;
  #telling = false;
  #nextTryAt = 0;

  constructor(private readonly port: DeskPort) {}

  /** `owing`: seats with open rows. */
  tick(owing: ReadonlySet<string>): void {
    const { runtime, routines, alerts, store, webhook } = this.port;
    // What nobody can see has neither begun nor ended.
    if (!runtime.connected()) return;
    const now = this.port.now();
    const seats = runtime.seats();
    this.#countHeld(seats, now);
    const failing = routines.failing(FAILURES).map(({ id, seat, failures, failingSince }) => ({
      routine: id,
      seat,
      failures,
      sinceAt: failingSince ?? now,
    }));
    const causes = causesOf(
      seats.map((seat) => stateOf(seat, owing.has(seat.seat))),
      failing,
      this.#held,
      now,
    );
    const stored = new Map(alerts.all().map((alert) => [alert.key, alert]));
    const { raise, clear } = changesOf(new Set(stored.keys()), causes);
    if (raise.length + clear.length > 0) {
      store.write(() => {
        for (const alert of raise) alerts.insert(storedOf(alert, now));
        for (const key of clear) alerts.remove(key);
      });
    }
    for (const alert of raise) webhook.post(alert);
    for (const key of clear) {
      const ended = stored.get(key);
      if (ended?.told) this.#pass({ ...alertOf(ended), cleared: true });
    }
    const untold = raise.length > 0 || [...stored.values()].some(({ told }) => !told);
    if (untold || this.#passing.length > 0) void this.#tellAll();
  }

  /** One that is told once and doesn't stand. */
  tell(alert: Alert): void {
    this.#pass(alert);
    this.port.webhook.post(alert);
    void this.#tellAll();
  }

  standing(): StoredAlert[] {
    return this.port.alerts.all();
  }

  #pass(alert: Alert): void {
    if (RUNTIMES_OWN.has(alert.cause)) return;
    this.#passing.push(alert);
    if (this.#passing.length > PASSING) this.#passing.shift();
  }

  /** One seat a tick: what is kept changes slowly. */
  #countHeld(seats: readonly SeatEntry[], now: TimeMs): void {
    const seat = seats[this.#turn++ % Math.max(1, seats.length)]?.seat;
    for (const known of this.#held.keys()) {
      if (!seats.some((one) => one.seat === known)) this.#held.delete(known);
    }
    if (seat === undefined) return;
    this.port.runtime.held(seat).then(
      (held) => {
        if (held < NEARLY_FULL) this.#held.delete(seat);
        else this.#held.set(seat, { held, sinceAt: this.#held.get(seat)?.sinceAt ?? now });
      },
      // Its session has just ended, or the runtime has: the next turn knows.
      () => {},
    );
  }

  async #tellAll(): Promise<void> {
    if (this.#telling || this.port.now() < this.#nextTryAt) return;
    this.#telling = true;
    try {
      for (const stored of this.port.alerts.all()) {
        if (stored.told) continue;
        await this.port.runtime.alert(alertOf(stored));
        this.port.store.write(() => this.port.alerts.told(stored.key));
      }
      for (let next = this.#passing[0]; next !== undefined; next = this.#passing[0]) {
        await this.port.runtime.alert(next);
        this.#passing.shift();
      }
    } catch (error) {
      this.#nextTryAt = this.port.now() + AGAIN_MS;
      this.port.failed(error);
    } finally {
      this.#telling = false;
    }
  }
}

function storedOf({ cause, seat, routine, sinceAt, detail }: Alert, now: TimeMs): StoredAlert {
  return {
    key: keyOf({
      cause,
      ...(seat === undefined ? {} : { seat }),
      ...(routine === undefined ? {} : { routine }),
    }),
    cause,
    seat: seat ?? null,
    routine: routine ?? null,
    sinceAt,
    detail: detail ?? null,
    raisedAt: now,
    told: RUNTIMES_OWN.has(cause),
  };
}

function alertOf({ cause, seat, routine, sinceAt, detail }: StoredAlert): Alert {
  return {
    cause,
    sinceAt,
    ...(seat === null ? {} : { seat }),
    ...(routine === null ? {} : { routine }),
    ...(detail === null ? {} : { detail }),
  };
}
