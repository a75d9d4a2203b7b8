// P6: what a seat costs. 300 agent seats of 100x30 with one client each, first fresh, then with 1000 full lines on the
// screen model and the ring full; and an operator's echo while 1000 more seats are started.
import { type Bar, type Bench, settle } from './bar.js';
import type { Connection } from './client.js';
import { atMost, micros, percentile, type Row } from './figure.js';
import { type OpenfloorServer, residentBytes } from './server.js';

const MIB = 1_048_576;
const SIZE = { rows: 30, cols: 100 };

async function inParallel(count: number, width: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Resident bytes once they have stopped moving: the least of a few samples after the work is over. */
async function restingBytes(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < 8; sample++) {
    await settle(500);
    least = Math.min(least, residentBytes(pid));
  }
  return least;
}

async function seats(bench: Bench, child: 'echo' | 'lines', what: string, limit: number): Promise<Row> {
  const server = await bench.openfloor();
  const client = bench.client();
  const count = bench.quick ? 50 : 300;
  const warm = await client.open(await server.open('echo', SIZE));
  await warm.echo(500);
  const baseline = await restingBytes(server.pid);
  await inParallel(count, 4, async () => {
    const connection = await client.open(await server.open(child, SIZE));
    if (child !== 'lines') return;
    await connection.send('\n');
    await connection.until(1_100_000);
  });
  const after = await restingBytes(server.pid);
  const each = (after - baseline) / count / MIB;
  bench.say(`P6 ${what}: ${each.toFixed(2)} MiB a seat`);
  await client.stop();
  await server.stop();
  return {
    bar: 'P6',
    what,
    figure: each,
    unit: 'MiB/seat',
    limit: atMost(limit),
    note: `${count} seats, ${(baseline / MIB).toFixed(0)} -> ${(after / MIB).toFixed(0)} MiB resident`,
  };
}

async function starts(bench: Bench): Promise<Row[]> {
  const server: OpenfloorServer = await bench.openfloor();
  const client = bench.client();
  const operator: Connection = await client.open(await server.open('echo'));
  await operator.echo(500);
  await operator.startEcho(5);
  await settle(2_000);
  const quiet = await operator.stopEcho();
  const count = bench.quick ? 100 : 1_000;
  await operator.startEcho(5);
  const startedAt = performance.now();
  await inParallel(count, 16, async () => {
    // The lightest program there is: what two cores need to start a heavy one is not the server's doing.
    await server.create(['/bin/sleep', '1000']);
  });
  const elapsedMs = performance.now() - startedAt;
  const samples = await operator.stopEcho();
  await client.stop();
  await server.stop();
  return [
    {
      bar: 'P6',
      what: `echo p99 while ${count} seats start`,
      figure: percentile(samples, 0.99),
      unit: 'ms',
      limit: atMost(50),
      note:
        `p50 ${micros(percentile(samples, 0.5))}, max ${Math.max(...samples).toFixed(1)} ms of ${samples.length}; ` +
        `quiet p99 ${micros(percentile(quiet, 0.99))}; ${(count / (elapsedMs / 1_000)).toFixed(0)} seats/s`,
    },
  ];
}

export const memoryBar: Bar = {
  id: 'P6',
  title: 'memory of seats, and starting many',
  async measure(bench) {
    if (bench.bareOnly) return [];
    return [
      await seats(bench, 'echo', 'a fresh seat', 0.3),
      await seats(bench, 'lines', 'a seat with 1000 lines and a full ring', 4),
      ...(await starts(bench)),
    ];
  },
};
