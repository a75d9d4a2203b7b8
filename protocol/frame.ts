// The JSON text frames of the attach plane (spec/attach.md). Server frames are written by the runtime and ignored by a
// client that doesn't know their type; client frames are checked whole and never half applied.
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { SIZE_MAX, SIZE_MIN } from './limit.js';
import { DialogValue, PresenceValue, StatusValue } from './status.js';

const v = Type.Literal(1);
const offset = Type.Integer({ minimum: 0 });
const dimension = Type.Integer({ minimum: SIZE_MIN, maximum: SIZE_MAX });

export const AttachMode = Type.Union([Type.Literal('take'), Type.Literal('join'), Type.Literal('view')]);
export type AttachMode = Static<typeof AttachMode>;

/** First frame of every attach. `stream_offset` is where live output starts; the replay before it is `replay_bytes` long. */
export const AttachNotice = Type.Object({
  v,
  type: Type.Literal('attach-notice'),
  stream_offset: offset,
  replay_from: offset,
  replay_bytes: offset,
  ephemeral_workspace: Type.Boolean(),
  teardown_best_effort: Type.Boolean(),
  externalise_with: Type.String(),
  mode: AttachMode,
  rows: dimension,
  cols: dimension,
  generation: Type.Integer({ minimum: 1 }),
  seat: Type.String(),
});
/** Bytes that this client will never get: the next binary frame starts that much later. */
export const Gap = Type.Object({ v, type: Type.Literal('gap'), bytes_dropped: offset });
/** The next binary frame is a snapshot: it draws the screen as of `stream_offset` and counts for no offset. */
export const SnapshotFrame = Type.Object({
  v,
  type: Type.Literal('snapshot'),
  stream_offset: offset,
  bytes: offset,
  rows: dimension,
  cols: dimension,
});
export const TtlWarning = Type.Object({
  v,
  type: Type.Literal('ttl-warning'),
  seconds_remaining: offset,
  absolute: Type.Boolean(),
});
export const ShuttingDown = Type.Object({
  v,
  type: Type.Literal('shutting-down'),
  seconds_remaining: offset,
  ephemeral_workspace_reset: Type.Boolean(),
});
export const Pong = Type.Object({ v, type: Type.Literal('pong') });
export const SizeFrame = Type.Object({ v, type: Type.Literal('size'), rows: dimension, cols: dimension });
/** The leader's end: exit status or signal name. Comes after the last output byte and before close 4004. */
export const ExitFrame = Type.Object({
  v,
  type: Type.Literal('exit'),
  code: Type.Union([Type.Integer(), Type.Null()]),
  signal: Type.Union([Type.String(), Type.Null()]),
});
/** The child doesn't read: `waiting_bytes` of operators' input wait in the writer. `active: false` when it is over. */
export const InputBackpressure = Type.Object({
  v,
  type: Type.Literal('input_backpressure'),
  active: Type.Boolean(),
  waiting_bytes: offset,
});

/** What the seat's agent is doing, at attach and at every change. */
export const StatusFrame = Type.Object({
  v,
  type: Type.Literal('status'),
  seat: Type.String(),
  ...StatusValue.properties,
});
/** Whether a person is there, at attach and at every change. */
export const PresenceFrame = Type.Object({
  v,
  type: Type.Literal('presence'),
  seat: Type.String(),
  ...PresenceValue.properties,
});

