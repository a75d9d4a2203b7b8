// The typing guard of a seat and the messages it held. Always true: a mode changes only by a reasoned,
// audited call; reading a held message sends nothing; another seat's record doesn't exist.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { HeldList, RetireBody, SetGuardBody } from '../../protocol/guard.js';
import type { Reason } from '../../protocol/reason.js';
import { type GuardMode, parseMode, readGuardSetting } from '../floor/mode.js';
import type { Journal, OutboxRow } from '../journal/port.js';
import type { Seat, SeatBook } from '../seats/seat-book.js';
import { actorOf } from '../seats/submissions.js';
import { HttpError } from './error.js';
import { seatOf } from './seat-routes.js';

export interface GuardPort {
  readonly book: SeatBook;
  readonly journal: Pick<Journal, 'commit' | 'outbox'>;
  now(): number;
}

const SeatParams = Type.Object({ seat: Type.String() });
const HeldParams = Type.Object({ seat: Type.String(), id: Type.String() });
const HeldQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })),
  offset: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })),
  retired: Type.Optional(Type.String()),
});
/** How long a set waits for a running transaction before it answers that it is pending (guard contract 1). */
const PENDING_MS = 2_000;
const PAGE = 100;

function refuse(reason: Reason, mode?: string): never {
  const unknown = reason === 'guard_setting_invalid' && mode !== undefined && parseMode(mode) === undefined;
  throw new HttpError(reason, unknown ? `There is no typing guard mode ${JSON.stringify(mode)}.` : undefined);
}

export const guardRoutes =
  ({ book, journal, now }: GuardPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/seat/set-typing-guard/:seat',
      { schema: { params: SeatParams, body: SetGuardBody } },
      async ({ params, body, credential }, reply) => {
        const seat = seatOf(book, credential, params.seat);
        const setting = readGuardSetting(body);
        if (!setting.ok) return refuse(setting.reason, body.mode);
        const { mode, reason } = setting;
        journal.commit([
          {
            type: 'audit',
            entry: {
              at: now(),
              kind: 'guard.changed',
              seat: seat.address,
              identity: actorOf(credential),
              reason,
              detail: { mode, before: seat.row.guardDesired },
            },
          },
        ]);
        book.setGuard(seat, mode);
        await settled(book, seat, mode);
        const { guardDesired, guardEffective, guardRevision } = seat.row;
        const pending = guardDesired !== guardEffective;
        return reply.code(pending ? 202 : 200).send({
          seat: seat.address,
          desired: guardDesired,
          effective: guardEffective,
          revision: guardRevision,
          pending,
        });
      },
    );

    app.get(
      '/api/seat/held-messages/:seat',
      { schema: { params: SeatParams, querystring: HeldQuery, response: { 200: HeldList } } },
      async ({ params, query, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        const page = {
          limit: Math.min(PAGE, Number(query.limit ?? PAGE)),
          offset: Number(query.offset ?? 0),
          retired: query.retired === '1',
        };
        const { items, total } = journal.outbox.held(seat.address, page);
        return { items: items.map(heldEntry), total };
      },
    );

    app.post(
      '/api/seat/retire-held-message/:seat/:id',
      { schema: { params: HeldParams, body: RetireBody } },
      async ({ params, body, credential }) => {
        const seat = seatOf(book, credential, params.seat);
        const row = journal.outbox.get(params.id);
        if (row === undefined || row.seat !== seat.address || row.state !== 'held')
          return refuse('held_message_missing');
        if (body.reason.trim() === '') return refuse('missing_reason');
        const by = actorOf(credential);
        const at = now();
        journal.commit([
          { type: 'retire', id: row.id, at, by, reason: body.reason },
          {
            type: 'audit',
            entry: {
              at,
              kind: 'held.retired',
              seat: seat.address,
              request: row.id,
              identity: by,
              reason: body.reason,
            },
          },
        ]);
        return { entry: heldEntry(journal.outbox.get(row.id) ?? row), effect: 'retired' };
      },
    );
  };

/** Resolves when the mode is in force, or after PENDING_MS. */
function settled(book: SeatBook, seat: Seat, mode: GuardMode): Promise<void> {
  if (seat.row.guardEffective === mode) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, PENDING_MS);
    const unlisten = book.listen((from) => {
      if (from === seat && seat.row.guardEffective === mode) done();
    });
    function done(): void {
      clearTimeout(timer);
      unlisten();
      resolve();
    }
  });
}

function heldEntry(row: OutboxRow) {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: row.id,
    seat: row.seat,
    identity: row.identity,
    actor: row.actor,
    origin: row.origin,
    urgent: row.urgent,
    routine: row.routine,
    body: row.body,
    bytes: row.bytes,
    sha256: row.sha256,
    reason: row.reason,
    created_at: iso(row.createdAt),
    held_at: iso(row.firstHeldAt),
    superseded: row.supersededCount,
    retired_at: iso(row.retiredAt),
    retired_by: row.retiredBy,
    retired_reason: row.retiredReason,
  };
}
