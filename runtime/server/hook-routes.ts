// Hook events over HTTP, posted with the occupant's own token. Always true: an event counts for the occupant whose token it
// is and for no other seat, whatever the body says; what it tells of permissions is bounded again here, after the relay.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { HOOK_BODY_BYTES } from '../../protocol/limit.js';
import { HookPost } from '../../protocol/status.js';
import type { PermissionBook } from '../seats/permission.js';
import type { SeatBook } from '../seats/seat-book.js';
import { HttpError } from './error.js';

export interface HookPort {
  readonly book: SeatBook;
  readonly permissions: PermissionBook;
}

export const hookRoutes =
  ({ book, permissions }: HookPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/activity/hooks',
      { bodyLimit: HOOK_BODY_BYTES, schema: { body: HookPost } },
      async ({ body, credential }, reply) => {
        if (!credential?.session) throw new HttpError('missing_session_identity');
        const occupant = book.get(credential.session)?.occupant;
        if (occupant === undefined) throw new HttpError('session_missing');
        const { event, fields = {}, permission } = body;
        permissions.observe(occupant, event, permission);
        occupant.watch.hook({ event, fields });
        return reply.code(202).send({ ok: true });
      },
    );
  };
