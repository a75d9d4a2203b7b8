// Every session by name, from its start to its end. Always true: a name has at most one session; a slot is taken before
// the first await, so that concurrent creates start one PTY; generations of a name only rise; slow ends of one session
// delay no other. It knows tokens and the store only through its port.

import type { CloseCode } from '../../protocol/close-code.js';
import type { ServerFrame } from '../../protocol/frame.js';
import { DRAIN_GRACE_MS, TOMBSTONES } from '../../protocol/limit.js';
import { type KillReport, type PtyExit, type PtyHost, PtySpawnError } from '../pty/port.js';
import type { ScreenHost } from '../screen/port.js';
import type { LeaveReason } from './audience.js';
import type { Client } from './client.js';
import { follow } from './follow.js';
import { judgeLifetime, type LifetimeRules } from './lifetime.js';
import { RegistryError } from './registry-error.js';
import { type Clock, Session, type SessionWatcher } from './session.js';

/** What a session is started from, and started again from after a restart. */
export interface LeaderSpec {
  readonly name: string;
  /** The seat that it is started for, where that is not its name yet: a candidate. Such a session is hidden. */
  readonly candidateOf?: string;
  /** Run at this start alone; a restart runs `command`. */
  readonly once?: readonly [string, ...string[]];
  readonly rows: number;
  readonly cols: number;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly agent: string | undefined;
  readonly kind: 'agent' | 'terminal';
}

export type Ending =
  | 'admin_kill'
  | 'ttl_expired'
  | 'self_exit'
  | 'runtime_shutdown'
  | 'restart'
  | 'handed_over';

export type SessionEvent =
  | { readonly kind: 'created' | 'renewed' | 'restarted'; readonly session: Session }
  | {
      readonly kind: 'ended';
      readonly session: Session;
      readonly ending: Ending;
      readonly report: KillReport;
    }
  | { readonly kind: 'left'; readonly session: Session; readonly client: Client; readonly why: LeaveReason };

export interface RegistryRules extends LifetimeRules {
  readonly maxSessions: number;
  readonly ringBytes: number;
  readonly scrollbackLines: number;
}

export interface RegistryPort {
  readonly clock: Clock;
  readonly host: PtyHost;
  readonly screens: ScreenHost;
  readonly rules: RegistryRules;
  /** The next generation of a name: rises for ever, also across restarts of the runtime. */
  nextGeneration(name: string): number;
  /** No attach token of this session is valid any more; `all`: nor any other credential of its occupant. */
  revokeTokens(session: SessionIdentity, which: 'attach' | 'all'): void;
  /** The environment that a leader gets besides its spec's, for example its own credential. */
  occupantEnv(name: string, generation: number): Readonly<Record<string, string>>;
  record(event: SessionEvent): void;
  /** Who watches a session, made with it. */
  watch(session: Session): SessionWatcher;
  /** The session is over and its processes are gone or told. */
  vacate(session: Session, ending: Ending | 'start_failed'): void;
}

/** A session by its name of now, and by the seat and generation that its leader was started with. */
export type SessionIdentity = Pick<Session['spec'], 'name' | 'seat' | 'generation'>;

export interface SeatTaking {
  readonly candidate: Session;
  readonly seat: string;
  /** Who has the seat now, if anybody. */
  readonly old: Session | undefined;
  readonly keptAs: string | undefined;
  /** Last frame of the old stream for those who follow. */
  readonly told: ServerFrame;
  /** Both sessions have their new names; nobody has followed yet. */
  moved(): void;
}

type Slot =
  | { readonly kind: 'starting' }
  | { readonly kind: 'live'; readonly session: Session; readonly leader: LeaderSpec }
  | { readonly kind: 'ending'; readonly session: Session; readonly ended: Promise<KillReport> };

