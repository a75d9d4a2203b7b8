// Facts for the vectors of routines: seats, rows and routines of a case are laid over plain ones, which are an idle agent, a
// pending row and a reminder that is due.
import * as assert from 'uvu/assert';
import { isOverdue } from '../../../shepherd/queue/row.js';
import type { Facts, RowFacts, SeatFacts } from '../../../shepherd/routine/policy.js';
import type { Routine } from '../../../shepherd/routine/routine.js';

export const NOW = 1_000_000;

/** `over` laid over `base`; a field that the base doesn't have fails. */
export function laid<T extends object>(base: T, over: Partial<T>): T {
  for (const field of Object.keys(over)) assert.ok(Object.hasOwn(base, field), `no such field: ${field}`);
  return { ...base, ...over };
}

export const seatOf = (seat: string, over: Partial<SeatFacts> = {}): SeatFacts =>
  laid(
    {
      seat,
      generation: 1,
      tenure: '10.1',
      state: 'idle',
      hard: true,
      done: false,
      turns: 0,
      at: 0,
      lifecycleOwed: false,
    },
    over,
  );

export const rowOf = (over: Partial<RowFacts> = {}): RowFacts =>
  laid(
    {
      id: 'q-1',
      destination: 'target',
      state: 'pending',
      tags: [],
      blockedOn: null,
      notBefore: null,
      closureRequiredAt: null,
      updatedAt: 0,
      wakeDueAt: null,
    },
    over,
  );

export const routineOf = (over: Partial<Routine> = {}): Routine =>
  laid<Routine>(
    {
      id: 'r-1',
      policy: 'periodic-reminder',
      spec: { text: 'look at it' },
      seat: 'target',
      schedule: { kind: 'interval', everyMs: 60_000 },
      scanMs: null,
      activeWakeMs: null,
      state: 'active',
      registrar: { text: 'operator root', seat: null, generation: null, tenure: null },
      nextDueAt: NOW,
      lastEvaluatedAt: null,
      lastFiredAt: null,
      actionable: false,
      memo: null,
      unresolved: false,
      failures: 0,
      failingSince: null,
      terminalReason: null,
      createdAt: 0,
    },
    over,
  );

export interface FactsCase {
  readonly connected?: boolean;
  readonly seats?: Readonly<Record<string, Partial<SeatFacts>>>;
  readonly rows?: ReadonlyArray<Partial<RowFacts>>;
}

export function factsOf({ connected = true, seats = {}, rows = [] }: FactsCase, now = NOW): Facts {
  const all = rows.map(rowOf);
  const open = all.filter(({ state }) => ['pending', 'in-progress', 'blocked'].includes(state));
  return {
    connected,
    seat: (address) => (seats[address] === undefined ? undefined : seatOf(address, seats[address])),
    open: (address) => open.filter(({ destination }) => destination === address),
    overdue: (of) =>
      open
        .filter((row) => (of === '*' || row.destination === of) && isOverdue(row, now))
        .sort((a, b) => (a.closureRequiredAt ?? 0) - (b.closureRequiredAt ?? 0)),
  };
}
