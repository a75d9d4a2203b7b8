// A routine: a scheduled policy with a target seat. Always true: `stopped` and `terminal` never become active again; what a
// policy remembers from one look to the next stands in `memo`. Pure; it stores nothing and decides nothing.
import type { TimeMs } from '../port.js';
import type { Schedule } from './schedule.js';

export const POLICIES = [
  'periodic-reminder',
  'parked-owner',
  'idle-gate',
  'overdue',
  'on-status',
  'digest',
] as const;
export type Policy = (typeof POLICIES)[number];

export type RoutineState = 'active' | 'stopped' | 'terminal';

/** What another seat may become (on-status). */
export const TURNS = ['idle', 'blocked', 'done', 'exit'] as const;
export type Turn = (typeof TURNS)[number];

/** Fields of a policy; each belongs to the policies that its comment names. */
export interface Spec {
  /** periodic-reminder: what it says. */
  readonly text?: string;
  /** idle-gate: tag of the rows that count. */
  readonly tag?: string;
  /** overdue: seat whose rows count, `*` for all; the target's own when absent. */
  readonly of?: string;
  /** on-status: the other seat, and what it becomes. */
  readonly watch?: string;
  readonly on?: readonly Turn[];
  /** parked-owner: how long a waiting state stands unchanged before the first reminder. */
  readonly graceMs?: number;
  /** parked-owner: between two attempts at one owner. */
  readonly repeatMs?: number;
}

/** Who registered it. `generation` and `tenure` name the occupant of `seat` at that time. */
export interface Registrar {
  readonly text: string;
  readonly seat: string | null;
  readonly generation: number | null;
  readonly tenure: string | null;
}

/** What on-status saw last; null stands for no occupant. */
export interface Memo {
  readonly seen: {
    readonly generation: number;
    readonly state: string;
    readonly turns: number;
  } | null;
}

export interface Routine {
  readonly id: string;
  readonly policy: Policy;
  readonly spec: Spec;
  /** A seat address; with parked-owner also `*` or `*@rig`. */
  readonly seat: string;
  readonly schedule: Schedule;
  /** Looks this often instead of at every interval. */
  readonly scanMs: number | null;
  /** Having sent for one cause, it sends again for the same no sooner than this. */
  readonly activeWakeMs: number | null;
  readonly state: RoutineState;
  readonly registrar: Registrar;
  /** Null when nothing is due any more. */
  readonly nextDueAt: TimeMs | null;
  readonly lastEvaluatedAt: TimeMs | null;
  /** When it last gave a message to the runtime. */
  readonly lastFiredAt: TimeMs | null;
  /** Its last look found something to send. */
  readonly actionable: boolean;
  readonly memo: Memo | null;
  /** The last attempt may have been typed. */
  readonly unresolved: boolean;
  /** Attempts that failed, one after another. */
  readonly failures: number;
  /** Since when; null while it doesn't fail. */
  readonly failingSince: TimeMs | null;
  readonly terminalReason: string | null;
  readonly createdAt: TimeMs;
}

/** Whether the occupant that registered it is another one now. A renewed token is no new occupant; a seat that stands empty
 * is none either. */
export function isReplaced(
  registrar: Registrar,
  now: { readonly generation: number; readonly tenure: string | null } | undefined,
): boolean {
  if (registrar.seat === null || registrar.generation === null || now === undefined) return false;
  if (now.generation === registrar.generation) return false;
  return registrar.tenure === null || now.tenure !== registrar.tenure;
}
