// The routines as their callers use them: registered, listed, looked at and stopped. Always true: a stop is written before the
// message that waits is taken back; an agent sees and stops what it registered or what is aimed at it, an operator all.
import { REASONS } from '../../protocol/reason.js';
import type { Runtime, TimeMs } from '../port.js';
import { ShepherdError } from '../port.js';
import type { Actor } from '../queue/actor.js';
import { errorOf, type Refusal } from '../queue/refusal.js';
import type { Attempt, AttemptTable } from '../store/attempt-table.js';
import type { Store } from '../store/open.js';
import type { RoutineTable } from '../store/routine-table.js';
import type { Dispatch } from './dispatch.js';
import { BUILT_IN, newRoutine, type RoutineWish, reuse, SHEPHERD } from './register.js';
import type { Registrar, Routine } from './routine.js';

export interface RosterPort {
  readonly store: Store;
  readonly routines: RoutineTable;
  readonly attempts: AttemptTable;
  readonly dispatch: Pick<Dispatch, 'recall'>;
  readonly runtime: Pick<Runtime, 'seat'>;
  now(): TimeMs;
  id(): string;
}

/** Active routines in all, and of one registrar that is a seat. */
export const ROUTINES = 5_000;
export const ROUTINES_OF_SEAT = 200;
/** Results shown with a routine. */
export const SHOWN = 20;

export class Roster {
  constructor(private readonly port: RosterPort) {}

  /** At the first start of a store: the routine that watches over parked owners. */
  start(): void {
    const { store, routines } = this.port;
    const made = newRoutine(BUILT_IN, SHEPHERD, BUILT_IN.id ?? '', this.port.now());
    if (!made.ok || routines.get(made.routine.id) !== undefined) return;
    store.write(() => routines.insert(made.routine));
  }

  /** Throws ShepherdError. */
  register(wish: RoutineWish, actor: Actor): Routine {
    const { store, routines } = this.port;
    const made = newRoutine(wish, this.#registrar(actor), `r-${this.port.id()}`, this.port.now());
    const wanted = orThrow(made).routine;
    return store.write(() => {
      const stored = routines.get(wanted.id);
      if (stored !== undefined) return orThrow(reuse(stored, wanted)).routine;
      const seat = wanted.registrar.seat ?? undefined;
      const full =
        routines.activeCount() >= ROUTINES ||
        (seat !== undefined && routines.activeCount(seat) >= ROUTINES_OF_SEAT);
      if (full) {
        throw new ShepherdError(
          'queue_full',
          REASONS.queue_full.status,
          `There are ${ROUTINES_OF_SEAT} active routines of a seat at most, and ${ROUTINES} in all.`,
          'Stop some with `openfloor routine stop`.',
        );
      }
      routines.insert(wanted);
      return wanted;
    });
  }

  /** Throws ShepherdError `job_not_found`, also when the actor may not see it. */
  get(id: string, actor: Actor): Routine {
    const routine = this.port.routines.get(id);
    if (routine === undefined || !maySee(actor, routine)) {
      throw errorOf({ reason: 'job_not_found', message: REASONS.job_not_found.text });
    }
    return routine;
  }

  history(id: string): Attempt[] {
    return this.port.attempts.history(id, SHOWN);
  }

  list(filter: { seat?: string; state?: string; limit: number; offset: number }, actor: Actor) {
    const party = actor.operator || actor.seat === undefined ? {} : { party: actor.seat };
    return this.port.routines.list({ ...filter, ...party });
  }

  /** Throws ShepherdError `job_not_found` or `job_terminal`. Stopped again it stays as it was. */
  stop(id: string, reason: string | undefined, actor: Actor): Routine {
    const { store, routines, dispatch } = this.port;
    const stopped = store.write(() => {
      const routine = this.get(id, actor);
      if (routine.state === 'stopped') return routine;
      if (routine.state === 'terminal')
        throw errorOf({ reason: 'job_terminal', message: REASONS.job_terminal.text });
      const why = `stopped by ${actor.text}${reason ? `: ${reason}` : ''}`;
      const changes = { state: 'stopped', terminalReason: why, nextDueAt: null } as const;
      routines.update(id, changes);
      return { ...routine, ...changes };
    });
    dispatch.recall(id);
    return stopped;
  }

  #registrar({ seat, text }: Actor): Registrar {
    if (seat === undefined) return { text, seat: null, generation: null, tenure: null };
    const occupant = this.port.runtime.seat(seat);
    return {
      text,
      seat,
      generation: occupant?.generation ?? null,
      tenure: occupant?.status.tenure ?? null,
    };
  }
}

function maySee(actor: Actor, { seat, registrar }: Routine): boolean {
  return actor.operator || registrar.seat === actor.seat || seat === actor.seat;
}

function orThrow<T extends { readonly ok: true }>(result: T | Refusal): T {
  if (result.ok) return result;
  throw errorOf(result);
}
