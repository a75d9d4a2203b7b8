// Handovers, candidates and lineage over HTTP (spec/seats.md). Field names of the two outcomes are those of the seat
// continuity model; everything else is in the style of the other answers.
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;
const text = Type.Union([Type.String(), Type.Null()]);
const Mode = Type.Union([
  Type.Literal('fresh'),
  Type.Literal('resume'),
  Type.Literal('fork'),
  Type.Literal('rebuild'),
]);
const Disposition = Type.Union([Type.Literal('retire'), Type.Literal('advise'), Type.Literal('shadow')]);
/** It goes into a command line as a word of its own and is never an option. */
const ConversationId = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$' });
const Artifacts = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 16 });

export const CandidateBody = Type.Object(
  {
    mode: Mode,
    reason: Type.String({ maxLength: 1000 }),
    /** Conversation to resume or fork; by default the one that is known of the occupant. */
    conversation: Type.Optional(ConversationId),
    /** Files that a rebuild hands on; relative ones are below the seat's folder. */
    artifacts: Type.Optional(Artifacts),
  },
  closed,
);
export type CandidateBody = Static<typeof CandidateBody>;

export const HandoverBody = Type.Object(
  {
    /** Required unless `candidate` is given. */
    mode: Type.Optional(Mode),
    candidate: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    disposition: Type.Optional(Disposition),
    strict_disposition: Type.Optional(Type.Boolean()),
    reason: Type.String({ maxLength: 1000 }),
    conversation: Type.Optional(ConversationId),
    artifacts: Type.Optional(Artifacts),
    /** Name of the routine that asks; a claimed label. */
    routine: Type.Optional(Type.String({ maxLength: 128 })),
    dry_run: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type HandoverBody = Static<typeof HandoverBody>;

export const RecoverBody = Type.Object(
  {
    as: Type.Union([Type.Literal('bound'), Type.Literal('unchanged')]),
    reason: Type.String({ maxLength: 1000 }),
  },
  closed,
);
export type RecoverBody = Static<typeof RecoverBody>;

/** An occupant: its name now (`seat` or `seat-vN`), generation and conversation. */
export const OccupantRef = Type.Object({
  name: Type.String(),
  version: Type.Union([Type.Integer(), Type.Null()]),
  generation: Type.Integer(),
  conversation: text,
});
export type OccupantRef = Static<typeof OccupantRef>;

export const ArtifactRef = Type.Object({
  path: Type.String(),
  sha256: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
});
export type ArtifactRef = Static<typeof ArtifactRef>;

export const HandoverStep = Type.Object({
  step: Type.String(),
  started_at: Type.String(),
  ended_at: text,
  result: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
});
export type HandoverStep = Static<typeof HandoverStep>;

/** One attempt, or a person's word on one that has halted (`settles`). */
export const HandoverRecord = Type.Object({
  handover: Type.String(),
  /** The attempt that this record settles. */
  settles: text,
  seat: Type.String(),
  at: Type.String(),
  mode: Mode,
  reason: Type.String(),
  initiated_by: Type.String(),
  routine: text,
  candidate: text,
  artifacts: Type.Array(ArtifactRef),
  old: Type.Union([OccupantRef, Type.Null()]),
  new: Type.Union([OccupantRef, Type.Null()]),
  disposition_asked: Disposition,
  /** What was done with the old occupant, or would have been. */
  disposition: Type.Union([Disposition, Type.Null()]),
  strict_disposition: Type.Boolean(),
  steps: Type.Array(HandoverStep),
  /** binding, halted, bound or unchanged. */
  state: Type.String(),
  /** Step that runs, has halted or has failed. */
  step: text,
  failure: Type.Union([
    Type.Object({ step: Type.String(), reason: Type.String(), message: Type.String() }),
    Type.Null(),
  ]),
  continuityOutcome: Type.String(),
  seatBindingOutcome: Type.String(),
  notices: Type.Array(Type.String()),
});
export type HandoverRecord = Static<typeof HandoverRecord>;

export const HandoverPlan = Type.Object({
  seat: Type.String(),
  dry_run: Type.Literal(true),
  mode: Mode,
  command: Type.Union([Type.Array(Type.String()), Type.Null()]),
  conversation: text,
  artifacts: Type.Array(ArtifactRef),
  disposition_asked: Disposition,
  disposition: Type.Union([Disposition, Type.Null()]),
  steps: Type.Array(Type.Object({ step: Type.String(), willMutate: Type.Literal(false) })),
  notices: Type.Array(Type.String()),
});
export type HandoverPlan = Static<typeof HandoverPlan>;

export const CandidateEntry = Type.Object({
  id: Type.String(),
  seat: Type.String(),
  mode: Mode,
  /** requested, realized or failed. */
  state: Type.String(),
  /** Session that can be attached to while it is a candidate. */
  session: Type.String(),
  generation: Type.Union([Type.Integer(), Type.Null()]),
  conversation: text,
  artifacts: Type.Array(ArtifactRef),
  created_at: Type.String(),
  reason: Type.String(),
  failure: Type.Union([Type.Object({ reason: Type.String(), message: Type.String() }), Type.Null()]),
});
export type CandidateEntry = Static<typeof CandidateEntry>;
export const CandidateList = Type.Object({ candidates: Type.Array(CandidateEntry) });

export const LineageEntry = Type.Object({
  /** The seat's own address for who sits there, `seat-vN` for who did. */
  name: Type.String(),
  version: Type.Integer(),
  generation: Type.Integer(),
  /** bound, retired, advising, shadowing, detached or ended. */
  state: Type.String(),
  conversation: text,
  bound_at: Type.String(),
  ended_at: text,
  outcome: text,
  /** Its session runs and can be attached to. */
  running: Type.Boolean(),
});
export type LineageEntry = Static<typeof LineageEntry>;
export const LineageAnswer = Type.Object({
  seat: Type.String(),
  /** stable, binding, halted. */
  state: Type.String(),
  binding: Type.Union([HandoverRecord, Type.Null()]),
  /** Newest first. */
  occupants: Type.Array(LineageEntry),
  handovers: Type.Array(HandoverRecord),
});
export type LineageAnswer = Static<typeof LineageAnswer>;

/** The newest occupant and handover, as a part of a seat's status; `unavailable` says why it isn't known. */
export const LineageHead = Type.Union([
  Type.Object({
    state: Type.Literal('known'),
    /** stable, binding or halted. */
    seat: Type.String(),
    version: Type.Integer(),
    generation: Type.Integer(),
    conversation: text,
    bound_at: Type.String(),
    /** Id of the handover that is under way or has halted, and its step. */
    handover: text,
    step: text,
  }),
  Type.Object({ state: Type.Literal('unavailable'), cause: Type.String() }),
]);
export type LineageHead = Static<typeof LineageHead>;
