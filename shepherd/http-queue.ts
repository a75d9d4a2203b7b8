// The queue's routes. Thin: each checks its body, works out who acts, calls the board and shapes the answer. Literal routes
// come before the ones with an id.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  QueueBlock,
  QueueChanged,
  QueueClaim,
  QueueClose,
  QueueCreate,
  QueueHandoff,
  QueueList,
  QueueRow,
  QueueShow,
  QueueTransitions,
  QueueUpdate,
} from '../protocol/queue.js';
import { actorIn } from './http-actor.js';
import type { TimeMs } from './port.js';
import { answerOf, isoOrNull, timeOf, transitionsOf } from './queue/answer.js';
import type { Board, Changed } from './queue/board.js';
import type { Command } from './queue/change.js';
import { errorOf } from './queue/refusal.js';
import { isOverdue, type Row, STATES } from './queue/row.js';
import type { RowTable } from './store/row-table.js';
import type { WakeTable } from './store/wake-table.js';

export interface QueueRoutesPort {
  readonly board: Board;
  readonly rows: RowTable;
  readonly wakes: WakeTable;
  now(): TimeMs;
  id(): string;
}

const IdParams = Type.Object({ id: Type.String() });
const As = Type.Optional(Type.String());
const Page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
};
const ListQuery = Type.Object(
  {
    ...Page,
    /** One state or several, separated by commas; `open` for the three that owe work. */
    state: Type.Optional(Type.String()),
    destination: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    tag: Type.Optional(Type.String()),
    as: As,
  },
  { additionalProperties: false },
);
const PAGE = 100;
const OPEN = ['pending', 'in-progress', 'blocked'] as const;

function statesOf(text: string): readonly Row['state'][] {
  if (text === 'open') return OPEN;
  return text.split(',').map((word) => {
    const state = STATES.find((one) => one === word);
    if (state === undefined)
      throw errorOf({ reason: 'invalid_state', message: `There is no state ${JSON.stringify(word)}.` });
    return state;
  });
}

function timeIn(name: string, value: number | string): TimeMs {
  const at = timeOf(value);
  if (at !== undefined) return at;
  throw errorOf({
    reason: 'invalid_body',
    message: `${name} is no time: give ISO 8601 or milliseconds since 1970.`,
  });
}

/** Absent stays absent, null stays null. */
function timesIn<Name extends 'expiresAt' | 'notBefore'>(
  body: { readonly [name in Name]?: number | string | null },
  names: readonly Name[],
): { [name in Name]?: TimeMs } {
  const given = names.flatMap((name) => {
    const value = body[name];
    if (value === undefined) return [];
    return [[name, value === null ? null : timeIn(name, value as number | string)]];
  });
  return Object.fromEntries(given);
}

const changed = ({ row, wake, successor }: Changed) => ({
  row: answerOf(row),
  wake,
  ...(successor ? { successor: answerOf(successor) } : {}),
});
const noted = ({ note }: { readonly note?: string }) => (note === undefined ? {} : { note });

export const queueRoutes =
  (port: QueueRoutesPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { board } = port;

    app.post(
      '/api/queue/create',
      { schema: { body: QueueCreate, response: { 201: QueueRow } } },
      async (request, reply) => {
        const { as, wake, expiresAt: _e, notBefore: _n, ...wish } = request.body;
        const actor = actorIn(request, as, true);
        const times = timesIn(request.body, ['expiresAt', 'notBefore']);
        const { row } = board.create({ ...wish, ...times }, actor, wake !== false);
        return reply.code(201).send(answerOf(row));
      },
    );

    app.get(
      '/api/queue/list',
      { schema: { querystring: ListQuery, response: { 200: QueueList } } },
      async (request) => {
        const { as, state, limit = PAGE, offset = 0, ...filter } = request.query;
        const states = state === undefined ? {} : { states: statesOf(state) };
        const actor = actorIn(request, as, false);
        const { rows, total } = board.list({ ...filter, ...states, limit, offset }, actor);
        return { rows: rows.map(answerOf), total };
      },
    );

    app.get(
      '/api/queue/overdue',
      { schema: { querystring: Type.Object({ as: As, limit: Page.limit }), response: { 200: QueueList } } },
      async (request) => {
        const rows = board.overdue(actorIn(request, request.query.as, false), request.query.limit ?? PAGE);
        return { rows: rows.map(answerOf), total: rows.length };
      },
    );

    app.get(
      '/api/queue/:id',
      { schema: { params: IdParams, querystring: Type.Object({ as: As }), response: { 200: QueueShow } } },
      async (request) => show(port, board.get(request.params.id, actorIn(request, request.query.as, false))),
    );

    app.get(
      '/api/queue/:id/transitions',
      {
        schema: {
          params: IdParams,
          querystring: Type.Object({ as: As }),
          response: { 200: QueueTransitions },
        },
      },
      async (request) =>
        transitionsOf(board.transitions(request.params.id, actorIn(request, request.query.as, false))),
    );

    const verb = <Body extends Type.TSchema>(
      name: string,
      body: Body,
      command: (given: Type.Static<Body>) => Command,
    ): void => {
      app.post(
        `/api/queue/:id/${name}`,
        { schema: { params: IdParams, body, response: { 200: QueueChanged } } },
        async (request) => {
          const given = request.body as Type.Static<Body> & { as?: string; wake?: boolean };
          const actor = actorIn(request, given.as, true);
          const { id } = request.params as { id: string };
          return changed(await board.command(id, command(given), actor, given.wake !== false));
        },
      );
    };
    verb('claim', QueueClaim, (given) => ({ kind: 'claim', ...noted(given) }));
    verb('unclaim', QueueClaim, (given) => ({ kind: 'unclaim', ...noted(given) }));
    verb('block', QueueBlock, ({ as: _, ...given }) => ({ kind: 'block', ...given }));
    verb('close', QueueClose, ({ as: _, ...given }) => ({ kind: 'close', ...given }));
    verb('handoff', QueueHandoff, ({ as: _, wake: __, ...given }) => ({
      kind: 'handoff',
      id: `q-${port.id()}`,
      ...given,
    }));
    verb('update', QueueUpdate, ({ as: _, note, expiresAt: _e, notBefore: _n, ...fields }) => ({
      kind: 'update',
      fields: {
        ...fields,
        ...timesIn({ expiresAt: _e, notBefore: _n } as QueueUpdate, ['expiresAt', 'notBefore']),
      },
      ...(note === undefined ? {} : { note }),
    }));
  };

function show({ rows, wakes, now }: QueueRoutesPort, row: Row): QueueShow {
  const wake = wakes.newestOf(row.id);
  const request = wake?.requestKey ? wakes.request(wake.requestKey) : undefined;
  return {
    ...answerOf(row),
    wake:
      wake === undefined
        ? null
        : {
            state: wake.state,
            until: wake.until,
            request: wake.requestKey,
            rows: request?.wakes.flatMap((id) => wakes.get(id)?.rowId ?? []) ?? [row.id],
          },
    wakeDueAt: isoOrNull(rows.timer(row.id)),
    overdue: isOverdue(row, now()),
  };
}
