// Liveness: 200 sends to a demo agent, every other one while its turn still runs. How long after the last obstacle, the
// end of the turn or the request itself, the first byte is granted; and that none is held, refused or left unconfirmed.
import { demoAgent } from '../support/demo-agent.js';
import type { Bar } from './bar.js';
import { atMost, exactly, percentile } from './figure.js';
import { FloorPlane } from './floor-plane.js';

export const livenessBar: Bar = {
  id: 'LIVE',
  title: 'sends to an idle agent',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.floor();
    const agent = demoAgent();
    const plane = await FloorPlane.open(server);
    try {
      const { name } = await server.create(agent.command, { rows: 30, cols: 100 });
      await plane.idle(name);
      const count = bench.quick ? 20 : 200;
      const delays: number[] = [];
      let others = 0;
      for (let n = 0; n < count; n++) {
        if (n % 2 === 0) await plane.idle(name);
        const askedAt = Date.now();
        const { outcome } = await plane.ask({ seat: name, body: `message ${n}`, waitMs: 30_000 });
        const { state, confirmed, id } = await outcome;
        if (state !== 'complete' || confirmed !== true) others++;
        const grantedAt = plane.grantedAt(String(id));
        if (grantedAt !== undefined)
          delays.push(grantedAt - Math.max(askedAt, plane.idleAt(name, grantedAt)));
      }
      const submitted = await agent.submitted();
      const once = new Set(submitted).size === count && submitted.length === count;
      return [
        {
          bar: 'LIVE',
          what: `longest from the last obstacle to the grant, of ${delays.length}`,
          figure: Math.max(...delays),
          unit: 'ms',
          limit: atMost(1_000),
          note: `p50 ${percentile(delays, 0.5).toFixed(0)} ms, p99 ${percentile(delays, 0.99).toFixed(0)} ms`,
        },
        {
          bar: 'LIVE',
          what: `not typed and confirmed, of ${count}`,
          figure: others,
          unit: '',
          limit: exactly(0),
          note: once ? 'the agent has each of them once' : `the agent has ${submitted.length}`,
        },
      ];
    } finally {
      plane.close();
      await server.stop();
      agent.close();
    }
  },
};
