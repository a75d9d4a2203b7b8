// Bodies and answers of the routines' routes (spec/routines.md). Times are ISO 8601 in answers; a body may give them so or as
// milliseconds since 1970. Old spellings of fields are taken at this edge and nowhere else.
import Type, { type Static } from 'typebox';

const word = Type.String({ minLength: 1, maxLength: 4_000 });
const ms = Type.Integer({ minimum: 0, maximum: 366 * 86_400_000 });
const seconds = Type.Integer({ minimum: 1, maximum: 366 * 86_400 });
const time = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 40 })]);
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What a policy needs; which field belongs to which policy stands in spec/routines.md. */
export const RoutineSpec = Type.Object(
  {
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000 })),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    of: Type.Optional(word),
    watch: Type.Optional(word),
    on: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Literal('idle'),
          Type.Literal('blocked'),
          Type.Literal('done'),
          Type.Literal('exit'),
        ]),
        { minItems: 1, maxItems: 4 },
      ),
    ),
    graceMs: Type.Optional(ms),
    repeatMs: Type.Optional(ms),
  },
  { additionalProperties: false },
);

/** At most one of interval, `cron` and `at`. */
export const WatchdogRegister = Type.Object(
  {
    id: Type.Optional(word),
    policy: word,
    seat: Type.Optional(word),
    /** Old spelling of `seat`. */
    targetSession: Type.Optional(word),
    spec: Type.Optional(RoutineSpec),
    intervalMs: Type.Optional(Type.Number()),
    intervalSeconds: Type.Optional(Type.Number()),
    /** Five fields, or six with seconds first. */
    cron: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Name of the cron line's time zone; UTC when absent. */
    timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    at: Type.Optional(time),
    scanIntervalMs: Type.Optional(ms),
    scanIntervalSeconds: Type.Optional(seconds),
    activeWakeMs: Type.Optional(ms),
    activeWakeIntervalSeconds: Type.Optional(seconds),
    /** The seat that an operator acts as. */
    as: Type.Optional(word),
  },
  { additionalProperties: false },
);
export type WatchdogRegister = Static<typeof WatchdogRegister>;

export const WatchdogStop = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 1_000 })), as: Type.Optional(word) },
  { additionalProperties: false },
);
export type WatchdogStop = Static<typeof WatchdogStop>;

export const WatchdogRoutine = Type.Object({
  id: Type.String(),
  policy: Type.String(),
  seat: Type.String(),
  spec: RoutineSpec,
  schedule: Type.Object({
    kind: Type.String(),
    everyMs: Type.Optional(Type.Integer()),
    line: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String()),
    at: Type.Optional(Type.String()),
  }),
  scanIntervalMs: orNull(Type.Integer()),
  activeWakeMs: orNull(Type.Integer()),
  /** active, stopped or terminal. */
  state: Type.String(),
  registeredBy: Type.String(),
  nextDueAt: orNull(Type.String()),
  lastEvaluatedAt: orNull(Type.String()),
  lastFiredAt: orNull(Type.String()),
  actionable: Type.Boolean(),
  /** Attempts that failed, one after another. */
  failures: Type.Integer(),
  terminalReason: orNull(Type.String()),
  createdAt: Type.String(),
});
export type WatchdogRoutine = Static<typeof WatchdogRoutine>;

/** One row of history: `sent` with what the transport said, `terminal` or `error`. */
export const WatchdogAttempt = Type.Object({
  at: Type.String(),
  outcome: Type.String(),
  seat: Type.String(),
  /** asked (with the runtime), confirmed, unconfirmed, held or failed:<reason>. */
  result: orNull(Type.String()),
  request: orNull(Type.String()),
  note: orNull(Type.String()),
  endedAt: orNull(Type.String()),
});

/** With its last twenty results, the newest first. */
export const WatchdogShow = Type.Object({
  ...WatchdogRoutine.properties,
  history: Type.Array(WatchdogAttempt),
});
export type WatchdogShow = Static<typeof WatchdogShow>;

export const WatchdogList = Type.Object({ routines: Type.Array(WatchdogRoutine), total: Type.Integer() });
export type WatchdogList = Static<typeof WatchdogList>;
