// Candidates: occupants beside a seat that may take it. Always true: what a pack or a seat doesn't offer is refused before
// anything is started; a candidate is found by its own name alone, is ready only by a hard signal, and touches the seat in
// no way; creating one and binding it are two things. Candidates die with the runtime.
import { randomBytes, randomUUID } from 'node:crypto';
import type { CandidateEntry } from '../../protocol/handover.js';
import { formatAddress, parseAddress } from '../../protocol/name.js';
import type { Pack } from '../agents/load.js';
import type { PackSet } from '../agents/pack-set.js';
import type { Credential } from '../journal/port.js';
import type { LeaderSpec, Registry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { type Argv, conversationIn, planStart } from './conversation.js';
import type { CreationMode } from './handover.js';
import { type Launched, packOf } from './launch.js';
import { type Artifact, restorePacket } from './restore.js';
import type { Seat, SeatBook } from './seat-book.js';
import { failureOf, SeatError } from './seat-error.js';
import type { Submissions } from './submissions.js';

export interface CandidateWish {
  readonly mode: CreationMode;
  readonly reason: string;
  readonly conversation: string | undefined;
  readonly artifacts: readonly Artifact[];
}

/** How a candidate would be started: made without any effect. */
export interface CandidatePlan extends CandidateWish {
  readonly seat: Seat;
  readonly pack: Pack;
  readonly leader: LeaderSpec;
  readonly command: Argv;
  readonly base: Argv;
}

export interface Candidate extends CandidateEntry {
  readonly place: Seat;
  readonly plan: CandidatePlan;
  live: Session | undefined;
}

export interface CandidatesPort {
  readonly book: SeatBook;
  readonly packs: PackSet;
  registry(): Registry;
  readonly submissions: Submissions;
  help(leader: LeaderSpec): Launched;
  now(): number;
}

/** Candidates of one seat at a time: each is a running agent. */
export const CANDIDATES = 4;

export class Candidates {
  readonly #all = new Map<string, Candidate>();

  constructor(readonly port: CandidatesPort) {}

  list(seat: Seat): Candidate[] {
    return [...this.#all.values()].filter((candidate) => candidate.seat === seat.address);
  }

  /** Throws SeatError `candidate_missing`. */
  get(seat: Seat, id: string): Candidate {
    const candidate = this.#all.get(id);
    if (candidate?.seat !== seat.address) throw new SeatError('candidate_missing');
    return candidate;
  }

  /** The conversation of who sits there, as its hooks, its start or its command line tell. */
  conversationOf(seat: Seat): string | undefined {
    const { occupant } = seat;
    if (occupant === undefined) return undefined;
    const { book, registry } = this.port;
    const pack = occupant.watch.pack ?? this.#packOf(seat);
    return (
      book.lineage.conversationOf(occupant.session) ??
      conversationIn(registry().leader(seat.address)?.command ?? [], pack?.conversation)
    );
  }

  #packOf(seat: Seat): Pack | undefined {
    const { packs, registry } = this.port;
    const leader = registry().leader(seat.address);
    return seat.occupant?.watch.pack ?? (leader && packOf(packs, leader)) ?? packs.find(seat.settings.agent);
  }

  /** Throws SeatError when the seat, its pack or what is known of it doesn't allow this mode. No effect. */
  plan(seat: Seat, wish: CandidateWish): CandidatePlan {
    const { packs, registry } = this.port;
    const { occupant } = seat;
    const leader = registry().leader(seat.address);
    if (occupant === undefined || leader === undefined) throw new SeatError('session_missing');
    if (this.list(seat).length >= CANDIDATES)
      throw new SeatError('capacity', `The seat has ${CANDIDATES} candidates already; drop one.`);
    const pack = this.#packOf(seat);
    const unsupported = (why: string) => new SeatError('creation_mode_unsupported', why);
    if (pack === undefined || pack.kind !== 'agent')
      throw unsupported('No agent is known in this seat, so nothing says when a candidate would be ready.');
    // A shell that an agent was started in by hand is no command of an agent.
    const shells = packs.find('shells')?.process.names ?? [];
    const program = leader.command[0].slice(leader.command[0].lastIndexOf('/') + 1);
    const command = (shells.includes(program) ? pack.command : leader.command) as Argv | undefined;
    if (command === undefined)
      throw unsupported(`The pack ${pack.name} doesn't say how its agent is started.`);
    const known = wish.conversation ?? this.conversationOf(seat);
    const { model, effort } = seat.settings;
    const start = planStart(command, pack, {
      mode: wish.mode,
      id: known,
      newId: randomUUID(),
      model,
      effort,
    });
    if (start.kind === 'unsupported')
      throw unsupported(`The pack ${pack.name} has no way to ${wish.mode} a conversation.`);
    if (start.kind === 'unknown_conversation') throw new SeatError('conversation_unknown');
    const { base, conversation } = start;
    return { ...wish, seat, pack, leader, command: start.command, base, conversation };
  }

  /** Starts it; it is `requested` until it is ready. Rejects with `candidate_failed`, and then nothing is left of it. */
  async start(plan: CandidatePlan): Promise<Candidate> {
    const { book, registry } = this.port;
    const { seat, leader, base, command } = plan;
    const id = `c${randomBytes(5).toString('hex')}`;
    const address = formatAddress({ name: `candidate-${id}`, rig: parseAddress(seat.address)?.rig ?? '' });
    const place = book.besideSeat(seat, address);
    const candidate: Candidate = {
      id,
      seat: seat.address,
      mode: plan.mode,
      state: 'requested',
      session: address,
      generation: null,
      conversation: plan.conversation ?? null,
      artifacts: plan.artifacts.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
      created_at: new Date(this.port.now()).toISOString(),
      reason: plan.reason,
      failure: null,
      place,
      plan,
      live: undefined,
    };
    this.#all.set(id, candidate);
    const size = seat.occupant?.session.size ?? { rows: leader.rows, cols: leader.cols };
    try {
      const wish: LeaderSpec = { ...leader, ...size, name: address, candidateOf: seat.address, command };
      const helped = this.port.help(wish);
      const session = await registry().create({
        ...helped.leader,
        command: base,
        once: helped.leader.command,
      });
      place.launched = helped.pack !== undefined;
      candidate.live = session;
      candidate.generation = session.generation;
      if (plan.conversation !== undefined) book.lineage.conversation(session, plan.conversation);
      return candidate;
    } catch (error) {
      const failure = failureOf(error);
      await this.drop(candidate);
      throw new SeatError('candidate_failed', `The candidate could not be started: ${failure.message}`);
    }
  }

  /** Resolves at the first hard sign that it takes input; rejects with `candidate_failed` when it ends or takes too long. */
  ready(candidate: Candidate): Promise<void> {
    const { book } = this.port;
    const { place, plan } = candidate;
    return new Promise((resolve, reject) => {
      const limitMs = plan.pack.ready_ms;
      const end = (why?: string) => {
        clearTimeout(timer);
        unlisten();
        if (why === undefined) {
          candidate.state = 'realized';
          return resolve();
        }
        candidate.state = 'failed';
        candidate.failure = { reason: 'candidate_failed', message: why };
        reject(new SeatError('candidate_failed', why));
      };
      const look = () => {
        if (isReady(place)) end();
        else if (place.occupant === undefined) end('The candidate ended before it was ready.');
      };
      const timer = setTimeout(() => {
        const { state = 'unknown', kind } = place.occupant?.status ?? {};
        const last = kind === undefined ? state : `${state}, ${kind}`;
        end(`The candidate was not ready within ${limitMs} ms; its status was ${last}.`);
      }, limitMs);
      const unlisten = book.listen((seat) => {
        if (seat === place) look();
      }, true);
      look();
    });
  }

  /** Types the restore packet to a ready candidate; resolves when its turn is confirmed. Rejects with SeatError. */
  restore(candidate: Candidate, credential: Credential): Promise<void> {
    const { place, plan } = candidate;
    const { seat, artifacts, reason } = plan;
    const reading = seat.occupant?.session.screen.reading;
    const body = restorePacket({
      seat: seat.address,
      predecessor: seat.address,
      reason,
      at: new Date(this.port.now()).toISOString(),
      artifacts,
      screen: reading?.text ?? [],
    });
    const failed = (why: string) => {
      candidate.state = 'failed';
      candidate.failure = { reason: 'restore_unconfirmed', message: why };
      return new SeatError('restore_unconfirmed', why);
    };
    return new Promise((resolve, reject) => {
      const input = { origin: 'lifecycle', body, wait_ms: plan.pack.ready_ms } as const;
      const submitted = this.port.submissions.submit(place, input, credential, (event) => {
        if (event.kind !== 'outcome') return;
        const { state, confirmed, reason: why } = event.ending;
        if (state === 'complete' && confirmed) resolve();
        else reject(failed(`The restore packet was not confirmed by a turn: ${state}, ${why}.`));
      });
      if (submitted.kind === 'refused')
        reject(failed(`The restore packet was refused: ${submitted.reason}.`));
    });
  }

  /** It has the seat now, and is no candidate any more. */
  bound(candidate: Candidate): void {
    this.#all.delete(candidate.id);
  }

  /** Ends its processes and forgets it. */
  async drop(candidate: Candidate): Promise<void> {
    const { book, registry } = this.port;
    this.#all.delete(candidate.id);
    if (registry().find(candidate.session))
      await registry()
        .kill(candidate.session)
        .catch(() => {});
    book.forget(candidate.place);
  }
}

/** A hard idle; where that may be a dialog, too, the composer must be seen empty. */
function isReady({ occupant }: Seat): boolean {
  if (occupant === undefined) return false;
  const { status, session, watch } = occupant;
  if (status.state !== 'idle' || !status.hard) return false;
  if (watch.pack?.composer === undefined) return true;
  return session.screen.reading?.composer.kind === 'empty';
}
