// Sending to a seat, looking at its screen, and asking what the floor would say. Always true: a send is a floor request
// like any other; capture and the floor question change nothing.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { API_BODY_BYTES } from '../../protocol/limit.js';
import { REASONS } from '../../protocol/reason.js';
import { CaptureAnswer, CaptureBody, FloorAnswer, SendBody } from '../../protocol/transport.js';
import { foregroundView } from '../floor/adopt.js';
import type { Ending } from '../floor/event.js';
import { type Request, readRequest } from '../floor/request.js';
import type { Credential } from '../journal/port.js';
import type { Seat, SeatBook } from '../seats/seat-book.js';
import { identityOf, type Submissions } from '../seats/submissions.js';
import { HttpError } from './error.js';
import { existingInputOf } from './existing-input.js';
import { receiptOf } from './receipt.js';
import { seatOf, senderSees } from './seat-routes.js';
import { requestOf, underEnvelope, warningsOf } from './send.js';

export interface TransportPort {
  readonly book: SeatBook;
  readonly submissions: Submissions;
  now(): number;
}

const SeatParams = Type.Object({ seat: Type.String() });

function targetOf(
  book: SeatBook,
  credential: Credential | undefined,
  body: { seat?: string; session?: string },
): Seat {
  const name = body.seat ?? body.session;
  if (name === undefined) throw new HttpError('seat_required');
  return seatOf(book, credential, name);
}

/** Sending is for whoever may send: an agent to any seat, others to the seats they may see. */
export const sendRoutes =
  ({ book, submissions }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/transport/send',
      { bodyLimit: API_BODY_BYTES, schema: { body: SendBody } },
      async ({ body, credential }, reply) => {
        if (credential === undefined) throw new HttpError('credential_missing');
        const seat = targetOf(book, senderSees(credential), body);
        const warnings = warningsOf(body);
        const input = requestOf(body, underEnvelope(body.text, credential, body));
        const extras = (request: Request, ending: Ending) => {
          const existingInput = existingInputOf(seat, ending);
          return {
            ...(existingInput ? { existingInput } : {}),
            ...(request.typeWithoutChecking ? { type_without_checking: true as const } : {}),
          };
        };
        const { status, answer } = await receiptOf(submissions, seat, input, credential, {
          warnings,
          extras,
        });
        return reply.code(status).send(answer);
      },
    );
  };

export const seatReadRoutes =
  ({ book, now }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/transport/capture',
      { schema: { body: CaptureBody, response: { 200: CaptureAnswer } } },
      async ({ body, credential }) => {
        const seat = targetOf(book, credential, body);
        const session = seat.occupant?.session;
        if (session === undefined) throw missing();
        const { offset, rows, cols, cursor, screen, text } = await session.screen.read();
        // The last rows are the last that hold something.
        const used = text.slice(0, text.findLastIndex((row) => row !== '') + 1);
        const lines = body.lines === undefined ? text : used.slice(-body.lines);
        return { seat: seat.address, offset, rows, cols, cursor, screen, lines: [...lines] };
      },
    );

    app.get(
      '/api/seat/floor/:seat',
      { schema: { params: SeatParams, response: { 200: FloorAnswer } } },
      async ({ params, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        if (seat.floor === undefined || credential === undefined) throw missing();
        // A decision is made with a current reading and the foreground of this turn; so is its explanation.
        await seat.occupant?.session.screen.read().catch(() => undefined);
        if (seat.occupant === undefined) throw missing();
        seat.floor.step({
          kind: 'facts',
          facts: { foreground: foregroundView(seat.occupant.watch.foreground()) },
        });
        return floorAnswer(seat, credential, now());
      },
    );
  };

export const seatSettleRoutes =
  ({ book }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/seat/settle/:seat', { schema: { params: SeatParams } }, async ({ params, credential }) => {
      const seat = seatOf(book, credential, params.seat);
      if (seat.floor === undefined) throw missing();
      seat.floor.step({ kind: 'settle' });
      return { ok: true, seat: seat.address };
    });
  };

function missing(): HttpError {
  return new HttpError('session_missing');
}

function floorAnswer(seat: Seat, credential: Credential, now: number): FloorAnswer {
  const { floor } = seat.floor as NonNullable<Seat['floor']>;
  const probe = readRequest(
    { origin: 'send', body: 'x' },
    {
      id: 'probe',
      seat: seat.address,
      identity: { ...identityOf(credential), kind: 'admin' },
      now,
      commandPrefixes: [],
      sha256: () => '',
    },
  );
  if (!probe.ok) throw new Error('the probe of the floor is not a request');
  const rows = floor.explain(probe.request, now).map(({ row, title, finding }) => ({
    row,
    title,
    result: finding.kind,
    ...('reason' in finding ? { reason: finding.reason } : {}),
    ...('cause' in finding && finding.cause ? { cause: finding.cause } : {}),
    evidence: 'evidence' in finding ? { ...finding.evidence } : {},
  }));
  const first = rows.find(({ result }) => result !== 'pass');
  const reason = first?.reason ?? 'granted';
  const iso = (at: number) => new Date(at).toISOString();
  const { holder } = floor.view;
  return {
    seat: seat.address,
    decision: first === undefined ? 'grant' : first.result,
    reason,
    ...(first?.reason ? { next: REASONS[first.reason].next } : {}),
    holder: holder.kind === 'held' ? holder.request : null,
    rows,
    waiting: [...floor.waiting()].map(({ request, wait }) => ({
      id: request.id,
      origin: request.origin,
      identity: `${request.identity.kind} ${request.identity.seat ?? request.identity.name}`,
      urgent: request.urgent,
      bytes: request.bodyBytes,
      accepted_at: iso(request.acceptedAt),
      deadline_at: iso(request.deadlineAt),
      reason: wait?.reason ?? null,
      since: wait ? iso(wait.sinceAt) : null,
    })),
  };
}
