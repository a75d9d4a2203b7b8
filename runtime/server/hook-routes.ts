// Hook events over HTTP, posted with the occupant's own token. Always true: an event counts for the occupant whose token it
// is and for no other seat, whatever the body says; what it tells of permissions is bounded again here, after the relay.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { HOOK_BODY_BYTES } from '../../protocol/limit.js';
import { HookPost } from '../../protocol/status.js';
import type { PermissionBook } from '../seats/permission.js';
import type { SeatBook } from '../seats/seat-book.js';
import { HttpError } from './error.js';

/** An id goes into a command line later: it is a word, and no option. */
const CONVERSATION = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/;

function isConversation(text: string): boolean {
  return CONVERSATION.test(text);
}

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
        const from = book.startedAs(credential.session, credential.generation ?? 0);
        const { occupant } = from ?? {};
        // One that has left its seat still runs, but what it reports is no news of the seat.
        if (from === undefined || occupant === undefined || book.lineage.hasLeft(occupant.session))
          throw new HttpError(
            book.get(credential.session)?.occupant ? 'generation_mismatch' : 'session_missing',
          );
        const { event, fields = {}, permission } = body;
        const field = occupant.watch.pack?.conversation?.id_field;
        const id = field === undefined ? undefined : fields[field];
        if (typeof id === 'string' && isConversation(id)) book.lineage.conversation(occupant.session, id);
        permissions.observe(occupant, event, permission);
        occupant.watch.hook({ event, fields });
        return reply.code(202).send({ ok: true });
      },
    );
  };
