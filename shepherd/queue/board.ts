// The queue as its callers use it: rows are created, taken up, handed on and closed here. Always true: a row, its transition,
// its timer and its wake change in one write; the changes of one row come one after another; a wake is withdrawn before its
// row is taken up, and sent only after its row is written.
import { REASONS } from '../../protocol/reason.js';
import { ShepherdError, type TimeMs } from '../port.js';
import type { Store } from '../store/open.js';
import type { RowFilter, RowTable, Transition } from '../store/row-table.js';
import type { Courier, Retired } from '../wake/courier.js';
import { type Actor, maySee } from './actor.js';
import { type Change, type Command, change } from './change.js';
import { type CreateWish, newRow, reuse } from './create.js';
import { OPEN_ROWS } from './limit.js';
import { errorOf, type Refusal } from './refusal.js';
import type { Row } from './row.js';

export interface BoardPort {
  readonly store: Store;
  readonly rows: RowTable;
  readonly courier: Courier;
  /** Whether one agent's seat may cause another's one message more now. */
  admit(from: string, to: string): boolean;
  now(): TimeMs;
  /** A new unique id. */
  id(): string;
}

export interface Changed {
  readonly row: Row;
  /** What became of the row's wake; `unknown`: the runtime didn't say in time, so it may be typed. */
  readonly wake: Retired;
  readonly successor?: Row;
}

/** Timers and expiries of one tick; the rest wait for the next. */
const TICK_LIMIT = 200;

export class Board {
  /** The last change of each row that is under way. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(private readonly port: BoardPort) {}

  /** Throws ShepherdError. `created` is false when the row was there already. */
  create(wish: CreateWish, actor: Actor, wake: boolean): { readonly row: Row; readonly created: boolean } {
    const { store, rows, courier } = this.port;
    const now = this.port.now();
    const wanted = orThrow(newRow(wish, actor, `q-${this.port.id()}`, now)).row;
    const made = store.write(() => {
      const stored = rows.get(wanted.id);
      if (stored !== undefined) return { row: orThrow(reuse(stored, wanted)).row, created: false };
      this.#checkRoom(wanted.destination);
      if (wake) this.#checkRate(actor, wanted.destination);
      this.#insert(wanted, actor, null);
      if (wake) courier.add(wanted, 'row');
      return { row: wanted, created: true };
    });
    if (made.created) courier.settleRow(made.row);
    return made;
  }

