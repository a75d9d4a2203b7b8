// P3: echo in one session while another one of the same server floods its own client. The same is done to `bare`, so
// that what two cores can't give anybody is seen.
import type { Bar, Bench } from './bar.js';
import type { Client } from './client.js';
import { atMost, median, micros, percentile, type Row, spread } from './figure.js';
import type { Server } from './server.js';

interface Flooded {
  readonly quiet: number;
  readonly flooded: number;
}

async function oneRound(bench: Bench, server: Server, typist: Client, reader: Client): Promise<Flooded> {
  const count = bench.quick ? 300 : 1_500;
  const echo = await typist.open(await server.open('echo'));
  await echo.echo(200);
  const quiet = percentile(await echo.echo(count), 0.99);
  const flood = await reader.open(await server.open('yes'));
  await flood.send('\n');
  await flood.until(1_048_576);
  const flooded = percentile(await echo.echo(count), 0.99);
  await flood.close();
  await echo.close();
  return { quiet, flooded };
}

export const floodBar: Bar = {
  id: 'P3',
  title: 'echo while another session floods',
  async measure(bench) {
    const typist = bench.client();
    const reader = bench.client();
    const rows: Row[] = [];
    const results = new Map<string, Flooded[]>();
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      for (const start of [() => bench.bare(), () => bench.subject()]) {
        // A server of its own a round: a flood that outlives its connection must not reach the next figure.
        const server = await start();
        const list = results.get(server.name) ?? [];
        list.push(await oneRound(bench, server, typist, reader));
        results.set(server.name, list);
        await server.stop();
        const last = list.at(-1) as Flooded;
        bench.say(`P3 ${server.name}: quiet p99 ${micros(last.quiet)}, flooded p99 ${micros(last.flooded)}`);
      }
    }
    for (const [name, list] of results) {
      const measured = list.map((round) => round.flooded / round.quiet);
      rows.push({
        bar: 'P3',
        what: `flooded p99 / quiet p99, ${name}`,
        figure: median(measured),
        unit: 'x',
        ...(name === 'bare' ? {} : { limit: atMost(3) }),
        note: `${micros(median(list.map((round) => round.flooded)))} / ${micros(median(list.map((round) => round.quiet)))}, rounds ${spread(measured)}`,
      });
    }
    return rows;
  },
};
