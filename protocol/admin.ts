// Bodies and answers of the admin plane (spec/admin.md, attach contract 1.2 and 1.3). The schemas give the types, the
// validation of requests and the OpenAPI document.
import Type, { type Static } from 'typebox';
import { AttachMode } from './frame.js';
import { SIZE_MAX, SIZE_MIN } from './limit.js';

const dimension = Type.Integer({ minimum: SIZE_MIN, maximum: SIZE_MAX });
const count = Type.Integer({ minimum: 0 });

/** Every error: a sentence, the reason code, and what to do where there is something to do. */
export const ErrorBody = Type.Object({
  error: Type.String(),
  reason: Type.Optional(Type.String()),
  next: Type.Optional(Type.String()),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const CreateSession = Type.Object({
  name: Type.String(),
  rows: Type.Optional(dimension),
  cols: Type.Optional(dimension),
  agent: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  kind: Type.Optional(Type.Union([Type.Literal('agent'), Type.Literal('terminal')])),
  command: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1024 })),
  cwd: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** False: the agent is started as it stands, without its pack's help for reporting. */
  launch_hooks: Type.Optional(Type.Boolean()),
});
export type CreateSession = Static<typeof CreateSession>;

export const SessionToken = Type.Object({
  session: Type.String(),
  generation: Type.Integer({ minimum: 1 }),
  token: Type.String(),
  token_expires_in_secs: Type.Union([count, Type.Null()]),
});
export type SessionToken = Static<typeof SessionToken>;

export const MintSessionToken = Type.Object({ mode: Type.Optional(AttachMode) });

export const SessionEntry = Type.Object({
  name: Type.String(),
  generation: Type.Integer({ minimum: 1 }),
  alive: Type.Boolean(),
  attached: Type.Boolean(),
  clients: count,
  bytes_written: count,
  rows: dimension,
  cols: dimension,
  pid: Type.Integer(),
  command: Type.Array(Type.String()),
  created_at: Type.String(),
  tier: Type.String(),
  teardown_best_effort: Type.Boolean(),
  absolute_ttl_best_effort: Type.Boolean(),
});
export type SessionEntry = Static<typeof SessionEntry>;

export const SessionList = Type.Object({
  sessions: Type.Array(SessionEntry),
  draining: Type.Boolean(),
  kill_domain: Type.Object({
    tier: Type.String(),
    teardown_best_effort: Type.Boolean(),
    absolute_ttl_best_effort: Type.Boolean(),
    leaked_processes: count,
    tracked_processes: count,
    tracked_process_ceiling: count,
    subreaper: Type.Object({ status: Type.String() }),
  }),
  metrics: Type.Record(Type.String(), count),
  abuse: Type.Record(Type.String(), count),
  tools: Type.Object({}),
});
export type SessionList = Static<typeof SessionList>;

export const KillAnswer = Type.Object({
  session: Type.String(),
  generation: Type.Integer(),
  class: Type.String(),
  close_code: Type.Integer(),
  kill_domain: Type.Object({ tier: Type.String(), survivors: Type.Array(Type.Integer()), elapsed_ms: count }),
});
export type KillAnswer = Static<typeof KillAnswer>;

export const CredentialKind = Type.Union([
  Type.Literal('admin'),
  Type.Literal('agent'),
  Type.Literal('shepherd'),
  Type.Literal('auditor'),
]);

export const MintToken = Type.Object({
  kind: CredentialKind,
  name: Type.String({ minLength: 1, maxLength: 64 }),
  seats: Type.Optional(Type.Array(Type.String(), { maxItems: 256 })),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  ttl_secs: Type.Optional(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
});
export type MintToken = Static<typeof MintToken>;

export const TokenEntry = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  seats: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  revoked_at: Type.Union([Type.String(), Type.Null()]),
});
export type TokenEntry = Static<typeof TokenEntry>;

/** Whose a credential is. `seat`: the one that an agent's credential belongs to. */
export const Whoami = Type.Object({
  kind: CredentialKind,
  name: Type.String(),
  seat: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(Type.String()),
});
export type Whoami = Static<typeof Whoami>;

/** A cause that a person should know of. Content-free: no text of a message, a screen or a row. */
export const AlertBody = Type.Object(
  {
    cause: Type.String({ pattern: '^[a-z][a-z0-9_]{0,47}$' }),
    seat: Type.Optional(Type.String({ maxLength: 80 })),
    routine: Type.Optional(Type.String({ maxLength: 200 })),
    /** Absent: raised. */
    outcome: Type.Optional(Type.Union([Type.Literal('raised'), Type.Literal('cleared')])),
    /** Since when the cause holds, milliseconds since 1970. */
    since_at: Type.Optional(Type.Integer({ minimum: 0 })),
    detail: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 48 }),
        Type.Union([Type.String({ maxLength: 200 }), Type.Number()]),
        { maxProperties: 16 },
      ),
    ),
  },
  { additionalProperties: false },
);
export type AlertBody = Static<typeof AlertBody>;

/** The secret is shown in this answer and never again. */
export const MintedToken = Type.Object({ ...TokenEntry.properties, token: Type.String() });
export type MintedToken = Static<typeof MintedToken>;

export const Login = Type.Object({ ticket: Type.String({ minLength: 1, maxLength: 256 }) });
export const LoginAnswer = Type.Object({ token: Type.String(), expires_in_secs: count });
export type LoginAnswer = Static<typeof LoginAnswer>;
export const TicketAnswer = Type.Object({ ticket: Type.String(), expires_in_secs: count });
export type TicketAnswer = Static<typeof TicketAnswer>;

/** What the kill domain of this platform is called on the wire (attach contract 2.8). */
export const KILL_DOMAIN_TIER = 'tier1-best-effort-process-group';
export const EXTERNALISE_WITH = 'git push (lifecycle hooks are backup, not primary)';