const ENDINGS: Readonly<Record<Ending, { readonly code: CloseCode; readonly why: LeaveReason }>> = {
  admin_kill: { code: 4008, why: 'session_over' },
  ttl_expired: { code: 4001, why: 'session_over' },
  self_exit: { code: 4004, why: 'session_over' },
  runtime_shutdown: { code: 4006, why: 'session_over' },
  restart: { code: 4004, why: 'session_over' },
  handed_over: { code: 4004, why: 'session_over' },
};

export class Registry {
  readonly counters = {
    sessions_created: 0,
    admission_rejected: 0,
    takeovers: 0,
    takeovers_rate_limited: 0,
    ttl_expired: 0,
    self_exits: 0,
  };
  leakedProcesses = 0;
  readonly #slots = new Map<string, Slot>();
  readonly #tombstones = new Map<string, LeaderSpec>();
  /** Being ended while their clients stay attached, to follow the seat. */
  readonly #detaching = new Set<Session>();
  #draining = false;

  constructor(readonly port: RegistryPort) {}

  get draining(): boolean {
    return this.#draining;
  }

  /** The live session of that name. */
  find(name: string): Session | undefined {
    const slot = this.#slots.get(name);
    return slot?.kind === 'live' ? slot.session : undefined;
  }

  leader(name: string): LeaderSpec | undefined {
    const slot = this.#slots.get(name);
    return slot?.kind === 'live' ? slot.leader : this.#tombstones.get(name);
  }

