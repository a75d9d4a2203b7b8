// The ticker: one pass over the routines that are due. Always true: SQLite is the schedule; an error in one routine is a row of
// its history and stays there; what is due for one seat in one pass is one message; while the runtime is out of reach nothing
// is judged and all stays due. It is called once a second by whoever has the clock.
import { PAIR_WINDOW_MS, type RateCap } from '../alert/rate-cap.js';
import type { Look, Supervisor } from '../parked/supervisor.js';
import type { Alert, TimeMs } from '../port.js';
import type { AttemptTable } from '../store/attempt-table.js';
import type { FactTable } from '../store/fact-table.js';
import type { Store } from '../store/open.js';
import type { Looked, RoutineTable } from '../store/routine-table.js';
import type { Dispatch, Piece } from './dispatch.js';
import { isStale, judge, judgeNow } from './judge.js';
import type { Facts, Verdict } from './policy.js';
import type { Routine } from './routine.js';
import { nextDue } from './schedule.js';

export interface TickerPort {
  readonly store: Store;
  readonly routines: RoutineTable;
  readonly attempts: AttemptTable;
  readonly facts: FactTable;
  readonly supervisor: Supervisor;
  readonly dispatch: Dispatch;
  readonly cap: RateCap;
  tell(alert: Alert): void;
  failed(error: unknown): void;
}

/** Routines judged in one pass; the rest, the longest due first, come in the next. */
const PASS = 2_000;
/** Until a routine without a next time is looked at again after an error. */
const FAULT_MS = 60_000;
/** What is told of an error in a history row. */
const NOTE_CHARS = 200;

/** What one pass has gathered. */
interface Pass {
  readonly look: Look;
  readonly facts: Facts;
  readonly looked: Looked[];
  readonly pieces: Map<string, Piece[]>;
  readonly waiting: ReturnType<Dispatch['waiting']>;
  /** Routines that have had their turn. */
  readonly done: Set<string>;
}

export class Ticker {
  constructor(private readonly port: TickerPort) {}

  tick(look: Look): void {
    const { routines, dispatch, supervisor, store } = this.port;
    const { now } = look;
    supervisor.observe(look);
    const facts = this.#facts(look);
    this.#sweep(look, facts);
    const pass: Pass = {
      look,
      facts,
      looked: [],
      pieces: new Map(),
      waiting: dispatch.waiting(),
      done: new Set(),
    };
    // Digests last: what is due by itself is due once.
    const due = routines
      .due(now, PASS)
      .sort((a, b) => Number(a.policy === 'digest') - Number(b.policy === 'digest'));
    for (const routine of due) {
      if (!pass.done.has(routine.id)) this.#contained(routine, now, () => this.#one(routine, pass));
    }
    if (pass.looked.length > 0) {
      store.write(() => {
        for (const one of pass.looked) routines.looked(one);
      });
    }
    for (const [seat, pieces] of pass.pieces) {
      try {
        dispatch.send(seat, pieces);
      } catch (error) {
        this.port.failed(error);
      }
    }
  }

