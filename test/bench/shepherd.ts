// Q1: what a tick of Shepherd costs with 10 000 rows, and whether its memory is flat over an hour of ticks. The runtime is a
// fake that answers at once, the store is real; rows wait in every way that a tick looks at: with the runtime, for an
// occupant, for a seat that is blocked, for their time, for a timer.
import { OPERATOR, Rig, turns } from '../shepherd/rig.js';
import type { Bar } from './bar.js';
import { atMost, percentile, type Row } from './figure.js';

const ROWS = 10_000;
const SEATS = 250;
const HOUR_TICKS = 3_600;
const TICK_MS = 1_000;

async function fill(rig: Rig): Promise<void> {
  const far = rig.now + 10 * HOUR_TICKS * TICK_MS;
  for (let at = 0; at < SEATS; at++)
    rig.runtime.set(`s${at}`, at % 3 === 1 ? 'blocked' : 'working', rig.now, false);
  rig.runtime.answer = (asked) => {
    const kind = Number(asked.message.seat.slice(1)) % 3;
    // A third stays with the runtime, a third is refused by a dialog, a third has no occupant.
    if (kind === 1) void asked.end({ state: 'failed', reason: 'target_needs_input' });
    if (kind === 2) void asked.end({ state: 'failed', reason: 'session_missing' });
  };
  for (let at = 0; at < SEATS; at++) if (at % 3 === 2) rig.runtime.known.delete(`s${at}`);
  for (let at = 0; at < ROWS; at++) {
    const later = at % 4 === 3 ? { notBefore: far } : {};
    const row = rig.create(`s${at % SEATS}`, { tier: 'fast', ...later });
    if (at % 10 === 0) {
      const actor = { ...OPERATOR, seat: row.destination };
      await rig.shepherd.board.command(row.id, { kind: 'block', on: 'x', wakeAfterMs: far - rig.now }, actor);
    }
    await turns();
  }
}

export const shepherdBar: Bar = {
  id: 'Q1',
  title: `a tick of Shepherd with ${ROWS} rows`,
  async measure(bench): Promise<Row[]> {
    if (bench.bareOnly) return [];
    const rig = new Rig();
    try {
      await fill(rig);
      const ticks = bench.quick ? 60 : HOUR_TICKS;
      const costs: number[] = [];
      const heap: number[] = [];
      for (let at = 0; at < ticks; at++) {
        rig.now += TICK_MS;
        const before = process.cpuUsage();
        rig.shepherd.tick();
        await turns();
        const { user, system } = process.cpuUsage(before);
        costs.push((user + system) / 1_000);
        if (at % Math.ceil(ticks / 12) === 0) {
          globalThis.gc?.();
          heap.push(process.memoryUsage().heapUsed / 1_048_576);
        }
      }
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(costs, share)) as [
        number,
        number,
        number,
      ];
      const half = heap.slice(Math.floor(heap.length / 2));
      const growth = Math.min(...half) - Math.min(...heap.slice(0, half.length));
      return [
        {
          bar: 'Q1',
          what: `tick, p99 of ${ticks}, CPU`,
          figure: p99,
          unit: 'ms',
          limit: atMost(50),
          note: `p50 ${p50.toFixed(1)} ms, most ${most.toFixed(1)} ms`,
        },
        {
          bar: 'Q1',
          what: `heap, least of the second half minus least of the first`,
          figure: growth,
          unit: 'MiB',
          limit: atMost(5),
          note: heap.map((mib) => mib.toFixed(0)).join(' '),
        },
      ];
    } finally {
      rig.close();
    }
  },
};
