// The list of sessions as the attach contract shapes it (1.3), with our additions.
import { KILL_DOMAIN_TIER, type SessionList } from '../../protocol/admin.js';
import type { Registry } from '../session/registry.js';

const BEST_EFFORT = {
  tier: KILL_DOMAIN_TIER,
  teardown_best_effort: true,
  absolute_ttl_best_effort: true,
} as const;

/** The kernel's own limit on PTYs; the runtime tracks no more processes than it has sessions. */
const TRACKED_CEILING = 4_096;

export function listSessions(registry: Registry, abuse: Readonly<Record<string, number>>): SessionList {
  const all = registry.list();
  // What runs beside a seat is found by its exact name alone (spec/seats.md).
  const listed = all.filter(({ session }) => !session.hidden);
  return {
    sessions: listed.map(({ session, alive }) => ({
      name: session.spec.name,
      generation: session.generation,
      alive,
      attached: session.audience.size > 0,
      clients: session.audience.size,
      bytes_written: session.ring.end,
      rows: session.size.rows,
      cols: session.size.cols,
      pid: session.pid,
      command: [...(registry.leader(session.spec.name)?.command ?? [])],
      created_at: new Date(Date.now() - (session.port.clock.now() - session.startedAt)).toISOString(),
      ...BEST_EFFORT,
    })),
    draining: registry.draining,
    kill_domain: {
      ...BEST_EFFORT,
      leaked_processes: registry.leakedProcesses,
      tracked_processes: all.length,
      tracked_process_ceiling: TRACKED_CEILING,
      subreaper: { status: 'unsupported' },
    },
    metrics: { ...registry.counters },
    abuse: { ...abuse },
    tools: {},
  };
}
