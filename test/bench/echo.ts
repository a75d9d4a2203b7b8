// P1: what an operator feels. One byte out, one byte back, sequentially, against every server in turn. A figure is the
// median over rounds of the ratio inside one round, so that a slow second of the machine slows both sides of it.
import type { Bar, Bench } from './bar.js';
import type { Connection } from './client.js';
import { atMost, median, micros, percentile, type Row, spread } from './figure.js';

/** A pair is measured in slices that alternate between the servers: a slow second of the machine hits them all. */
const SLICES = 10;

interface Round {
  readonly p50: number;
  readonly p99: number;
}

async function rounds(
  bench: Bench,
  connections: ReadonlyMap<string, Connection>,
): Promise<Map<string, Round[]>> {
  const count = bench.quick ? 500 : 3_000;
  const pairs = bench.quick ? 3 : 9;
  const results = new Map<string, Round[]>();
  for (const connection of connections.values()) await connection.echo(count / 2); // warm: compiled, paged in
  for (let pair = 0; pair < pairs; pair++) {
    const samples = new Map<string, number[]>([...connections.keys()].map((name) => [name, []]));
    for (let slice = 0; slice < SLICES; slice++) {
      // Every other slice runs backwards, so that nobody always follows the same neighbour.
      const order = [...connections.keys()];
      if (slice % 2 === 1) order.reverse();
      for (const name of order) {
        const connection = connections.get(name) as Connection;
        await connection.echo(20);
        samples.get(name)?.push(...(await connection.echo(count / SLICES)));
      }
    }
    for (const [name, list] of samples) {
      const round = { p50: percentile(list, 0.5), p99: percentile(list, 0.99) };
      results.set(name, [...(results.get(name) ?? []), round]);
    }
    bench.say(
      `P1 round ${pair + 1}/${pairs}: ` +
        [...connections.keys()]
          .map((name) => `${name} ${micros(results.get(name)?.at(-1)?.p50 ?? 0)}`)
          .join(', '),
    );
  }
  return results;
}

const ratios = (over: readonly Round[], under: readonly Round[], key: keyof Round): number[] =>
  over.map((round, n) => round[key] / (under[n]?.[key] ?? Number.NaN));

export const echoBar: Bar = {
  id: 'P1',
  title: 'operator echo over WebSocket',
  async measure(bench) {
    const client = bench.client();
    const servers = [await bench.bare('bare'), await bench.subject(), await bench.bare('bare again')];
    const peer = await bench.peer('echo');
    if (peer) servers.push(peer);
    const connections = new Map<string, Connection>();
    for (const server of servers) connections.set(server.name, await client.open(await server.open('echo')));
    const results = await rounds(bench, connections);
    const of = (name: string) => results.get(name) ?? [];
    const subject = servers[1]?.name ?? '';
    const figures = (name: string, key: keyof Round) => micros(median(of(name).map((round) => round[key])));
    const rows: Row[] = [];
    for (const [key, limit] of [
      ['p50', 1.2],
      ['p99', 1.5],
    ] as const) {
      const noise = ratios(of('bare again'), of('bare'), key);
      const measured = ratios(of(subject), of('bare'), key);
      // What bare against bare shows in the same run is the bench's own doing and is not charged.
      const charged = Math.max(0, median(noise) - 1);
      rows.push({
        bar: 'P1',
        what: `echo ${key}, ${subject} / bare`,
        figure: median(measured) - charged,
        unit: 'x',
        limit: atMost(limit),
        note: `${figures(subject, key)} / ${figures('bare', key)}, rounds ${spread(measured)}, bare/bare ${median(noise).toFixed(2)} (${spread(noise)})`,
      });
    }
    if (peer) {
      rows.push({
        bar: 'P1',
        what: `echo p50, ${subject} / ttyd`,
        figure: median(ratios(of(subject), of('ttyd'), 'p50')),
        unit: 'x',
        limit: atMost(0.6),
        note: `${figures(subject, 'p50')} / ${figures('ttyd', 'p50')}; ttyd p99 ${figures('ttyd', 'p99')}`,
      });
    }
    return rows;
  },
};
