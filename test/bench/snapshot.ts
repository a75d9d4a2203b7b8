// P8: attaching with a snapshot to a screen with 1000 lines of history, until its first paint; and what that does to
// somebody else's echo meanwhile.
import type { Bar } from './bar.js';
import { atMost, median, micros, percentile, spread } from './figure.js';

export const snapshotBar: Bar = {
  id: 'P8',
  title: 'snapshot attach',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.openfloor();
    const attacher = bench.client();
    const operator = bench.client();
    const session = await server.create(bench.children.screen, { rows: 30, cols: 100 });
    const filled = await attacher.open(server.endpoint(session));
    await filled.until(90_000);
    await filled.close();
    const endpoint = server.endpoint(session, 'mode=join&snapshot=1&rows=30&cols=100');
    const echo = await operator.open(await server.open('echo'));
    await echo.echo(1_000);
    for (let n = 0; n < 10; n++) await attacher.firstPaint(endpoint); // warm
    const paints: number[] = [];
    const delays: number[] = [];
    const quiets: number[] = [];
    for (let round = 0; round < (bench.quick ? 2 : 9); round++) {
      const quiet = percentile(await echo.echo(500), 0.99);
      await echo.startEcho(0);
      for (let n = 0; n < 20; n++) paints.push(await attacher.firstPaint(endpoint));
      const during = percentile(await echo.stopEcho(), 0.99);
      quiets.push(quiet);
      delays.push(during - quiet);
    }
    return [
      {
        bar: 'P8',
        what: 'snapshot attach to first paint, 1000 lines, p50',
        figure: percentile(paints, 0.5),
        unit: 'ms',
        limit: atMost(25),
        note: `p99 ${percentile(paints, 0.99).toFixed(1)} ms of ${paints.length}, while another session echoes`,
      },
      {
        bar: 'P8',
        what: 'echo p99 of another session, beyond quiet',
        figure: median(delays),
        unit: 'ms',
        limit: atMost(5),
        note: `quiet p99 ${micros(median(quiets))}, rounds ${spread(delays)}`,
      },
    ];
  },
};
