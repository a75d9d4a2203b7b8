// Brings wakes to their seats: one request a batch, recorded before it is made, followed over restarts of either side. Always
// true: a wake that is with the runtime is withdrawn before it joins another, so that nothing is typed twice; what a batch
// should do is worked out anew from the store at every step, so a lost event costs one tick. It changes no row's state.
import type { Asked, FloorOutcome, Runtime, TimeMs, WithdrawAnswer } from '../port.js';
import type { Row } from '../queue/row.js';
import type { Store } from '../store/open.js';
import type { RowTable } from '../store/row-table.js';
import type { Batch, CarriedRequest, WakeTable } from '../store/wake-table.js';
import { envelopeOf, messageOf } from './envelope.js';
import { batchOf, JOINED, planBatch, RENEW_BEFORE_MS, WAIT_MS } from './plan.js';
import { afterOutcome, isCurrent, isDueAgain, isRetried, type SeatFacts, type Wake } from './wake.js';

export interface CourierPort {
  readonly store: Store;
  readonly rows: RowTable;
  readonly wakes: WakeTable;
  readonly runtime: Runtime;
  now(): TimeMs;
  /** A new unique id. */
  id(): string;
  /** Resolves after so many milliseconds; `cancel` forgets it. */
  after(ms: number, run: () => void): { cancel(): void };
  failed(error: unknown): void;
}

/** What became of a row's wake when the row was taken up. */
export type Retired = 'none' | WithdrawAnswer;

interface Flight {
  readonly batch: Batch;
  readonly request: CarriedRequest;
  readonly asked: Asked;
  withdrawing: Promise<WithdrawAnswer> | undefined;
  /** Nobody could say what became of its withdrawal: the next tick asks again. */
  doubtful: boolean;
}

/** How long a claim waits for the runtime's word. */
const WITHDRAW_LIMIT_MS = 500;
/** Parked wakes looked at in one tick; the rest wait for the next. */
const PARKED_LOOK = 500;

export class Courier {
  readonly #flights = new Map<string, Flight>();
  /** Rows that are being taken up: their wakes are asked for no more. */
  readonly #retiring = new Set<string>();
  /** Wakes that the start-up pass asks for once more. */
  readonly #again = new Set<string>();
  #stopped = false;

  constructor(private readonly port: CourierPort) {}

