// R1: short-lived children whose last bytes must not be lost: 200 that print 20 480 bytes and end, read at once; and some
// that print more than a stalled client's socket holds, so that their output is paused when they end.
import type { Bar, Bench } from './bar.js';
import type { Client } from './client.js';
import { exactly, type Row } from './figure.js';
import type { OpenfloorServer, Server } from './server.js';

const SHORT_BYTES = 20_480;
/** Beyond a socket's high-water mark, within the ring: nothing may be missing after a stall. */
const PAUSED_BYTES = 900_000;

async function run(client: Client, server: Server, bytes: number, stalled: boolean): Promise<boolean> {
  const connection = await client.open(await server.open('pattern'));
  await connection.expectPattern(0);
  if (stalled) await connection.stall();
  await connection.send(`${bytes}\n`);
  if (stalled) {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await connection.unstall();
  }
  const received = await connection.untilClosed();
  await connection.close();
  return received.bytes === bytes && received.mismatches === 0;
}

async function lost(
  bench: Bench,
  server: Server,
  count: number,
  bytes: number,
  stalled: boolean,
): Promise<number> {
  const client = bench.client();
  let failures = 0;
  let next = 0;
  const lane = async () => {
    while (next < count) {
      next++;
      if (!(await run(client, server, bytes, stalled))) failures++;
    }
  };
  await Promise.all(Array.from({ length: stalled ? 10 : 4 }, lane));
  await client.stop();
  return failures;
}

export const exitBar: Bar = {
  id: 'R1',
  title: 'last bytes of short-lived children',
  async measure(bench) {
    const bare = await bench.bare();
    const count = bench.quick ? 40 : 200;
    const rows: Row[] = [
      {
        bar: 'R1',
        what: `children of ${count} whose output was incomplete, bare`,
        figure: await lost(bench, bare, count, SHORT_BYTES, false),
        unit: '',
      },
    ];
    if (bench.bareOnly) return rows;
    const server: OpenfloorServer = await bench.openfloor();
    rows.push({
      bar: 'R1',
      what: `children of ${count} whose output was incomplete`,
      figure: await lost(bench, server, count, SHORT_BYTES, false),
      unit: '',
      limit: exactly(0),
      note: `${SHORT_BYTES} bytes each, before close 4004`,
    });
    rows.push({
      bar: 'R1',
      what: 'children of 20 that ended while output was paused, incomplete',
      figure: await lost(bench, server, 20, PAUSED_BYTES, true),
      unit: '',
      limit: exactly(0),
      note: `${PAUSED_BYTES} bytes each to a client stalled for 1.5 s`,
    });
    return rows;
  },
};
