// Answers to a permission dialog. Always true: the floor judges who may answer and whether it is still that very dialog; a
// choice is allow once or deny once and nothing else. It keeps nothing.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AnswerBody } from '../../protocol/guard.js';
import { HttpError } from './error.js';
import { receiptOf } from './receipt.js';
import { seatOf, senderSees } from './seat-routes.js';
import type { TransportPort } from './transport-routes.js';

/** An admin answers any dialog; others need the scope `answer`, and nobody answers in the own seat. */
export const answerRoutes =
  ({ book, submissions }: TransportPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/transport/answer',
      { schema: { body: AnswerBody } },
      async ({ body, credential }, reply) => {
        if (credential === undefined) throw new HttpError('credential_missing');
        const seat = seatOf(book, senderSees(credential), body.seat);
        const input = { origin: 'answer', dialog: body.dialog, choice: body.choice } as const;
        const { status, answer } = await receiptOf(submissions, seat, input, credential);
        return reply.code(status).send(answer);
      },
    );
  };
