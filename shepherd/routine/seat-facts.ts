// A seat as the runtime lists it, as the facts that policies look at. Pure.
import type { SeatEntry } from '../../protocol/seat.js';
import type { SeatFacts } from './policy.js';

export function seatFactsOf({ seat, generation, status, floor }: SeatEntry): SeatFacts {
  return {
    seat,
    generation,
    tenure: status.tenure ?? null,
    state: status.state,
    hard: status.hard,
    done: status.done === true,
    turns: status.turns,
    at: Date.parse(status.at),
    lifecycleOwed: floor.lifecycle_owed,
  };
}
