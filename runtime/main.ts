// Composition root: the only file that sees all rooms of the runtime. Always true: everything is built here, in order,
// and ended here, in the opposite order; no room reaches another but through what it is given. It decides nothing.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { openJournal } from './journal/journal.js';
import { packageRoot } from './package-root.js';
import { buildEnvironment } from './pty/env.js';
import { createPtyRoom } from './pty/host.js';
import { createScreenHost } from './screen/host.js';
import { Metrics } from './server/metrics.js';
import { Records } from './server/records.js';
import { startServer } from './server/server.js';
import { AdminThrottle, UpgradeThrottle } from './server/throttle.js';
import { Tickets } from './server/tickets.js';
import { systemClock } from './session/clock.js';
import { Registry } from './session/registry.js';
import { NOBODY_WATCHES } from './session/session.js';

export interface RuntimeOptions {
  readonly config: RuntimeConfig;
  /** Folder of the store, created 0700. */
  readonly dataDir: string;
  readonly log?: Logger | 'silent';
  /** `sha256:` + 64 hex of an admin credential that the caller keeps. */
  readonly adminVerifier?: string;
}

/** What the runtime needs of the configuration; runtime/config makes it. Durations in milliseconds, undefined: never. */
export interface RuntimeConfig {
  readonly listen: { readonly host: string; readonly port: number };
  readonly command: readonly [string, ...string[]];
  readonly maxSessions: number;
  readonly absoluteTtlMs: number | undefined;
  readonly attachTokenMs: number | undefined;
  readonly detachedIdleMs: number | undefined;
  readonly scrollbackBytes: number;
  readonly scrollbackReplay: boolean;
  readonly env: 'contract' | 'caller';
  readonly clientEnv: readonly string[];
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
  readonly allowClientCommand: boolean;
}

export interface SessionSummary {
  readonly name: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly clients: number;
}

export interface RunningRuntime {
  /** Base URL, without a final slash. */
  readonly address: string;
  /** A one-time login ticket. */
  mintTicket(): string;
  describeSessions(): SessionSummary[];
  /** Graceful end: tells clients, ends every session, closes the server and the store. */
  drain(): Promise<void>;
}

/** History lines of each screen model. */
const SCROLLBACK_LINES = 1_000;
const TICK_MS = 1_000;

export async function startRuntime(options: RuntimeOptions): Promise<RunningRuntime> {
  const { config } = options;
  const log =
    options.log === 'silent'
      ? pino({ level: 'silent' })
      : (options.log ?? pino({ level: 'warn' }, process.stderr));
  const journal = openJournal({ file: join(options.dataDir, 'openfloor.db') });
  journal.settleStart(Date.now());
  if (options.adminVerifier) {
    journal.credentials.admit({ kind: 'admin', name: 'operator' }, options.adminVerifier, Date.now());
  }
  const screens = createScreenHost();
  const ptys = createPtyRoom();
  const records = new Records(journal, Date.now);
  const clock = systemClock();
  const registry = new Registry({
    clock,
    host: ptys.host,
    screens,
    rules: {
      absoluteMs: config.absoluteTtlMs,
      detachedIdleMs: config.detachedIdleMs,
      maxSessions: config.maxSessions,
      ringBytes: config.scrollbackBytes,
      scrollbackLines: SCROLLBACK_LINES,
    },
    nextGeneration: (name) => journal.nextGeneration(name),
    revokeTokens: (name) => journal.credentials.revokeSession(name),
    occupantEnv: () => ({}),
    record: records.session,
    watch: () => NOBODY_WATCHES,
  });
  const abuse = {
    malformed_frames: 0,
    oversize_frames: 0,
    upgrade_failures: 0,
    upgrade_bans: 0,
    input_backpressure_disconnects: 0,
    admin_auth_failures: 0,
    viewer_input_frames: 0,
  };
  const tickets = new Tickets();
  const origins = { origins: config.origins, hosts: config.hosts };
  const version = (
    JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  ).version;
  const server = await startServer({
    host: config.listen.host,
    port: config.listen.port,
    version,
    log,
    metrics: new Metrics(registry, abuse),
    gate: {
      credentials: journal.credentials,
      throttle: new AdminThrottle(),
      origins,
      now: clock.now,
      failed: (source, detail) => {
        abuse.admin_auth_failures++;
        records.adminFailed(source, detail);
      },
    },
    admin: {
      registry,
      credentials: journal.credentials,
      tickets,
      abuse,
      attachTokenMs: config.attachTokenMs,
      minted: records.minted,
      revoked: records.revoked,
      defaults: {
        command: config.command,
        cwd: process.env.HOME ?? '/',
        allowClientCommand: config.allowClientCommand,
        environment: (client) => environmentOf(config, client),
      },
    },
    upgrade: {
      registry,
      credentials: journal.credentials,
      throttle: new UpgradeThrottle(),
      origins,
      replayAll: config.scrollbackReplay,
      abuse,
      now: clock.now,
      record: records.upgrade,
    },
  }).catch(async (error: unknown) => {
    await screens.close();
    await journal.close();
    throw error;
  });
  const ticker = setInterval(() => registry.tick(), TICK_MS);

  return {
    address: server.address,
    mintTicket: () => tickets.issue(Date.now()),
    describeSessions: () =>
      registry.list().map(({ session }) => ({
        name: session.spec.name,
        pid: session.pid,
        command: registry.leader(session.spec.name)?.command ?? [],
        clients: session.audience.size,
      })),
    drain: async () => {
      await registry.drain();
      clearInterval(ticker);
      await server.close();
      await screens.close();
      await journal.close();
    },
  };
}

/** A leader's environment. With `caller` what the client sent is the base; otherwise it may only add what is listed. */
function environmentOf(config: RuntimeConfig, client: Readonly<Record<string, string>> | undefined) {
  const home = homedir();
  if (config.env === 'caller') {
    return { env: buildEnvironment({ mode: 'caller', base: client ?? process.env, home }).env };
  }
  const refused = Object.keys(client ?? {}).find((name) => !config.clientEnv.includes(name));
  if (refused !== undefined) return { refused };
  return {
    env: buildEnvironment({ mode: 'contract', base: process.env, home, ...(client ? { asked: client } : {}) })
      .env,
  };
}
