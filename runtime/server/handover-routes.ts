// Handovers, candidates and lineage over HTTP (spec/seats.md). Always true: what is refused is refused before any effect;
// an attempt that failed or halted answers with its whole record and the reason; only operators create, bind and recover.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  CandidateBody,
  type CandidateEntry,
  CandidateList,
  HandoverBody,
  type HandoverRecord,
  LineageAnswer,
  type LineageEntry,
  type LineageHead,
  RecoverBody,
} from '../../protocol/handover.js';
import { REASONS, type Reason } from '../../protocol/reason.js';
import type { OccupantRow } from '../journal/port.js';
import type { Candidate, CandidatePlan, Candidates } from '../seats/candidate.js';
import type { CreationMode } from '../seats/handover.js';
import type { Handovers } from '../seats/handovers.js';
import { formerName } from '../seats/lineage.js';
import { readArtifacts } from '../seats/restore.js';
import type { Seat, SeatBook } from '../seats/seat-book.js';
import { actorOf } from '../seats/submissions.js';
import type { Registry } from '../session/registry.js';
import { HttpError } from './error.js';
import { seatOf } from './seat-routes.js';

export interface HandoverRoutesPort {
  readonly book: SeatBook;
  readonly registry: Registry;
  readonly candidates: Candidates;
  readonly handovers: Handovers;
}

const SeatParams = Type.Object({ seat: Type.String() });
const CandidateParams = Type.Object({ seat: Type.String(), id: Type.String() });
/** Occupants and handovers that one answer lists. */
const LINEAGE_ROWS = 200;

interface Wish {
  readonly mode: CreationMode;
  readonly reason: string;
  readonly conversation?: string;
  readonly artifacts?: readonly string[];
}

function needReason(reason: string): void {
  if (reason.trim() === '') throw new HttpError('missing_reason');
}

async function planOf(
  { registry, candidates }: HandoverRoutesPort,
  seat: Seat,
  wish: Wish,
): Promise<CandidatePlan> {
  const { mode, reason, conversation, artifacts = [] } = wish;
  if (artifacts.length > 0 && mode !== 'rebuild')
    throw new HttpError('invalid_request', 'Only a rebuild takes artifacts.');
  // Before any file is read: what the seat doesn't offer is the first thing to say.
  candidates.plan(seat, { mode, reason, conversation, artifacts: [] });
  const folder = registry.leader(seat.address)?.cwd ?? '/';
  return candidates.plan(seat, {
    mode,
    reason,
    conversation,
    artifacts: await readArtifacts(artifacts, folder),
  });
}

function entryOf(candidate: Candidate): CandidateEntry {
  const { place: _, plan: __, live: ___, ...entry } = candidate;
  return entry;
}

const iso = (at: number) => new Date(at).toISOString();

function lineageEntry(port: HandoverRoutesPort, seat: Seat, row: OccupantRow): LineageEntry {
  const { occupant } = seat;
  const bound = row.state === 'bound' && row.endedAt === null;
  const name = bound
    ? seat.address
    : (formerName(seat.address, row.version) ?? `${seat.address}-v${row.version}`);
  const running = bound ? occupant !== undefined : port.registry.find(name)?.hidden === true;
  const conversation = row.conversation ?? (bound ? port.candidates.conversationOf(seat) : undefined) ?? null;
  return {
    name,
    version: row.version,
    generation: row.generation,
    state: row.state,
    conversation,
    bound_at: iso(row.boundAt),
    ended_at: row.endedAt === null ? null : iso(row.endedAt),
    outcome: row.outcome,
    running,
  };
}

const bindingState = (record: HandoverRecord | undefined) =>
  record === undefined ? 'stable' : record.state === 'halted' ? 'halted' : 'binding';

/** The part of a seat's status. */
export function lineageHead(port: HandoverRoutesPort, seat: Seat): LineageHead {
  const { occupant } = seat;
  const row = occupant && port.book.lineage.rowOf(occupant.session);
  if (row === undefined) return { state: 'unavailable', cause: 'no_occupant_recorded' };
  const record = port.handovers.openOf(seat);
  return {
    state: 'known',
    seat: bindingState(record),
    version: row.version,
    generation: row.generation,
    conversation: row.conversation ?? port.candidates.conversationOf(seat) ?? null,
    bound_at: iso(row.boundAt),
    handover: record?.handover ?? null,
    step: record?.step ?? null,
  };
}

