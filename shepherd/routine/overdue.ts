// overdue: rows in progress past their closure time. Always true: it tells its target of its own rows, or of those of the
// seat that its spec names (`*` for all); nothing overdue is a quiet skip. Pure.
import type { TimeMs } from '../port.js';
import { type Facts, namesOf, type Verdict } from './policy.js';
import type { Routine } from './routine.js';

export function overdue({ seat, spec }: Routine, facts: Facts, now: TimeMs): Verdict {
  const of = spec.of ?? seat;
  const rows = facts.overdue(of);
  const [first] = rows;
  if (first === undefined) return { kind: 'skip', reason: 'healthy' };
  const late = Math.floor((now - (first.closureRequiredAt ?? now)) / 60_000);
  const whose =
    of === seat ? '' : ` of ${first.destination}${of === '*' && rows.length > 1 ? ' and others' : ''}`;
  const count = rows.length === 1 ? 'a row' : `${rows.length} rows`;
  const text = `${count}${whose} in progress past the closure time (by ${late} min): ${namesOf(rows)}. Close, hand off or block: openfloor queue show ${first.id}`;
  return { kind: 'send', text, rows: rows.map(({ id }) => id) };
}
