// Brings notices to their seats and hears what became of them. Always true: an attempt is recorded before its request is made
// and is followed over restarts of either side; one that says what is not true any more is withdrawn; history has the
// transport's own result, and one that is unknown is no proof that nothing arrived. It decides nothing.
import { afterAttempt, NO_ATTEMPTS } from '../parked/owner.js';
import type { Asked, FloorOutcome, Runtime, TimeMs } from '../port.js';
import type { Attempt, AttemptTable } from '../store/attempt-table.js';
import type { Store } from '../store/open.js';
import type { RoutineChanges, RoutineTable } from '../store/routine-table.js';
import { digestOf, JOINED } from './digest.js';
import type { Routine } from './routine.js';

export interface DispatchPort {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly routines: RoutineTable;
  readonly attempts: AttemptTable;
  now(): TimeMs;
  id(): string;
  failed(error: unknown): void;
}

/** One routine's part of a message. */
export interface Piece {
  readonly routine: Routine;
  /** Empty for a digest, which only brings the others along. */
  readonly text: string;
  readonly rows: readonly string[];
  readonly repeat: boolean;
  /** A reminder of a parked owner, meant for this occupant. */
  readonly owner?: { readonly fingerprint: string; readonly occupant: string; readonly generation: number };
}

export interface Member {
  readonly routineId: string;
  readonly rows: readonly string[];
  readonly owner?: { readonly fingerprint: string; readonly occupant: string };
}

export interface Flight {
  readonly key: string;
  readonly seat: string;
  readonly members: readonly Member[];
  readonly asked: Asked;
  withdrawing: boolean;
}

/** As long as the runtime lets a request wait; what is due then is asked for anew. */
const WAIT_MS = 24 * 3_600_000;
/** A one-shot that failed before any byte is tried again after this. */
const ONCE_AGAIN_MS = 60_000;
/** Not the routine's fault: we took it back, or nobody had room for it in a day. */
const NO_FAILURE: ReadonlySet<string> = new Set([
  'withdrawn',
  'superseded',
  'draft_wake_superseded',
  'occupant_changed',
  'wait_for_idle_timeout',
  'target_activity_unknown',
  'target_needs_input',
  'request_not_found',
  'runtime_restarted',
  'draining',
]);
const TAKEN_BACK: ReadonlySet<string> = new Set(['withdrawn', 'superseded', 'draft_wake_superseded']);

function resultOf({ state, confirmed, reason }: FloorOutcome): string {
  if (state === 'complete' && confirmed) return 'confirmed';
  if (state === 'complete' || state === 'indeterminate') return 'unconfirmed';
  return state === 'held' ? 'held' : `failed:${reason}`;
}

export class Dispatch {
  readonly #flights = new Map<string, Flight>();
  #stopped = false;

  constructor(private readonly port: DispatchPort) {}

