// periodic-reminder: says its text whenever it is due. Always true: it ends when the occupant that registered it is replaced;
// at a dialog or without an occupant it waits, still due. Pure.
import type { Facts, Verdict } from './policy.js';
import { isReplaced, type Routine } from './routine.js';

export function periodicReminder(routine: Routine, facts: Facts): Verdict {
  const { registrar, spec } = routine;
  if (!facts.connected) return { kind: 'skip', reason: 'activity_unknown', stays: true };
  const owner = registrar.seat === null ? undefined : facts.seat(registrar.seat);
  if (isReplaced(registrar, owner)) return { kind: 'terminal', reason: 'registrar_replaced' };
  const seat = facts.seat(routine.seat);
  if (seat === undefined) return { kind: 'skip', reason: 'activity_unknown', stays: true };
  if (seat.state === 'blocked') return { kind: 'skip', reason: 'seat_needs_input', stays: true };
  return { kind: 'send', text: spec.text ?? '' };
}
