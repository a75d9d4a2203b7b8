// Prometheus figures of one runtime, collected when somebody asks. It counts nothing itself: every figure is read from
// where it lives.
import { collectDefaultMetrics, Gauge, Registry as Prometheus } from 'prom-client';
import type { Registry } from '../session/registry.js';

export class Metrics {
  readonly #prometheus = new Prometheus();

  constructor(registry: Registry, abuse: Readonly<Record<string, number>>) {
    collectDefaultMetrics({ register: this.#prometheus, prefix: 'openfloor_' });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name: `openfloor_${name}`,
        help,
        registers: [this.#prometheus],
        collect() {
          this.set(read());
        },
      });
    const live = () => registry.list().map(({ session }) => session);
    gauge('sessions', 'Sessions, those being torn down included', () => live().length);
    gauge('clients', 'Attached clients', () => live().reduce((sum, { audience }) => sum + audience.size, 0));
    gauge('output_bytes', 'Output of the live sessions since their start', () =>
      live().reduce((sum, { ring }) => sum + ring.end, 0),
    );
    gauge('input_waiting_bytes', 'Operator input that the children have not read', () =>
      live().reduce((sum, { writer }) => sum + writer.waitingBytes, 0),
    );
    gauge('screen_backlog_bytes', 'Output that the screen models have not parsed', () =>
      live().reduce((sum, { screen }) => sum + screen.backlogBytes, 0),
    );
    gauge(
      'leaked_processes',
      'Processes that survived the end of their session',
      () => registry.leakedProcesses,
    );
    for (const name of Object.keys(registry.counters) as Array<keyof Registry['counters']>) {
      gauge(`${name}_total`, `Counter ${name} of the admin plane`, () => registry.counters[name]);
    }
    for (const name of Object.keys(abuse)) {
      gauge(`abuse_${name}_total`, `Counter ${name} of the admin plane`, () => abuse[name] ?? 0);
    }
  }

  get contentType(): string {
    return this.#prometheus.contentType;
  }

  text(): Promise<string> {
    return this.#prometheus.metrics();
  }
}
