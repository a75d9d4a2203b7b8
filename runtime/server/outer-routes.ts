// What an outer layer needs of the runtime besides the floor: whose a credential is, and a place on the audit feed for its
// alerts. Always true: an alert is recorded with the identity of who raised it, and changes nothing.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AlertBody, Whoami } from '../../protocol/admin.js';
import { formatAddress, parseAddress } from '../../protocol/name.js';
import type { AuditEntry, Credential } from '../journal/port.js';
import { HttpError } from './error.js';

export const whoamiRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/api/whoami', { schema: { response: { 200: Whoami } } }, async ({ credential }) => {
    if (credential === undefined || credential.kind === 'attach') throw new HttpError('credential_missing');
    const { kind, name, scopes } = credential;
    return { kind, name, seat: seatOf(credential), scopes: [...scopes] };
  });
};

/** A minted agent credential that is limited to one seat stands for that seat. */
function seatOf({ kind, session, seats }: Credential): string | null {
  if (kind !== 'agent') return null;
  const [only] = seats ?? [];
  return session ?? (seats?.length === 1 && only !== undefined ? only : null);
}

/** `note`: the audit feed, which takes it when it can. */
export const alertRoutes =
  (note: (entry: AuditEntry) => void, now: () => number): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/alerts', { schema: { body: AlertBody } }, async ({ body, credential }, reply) => {
      const address = body.seat === undefined ? undefined : parseAddress(body.seat);
      if (body.seat !== undefined && address === undefined) throw new HttpError('invalid_name');
      const { cause, routine, since_at, detail, outcome = 'raised' } = body;
      note({
        at: now(),
        kind: `alert.${cause}`,
        ...(address ? { seat: formatAddress(address) } : {}),
        ...(routine === undefined ? {} : { routine }),
        outcome,
        identity: `${credential?.kind} ${credential?.name}`,
        detail: { ...detail, ...(since_at === undefined ? {} : { since_at }) },
      });
      return reply.code(202).send({ ok: true });
    });
  };