  /** Follows what an earlier process asked for. */
  start(): void {
    const open = new Map<string, Attempt[]>();
    for (const attempt of this.port.attempts.open()) {
      const key = attempt.requestKey ?? '';
      open.set(key, [...(open.get(key) ?? []), attempt]);
    }
    for (const [key, [first, ...rest]] of open) {
      if (first === undefined) continue;
      this.#fly(key, first.seat, [first, ...rest].map(memberOf), this.port.runtime.follow(first.seat, key));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** A message of this routine (to this seat) is with the runtime. */
  isWaiting(routineId: string, seat?: string): boolean {
    for (const flight of this.#flights.values()) {
      if (seat !== undefined && flight.seat !== seat) continue;
      if (flight.members.some((member) => member.routineId === routineId)) return true;
    }
    return false;
  }

  /** Routines that have a message with the runtime, and seats that have a reminder there. */
  waiting(): { readonly routines: ReadonlySet<string>; readonly owners: ReadonlySet<string> } {
    const routines = new Set<string>();
    const owners = new Set<string>();
    for (const { seat, members } of this.#flights.values()) {
      for (const { routineId, owner } of members) {
        routines.add(routineId);
        if (owner) owners.add(seat);
      }
    }
    return { routines, owners };
  }

  /** One message for these pieces; more than fit become several. */
  send(seat: string, pieces: readonly Piece[]): void {
    for (let at = 0; at < pieces.length; at += JOINED) this.#send(seat, pieces.slice(at, at + JOINED));
  }

  /** Withdraws every message with a part that is stale. */
  sweep(isStale: (flight: Flight, member: Member) => boolean): void {
    for (const flight of this.#flights.values()) {
      if (!flight.withdrawing && flight.members.some((member) => isStale(flight, member)))
        this.#withdraw(flight);
    }
  }

  /** Withdraws what a routine has with the runtime. */
  recall(routineId: string): void {
    this.sweep((_, member) => member.routineId === routineId);
  }

  #send(seat: string, pieces: readonly Piece[]): void {
    const { store, attempts, routines, runtime } = this.port;
    const [first] = pieces;
    if (first === undefined) return;
    const now = this.port.now();
    const key = this.port.id();
    const spoken = pieces.filter(({ text }) => text !== '');
    const body = digestOf(
      spoken.map(({ routine, text, repeat }) => ({
        routine: routine.id,
        by: routine.registrar.text,
        text,
        repeat,
      })),
    );
    store.write(() => {
      for (const { routine, rows, owner } of pieces) {
        attempts.add({
          routineId: routine.id,
          at: now,
          outcome: 'sent',
          seat,
          result: 'asked',
          requestKey: key,
          rows,
          fingerprint: owner?.fingerprint ?? null,
          occupant: owner?.occupant ?? null,
          note: spoken.length > 1 ? `one of ${spoken.length} notices in one message` : null,
        });
        routines.update(routine.id, { lastFiredAt: now });
        if (owner)
          attempts.setOwner(seat, afterAttempt(attempts.owner(seat) ?? NO_ATTEMPTS, null, owner, now));
      }
    });
    const generation = pieces.find(({ owner }) => owner)?.owner?.generation;
    const asked = runtime.request({
      seat,
      origin: 'notice',
      body,
      priority: 'routine',
      routine: pieces.length === 1 ? first.routine.id : 'digest',
      waitMs: WAIT_MS,
      key,
      supersede: `routine:${first.routine.id}`,
      ...(generation === undefined ? {} : { expectGeneration: generation }),
    });
    const members = pieces.map(({ routine, rows, owner }) => ({
      routineId: routine.id,
      rows,
      ...(owner ? { owner } : {}),
    }));
    this.#fly(key, seat, members, asked);
  }

  #fly(key: string, seat: string, members: readonly Member[], asked: Asked): void {
    const flight: Flight = { key, seat, members, asked, withdrawing: false };
    this.#flights.set(key, flight);
    asked.onConfirmed(() => this.#guarded(() => this.#end(flight, 'confirmed')));
    asked.outcome.then(
      (outcome) => this.#guarded(() => this.#ended(flight, outcome)),
      // Shepherd ends; its next start follows the request.
      () => {},
    );
  }

  #withdraw(flight: Flight): void {
    flight.withdrawing = true;
    const again = () => {
      flight.withdrawing = false;
    };
    flight.asked.withdraw().then((answer) => answer === 'unknown' && again(), again);
  }

  #ended(flight: Flight, outcome: FloorOutcome): void {
    this.#flights.delete(flight.key);
    this.#end(flight, resultOf(outcome), outcome.reason);
  }

  #end({ key, seat, members }: Flight, result: string, reason = ''): void {
    const { store, attempts, routines } = this.port;
    const now = this.port.now();
    store.write(() => {
      attempts.end(key, result, now);
      for (const { routineId, owner } of members) {
        const routine = routines.get(routineId);
        if (routine) routines.update(routineId, afterResult(routine, result, reason, now));
        if (owner) {
          const word = result.startsWith('failed:')
            ? 'failed'
            : (result as 'confirmed' | 'unconfirmed' | 'held');
          attempts.setOwner(seat, afterAttempt(attempts.owner(seat) ?? NO_ATTEMPTS, word, owner, now));
        }
      }
    });
  }

  #guarded(work: () => void): void {
    if (this.#stopped) return;
    try {
      work();
    } catch (error) {
      this.port.failed(error);
    }
  }
}

function memberOf({ routineId, rows, fingerprint, occupant }: Attempt): Member {
  const owner = fingerprint === null || occupant === null ? undefined : { fingerprint, occupant };
  return { routineId, rows, ...(owner ? { owner } : {}) };
}

/** A routine after its attempt. */
export function afterResult(routine: Routine, result: string, reason: string, now: TimeMs): RoutineChanges {
  const failed = result.startsWith('failed:');
  const blamed = failed && !NO_FAILURE.has(reason);
  const typed = result === 'confirmed' || result === 'unconfirmed';
  const unresolved = result === 'confirmed' ? false : routine.unresolved || result === 'unconfirmed';
  const failing = blamed
    ? { failures: routine.failures + 1, failingSince: routine.failingSince ?? now }
    : failed
      ? {}
      : { failures: 0, failingSince: null };
  const base = { unresolved, ...failing };
  if (routine.state !== 'active') return base;
  if (routine.schedule.kind === 'once' && routine.policy !== 'parked-owner') {
    // Held is kept for reading at the seat; it is not typed later, and neither is it asked for again.
    if (typed || result === 'held')
      return { ...base, state: 'terminal', terminalReason: 'sent', nextDueAt: null };
    return { ...base, nextDueAt: TAKEN_BACK.has(reason) ? now : now + ONCE_AGAIN_MS };
  }
  // It travelled with another that was taken back: its own turn is still to come.
  return TAKEN_BACK.has(reason) ? { ...base, nextDueAt: now } : base;
}
