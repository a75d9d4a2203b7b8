// The interaction policy of a seat, and what it governs: compaction of its agent. Always true: only an operator makes the
// choice; it is complete, audited in the same commit, and read again before each further input; a caller that is attributed
// to no seat keeps what it could do before there were choices.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { PolicyBody, PolicyValue, policyOf, policyValue } from '../../protocol/policy.js';
import { type Seat, seatPolicy } from '../seats/seat-book.js';
import { actorOf } from '../seats/submissions.js';
import { HttpError } from './error.js';
import { receiptOf } from './receipt.js';
import { seatOf, senderSees } from './seat-routes.js';
import type { TransportPort } from './transport-routes.js';

const SeatParams = Type.Object({ seat: Type.String() });
const CompactBody = Type.Object(
  {
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    wait_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    idempotency_key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
);

/** The command that compacts the conversation of the agent in this seat, or undefined. */
export function compactVerb(seat: Seat): string | undefined {
  return seat.occupant?.watch.pack?.conversation?.compact;
}

export const policyRoutes =
  ({ book, now }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/seat/set-terminal-policy/:seat',
      { bodyLimit: 65_536, schema: { params: SeatParams, body: PolicyBody, response: { 200: PolicyValue } } },
      async ({ params, body, credential }) => {
        if (body.reason.trim() === '') throw new HttpError('missing_reason');
        const seat = seatOf(book, credential, params.seat);
        const policy = policyOf(body);
        const { choice: before } = policyValue(seatPolicy(seat));
        const { choice, table } = policyValue(policy);
        book.setPolicy(
          seat,
          policy,
          {
            at: now(),
            kind: 'policy.changed',
            seat: seat.address,
            identity: actorOf(credential),
            reason: body.reason.trim(),
            ...(body.operator === undefined ? {} : { actor: body.operator }),
            detail: { choice, before, table, rig_default: body.rig_default === true },
          },
          body.rig_default === true,
        );
        return policyValue(policy);
      },
    );
  };

/** Compaction, for whoever the policy lets: a floor request like any other, with the pack's own command. */
export const compactRoutes =
  ({ book, submissions }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/seat/compact/:seat',
      { schema: { params: SeatParams, body: CompactBody } },
      async ({ params, body, credential }, reply) => {
        if (credential === undefined) throw new HttpError('credential_missing');
        const seat = seatOf(book, senderSees(credential), params.seat);
        if (seat.occupant === undefined) throw new HttpError('session_missing');
        const verb = compactVerb(seat);
        if (verb === undefined) throw new HttpError('lifecycle_verb_unsupported');
        const input = { origin: 'lifecycle', intervention: 'compaction', body: verb, ...body } as const;
        const { status, answer } = await receiptOf(submissions, seat, input, credential);
        return reply.code(status).send(answer);
      },
    );
  };
