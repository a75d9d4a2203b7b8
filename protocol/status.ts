// Status and presence as they stand on the wire: in attach frames, on the floor plane and in HTTP answers (spec/status.md).
// Text that comes from a program is escaped before it gets here.
import Type, { type Static } from 'typebox';
import { PermissionPost } from './permission.js';

export const StatusValue = Type.Object({
  state: Type.Union([
    Type.Literal('working'),
    Type.Literal('idle'),
    Type.Literal('blocked'),
    Type.Literal('unknown'),
  ]),
  /** Only with blocked: permission, question, trust, auth, picker, error. */
  kind: Type.Optional(Type.String()),
  /** program_status, sequence, hook, screen or process. */
  source: Type.String(),
  /** Time of the evidence, ISO 8601. */
  at: Type.String(),
  offset: Type.Integer({ minimum: 0 }),
  hard: Type.Boolean(),
  /** At most 240 characters, escaped. */
  detail: Type.String(),
  done: Type.Optional(Type.Boolean()),
  background: Type.Optional(Type.String()),
  /** Turns finished in this tenure. */
  turns: Type.Integer({ minimum: 0 }),
  /** Only with unknown: why. */
  cause: Type.Optional(Type.String()),
  /** Pack of the agent that was recognised. */
  agent: Type.Optional(Type.String()),
  /** pid and start time of the agent process. */
  tenure: Type.Optional(Type.String()),
});
export type StatusValue = Static<typeof StatusValue>;

export const PresenceValue = Type.Object({
  /** Somebody typed within the seat's quiet time, or composes. */
  recent: Type.Boolean(),
  composing: Type.Boolean(),
  last_key_at: Type.Union([Type.String(), Type.Null()]),
  last_activity_at: Type.Union([Type.String(), Type.Null()]),
  /** An operator may have left a draft. */
  ledger: Type.Union([Type.Literal('empty'), Type.Literal('draft')]),
  /** Attached clients that may type, and those that only read. */
  operators: Type.Integer({ minimum: 0 }),
  viewers: Type.Integer({ minimum: 0 }),
});
export type PresenceValue = Static<typeof PresenceValue>;

export const ForegroundValue = Type.Object({
  class: Type.String(),
  cause: Type.Optional(Type.String()),
  members: Type.Array(Type.Object({ pid: Type.Integer(), name: Type.String(), role: Type.String() })),
});
export type ForegroundValue = Static<typeof ForegroundValue>;

/** Settings of a seat; absent ones have their default. */
export const SeatSettings = Type.Object(
  {
    /** Pack name, or `auto`. */
    agent: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    human_quiet_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    confirm_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 600_000 })),
    grant_in_background: Type.Optional(Type.Boolean()),
    allow_shell_sends: Type.Optional(Type.Boolean()),
    /** Base names of programs that may stand for an agent elsewhere, for example ssh. */
    carriers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 8 })),
    model: Type.Optional(Type.String({ maxLength: 128 })),
    effort: Type.Optional(Type.String({ maxLength: 32 })),
  },
  { additionalProperties: false },
);
export type SeatSettings = Static<typeof SeatSettings>;

/** A dialog on the screen: which instance, and what it asks. Untrusted text, escaped. */
export const DialogValue = Type.Object({
  instance: Type.String(),
  kind: Type.String(),
  question: Type.String(),
  options: Type.Array(Type.Object({ label: Type.String(), class: Type.String() })),
  /** What it asks about isn't shown whole. */
  truncated: Type.Boolean(),
});
export type DialogValue = Static<typeof DialogValue>;

/** The event that `openfloor signal` posts where no terminal is found: `state` and `kind` of a 7501 report in its fields. */
export const SIGNAL_EVENT = 'openfloor.signal';

export const HookPost = Type.Object(
  {
    /** Name of the event as the agent calls it, for example UserPromptSubmit. */
    event: Type.String({ minLength: 1, maxLength: 128 }),
    /** Short text and flags of the event that a pack's rules may ask for; never arguments or prompts. */
    fields: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 64 }),
        Type.Union([
          Type.String({ maxLength: 256 }),
          Type.Boolean(),
          Type.Number(),
          Type.Null(),
          Type.Array(Type.Null(), { maxItems: 64 }),
        ]),
      ),
    ),
    /** With a permission request, and with the end of a tool's run: whose it is. */
    permission: Type.Optional(PermissionPost),
  },
  { additionalProperties: false },
);
export type HookPost = Static<typeof HookPost>;
