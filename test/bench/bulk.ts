// P2: output to one client. Bursts of 8 MiB, which end before anything can fall behind, and a sustained stream, where
// the screen model's backlog bound makes the runtime pause the PTY. The text is what a build prints: 80 columns, some
// colour, no queries.
import type { Bar, Bench } from './bar.js';
import { BURST_BYTES } from './child.js';
import type { Connection } from './client.js';
import { atLeast, median, type Row, spread } from './figure.js';

/** 128 MiB: sixteen times the screen model's bound, so the steady state dominates. */
const SUSTAINED_BURSTS = 16;

type Rates = Map<string, number[]>;

async function measureRates(
  bench: Bench,
  connections: ReadonlyMap<string, Connection>,
  bursts: number,
  roundCount: number,
): Promise<Rates> {
  const bytes = bursts * BURST_BYTES;
  const rates: Rates = new Map();
  for (let round = 0; round < roundCount; round++) {
    const order = [...connections.keys()];
    if (round % 2 === 1) order.reverse();
    for (const name of order) {
      const connection = connections.get(name) as Connection;
      const elapsedMs = await connection.bulk('\n'.repeat(bursts), bytes);
      const list = rates.get(name) ?? [];
      list.push(bytes / 1e6 / (elapsedMs / 1_000));
      rates.set(name, list);
      // The model may still be parsing what this burst left behind; the next server must not pay for it.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    bench.say(
      `P2 ${bursts === 1 ? 'burst' : 'sustained'} ${round + 1}/${roundCount}: ` +
        order
          .toSorted()
          .map((name) => `${name} ${rates.get(name)?.at(-1)?.toFixed(1)} MB/s`)
          .join(', '),
    );
  }
  return rates;
}

function row(what: string, rates: Rates, subject: string, other: string, limit: number): Row {
  const over = rates.get(subject) ?? [];
  const under = rates.get(other) ?? [];
  const measured = over.map((rate, n) => rate / (under[n] ?? Number.NaN));
  const noise = (rates.get('bare again') ?? []).map(
    (rate, n) => rate / (rates.get('bare')?.[n] ?? Number.NaN),
  );
  return {
    bar: 'P2',
    what: `${what}, ${subject} / ${other}`,
    figure: median(measured),
    unit: 'x',
    limit: atLeast(limit),
    note: `${median(over).toFixed(1)} / ${median(under).toFixed(1)} MB/s, rounds ${spread(measured)}, bare/bare ${median(noise).toFixed(2)} (${spread(noise)})`,
  };
}

export const bulkBar: Bar = {
  id: 'P2',
  title: 'output to one client',
  async measure(bench) {
    const client = bench.client();
    const servers = [await bench.bare('bare'), await bench.subject(), await bench.bare('bare again')];
    const peer = await bench.peer('burst');
    if (peer) servers.push(peer);
    const subject = servers[1]?.name ?? '';
    const connections = new Map<string, Connection>();
    for (const server of servers) connections.set(server.name, await client.open(await server.open('burst')));
    await measureRates({ ...bench, say: () => {} }, connections, 1, 1); // warm
    const bursts = await measureRates(bench, connections, 1, bench.quick ? 3 : 9);
    const sustained = await measureRates(
      bench,
      connections,
      bench.quick ? 4 : SUSTAINED_BURSTS,
      bench.quick ? 1 : 5,
    );
    const rows = [
      row('8 MiB bursts', bursts, subject, 'bare', 1),
      row('sustained', sustained, subject, 'bare', 0.65),
    ];
    if (peer) rows.push(row('sustained', sustained, subject, 'ttyd', 1));
    return rows;
  },
};
