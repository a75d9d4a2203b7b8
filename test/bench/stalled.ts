// R2 and R3: a child that doesn't read what operators send, and a client that doesn't read what a child prints. Both may
// cost their own session, never another one, the processor or the memory of the server.
import { type Bar, settle } from './bar.js';
import { atLeast, atMost, exactly, median, micros, percentile } from './figure.js';
import { processorMs, residentBytes } from './server.js';

const MIB = 1_048_576;
const INPUT_CHUNK_BYTES = 32_768;

export const stalledChildBar: Bar = {
  id: 'R2',
  title: 'a child that does not read 1 MiB of input',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.openfloor();
    const client = bench.client();
    const typist = bench.client();
    const echo = await typist.open(await server.open('echo'));
    await echo.echo(1_000);
    const quiet = percentile(await echo.echo(2_000), 0.99);
    const deaf = await client.open(await server.open('deaf'));
    await deaf.send('x'.repeat(INPUT_CHUNK_BYTES), MIB / INPUT_CHUNK_BYTES);
    await settle(1_000);
    const before = processorMs(server.pid);
    const windowMs = bench.quick ? 2_000 : 5_000;
    await settle(windowMs);
    const share = ((processorMs(server.pid) - before) / windowMs) * 100;
    const loaded = percentile(await echo.echo(2_000), 0.99);
    const { frames, closeCode } = await deaf.received();
    return [
      {
        bar: 'R2',
        what: 'processor while 1 MiB of input waits',
        figure: share,
        unit: '% of a core',
        limit: atMost(10),
        note: `over ${windowMs} ms, nobody else active; closed: ${closeCode ?? 'no'}`,
      },
      {
        bar: 'R2',
        what: 'input_backpressure frames',
        figure: frames.input_backpressure ?? 0,
        unit: '',
        limit: atLeast(1),
      },
      {
        bar: 'R2',
        what: 'echo p99 of another session / quiet',
        figure: loaded / quiet,
        unit: 'x',
        limit: atMost(1.5),
        note: `${micros(loaded)} / ${micros(quiet)}`,
      },
    ];
  },
};

export const slowReaderBar: Bar = {
  id: 'R3',
  title: 'a client that does not read for 8 s',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.openfloor();
    const slow = bench.client();
    const typist = bench.client();
    const echo = await typist.open(await server.open('echo'));
    await echo.echo(1_000);
    const quiet = percentile(await echo.echo(2_000), 0.99);
    const session = await server.create(bench.children.pattern);
    const reader = await slow.open(server.endpoint(session, 'mode=join&since=0'));
    await reader.expectPattern(0);
    // Somebody else goes on reading: with the slow client alone the child would be paused, and nothing be overtaken.
    const follower = await bench.client().open(server.endpoint(session, 'mode=join&since=0'));
    // One pass at full speed first: buffers that any flood makes are not the slow client's.
    await reader.send('0\n');
    await Promise.all([reader.until(64 * MIB), follower.until(64 * MIB)]);
    const before = residentBytes(server.pid);
    await reader.stall();
    const highs: number[] = [];
    const during: number[] = [];
    // Less than the age at which a backlog is closed with 4005: the client must resume in place.
    for (let second = 0; second < 8; second++) {
      const until = performance.now() + 1_000;
      during.push(percentile(await echo.echo(500), 0.99));
      highs.push(residentBytes(server.pid));
      await settle(Math.max(0, until - performance.now()));
    }
    const ahead = await follower.received();
    await reader.unstall();
    const resumed = await reader.until(ahead.bytes + ahead.dropped + 8 * MIB);
    return [
      {
        bar: 'R3',
        what: 'memory growth during the stall',
        figure: (Math.max(...highs) - before) / MIB,
        unit: 'MiB',
        limit: atMost(16),
        note: `${(before / MIB).toFixed(0)} MiB before; another client reads ${(ahead.bytes / MIB).toFixed(0)} MiB by then`,
      },
      {
        bar: 'R3',
        what: 'chunks that were not byte-exact at their offset, after resuming',
        figure: resumed.mismatches + (resumed.closeCode === undefined ? 0 : 1),
        unit: '',
        limit: exactly(0),
        note: `${resumed.bytes} bytes, ${resumed.dropped} told as gap; closed: ${resumed.closeCode ?? 'no'}`,
      },
      {
        bar: 'R3',
        what: 'echo p99 of another session / quiet',
        figure: median(during) / quiet,
        unit: 'x',
        note: `${micros(median(during))} / ${micros(quiet)} while the child floods; the limit is P3's`,
      },
    ];
  },
};
