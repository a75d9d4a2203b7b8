// The routines' routes. Thin: each checks its body, works out who acts, calls the roster and shapes the answer. Literal routes
// come before the ones with an id.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  WatchdogList,
  WatchdogRegister,
  WatchdogRoutine,
  WatchdogShow,
  WatchdogStop,
} from '../protocol/watchdog.js';
import { actorIn } from './http-actor.js';
import { isoOrNull, timeOf } from './queue/answer.js';
import { errorOf } from './queue/refusal.js';
import type { RoutineWish } from './routine/register.js';
import type { Roster } from './routine/roster.js';
import type { Routine } from './routine/routine.js';
import type { Schedule } from './routine/schedule.js';
import type { Attempt } from './store/attempt-table.js';

const IdParams = Type.Object({ id: Type.String() });
const AsQuery = Type.Object({ as: Type.Optional(Type.String()) });
const ListQuery = Type.Object(
  {
    seat: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    as: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const PAGE = 100;

export const routineRoutes =
  (roster: Roster): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/api/watchdog/register',
      { schema: { body: WatchdogRegister, response: { 201: WatchdogRoutine } } },
      async (request, reply) => {
        const routine = roster.register(wishOf(request.body), actorIn(request, request.body.as, true));
        return reply.code(201).send(answerOf(routine));
      },
    );

    app.get(
      '/api/watchdog/list',
      { schema: { querystring: ListQuery, response: { 200: WatchdogList } } },
      async (request) => {
        const { as, limit = PAGE, offset = 0, ...filter } = request.query;
        const { routines, total } = roster.list({ ...filter, limit, offset }, actorIn(request, as, false));
        return { routines: routines.map(answerOf), total };
      },
    );

    app.get(
      '/api/watchdog/:id',
      { schema: { params: IdParams, querystring: AsQuery, response: { 200: WatchdogShow } } },
      async (request) => {
        const routine = roster.get(request.params.id, actorIn(request, request.query.as, false));
        return { ...answerOf(routine), history: roster.history(routine.id).map(attemptOf) };
      },
    );

    app.post(
      '/api/watchdog/:id/stop',
      {
        schema: { params: IdParams, body: WatchdogStop, response: { 200: WatchdogRoutine } },
        // A stop has nothing to say.
        preValidation: async (request) => {
          request.body ??= {};
        },
      },
      async (request) => {
        const { as, reason } = request.body;
        return answerOf(roster.stop(request.params.id, reason, actorIn(request, as, true)));
      },
    );
  };

function scheduleOf(body: WatchdogRegister): Schedule | undefined {
  const { cron, timeZone = 'UTC', at, intervalMs, intervalSeconds } = body;
  const everyMs = intervalMs ?? (intervalSeconds === undefined ? undefined : intervalSeconds * 1_000);
  const given = [cron, at, everyMs].filter((one) => one !== undefined).length;
  const both = intervalMs !== undefined && intervalSeconds !== undefined;
  if (given > 1 || both || (body.timeZone !== undefined && cron === undefined)) {
    throw errorOf({
      reason: 'interval_invalid',
      message: 'Give one of an interval, a cron line (with its time zone) and a time.',
    });
  }
  if (cron !== undefined) return { kind: 'cron', line: cron, timeZone };
  if (everyMs !== undefined) return { kind: 'interval', everyMs };
  if (at === undefined) return undefined;
  const time = timeOf(at);
  if (time !== undefined) return { kind: 'once', at: time };
  throw errorOf({
    reason: 'interval_invalid',
    message: 'at is no time: give ISO 8601 or milliseconds since 1970.',
  });
}

function wishOf(body: WatchdogRegister): RoutineWish {
  const { id, policy, spec = {}, scanIntervalMs, scanIntervalSeconds, activeWakeMs } = body;
  const seat = body.seat ?? body.targetSession;
  if (seat === undefined)
    throw errorOf({ reason: 'target_session_invalid', message: 'The target seat is missing.' });
  const scanMs = scanIntervalMs ?? times(scanIntervalSeconds);
  const wakeMs = activeWakeMs ?? times(body.activeWakeIntervalSeconds);
  return {
    policy,
    seat,
    spec,
    schedule: scheduleOf(body),
    ...(id === undefined ? {} : { id }),
    ...(scanMs === undefined ? {} : { scanMs }),
    ...(wakeMs === undefined ? {} : { activeWakeMs: wakeMs }),
  };
}

const times = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);
const iso = (at: number) => new Date(at).toISOString();

function answerOf(routine: Routine): WatchdogRoutine {
  const { id, policy, seat, spec, schedule, scanMs, activeWakeMs, state, registrar, actionable, failures } =
    routine;
  return {
    id,
    policy,
    seat,
    spec: spec as WatchdogRoutine['spec'],
    schedule: schedule.kind === 'once' ? { kind: 'once', at: iso(schedule.at) } : schedule,
    scanIntervalMs: scanMs,
    activeWakeMs,
    state,
    registeredBy: registrar.text,
    nextDueAt: isoOrNull(routine.nextDueAt),
    lastEvaluatedAt: isoOrNull(routine.lastEvaluatedAt),
    lastFiredAt: isoOrNull(routine.lastFiredAt),
    actionable,
    failures,
    terminalReason: routine.terminalReason,
    createdAt: iso(routine.createdAt),
  };
}

function attemptOf({ at, outcome, seat, result, requestKey, note, endedAt }: Attempt) {
  return { at: iso(at), outcome, seat, result, request: requestKey, note, endedAt: isoOrNull(endedAt) };
}