  /** Live sessions and those being torn down, by name. */
  list(): ReadonlyArray<{ readonly session: Session; readonly alive: boolean }> {
    return [...this.#slots.values()]
      .flatMap((slot) =>
        slot.kind === 'starting' ? [] : [{ session: slot.session, alive: slot.kind === 'live' }],
      )
      .sort((a, b) => (a.session.spec.name < b.session.spec.name ? -1 : 1));
  }

  async create(leader: LeaderSpec): Promise<Session> {
    if (this.#draining) throw new RegistryError('draining', leader.name);
    if (this.#slots.has(leader.name)) throw new RegistryError('session_exists', leader.name);
    const session = await this.#start(leader);
    this.port.record({ kind: 'created', session });
    return session;
  }

  /** A new generation of the same process: every token and attachment of the old one ends. */
  renew(name: string): Session {
    const slot = this.#slots.get(name);
    if (slot === undefined || slot.kind === 'starting') throw new RegistryError('session_missing', name);
    if (slot.kind === 'ending') throw new RegistryError('session_dead', name);
    const { session } = slot;
    this.port.revokeTokens(session.spec, 'attach');
    session.generation = this.port.nextGeneration(name);
    session.audience.closeAll(4003, 'token_renewed');
    session.audience.refreshBudget();
    this.port.record({ kind: 'renewed', session });
    return session;
  }

  /** A new process under the same name, size and command. A start that fails leaves the name restartable. */
  async restart(name: string): Promise<Session> {
    const slot = this.#slots.get(name);
    // What runs beside a seat has no place that it could be started again in.
    if (slot?.kind !== 'starting' && slot?.session.hidden) throw new RegistryError('session_missing', name);
    if (slot?.kind === 'live') await this.#end(name, 'restart');
    else if (slot?.kind === 'ending') await slot.ended;
    const leader = this.#tombstones.get(name);
    if (leader === undefined) throw new RegistryError('session_missing', name);
    if (this.#slots.has(name)) throw new RegistryError('session_exists', name);
    const session = await this.#start(leader);
    this.port.record({ kind: 'restarted', session });
    return session;
  }

  async kill(name: string): Promise<{ readonly session: Session; readonly report: KillReport }> {
    const slot = this.#slots.get(name);
    if (slot?.kind !== 'live') throw new RegistryError('session_missing', name);
    return { session: slot.session, report: await this.#end(name, 'admin_kill') };
  }

  /**
   * Ends a session's processes while its clients stay attached to what is left of it. With survivors it isn't detached:
   * it is still there, and `undetach` makes it an ordinary session again.
   */
  async detach(name: string): Promise<KillReport> {
    const slot = this.#slots.get(name);
    if (slot?.kind === 'ending') return slot.ended;
    if (slot?.kind !== 'live') return { survivors: [], elapsedMs: 0 };
    this.#detaching.add(slot.session);
    return (await slot.session.pty?.kill()) ?? { survivors: [], elapsedMs: 0 };
  }

  undetach(session: Session): void {
    if (this.#detaching.delete(session) && session.exit) this.#exited(session, session.exit);
  }

  /**
   * A candidate takes a seat's name, and everybody attached there follows it. Who had the seat goes on under `keptAs`;
   * without, it was detached and is over. All in one turn. Throws RegistryError when either is not what it was.
   */
  takeSeat({ candidate, seat, old, keptAs, told, moved }: SeatTaking): void {
    const slot = this.#slots.get(candidate.spec.name);
    const before = this.#slots.get(seat);
    if (slot?.kind !== 'live' || slot.session !== candidate)
      throw new RegistryError('session_missing', candidate.spec.name);
    if (before !== undefined && (before.kind !== 'live' || before.session !== old))
      throw new RegistryError('session_exists', seat);
    const { candidateOf: _, once: __, ...leader } = slot.leader;
    this.port.revokeTokens(candidate.spec, 'attach');
    this.#slots.delete(candidate.spec.name);
    if (before) {
      this.port.revokeTokens(before.session.spec, keptAs === undefined ? 'all' : 'attach');
      if (keptAs !== undefined) {
        before.session.rename(keptAs);
        before.session.hidden = true;
        this.#slots.set(keptAs, { ...before, leader: { ...before.leader, name: keptAs } });
      }
    }
    candidate.rename(seat);
    candidate.hidden = false;
    candidate.generation = this.port.nextGeneration(seat);
    this.#slots.set(seat, { kind: 'live', session: candidate, leader: { ...leader, name: seat } });
    this.#tombstones.delete(seat);
    moved();
    if (before) follow(before.session, candidate, told);
    if (before && keptAs === undefined) this.#over(before.session);
  }

  /** A session whose processes were ended by `detach` and whose clients have gone on. */
  #over(session: Session): void {
    this.#detaching.delete(session);
    session.closeAll(ENDINGS.handed_over.code, ENDINGS.handed_over.why);
    session.dispose();
    const report = { survivors: [], elapsedMs: 0 };
    this.port.record({ kind: 'ended', session, ending: 'handed_over', report });
    this.port.vacate(session, 'handed_over');
  }

  /** Once a second: lifetimes, pings, clients that take nothing. */
  tick(): void {
    const now = this.port.clock.now();
    for (const [name, slot] of this.#slots) {
      if (slot.kind !== 'live') continue;
      const { session } = slot;
      session.audience.detachStalled();
      session.audience.ping();
      const verdict = judgeLifetime(
        this.port.rules,
        {
          startedAt: session.startedAt,
          lastActivityAt: session.lastActivityAt,
          attached: session.audience.size > 0,
          warned: session.ttlWarned,
        },
        now,
      );
      if (verdict.kind === 'warn') {
        // Only who is attached can be warned; who attaches later still is.
        if (session.audience.size === 0) continue;
        session.ttlWarned = true;
        const seconds_remaining = verdict.secondsRemaining;
        session.audience.broadcast({ v: 1, type: 'ttl-warning', seconds_remaining, absolute: true });
      } else if (verdict.kind === 'expired') {
        this.counters.ttl_expired++;
        void this.#end(name, 'ttl_expired');
      }
    }
  }

  /** Announces the end, waits for those attached, then ends every session at once. */
  async drain(): Promise<void> {
    this.#draining = true;
    const live = [...this.#slots.values()].filter((slot) => slot.kind === 'live');
    const attached = live.filter((slot) => slot.session.audience.size > 0);
    for (const { session } of attached) {
      const seconds_remaining = DRAIN_GRACE_MS / 1000;
      session.audience.broadcast({
        v: 1,
        type: 'shutting-down',
        seconds_remaining,
        ephemeral_workspace_reset: true,
      });
    }
    if (attached.length > 0) await new Promise<void>((done) => this.port.clock.after(DRAIN_GRACE_MS, done));
    const names = [...this.#slots.keys()];
    await Promise.all(names.map((name) => this.#end(name, 'runtime_shutdown')));
  }

  async #start(leader: LeaderSpec): Promise<Session> {
    const { port } = this;
    const { name, rows, cols, once, command, cwd, candidateOf } = leader;
    const seat = candidateOf ?? name;
    if (this.#slots.size >= port.rules.maxSessions) {
      this.counters.admission_rejected++;
      throw new RegistryError('capacity', String(port.rules.maxSessions));
    }
    const generation = port.nextGeneration(seat);
    this.#slots.set(name, { kind: 'starting' });
    let session: Session | undefined;
    try {
      const { ringBytes, scrollbackLines } = port.rules;
      session = new Session(
        { name, seat, generation, rows, cols, ringBytes, scrollbackLines },
        {
          clock: port.clock,
          screens: port.screens,
          watch: port.watch,
          left: (from, client, why) => port.record({ kind: 'left', session: from, client, why }),
          exited: (from, exit) => this.#exited(from, exit),
        },
      );
      session.hidden = candidateOf !== undefined;
      const env = { ...leader.env, ...port.occupantEnv(seat, generation) };
      const pty = await port.host.spawn(
        { command: once ?? command, cwd, env, rows, cols },
        { data: session.output, exit: session.exited },
      );
      session.own(pty);
      this.#slots.set(name, { kind: 'live', session, leader });
      this.#tombstones.delete(name);
      this.counters.sessions_created++;
      // A leader that ended while it was being started has told so before it was live.
      if (session.exit) this.#exited(session, session.exit);
      return session;
    } catch (error) {
      session?.dispose();
      if (session) port.vacate(session, 'start_failed');
      this.#slots.delete(name);
      this.port.revokeTokens({ name, seat, generation }, 'all');
      if (error instanceof PtySpawnError) throw new RegistryError(error.reason, error.message);
      throw error;
    }
  }

  #exited(session: Session, exit: PtyExit): void {
    const slot = this.#slots.get(session.spec.name);
    if (slot?.kind !== 'live' || slot.session !== session || this.#detaching.has(session)) return;
    this.counters.self_exits++;
    void this.#end(session.spec.name, 'self_exit', exit);
  }

  #end(name: string, ending: Ending, exit?: PtyExit): Promise<KillReport> {
    const slot = this.#slots.get(name);
    if (slot?.kind === 'ending') return slot.ended;
    if (slot?.kind !== 'live') return Promise.resolve({ survivors: [], elapsedMs: 0 });
    const { session, leader } = slot;
    const { code, why } = ENDINGS[ending];
    this.port.revokeTokens(session.spec, 'all');
    const last = exit ? ({ v: 1, type: 'exit', code: exit.code, signal: exit.signal } as const) : undefined;
    session.closeAll(code, why, last);
    const ended = this.#tearDown(session, leader, ending);
    this.#slots.set(name, { kind: 'ending', session, ended });
    return ended;
  }

  async #tearDown(session: Session, leader: LeaderSpec, ending: Ending): Promise<KillReport> {
    const report = (await session.pty?.kill()) ?? { survivors: [], elapsedMs: 0 };
    session.dispose();
    this.#slots.delete(leader.name);
    if (!session.hidden) this.#bury({ ...leader, ...session.size });
    this.leakedProcesses += report.survivors.length;
    this.port.record({ kind: 'ended', session, ending, report });
    this.port.vacate(session, ending);
    return report;
  }

  /** The oldest tombstone makes room: only its name's restart is lost. */
  #bury(leader: LeaderSpec): void {
    this.#tombstones.delete(leader.name);
    this.#tombstones.set(leader.name, leader);
    if (this.#tombstones.size > TOMBSTONES) {
      const oldest = this.#tombstones.keys().next().value;
      if (oldest !== undefined) this.#tombstones.delete(oldest);
    }
  }
}
