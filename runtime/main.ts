// Composition root: the only file that sees all rooms of the runtime. Always true: everything is built here, in order,
// and ended here, in the opposite order; no room reaches another but through what it is given. It decides nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { PackSet } from './agents/pack-set.js';
import type { Config } from './config/config.js';
import { ConfigError } from './config/config.js';
import { listenerGuard } from './config/listener.js';
import { openJournal } from './journal/journal.js';
import { type Journal, JournalError } from './journal/port.js';
import { environmentOf } from './leader-environment.js';
import { occupantEnv, revokeTokens } from './occupant-credential.js';
import { packageRoot } from './package-root.js';
import { createPtyRoom, type PtyRoom } from './pty/host.js';
import { createScreenHost } from './screen/host.js';
import { Candidates } from './seats/candidate.js';
import { Handovers } from './seats/handovers.js';
import { LaunchHelp } from './seats/launch.js';
import { PermissionBook } from './seats/permission.js';
import { SeatBook } from './seats/seat-book.js';
import { Submissions } from './seats/submissions.js';
import { HttpError } from './server/error.js';
import { lineageHead } from './server/handover-routes.js';
import { Metrics } from './server/metrics.js';
import type { OuterPort } from './server/outer-proxy.js';
import { Records } from './server/records.js';
import { startServer } from './server/server.js';
import { AdminThrottle, UpgradeThrottle } from './server/throttle.js';
import { Tickets } from './server/tickets.js';
import { systemClock } from './session/clock.js';
import { FloorLedger } from './session/floor-ledger.js';
import { Registry } from './session/registry.js';

export { readPack } from './agents/load.js';
export { ConfigError } from './config/config.js';
export { loadConfig } from './config/load.js';
export { judgeProjectionFile } from './config/projection.js';