  /** Finds what an earlier process left with the runtime, and makes the start-up pass. */
  start(): void {
    const { wakes, runtime } = this.port;
    for (const request of wakes.open()) this.#fly(request, runtime.follow(request.seat, request.key));
    this.#pass();
    runtime.listen((change) => {
      if (this.#stopped) return;
      if (change.kind === 'seat') this.#guarded(() => this.#look(change.seat));
      else if (change.kind === 'connected' && change.resumed) this.#guarded(() => this.#reconnected());
    });
    this.#settleDue();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Inside the caller's write: a new wake for this row, which takes the place of an older one that is not with the runtime. */
  add(row: Row, why: 'row' | 'timer'): void {
    const { wakes } = this.port;
    const now = this.port.now();
    for (const old of wakes.liveOf(row.id)) {
      // One that is with the runtime says the same as this.
      if (old.state === 'asked') return;
      wakes.update(old.id, { state: 'over', updatedAt: now });
    }
    wakes.insert({
      id: this.port.id(),
      rowId: row.id,
      seat: row.destination,
      origin: why === 'timer' ? 'notice' : 'wake',
      priority: row.priority,
      envelope: envelopeOf(row, why),
      state: 'due',
      until: null,
      untilAt: null,
      requestKey: null,
      unresolved: false,
      result: null,
      dueAt: Math.max(now, row.notBefore ?? 0),
      createdAt: now,
      updatedAt: now,
    });
  }

  /** Inside the caller's write: the row changed, so what was held or failed is asked for again, in the row's new words. */
  rearm(row: Row): void {
    const [live] = this.port.wakes.liveOf(row.id);
    if (live !== undefined && live.state !== 'asked') this.add(row, 'row');
  }

  /**
   * The row is about to be taken up: withdraws what is with the runtime and says what became of it. Follow it with `end`
   * inside the write that changes the row, or with `release` when it doesn't change.
   */
  async retire(rowId: string): Promise<Retired> {
    const carried = this.port.wakes.liveOf(rowId).find(({ state }) => state === 'asked');
    const flight = carried && this.#flights.get(batchOf(carried));
    this.#retiring.add(rowId);
    if (carried === undefined || flight?.request.key !== carried.requestKey) return 'none';
    let limit: { cancel(): void } | undefined;
    const late = new Promise<'unknown'>((resolve) => {
      limit = this.port.after(WITHDRAW_LIMIT_MS, () => resolve('unknown'));
    });
    const answer = await Promise.race([this.#withdraw(flight), late]);
    limit?.cancel();
    return answer;
  }

  /** Inside the caller's write: the row is taken up, its wakes are over. What was with the runtime still gets its result. */
  end(rowId: string): void {
    const now = this.port.now();
    for (const { id } of this.port.wakes.liveOf(rowId)) {
      this.port.wakes.update(id, { state: 'over', updatedAt: now });
    }
  }

  /** After `retire`, once the row is changed (`taken`) or stays as it was. */
  release(rowId: string, taken: boolean): void {
    this.#retiring.delete(rowId);
    const newest = this.port.wakes.newestOf(rowId);
    if (!taken && newest?.state === 'over' && newest.result === 'failed:draft_wake_superseded') {
      const changes = { state: 'due', result: null, updatedAt: this.port.now() } as const;
      this.port.store.write(() => this.port.wakes.update(newest.id, changes));
    }
    this.#settleDue();
  }

  /** After a commit that may have made a wake due. */
  settleRow(row: Pick<Row, 'id'>): void {
    for (const wake of this.port.wakes.liveOf(row.id)) this.#settle(wake);
  }

  tick(): void {
    const now = this.port.now();
    for (const { seat, until } of this.port.wakes.parkedSeats()) {
      const { occupied, blocked } = this.#facts(seat);
      // A seat that isn't there, or whose dialog still stands, is ready for nothing: its wakes needn't be read.
      if (occupied && !(until === 'unblocked' && blocked)) this.#look(seat);
    }
    for (const { batch, request, doubtful } of this.#flights.values()) {
      if (doubtful || now >= request.askedAt + WAIT_MS - RENEW_BEFORE_MS) this.#settle(batch);
    }
    this.#settleDue();
  }

  #facts(address: string): SeatFacts {
    const seat = this.port.runtime.seat(address);
    return {
      occupied: seat !== undefined,
      blocked: seat?.status.state === 'blocked',
      statusAt: seat === undefined ? 0 : Date.parse(seat.status.at),
    };
  }

  /** One attempt more for what failed before any byte or is unconfirmed; what was confirmed, held or retired stays. */
  #pass(): void {
    const { store, rows, wakes } = this.port;
    const now = this.port.now();
    const newest = new Map(wakes.unsettled().map((wake) => [wake.rowId, wake]));
    store.write(() => {
      for (const wake of newest.values()) {
        const row = rows.get(wake.rowId);
        if (row === undefined || wakes.newestOf(row.id)?.id !== wake.id || !isRetried(wake, row)) continue;
        this.#again.add(wake.id);
        wakes.update(wake.id, { state: 'due', origin: 'notice', until: null, untilAt: null, updatedAt: now });
      }
    });
  }

  #reconnected(): void {
    this.#due(this.port.wakes.parkedForPass());
    this.#settleDue();
  }

  /** Parked wakes of a seat that is ready for them now. */
  #look(address: string): void {
    const now = this.port.now();
    const parked = this.port.wakes.parkedOf(address, PARKED_LOOK);
    if (parked.length === 0) return;
    const facts = this.#facts(address);
    const ready = parked.filter((wake) => isDueAgain(wake, facts, now));
    this.#due(ready);
    for (const wake of ready) this.#settle(wake);
  }

