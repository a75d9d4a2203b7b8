// P9: the audit feed. How many grants a second are put on record, each a commit of its own; and 100 readers on WebSockets
// who follow while records are appended: each sees every record, once and in order.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bar } from './bar.js';
import { atLeast, exactly, median, spread } from './figure.js';

const READERS = 100;

/** Answers of audit-reader.ts. */
interface Heard {
  readonly complete: number;
  readonly disorders: number;
  readonly resumed: number;
}

async function readers(url: string, credential: string): Promise<{ child: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('./audit-reader.js', import.meta.url)), {
    serialization: 'advanced',
  });
  child.send({ url, credential, count: READERS });
  await once(child, 'message');
  return { child };
}

export const auditBar: Bar = {
  id: 'P9',
  title: 'the audit feed',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.floor();
    const each = bench.quick ? 1_000 : 10_000;
    await server.append(1_000, 100);
    const rates: number[] = [];
    for (let round = 0; round < (bench.quick ? 2 : 5); round++) {
      // A turn of the loop every 100 commits, as the product has one after each.
      const elapsedMs = await server.append(each, 100);
      rates.push(each / (elapsedMs / 1_000));
      bench.say(`P9 ${(rates.at(-1) ?? 0).toFixed(0)} grants on record a second`);
    }
    const { child } = await readers(server.url, server.credential);
    const followed = bench.quick ? 1_000 : 5_000;
    const startedAt = performance.now();
    const appendMs = await server.append(followed, 1);
    child.send({ until: 'head' });
    const [heard] = (await once(child, 'message')) as [Heard];
    const elapsedMs = performance.now() - startedAt;
    child.disconnect();
    return [
      {
        bar: 'P9',
        what: 'grants on record a second, one commit each',
        figure: median(rates),
        unit: '/s',
        limit: atLeast(5_000),
        note: `rounds ${spread(rates, 0)}; outbox row and record with every check`,
      },
      {
        bar: 'P9',
        what: `readers who saw every record (of ${READERS})`,
        figure: heard.complete,
        unit: '',
        limit: exactly(READERS),
        note:
          `${followed} appended at ${(followed / (appendMs / 1_000)).toFixed(0)}/s, ` +
          `${((followed * READERS) / (elapsedMs / 1_000)).toFixed(0)} delivered a second, ${heard.resumed} resumed from their cursor`,
      },
      {
        bar: 'P9',
        what: 'records out of order or twice',
        figure: heard.disorders,
        unit: '',
        limit: exactly(0),
      },
    ];
  },
};
