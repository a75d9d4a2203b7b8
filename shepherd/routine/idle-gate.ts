// idle-gate: a seat that is idle beyond doubt holds pending or blocked rows with the gate's tag. Always true: it only points
// to them and claims nothing; anything but hard idle is a quiet skip. Pure.
import type { TimeMs } from '../port.js';
import { isDeliberatelyHeld } from '../queue/row.js';
import { type Facts, namesOf, notIdle, type Verdict } from './policy.js';
import type { Routine } from './routine.js';

export const GATE_TAG = 'gate';

export function idleGate({ seat, spec }: Routine, facts: Facts, now: TimeMs): Verdict {
  const reason = notIdle(facts.seat(seat), facts.connected);
  if (reason !== undefined) return { kind: 'skip', reason };
  const tag = spec.tag ?? GATE_TAG;
  const rows = facts
    .open(seat)
    .filter((row) => row.state !== 'in-progress' && row.tags.includes(tag) && !isDeliberatelyHeld(row, now));
  if (rows.length === 0) return { kind: 'skip', reason: 'nothing_actionable' };
  const text = `${rows.length === 1 ? 'a row is' : `${rows.length} rows are`} at the gate "${tag}": ${namesOf(rows)}. Read it: openfloor queue show ${rows[0]?.id}`;
  return { kind: 'send', text, rows: rows.map(({ id }) => id) };
}