  #due(list: readonly Wake[]): void {
    const changes = { state: 'due', until: null, untilAt: null, updatedAt: this.port.now() } as const;
    this.port.store.write(() => {
      for (const { id } of list) this.port.wakes.update(id, changes);
    });
  }

  #settleDue(): void {
    for (const batch of this.port.wakes.dueBatches(this.port.now())) this.#settle(batch);
  }

  #settle(of: Batch): void {
    if (this.#stopped) return;
    const batch: Batch = { seat: of.seat, origin: of.origin, priority: of.priority };
    const now = this.port.now();
    const flight = this.#flights.get(batchOf(batch));
    const due = this.port.wakes.due(batch, now, JOINED).filter(({ rowId }) => !this.#retiring.has(rowId));
    const carried = flight && {
      wakes: flight.request.wakes,
      askedAt: flight.request.askedAt,
      withdrawing: flight.withdrawing !== undefined,
    };
    const leavers = flight ? this.#leavers(flight.request) : new Set<string>();
    const plan = planBatch(carried, due, leavers, now);
    if (plan.kind === 'ask') this.#ask(batch, plan.wakes);
    else if (plan.kind === 'withdraw' && flight) void this.#withdraw(flight);
  }

  /** Wakes in a request that their rows need no more. */
  #leavers(request: CarriedRequest): Set<string> {
    const current = this.port.wakes.currentIn(request.key);
    const retiring = (id: string) => this.#retiring.has(this.port.wakes.get(id)?.rowId ?? '');
    const leaves = (id: string) => !current.has(id) || (this.#retiring.size > 0 && retiring(id));
    return new Set(request.wakes.filter(leaves));
  }

  #isRetired(wake: Wake): boolean {
    if (wake.state === 'over' || this.#retiring.has(wake.rowId)) return true;
    const row = this.port.rows.get(wake.rowId);
    return row === undefined || !isCurrent(wake, row);
  }

  #ask(batch: Batch, list: readonly Wake[]): void {
    const { store, wakes, runtime } = this.port;
    const now = this.port.now();
    const key = this.port.id();
    const body = messageOf(
      list.map(({ id, envelope, unresolved }) => ({ envelope, repeat: unresolved || this.#again.has(id) })),
    );
    const request: CarriedRequest = {
      ...batch,
      key,
      wakes: list.map(({ id }) => id),
      body,
      supersede: `row:${list[0]?.rowId}`,
      askedAt: now,
    };
    store.write(() => {
      wakes.insertRequest(request);
      for (const { id } of list) wakes.update(id, { state: 'asked', requestKey: key, updatedAt: now });
    });
    for (const { id } of list) this.#again.delete(id);
    const { supersede } = request;
    this.#fly(request, runtime.request({ ...batch, body, waitMs: WAIT_MS, key, supersede }));
  }

  #fly(request: CarriedRequest, asked: Asked): void {
    const { seat, origin, priority } = request;
    const flight: Flight = {
      batch: { seat, origin, priority },
      request,
      asked,
      withdrawing: undefined,
      doubtful: false,
    };
    this.#flights.set(batchOf(request), flight);
    asked.onConfirmed(() => this.#guarded(() => this.#confirmed(flight)));
    asked.outcome.then(
      (outcome) => this.#guarded(() => this.#ended(flight, outcome)),
      // Shepherd ends; its next start follows the request.
      () => {},
    );
  }

  #withdraw(flight: Flight): Promise<WithdrawAnswer> {
    flight.doubtful = false;
    flight.withdrawing ??= flight.asked.withdraw().then(
      (answer) => {
        if (answer === 'unknown') this.#doubt(flight);
        return answer;
      },
      () => {
        this.#doubt(flight);
        return 'unknown';
      },
    );
    return flight.withdrawing;
  }

  #doubt(flight: Flight): void {
    flight.withdrawing = undefined;
    flight.doubtful = true;
  }

  #ended(flight: Flight, outcome: FloorOutcome): void {
    if (this.#stopped) return;
    const { request, batch } = flight;
    const now = this.port.now();
    this.port.store.write(() => {
      this.port.wakes.endRequest(request.key, outcome, now);
      for (const id of request.wakes) this.#endWake(id, request.key, outcome, now);
    });
    if (this.#flights.get(batchOf(batch)) === flight) this.#flights.delete(batchOf(batch));
    this.#settle(batch);
    this.#settle({ ...batch, origin: 'notice' });
  }

  #endWake(id: string, key: string, outcome: FloorOutcome, now: TimeMs): void {
    const { wakes, rows } = this.port;
    const wake = wakes.get(id);
    if (wake === undefined || wake.requestKey !== key) return;
    const retired = this.#isRetired(wake);
    const after = afterOutcome(wake, outcome, retired, now);
    // It ended while this Shepherd was away: that is the last attempt of before the start, which the pass makes up for.
    const missed = outcome.early === true && !retired && this.#missed({ ...wake, ...after });
    if (missed) this.#again.add(id);
    const again = { state: 'due', origin: 'notice', until: null, untilAt: null } as const;
    wakes.update(id, { ...after, ...(missed ? again : {}), updatedAt: now });
    if (after.result === null) return;
    rows.setLastWake(wake.rowId, after.result, now);
  }

  #missed(wake: Wake): boolean {
    const row = this.port.rows.get(wake.rowId);
    return row !== undefined && wake.state !== 'due' && isRetried(wake, row);
  }

  #confirmed({ request }: Flight): void {
    const now = this.port.now();
    this.port.store.write(() => {
      for (const id of request.wakes) {
        const wake = this.port.wakes.get(id);
        if (wake?.requestKey !== request.key || wake.result !== 'unconfirmed') continue;
        this.port.wakes.update(id, { result: 'confirmed', unresolved: false, updatedAt: now });
        if (this.port.wakes.newestOf(wake.rowId)?.id === id) {
          this.port.rows.setLastWake(wake.rowId, 'confirmed', now);
        }
      }
    });
  }

  /** An error in what an event started has nobody to go to but the log; the next tick does the work again. */
  #guarded(work: () => void): void {
    if (this.#stopped) return;
    try {
      work();
    } catch (error) {
      this.port.failed(error);
    }
  }
}