/** For everybody who may see the seat. */
export const lineageRoutes =
  (port: HandoverRoutesPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/seat/lineage/:seat',
      { schema: { params: SeatParams, response: { 200: LineageAnswer } } },
      async ({ params, credential }) => {
        const seat = seatOf(port.book, credential, params.seat);
        const { occupants, handovers } = port.book.lineage.read(seat.address, LINEAGE_ROWS);
        const binding = port.handovers.openOf(seat);
        return {
          seat: seat.address,
          state: bindingState(binding),
          binding: binding ?? null,
          occupants: occupants.map((row) => lineageEntry(port, seat, row)),
          handovers: handovers.map(({ record }) => record as unknown as HandoverRecord),
        };
      },
    );
  };

/** For operators. */
export const handoverRoutes =
  (port: HandoverRoutesPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { book, candidates, handovers } = port;

    app.post(
      '/api/seat/handover/:seat',
      { bodyLimit: 131_072, schema: { params: SeatParams, body: HandoverBody } },
      async ({ params, body, credential }, reply) => {
        const seat = seatOf(book, credential, params.seat);
        if (credential === undefined) throw new HttpError('seat_not_found');
        const { mode, candidate: id, reason, routine } = body;
        needReason(reason);
        handovers.refuseLocked(seat);
        if ((mode === undefined) === (id === undefined))
          throw new HttpError('invalid_request', 'Give exactly one of mode and candidate.');
        const candidate = id === undefined ? undefined : candidates.get(seat, id);
        if (candidate && candidate.state !== 'realized')
          throw new HttpError('candidate_failed', `The candidate is ${candidate.state}.`);
        const plan = mode === undefined ? undefined : await planOf(port, seat, { ...body, mode });
        const wish = {
          plan,
          candidate,
          asked: body.disposition ?? 'retire',
          strict: body.strict_disposition ?? false,
          reason,
          routine,
          credential,
        } as const;
        if (body.dry_run) return handovers.dryRun(seat, wish);
        const record = await handovers.handover(seat, wish);
        if (record.failure === null) return record;
        const why = record.failure.reason as Reason;
        const { status, next } = REASONS[why];
        const code = status >= 400 ? status : 502;
        return reply.code(code).send({ ...record, error: record.failure.message, reason: why, next });
      },
    );

    app.post(
      '/api/seat/recover/:seat',
      { schema: { params: SeatParams, body: RecoverBody } },
      async ({ params, body, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        needReason(body.reason);
        return handovers.recover(seat, body.as, body.reason, actorOf(credential));
      },
    );

    app.post(
      '/api/seat/candidate/:seat',
      { bodyLimit: 131_072, schema: { params: SeatParams, body: CandidateBody } },
      async ({ params, body, credential }, reply) => {
        const seat = seatOf(book, credential, params.seat);
        if (credential === undefined) throw new HttpError('seat_not_found');
        needReason(body.reason);
        const plan = await planOf(port, seat, body);
        const candidate = await candidates.start(plan);
        try {
          await candidates.ready(candidate);
          if (plan.mode === 'rebuild') await candidates.restore(candidate, credential);
        } catch (error) {
          await candidates.drop(candidate);
          throw error;
        }
        return reply.code(201).send(entryOf(candidate));
      },
    );

    app.get(
      '/api/seat/candidate/:seat',
      { schema: { params: SeatParams, response: { 200: CandidateList } } },
      async ({ params, credential }) => ({
        candidates: candidates.list(seatOf(book, credential, params.seat)).map(entryOf),
      }),
    );

    app.delete(
      '/api/seat/candidate/:seat/:id',
      { schema: { params: CandidateParams } },
      async ({ params, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        const candidate = candidates.get(seat, params.id);
        if (handovers.openOf(seat)?.candidate === candidate.id) handovers.refuseLocked(seat);
        await candidates.drop(candidate);
        return entryOf(candidate);
      },
    );
  };
