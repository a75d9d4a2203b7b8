// Bodies and answers of the queue's routes (spec/shepherd.md). Times are ISO 8601 in answers; a body may give them so or as
// milliseconds since 1970.
import Type, { type Static } from 'typebox';

const text = Type.String({ maxLength: 4_000_000 });
const word = Type.String({ minLength: 1, maxLength: 4_000 });
const time = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 40 })]);
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const RowPriority = Type.Union([
  Type.Literal('routine'),
  Type.Literal('urgent'),
  Type.Literal('critical'),
]);

/** `as`: the seat that an operator acts as. */
const as = Type.Optional(word);
const note = Type.Optional(text);
const only = { additionalProperties: false } as const;

export const QueueCreate = Type.Object(
  {
    id: Type.Optional(word),
    destination: word,
    summary: text,
    body: Type.Optional(text),
    priority: Type.Optional(RowPriority),
    tier: Type.Optional(word),
    tags: Type.Optional(Type.Array(word, { maxItems: 100 })),
    expiresAt: Type.Optional(time),
    /** No wake and no reminder before this. */
    notBefore: Type.Optional(time),
    /** False: no wake. */
    wake: Type.Optional(Type.Boolean()),
    as,
  },
  only,
);
export type QueueCreate = Static<typeof QueueCreate>;

export const QueueClaim = Type.Object({ note, as }, only);
export const QueueBlock = Type.Object(
  {
    /** What it waits for: a row, a seat, a person, anything with a name. */
    on: word,
    /** Wake the destination after so long, once. */
    wakeAfterMs: Type.Optional(Type.Integer()),
    note,
    as,
  },
  only,
);
export const QueueHandoff = Type.Object(
  { to: word, summary: Type.Optional(text), wake: Type.Optional(Type.Boolean()), note, as },
  only,
);
export const QueueClose = Type.Object(
  { closureReason: Type.Optional(Type.String()), closureTarget: Type.Optional(Type.String()), note, as },
  only,
);
export const QueueUpdate = Type.Object(
  {
    state: Type.Optional(Type.String()),
    summary: Type.Optional(text),
    body: Type.Optional(text),
    priority: Type.Optional(RowPriority),
    tier: Type.Optional(orNull(word)),
    tags: Type.Optional(Type.Array(word, { maxItems: 100 })),
    expiresAt: Type.Optional(orNull(time)),
    notBefore: Type.Optional(orNull(time)),
    closureReason: Type.Optional(Type.String()),
    closureTarget: Type.Optional(Type.String()),
    /** True: wake the destination now. */
    wake: Type.Optional(Type.Boolean()),
    note,
    as,
  },
  only,
);
export type QueueBlock = Static<typeof QueueBlock>;
export type QueueHandoff = Static<typeof QueueHandoff>;
export type QueueClose = Static<typeof QueueClose>;
export type QueueUpdate = Static<typeof QueueUpdate>;

export const QueueRow = Type.Object({
  id: Type.String(),
  source: Type.String(),
  destination: Type.String(),
  state: Type.String(),
  priority: Type.String(),
  tier: orNull(Type.String()),
  tags: Type.Array(Type.String()),
  summary: Type.String(),
  body: Type.String(),
  blockedOn: orNull(Type.String()),
  handedOffTo: orNull(Type.String()),
  handedOffFrom: orNull(Type.String()),
  expiresAt: orNull(Type.String()),
  notBefore: orNull(Type.String()),
  closureReason: orNull(Type.String()),
  closureTarget: orNull(Type.String()),
  closureRequiredAt: orNull(Type.String()),
  claimedAt: orNull(Type.String()),
  /** The newest attempt that has a result: confirmed, unconfirmed, held or failed:<reason>. */
  lastWake: orNull(Type.Object({ at: Type.String(), result: Type.String() })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type QueueRow = Static<typeof QueueRow>;

/** One row with what goes on around it. */
export const QueueShow = Type.Object({
  ...QueueRow.properties,
  /** The wake as it stands: due, asked (with the runtime), parked or over; with it every row in its message. */
  wake: orNull(
    Type.Object({
      state: Type.String(),
      until: orNull(Type.String()),
      request: orNull(Type.String()),
      rows: Type.Array(Type.String()),
    }),
  ),
  /** The one-shot timer that wakes the destination while the row is blocked. */
  wakeDueAt: orNull(Type.String()),
  overdue: Type.Boolean(),
});
export type QueueShow = Static<typeof QueueShow>;

/** `wake`: what became of the row's wake: none, withdrawn, already_granted or unknown. */
export const QueueChanged = Type.Object({
  row: QueueRow,
  wake: Type.String(),
  successor: Type.Optional(QueueRow),
});
export type QueueChanged = Static<typeof QueueChanged>;

export const QueueList = Type.Object({ rows: Type.Array(QueueRow), total: Type.Integer() });
export type QueueList = Static<typeof QueueList>;

export const QueueTransitions = Type.Object({
  transitions: Type.Array(
    Type.Object({
      at: Type.String(),
      actor: Type.String(),
      from: orNull(Type.String()),
      to: Type.String(),
      note: orNull(Type.String()),
      closureReason: orNull(Type.String()),
      closureTarget: orNull(Type.String()),
    }),
  ),
});
export type QueueTransitions = Static<typeof QueueTransitions>;
