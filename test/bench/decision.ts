// P7: what a decision costs with 10 000 requests waiting on one seat, against 1000. The same events go to two floors of this
// very process, interleaved; the queue's own bound is lifted for it. Events: a tick, a key, submit and withdraw, and a whole
// grant that ends with a turn start.
import { Floor } from '../../runtime/floor/floor.js';
import { RANKS, type Request } from '../../runtime/floor/request.js';
import { EMPTY_VIEW } from '../../runtime/floor/view.js';
import type { Bar } from './bar.js';
import { atMost, percentile, type Row } from './figure.js';

const SIZES = [1_000, 10_000] as const;
const BOUNDS = { requests: 20_000, bytes: Number.MAX_SAFE_INTEGER, singles: 16 };
const FAR = 1e12;
let made = 0;

function request(index: number): Request {
  const origin = (['send', 'wake', 'notice'] as const)[index % 3]!;
  const urgent = index % 5 === 0;
  return {
    id: `r${++made}`,
    seat: 'bench',
    origin,
    urgent,
    rank: urgent ? RANKS[1] : origin === 'notice' ? RANKS[3] : RANKS[2],
    identity: { kind: 'agent', name: 'peer', scopes: [] },
    body: 'look at row 17',
    bodyBytes: 14,
    bodySha256: `${made}`,
    waitMs: FAR,
    acceptedAt: 0,
    deadlineAt: FAR + ((index * 7_919) % 10_000),
    typeWithoutChecking: false,
  };
}

function fill(size: number): Floor {
  const reading = {
    offset: 0,
    composer: { kind: 'empty' },
    vetoes: [],
    dialog: undefined,
    rows: ['', '> '],
    cursorRow: 1,
    pasteLabels: 0,
  } as const;
  const session = { kind: 'live', generation: 1, tenure: '1', freshTenure: false } as const;
  const view = {
    ...EMPTY_VIEW,
    session,
    reading,
    bracketedPaste: true,
    status: { state: 'working' } as const,
  };
  const floor = new Floor({ bounds: BOUNDS, view });
  for (let index = 0; index < size; index++) floor.step({ kind: 'submit', request: request(index) }, 1);
  return floor;
}

let clock = 10;
let signal = 1;
const front = { kind: 'facts', facts: { foreground: { kind: 'agent', carrier: false } } } as const;

const EVENTS: ReadonlyArray<{ readonly name: string; readonly count: number; run(floor: Floor): void }> = [
  { name: 'tick', count: 500, run: (floor) => floor.step({ kind: 'tick' }, clock) },
  { name: 'key', count: 500, run: (floor) => floor.step({ kind: 'operator', input: 'key' }, clock) },
  {
    name: 'submit and withdraw',
    count: 250,
    run: (floor) => {
      const one = request(made);
      floor.step({ kind: 'submit', request: one }, clock);
      floor.step({ kind: 'withdraw', id: one.id }, clock);
    },
  },
  {
    name: 'grant',
    count: 200,
    run: (floor) => {
      clock += 10_000;
      const idle = { state: 'idle', means: 'idle' } as const;
      floor.step({ kind: 'status', status: idle, signal: ++signal, source: 'bench' }, clock);
      floor.step(front, clock);
      const { fence } = floor;
      if (fence === undefined) throw new Error('the bench expected a grant');
      floor.step({ kind: 'recorded', fence }, clock);
      const working = { state: 'working' } as const;
      floor.step({ kind: 'status', status: working, signal: ++signal, source: 'bench' }, clock);
      floor.step({ kind: 'submit', request: request(made) }, clock);
    },
  },
];

export const decisionBar: Bar = {
  id: 'P7',
  title: 'decisions with many requests waiting',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const floors = SIZES.map(fill);
    const rounds = bench.quick ? 5 : 41;
    const rows: Row[] = [];
    for (const event of EVENTS) {
      const samples: [number[], number[]] = [[], []];
      for (let round = 0; round <= rounds; round++) {
        for (const [which, floor] of floors.entries()) {
          // CPU time, since a decision waits for nothing: what else runs on the machine is no part of its cost.
          const before = process.cpuUsage();
          for (let n = 0; n < event.count; n++) event.run(floor);
          const { user, system } = process.cpuUsage(before);
          const usEach = (user + system) / event.count;
          // The first round warms up.
          if (round > 0) samples[which]?.push(usEach);
        }
      }
      const [few, many] = samples.map((list) => percentile(list, 0.5)) as [number, number];
      rows.push({
        bar: 'P7',
        what: `${event.name}: 10 000 waiting / 1000 waiting`,
        figure: many / few,
        unit: 'x',
        limit: atMost(1.5),
        note: `${few.toFixed(1)} us, ${many.toFixed(1)} us`,
      });
    }
    return rows;
  },
};