  #facts({ seats, now }: Look): Facts {
    const { facts } = this.port;
    const open = new Map<string, ReturnType<FactTable['open']>>();
    const overdue = new Map<string, ReturnType<FactTable['overdue']>>();
    const once = <T>(known: Map<string, T>, key: string, read: () => T): T => {
      const value = known.get(key) ?? read();
      known.set(key, value);
      return value;
    };
    return {
      connected: true,
      seat: (address) => seats.get(address),
      open: (address) => once(open, address, () => facts.open(address)),
      overdue: (of) => once(overdue, of, () => facts.overdue(of, now)),
    };
  }

  /** Takes back what waits and is not true any more. */
  #sweep(look: Look, facts: Facts): void {
    const { routines, dispatch, supervisor } = this.port;
    const known = new Map<string, Routine | undefined>();
    dispatch.sweep(({ seat }, { routineId, rows, owner }) => {
      if (!known.has(routineId)) known.set(routineId, routines.get(routineId));
      const routine = known.get(routineId);
      if (routine === undefined || routine.state !== 'active') return true;
      return owner ? supervisor.isStale(seat, owner, look) : isStale(routine, rows, facts);
    });
  }

  #one(routine: Routine, pass: Pass): void {
    const { look, facts, waiting } = pass;
    if (routine.policy === 'parked-owner') return this.#parked(routine, pass);
    if (routine.policy === 'digest') return this.#digest(routine, pass);
    this.#settle(routine, judge(routine, facts, look.now, waiting.routines.has(routine.id)), pass);
  }

  #parked(routine: Routine, pass: Pass): void {
    const { look, waiting } = pass;
    const reminders = this.port.supervisor.remind(routine, look, waiting.owners);
    for (const { seat, piece } of reminders) {
      // Another routine over the same seat has its reminder in this pass.
      const taken = pass.pieces.get(seat)?.some(({ owner }) => owner !== undefined);
      if (!taken) this.#add(seat, piece, pass);
    }
    this.#step(routine, pass, { actionable: reminders.length > 0 });
  }

  /** Every other routine of the seat has its turn now, whatever its own schedule says. */
  #digest(routine: Routine, pass: Pass): void {
    const { look, facts, waiting } = pass;
    for (const other of this.port.routines.activeOf(routine.seat)) {
      if (pass.done.has(other.id) || other.policy === 'digest' || other.nextDueAt === null) continue;
      const judged = () => judgeNow(other, facts, look.now, waiting.routines.has(other.id));
      this.#contained(other, look.now, () => {
        if (other.policy === 'parked-owner') this.#parked(other, pass);
        else this.#settle(other, judged(), pass);
      });
    }
    const some = pass.pieces.has(routine.seat);
    if (some) this.#add(routine.seat, { routine, text: '', rows: [], repeat: false }, pass);
    this.#step(routine, pass, { actionable: some });
  }

  #settle(routine: Routine, verdict: Verdict, pass: Pass): void {
    switch (verdict.kind) {
      case 'skip': {
        pass.done.add(routine.id);
        const memo = verdict.memo ?? routine.memo;
        const waits = verdict.reason === 'active_wake_not_due';
        if (!verdict.stays) this.#step(routine, pass, { actionable: waits && routine.actionable, memo });
        return;
      }
      case 'terminal':
        return this.#terminal(routine, verdict.reason, pass);
      case 'send': {
        const { text, rows = [], memo = routine.memo } = verdict;
        if (this.#admits(routine, pass.look.now)) {
          this.#add(routine.seat, { routine, text, rows, repeat: routine.unresolved }, pass);
        }
        this.#step(routine, pass, { actionable: true, memo });
      }
    }
  }

  #add(seat: string, piece: Piece, { pieces }: Pass): void {
    const list = pieces.get(seat);
    if (list) list.push(piece);
    else pieces.set(seat, [piece]);
  }

  #step(routine: Routine, pass: Pass, { actionable, memo = routine.memo }: Partial<Looked>): void {
    const { now } = pass.look;
    const nextDueAt = nextDue(routine.schedule, routine.scanMs, routine.nextDueAt ?? now, now);
    pass.done.add(routine.id);
    pass.looked.push({
      id: routine.id,
      nextDueAt,
      lastEvaluatedAt: now,
      actionable: actionable === true,
      memo,
    });
  }

  #terminal(routine: Routine, reason: string, pass: Pass): void {
    const { store, routines, attempts } = this.port;
    const { now } = pass.look;
    pass.done.add(routine.id);
    store.write(() => {
      routines.update(routine.id, {
        state: 'terminal',
        terminalReason: reason,
        nextDueAt: null,
        lastEvaluatedAt: now,
      });
      attempts.add({ ...entry(routine, now), outcome: 'terminal', note: reason });
    });
  }

  /** What one agent's routine sends another counts as a message between the two. */
  #admits({ id, registrar, seat }: Routine, now: TimeMs): boolean {
    if (registrar.seat === null) return true;
    const admission = this.port.cap.admit(registrar.seat, seat, now);
    if (admission.kind === 'admitted') return true;
    if (admission.tell) {
      this.port.tell(cappedAlert(registrar.seat, seat, admission.sinceAt, id));
      const { store, attempts, routines } = this.port;
      const routine = routines.get(id);
      store.write(() => {
        if (routine) attempts.add({ ...entry(routine, now), outcome: 'sent', result: 'failed:rate_capped' });
      });
    }
    return false;
  }

  #contained(routine: Routine, now: TimeMs, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.port.failed(error);
      this.#faulted(routine, error, now);
    }
  }

  #faulted(routine: Routine, error: unknown, now: TimeMs): void {
    const { store, routines, attempts } = this.port;
    const note = (error instanceof Error ? error.message : String(error)).slice(0, NOTE_CHARS);
    try {
      store.write(() => {
        attempts.add({ ...entry(routine, now), outcome: 'error', note });
        routines.update(routine.id, {
          nextDueAt: dueAfterFault(routine, now),
          lastEvaluatedAt: now,
          failures: routine.failures + 1,
          failingSince: routine.failingSince ?? now,
        });
      });
    } catch (again) {
      // The store is away: it stays due, and the next pass finds it.
      this.port.failed(again);
    }
  }
}

/** Its schedule may be what is at fault. */
function dueAfterFault({ schedule, scanMs, nextDueAt }: Routine, now: TimeMs): TimeMs {
  try {
    return nextDue(schedule, scanMs, nextDueAt ?? now, now) ?? now + FAULT_MS;
  } catch {
    return now + FAULT_MS;
  }
}

function entry({ id, seat }: Routine, at: TimeMs) {
  const nothing = { result: null, requestKey: null, fingerprint: null, occupant: null, note: null };
  return { routineId: id, at, seat, rows: [], ...nothing };
}

/** The one alert of a pair of agents and its window. */
export function cappedAlert(from: string, to: string, sinceAt: TimeMs, routine?: string): Alert {
  return {
    cause: 'rate_capped',
    seat: to,
    sinceAt,
    detail: { from, window_ms: PAIR_WINDOW_MS },
    ...(routine === undefined ? {} : { routine }),
  };
}
