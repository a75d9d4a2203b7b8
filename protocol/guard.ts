// Bodies and answers of the typing guard, held messages and dialog answers (guard contract 1, 3, 5).
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Exactly one of `mode` and `enabled`; retry settings are refused as unknown fields. */
export const SetGuardBody = Type.Object(
  {
    mode: Type.Optional(Type.String({ maxLength: 32 })),
    enabled: Type.Optional(Type.Boolean()),
    reason: Type.String({ maxLength: 1000 }),
    /** Ignored: the credential says who acts. */
    actor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export const GuardState = Type.Object({
  seat: Type.String(),
  desired: Type.String(),
  effective: Type.String(),
  /** Rises when the desired mode changes. */
  revision: Type.Integer(),
  pending: Type.Boolean(),
});
export type GuardState = Static<typeof GuardState>;
export const RetireBody = Type.Object({ reason: Type.String({ maxLength: 1000 }) }, closed);
export const AnswerBody = Type.Object(
  {
    seat: Type.String(),
    /** The instance, as the dialog frame and the seat's status give it. */
    dialog: Type.String({ minLength: 1, maxLength: 200 }),
    choice: Type.String({ maxLength: 32 }),
  },
  closed,
);

const text = Type.Union([Type.String(), Type.Null()]);
export const HeldEntry = Type.Object({
  id: Type.String(),
  seat: Type.String(),
  identity: Type.String(),
  actor: text,
  origin: Type.String(),
  urgent: Type.Boolean(),
  routine: text,
  body: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  reason: text,
  created_at: text,
  held_at: text,
  /** Older records with the same supersede key that this one replaced. */
  superseded: Type.Integer(),
  retired_at: text,
  retired_by: text,
  retired_reason: text,
});
export type HeldEntry = Static<typeof HeldEntry>;
export const HeldList = Type.Object({ items: Type.Array(HeldEntry), total: Type.Integer() });
export type HeldList = Static<typeof HeldList>;
