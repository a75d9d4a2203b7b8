// Bodies and answers of sending, answering and capturing over HTTP (spec/floor.md, guard contract 6 and 7). Old spellings of
// fields are taken at this edge and nowhere else.
import Type, { type Static } from 'typebox';

export const SendBody = Type.Object({
  seat: Type.Optional(Type.String()),
  /** Old spelling of `seat`. */
  session: Type.Optional(Type.String()),
  text: Type.String(),
  urgent: Type.Optional(Type.Boolean()),
  wait_ms: Type.Optional(Type.Integer()),
  waitForIdleMs: Type.Optional(Type.Integer()),
  command: Type.Optional(Type.Boolean()),
  dangerously_interact: Type.Optional(Type.Boolean()),
  dangerouslyInteract: Type.Optional(Type.Boolean()),
  type_without_checking: Type.Optional(Type.Boolean()),
  typeWithoutChecking: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String({ maxLength: 1000 })),
  idempotency_key: Type.Optional(Type.String()),
  deliveryId: Type.Optional(Type.String()),
  expect_generation: Type.Optional(Type.Integer()),
  expect_tenure: Type.Optional(Type.String()),
  supersede: Type.Optional(Type.String()),
  /** A claimed label, shown as claimed. */
  actor: Type.Optional(Type.String()),
  routine: Type.Optional(Type.String()),
  /** Leave the envelope out. Bypasses nothing. */
  raw: Type.Optional(Type.Boolean()),
  /** Accepted for compatibility; receipts are always confirmed or unconfirmed. */
  verify: Type.Optional(Type.Boolean()),
  force: Type.Optional(Type.Boolean()),
});
export type SendBody = Static<typeof SendBody>;

/** Rows and cursor count from zero. Untrusted text. */
export const ExistingInput = Type.Object({
  /** Rows of the draft; all rows of the screen where the composer is unknown. */
  rows: Type.Array(Type.String()),
  suggestion_rows: Type.Array(Type.String()),
  cursor: Type.Object({ row: Type.Integer(), column: Type.Integer() }),
  dimensions: Type.Object({ rows: Type.Integer(), cols: Type.Integer() }),
  target: Type.Object({ seat: Type.String(), session: Type.String(), generation: Type.Integer() }),
});
export type ExistingInput = Static<typeof ExistingInput>;

export const SendAnswer = Type.Object({
  ok: Type.Boolean(),
  /** Only where it is known. */
  sent: Type.Optional(Type.Boolean()),
  /** delivered, unconfirmed, retained, refused or indeterminate. */
  outcome: Type.String(),
  reason: Type.String(),
  cause: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  next: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
  outboxIds: Type.Optional(Type.Array(Type.String())),
  bytes_written: Type.Optional(Type.Integer()),
  /** What an override found in the composer; given to its caller and stored nowhere. */
  existingInput: Type.Optional(ExistingInput),
  /** An override typed into a dialog, and Enter was not sent. */
  promptInteraction: Type.Optional(Type.Literal('unverified')),
  /** An override didn't look for a draft first, as asked. */
  type_without_checking: Type.Optional(Type.Literal(true)),
  warnings: Type.Optional(Type.Array(Type.String())),
});
export type SendAnswer = Static<typeof SendAnswer>;

export const CaptureBody = Type.Object({
  seat: Type.Optional(Type.String()),
  session: Type.Optional(Type.String()),
  /** Rows from the bottom of the screen; all of them when absent. */
  lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
export const CaptureAnswer = Type.Object({
  seat: Type.String(),
  offset: Type.Integer(),
  rows: Type.Integer(),
  cols: Type.Integer(),
  cursor: Type.Object({ x: Type.Integer(), y: Type.Integer(), visible: Type.Boolean() }),
  screen: Type.String(),
  lines: Type.Array(Type.String()),
});
export type CaptureAnswer = Static<typeof CaptureAnswer>;

/** What a plain send would get now, every row with its evidence. */
export const FloorAnswer = Type.Object({
  seat: Type.String(),
  decision: Type.String(),
  reason: Type.String(),
  next: Type.Optional(Type.String()),
  holder: Type.Union([Type.String(), Type.Null()]),
  rows: Type.Array(
    Type.Object({
      row: Type.Integer(),
      title: Type.String(),
      result: Type.String(),
      reason: Type.Optional(Type.String()),
      cause: Type.Optional(Type.String()),
      evidence: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  waiting: Type.Array(
    Type.Object({
      id: Type.String(),
      origin: Type.String(),
      identity: Type.String(),
      urgent: Type.Boolean(),
      bytes: Type.Integer(),
      accepted_at: Type.String(),
      deadline_at: Type.String(),
      reason: Type.Union([Type.String(), Type.Null()]),
      since: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type FloorAnswer = Static<typeof FloorAnswer>;
