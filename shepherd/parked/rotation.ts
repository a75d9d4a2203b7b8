// Which parked owners are reminded in one tick. Always true: one a rig; the one whose last attempt is longest ago comes first,
// whatever became of that attempt, so that a seat whose input is held can't starve another. Pure.
import { DEFAULT_RIG, parseAddress } from '../../protocol/name.js';
import type { TimeMs } from '../port.js';

export interface Candidate {
  readonly seat: string;
  readonly attemptedAt: TimeMs | null;
}

export const rigOf = (seat: string): string => parseAddress(seat)?.rig ?? DEFAULT_RIG;

/** All candidates in the order of their turn. */
export function inTurn<C extends Candidate>(candidates: readonly C[]): C[] {
  const last = ({ attemptedAt }: C) => attemptedAt ?? Number.NEGATIVE_INFINITY;
  return [...candidates].sort((a, b) => {
    const first = last(a);
    const second = last(b);
    if (first !== second) return first < second ? -1 : 1;
    return a.seat < b.seat ? -1 : 1;
  });
}

/** The first of each rig, in turn, of those that are ready. */
export function pick<C extends Candidate>(candidates: readonly C[], ready: (one: C) => boolean): C[] {
  const served = new Set<string>();
  return inTurn(candidates).filter((one) => {
    const rig = rigOf(one.seat);
    if (served.has(rig) || !ready(one)) return false;
    served.add(rig);
    return true;
  });
}
