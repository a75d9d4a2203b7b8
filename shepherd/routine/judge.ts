// What a routine that is due does now. Always true: the same routine, facts and time give the same verdict; a routine that has
// sent for a cause and waits out its active wake skips quietly. parked-owner chooses among seats and is in parked/; digest
// has no text of its own. Pure.
import type { TimeMs } from '../port.js';
import { idleGate } from './idle-gate.js';
import { onStatus } from './on-status.js';
import { overdue } from './overdue.js';
import { periodicReminder } from './periodic-reminder.js';
import type { Facts, Verdict } from './policy.js';
import type { Policy, Routine } from './routine.js';

/** Policies that speak to one seat with a text of their own. */
export type Spoken = Exclude<Policy, 'parked-owner' | 'digest'>;

const JUDGES: Readonly<Record<Spoken, (routine: Routine, facts: Facts, now: TimeMs) => Verdict>> = {
  'periodic-reminder': periodicReminder,
  'idle-gate': idleGate,
  overdue,
  'on-status': onStatus,
};

export function isSpoken(policy: Policy): policy is Spoken {
  return Object.hasOwn(JUDGES, policy);
}

/** `waiting`: its last message is still with the runtime, so one more would say the same. */
export function judge(routine: Routine, facts: Facts, now: TimeMs, waiting: boolean): Verdict {
  if (routine.state !== 'active' || routine.nextDueAt === null || routine.nextDueAt > now) {
    return { kind: 'skip', reason: 'not_due' };
  }
  return judgeNow(routine, facts, now, waiting);
}

/** As `judge`, whatever its schedule says: for a digest of its seat. */
export function judgeNow(routine: Routine, facts: Facts, now: TimeMs, waiting: boolean): Verdict {
  if (!isSpoken(routine.policy)) return { kind: 'skip', reason: 'nothing_actionable' };
  const verdict = JUDGES[routine.policy](routine, facts, now);
  if (verdict.kind !== 'send') return verdict;
  // What another seat becomes is news each time.
  if (routine.policy === 'on-status') return verdict;
  const { activeWakeMs, lastFiredAt, actionable } = routine;
  const soon =
    activeWakeMs !== null && actionable && lastFiredAt !== null && now - lastFiredAt < activeWakeMs;
  return waiting || soon ? { kind: 'skip', reason: 'active_wake_not_due' } : verdict;
}

/** Whether a waiting message says something that is not true any more. */
export function isStale(
  routine: Pick<Routine, 'policy' | 'seat' | 'spec' | 'state'>,
  rows: readonly string[],
  facts: Facts,
): boolean {
  if (routine.state !== 'active') return true;
  if (rows.length === 0) return false;
  const current =
    routine.policy === 'overdue'
      ? facts.overdue(routine.spec.of ?? routine.seat)
      : facts.open(routine.seat).filter(({ state }) => state !== 'in-progress');
  const ids = new Set(current.map(({ id }) => id));
  return rows.some((id) => !ids.has(id));
}