export interface RuntimeOptions {
  readonly config: Config;
  /** Folder of the store, created 0700. */
  readonly dataDir: string;
  /** Folder of the user's packs; it may be missing. */
  readonly packFolder?: string;
  readonly log?: Logger | 'silent';
  /** `sha256:` + 64 hex of an admin credential that the caller keeps. */
  readonly adminVerifier?: string;
  /** An outer layer whose routes are served under the runtime's address. */
  readonly outer?: OuterPort;
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

/** What a runtime stands on. Whoever composes one may put something of its own around them, to see or cut what passes. */
export interface Foundations {
  readonly journal: Journal;
  readonly ptys: PtyRoom;
}

/** History lines of each screen model. */
const SCROLLBACK_LINES = 1_000;
const TICK_MS = 1_000;

/** Throws JournalError when the store can't be used, ConfigError when the listener may not be opened. */
export async function startRuntime(options: RuntimeOptions): Promise<RunningRuntime> {
  const { config, dataDir } = options;
  guardListener(config, options.adminVerifier);
  const { auditMessage } = config.floor;
  const journal = openJournal({ file: join(dataDir, 'openfloor.db'), auditMessage });
  return composeRuntime(options, { journal, ptys: createPtyRoom() });
}

/** The same over a journal that is open already; it is closed when the start fails. */
export async function composeRuntime(
  options: RuntimeOptions,
  { journal, ptys }: Foundations,
): Promise<RunningRuntime> {
  const { config } = options;
  const log =
    options.log === 'silent'
      ? pino({ level: 'silent' })
      : (options.log ?? pino({ level: 'warn' }, process.stderr));
  const { pty, server: web, floor } = config;
  await settleStart(journal);
  for (const verifier of [options.adminVerifier, pty.adminCredentialHash]) {
    if (verifier) journal.credentials.admit({ kind: 'admin', name: 'operator' }, verifier, Date.now());
  }
  const screens = createScreenHost();
  const records = new Records(journal, Date.now);
  const clock = systemClock();
  const packs = new PackSet(options.packFolder);
  const storeFailed = (error: unknown) => log.warn({ err: error }, 'the store could not be written');
  const ledger = new FloorLedger({
    journal,
    now: Date.now,
    storeFailed,
    modeEffective: (session, mode) => book.guardEffective(session.spec.name, mode),
  });
  const book = new SeatBook({
    journal,
    packs,
    facts: ptys.facts,
    ledger,
    lineModes: ptys.lineModes,
    auditSync: floor.auditSync,
    defaults: { humanQuietMs: floor.humanQuietMs, confirmMs: floor.confirmMs },
    now: Date.now,
    storeFailed,
  });
  const submissions = new Submissions(book, Date.now);
  const launch = new LaunchHelp(packs, join(options.dataDir, 'launch'));
  const candidates = new Candidates({
    book,
    packs,
    submissions,
    registry: () => registry,
    help: (leader) => launch.help(leader),
    now: Date.now,
  });
  const upgradeThrottle = new UpgradeThrottle();
  let address = '';
  const registry = new Registry({
    clock,
    host: ptys.host,
    screens,
    rules: {
      absoluteMs: pty.absoluteSessionTtlMs ?? undefined,
      detachedIdleMs: pty.detachedIdleTtlMs ?? undefined,
      maxSessions: pty.maxSessions,
      ringBytes: pty.scrollbackBytes,
      scrollbackLines: SCROLLBACK_LINES,
    },
    nextGeneration: (name) => journal.nextGeneration(name),
    revokeTokens: (who, which) => revokeTokens(journal, who, which),
    occupantEnv: (name, generation) => occupantEnv(journal, address, name, generation),
    record: records.session,
    watch: (session) => book.seatOccupant(session),
    vacate: (session, ending) => book.vacate(session, ending),
  });
  const handovers = new Handovers({ book, registry, candidates, journal, now: Date.now });
  const handover = { book, registry, candidates, handovers };
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
  const origins = { origins: web.origins, hosts: web.hosts };
  const version = (
    JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  ).version;
  const server = await startServer({
    host: pty.listen.host,
    port: pty.listen.port,
    version,
    log,
    pageFolder: join(packageRoot(), 'dist/clients/web/page'),
    metrics: new Metrics(registry, abuse),
    seats: {
      book,
      packs,
      registry,
      permissions: new PermissionBook(Date.now),
      held: (seat) => heldCount(journal, seat),
      lineage: (seat) => lineageHead(handover, seat),
    },
    handover,
    transport: { book, submissions, now: Date.now },
    guard: { book, journal, now: Date.now },
    audit: journal.audit,
    note: (entry) => journal.note(entry),
    outer: options.outer,
    planes: {
      book,
      submissions,
      outbox: journal.outbox,
      registry,
      credentials: journal.credentials,
      audit: journal.audit,
      throttle: upgradeThrottle,
      origins,
      now: clock.now,
    },
    gate: {
      credentials: journal.credentials,
      throttle: new AdminThrottle(),
      origins,
      now: clock.now,
      failed: (source, detail, blocked) => {
        abuse.admin_auth_failures++;
        // Inside a block only the count goes on: guessing must not fill the audit feed.
        if (!blocked) records.adminFailed(source, detail);
      },
    },
    admin: {
      registry,
      credentials: journal.credentials,
      tickets,
      abuse,
      attachTokenMs: pty.attachTokenTtlMs ?? undefined,
      openSeat: (name, wish) => {
        if (wish.agent && wish.agent !== 'auto' && packs.find(wish.agent) === undefined) {
          throw new HttpError('unknown_pack', `There is no pack ${JSON.stringify(wish.agent)}.`);
        }
        if (registry.find(name) === undefined) book.open(name, wish);
      },
      lifecycleRefused: (name) => book.get(name)?.floor?.lifecycleRefused(),
      launch: (leader) => {
        const { leader: helped, pack } = launch.help(leader);
        if (pack) book.open(leader.name, {}).launched = true;
        return helped;
      },
      minted: records.minted,
      revoked: records.revoked,
      defaults: {
        command: [pty.command],
        cwd: process.env.HOME ?? '/',
        allowClientCommand: web.allowClientCommand,
        environment: (client) => environmentOf(pty.env, client),
      },
    },
    upgrade: {
      registry,
      credentials: journal.credentials,
      throttle: upgradeThrottle,
      origins,
      replayAll: pty.scrollbackReplay,
      abuse,
      now: clock.now,
      record: records.upgrade,
    },
  }).catch(async (error: unknown) => {
    await screens.close();
    await journal.close();
    throw error;
  });
  address = server.address;
  const ticker = setInterval(() => {
    registry.tick();
    book.tick();
  }, TICK_MS);

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

/** Nothing is served before what the last run left open has its true end. */
async function settleStart(journal: Journal): Promise<void> {
  try {
    journal.settleStart(Date.now());
  } catch (error) {
    await journal.close();
    if (!(error instanceof JournalError)) throw error;
    const { reason, message, next, fault } = error;
    throw new JournalError(reason, `What the last run left open can't be settled: ${message}`, next, fault);
  }
}

function heldCount(journal: Journal, seat: string): number {
  const { records, notices } = journal.outbox.heldQuota(seat);
  return records + notices;
}

/** The runtime terminates no TLS, so it listens beyond loopback only behind something that does (attach contract 2.3). */
function guardListener({ pty, file }: Config, adminVerifier: string | undefined): void {
  const { host, port } = pty.listen;
  const verdict = listenerGuard({
    listen: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    hasAdminCredential: adminVerifier !== undefined || pty.adminCredentialHash !== null,
    tlsTerminatedUpstream: pty.tlsTerminatedUpstream,
  });
  if (verdict.state === 'refused') throw new ConfigError(verdict.text, verdict.next, file ?? 'listen', null);
}