/** Automation got the floor of this session (`granted`), and how it ended (`finished`). */
export const InjectionFrame = Type.Object({
  v,
  type: Type.Literal('injection'),
  seat: Type.String(),
  phase: Type.Union([Type.Literal('granted'), Type.Literal('finished')]),
  request: Type.String(),
  origin: Type.String(),
  identity: Type.String(),
  routine: Type.Optional(Type.String()),
  /** A claimed label, shown as claimed. */
  actor: Type.Optional(Type.String()),
  /** The first 2000 characters. */
  message: Type.String(),
  message_bytes: offset,
  outcome: Type.Optional(Type.String()),
  confirmed: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String()),
  bytes_written: Type.Optional(offset),
});
/** A request was not typed and is kept for reading. */
export const HeldFrame = Type.Object({
  v,
  type: Type.Literal('held'),
  seat: Type.String(),
  request: Type.String(),
  origin: Type.String(),
  reason: Type.String(),
});
/** A dialog of the agent is open, at attach and when it is another instance; or it has gone. */
export const DialogFrame = Type.Union([
  Type.Object({
    v,
    type: Type.Literal('dialog'),
    seat: Type.String(),
    open: Type.Literal(true),
    ...DialogValue.properties,
  }),
  Type.Object({ v, type: Type.Literal('dialog'), seat: Type.String(), open: Type.Literal(false) }),
]);
/** The floor of this session: who has it, and how many wait, with the first one's reason. */
export const FloorFrame = Type.Object({
  v,
  type: Type.Literal('floor'),
  seat: Type.String(),
  holder: Type.Union([Type.String(), Type.Null()]),
  waiting: offset,
  reason: Type.Union([Type.String(), Type.Null()]),
  since: Type.Union([Type.String(), Type.Null()]),
});

/**
 * The seat is being handed over to another occupant: automation stops (`frozen`); `bound`: the new occupant's notice and
 * snapshot follow on this connection; `halted` half way; `over`, whatever came of it. Operators may type all the time.
 */
export const HandoverFrame = Type.Object({
  v,
  type: Type.Literal('handover'),
  seat: Type.String(),
  /** Id of the attempt, as in the lineage. */
  handover: Type.String(),
  phase: Type.Union([
    Type.Literal('frozen'),
    Type.Literal('bound'),
    Type.Literal('halted'),
    Type.Literal('over'),
  ]),
  /** What happened to the seat, once that is known. */
  outcome: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
});

export type AttachNotice = Static<typeof AttachNotice>;
export type Gap = Static<typeof Gap>;
export type SnapshotFrame = Static<typeof SnapshotFrame>;
export type ExitFrame = Static<typeof ExitFrame>;
export type StatusFrame = Static<typeof StatusFrame>;
export type PresenceFrame = Static<typeof PresenceFrame>;
export type InjectionFrame = Static<typeof InjectionFrame>;
export type HeldFrame = Static<typeof HeldFrame>;
export type FloorFrame = Static<typeof FloorFrame>;
export type HandoverFrame = Static<typeof HandoverFrame>;

export const ServerFrame = Type.Union([
  AttachNotice,
  Gap,
  SnapshotFrame,
  TtlWarning,
  ShuttingDown,
  Pong,
  SizeFrame,
  ExitFrame,
  InputBackpressure,
  StatusFrame,
  PresenceFrame,
  InjectionFrame,
  HeldFrame,
  DialogFrame,
  FloorFrame,
  HandoverFrame,
]);
export type ServerFrame = Static<typeof ServerFrame>;

export const ResizeFrame = Type.Object({ v, type: Type.Literal('resize'), cols: dimension, rows: dimension });
export const PingFrame = Type.Object({ v, type: Type.Literal('ping') });
export const DetachFrame = Type.Object({ v, type: Type.Literal('detach') });
export const ComposingFrame = Type.Object({ v, type: Type.Literal('composing'), active: Type.Boolean() });

export const ClientFrame = Type.Union([ResizeFrame, PingFrame, DetachFrame, ComposingFrame]);
export type ClientFrame = Static<typeof ClientFrame>;

const clientFrame = Compile(ClientFrame);
const serverFrame = Compile(ServerFrame);

/** One client frame, or why it is none. Extra keys are ignored, as an older runtime would. */
export function parseClientFrame(text: string): ClientFrame | { readonly malformed: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { malformed: 'not JSON' };
  }
  if (clientFrame.Check(value)) return value;
  return { malformed: 'not a frame of attach version 1' };
}

/** One server frame, or undefined for a type that this version doesn't know: a client ignores it. */
export function parseServerFrame(text: string): ServerFrame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return serverFrame.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