  /** Throws ShepherdError. */
  command(id: string, command: Command, actor: Actor, wakeSuccessor = true): Promise<Changed> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const turn = before.then(
      () => this.#change(id, command, actor, wakeSuccessor),
      () => this.#change(id, command, actor, wakeSuccessor),
    );
    this.#turns.set(id, turn);
    const done = () => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    };
    turn.then(done, done);
    return turn;
  }

  /** Throws ShepherdError `qitem_not_found`, also when the actor may not see it. */
  get(id: string, actor: Actor): Row {
    const row = this.port.rows.get(id);
    if (row === undefined || !maySee(actor, row)) {
      throw errorOf({ reason: 'qitem_not_found', message: REASONS.qitem_not_found.text });
    }
    return row;
  }

  list(filter: RowFilter, actor: Actor): { rows: Row[]; total: number } {
    const mine = actor.operator || actor.seat === undefined ? {} : { party: actor.seat };
    return this.port.rows.list({ ...filter, ...mine });
  }

  overdue(actor: Actor, limit: number): Row[] {
    return this.port.rows.overdue(this.port.now(), limit).filter((row) => maySee(actor, row));
  }

  transitions(id: string, actor: Actor): Transition[] {
    return this.port.rows.transitions(this.get(id, actor).id);
  }

  /** Timers that are due wake their rows; pending rows past their time to live are canceled. */
  tick(): void {
    const { store, rows, courier } = this.port;
    const now = this.port.now();
    for (const id of rows.timersDue(now, TICK_LIMIT)) {
      const row = rows.get(id);
      store.write(() => {
        rows.removeTimer(id);
        if (row?.state === 'blocked') courier.add(row, 'timer');
      });
      if (row) courier.settleRow(row);
    }
    for (const row of rows.expired(now, TICK_LIMIT)) {
      if (this.#turns.has(row.id)) continue;
      const actor: Actor = { seat: row.source, operator: true, text: 'shepherd' };
      const command: Command = { kind: 'update', fields: { state: 'canceled' }, note: 'expired' };
      // Whatever it is that fails, the next tick finds the row again.
      this.command(row.id, command, actor).catch(() => {});
    }
  }

  async #change(id: string, command: Command, actor: Actor, wakeSuccessor: boolean): Promise<Changed> {
    const { courier, store } = this.port;
    const judge = (): Change => orThrow(change(this.get(id, actor), command, actor, this.port.now()));
    if (judge().wake !== 'retire') {
      const row = store.write(() => this.#apply(this.get(id, actor), judge(), actor, wakeSuccessor));
      courier.settleRow(row);
      return { row, wake: 'none' };
    }
    let taken = false;
    try {
      const wake = await courier.retire(id);
      const judged = judge();
      const row = store.write(() => this.#apply(this.get(id, actor), judged, actor, wakeSuccessor));
      taken = true;
      if (judged.successor) courier.settleRow(judged.successor);
      return { row, wake, ...(judged.successor ? { successor: judged.successor } : {}) };
    } finally {
      courier.release(id, taken);
    }
  }

  /** Inside a write. */
  #apply(row: Row, judged: Change, actor: Actor, wakeSuccessor: boolean): Row {
    const { rows, courier } = this.port;
    const now = this.port.now();
    const { changes, to, note, timer, successor } = judged;
    const after: Row = { ...row, ...changes, ...(to ? { state: to } : {}), updatedAt: now };
    rows.update(row.id, { ...changes, ...(to ? { state: to } : {}), updatedAt: now });
    if (to !== undefined || note !== null) {
      rows.addTransition({
        rowId: row.id,
        at: now,
        actor: actor.text,
        from: row.state,
        to: to ?? row.state,
        note,
        closureReason: to ? after.closureReason : null,
        closureTarget: to ? after.closureTarget : null,
      });
    }
    if (timer === 'cancel') rows.removeTimer(row.id);
    else if (timer !== 'keep') rows.setTimer(row.id, timer.dueAt, now);
    if (judged.wake === 'retire') courier.end(row.id);
    else if (judged.wake === 'again') courier.add(after, 'row');
    else if (judged.wake === 'rearm') courier.rearm(after);
    if (successor) {
      this.#checkRoom(successor.destination);
      if (wakeSuccessor) this.#checkRate(actor, successor.destination);
      this.#insert(successor, actor, `handed off from ${row.id}`);
      if (wakeSuccessor) courier.add(successor, 'row');
    }
    return after;
  }

  #insert(row: Row, actor: Actor, note: string | null): void {
    const { rows } = this.port;
    rows.insert(row);
    const nothing = { closureReason: null, closureTarget: null };
    rows.addTransition({
      rowId: row.id,
      at: row.createdAt,
      actor: actor.text,
      from: null,
      to: row.state,
      note,
      ...nothing,
    });
  }

  /** An operator has no such limit. */
  #checkRate({ seat, operator }: Actor, destination: string): void {
    if (operator || seat === undefined || this.port.admit(seat, destination)) return;
    throw errorOf({ reason: 'rate_capped', message: REASONS.rate_capped.text });
  }

  #checkRoom(destination: string): void {
    if (this.port.rows.openCount(destination) < OPEN_ROWS) return;
    throw new ShepherdError(
      'queue_full',
      REASONS.queue_full.status,
      `The queue of ${destination} has ${OPEN_ROWS} open rows.`,
      'Close some, then create this one again.',
    );
  }
}

function orThrow<T extends { readonly ok: true }>(result: T | Refusal): T {
  if (result.ok) return result;
  throw errorOf(result);
}
