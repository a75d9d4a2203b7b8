// Messages of the floor plane, one MessagePack map each (spec/floor-plane.md). `ref` is the client's own number for a
// message; answers to it carry it back.
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { PresenceValue, StatusValue } from './status.js';

const ref = Type.Optional(Type.Integer({ minimum: 0 }));
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** A message to type. Fields and limits: spec/floor.md section Requests. */
export const FloorRequest = Type.Object({
  type: Type.Literal('request'),
  ref,
  seat: text(80),
  origin: Type.Union([
    Type.Literal('send'),
    Type.Literal('wake'),
    Type.Literal('notice'),
    Type.Literal('override'),
    Type.Literal('lifecycle'),
  ]),
  body: Type.String(),
  urgent: Type.Optional(Type.Boolean()),
  priority: Type.Optional(
    Type.Union([Type.Literal('routine'), Type.Literal('urgent'), Type.Literal('critical')]),
  ),
  routine: Type.Optional(Type.String()),
  actor: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ maxLength: 1000 })),
  wait_ms: Type.Optional(Type.Integer()),
  expect_generation: Type.Optional(Type.Integer()),
  expect_tenure: Type.Optional(Type.String()),
  idempotency_key: Type.Optional(Type.String()),
  supersede: Type.Optional(Type.String()),
  command: Type.Optional(Type.Boolean()),
  type_without_checking: Type.Optional(Type.Boolean()),
  /** Leave the envelope out. */
  raw: Type.Optional(Type.Boolean()),
});
export const FloorAnswerDialog = Type.Object({
  type: Type.Literal('answer'),
  ref,
  seat: text(80),
  dialog: text(200),
  choice: Type.String({ maxLength: 32 }),
  expect_generation: Type.Optional(Type.Integer()),
});
export const FloorWithdraw = Type.Object({
  type: Type.Literal('withdraw'),
  ref,
  seat: text(80),
  id: text(64),
  superseded: Type.Optional(Type.Boolean()),
});
/** `seats`: their status and presence from now on, all that the credential sees when `*`. `requests`: by idempotency key. */
export const FloorWatch = Type.Object({
  type: Type.Literal('watch'),
  ref,
  seats: Type.Optional(Type.Array(text(80), { maxItems: 1000 })),
  requests: Type.Optional(
    Type.Array(Type.Object({ seat: text(80), idempotency_key: text(200) }), { maxItems: 1000 }),
  ),
});
export const FloorPing = Type.Object({ type: Type.Literal('ping'), ref });

export const FloorClientMessage = Type.Union([
  FloorRequest,
  FloorAnswerDialog,
  FloorWithdraw,
  FloorWatch,
  FloorPing,
]);
export type FloorClientMessage = Static<typeof FloorClientMessage>;
export type FloorRequest = Static<typeof FloorRequest>;

const check = Compile(FloorClientMessage);

/** One message of a client, or undefined when it is none of them. */
export function readFloorMessage(value: unknown): FloorClientMessage | undefined {
  return check.Check(value) ? value : undefined;
}

export type FloorServerMessage =
  | {
      readonly type: 'accepted';
      readonly ref?: number;
      readonly id: string;
      readonly seat: string;
      readonly idempotency_key?: string;
    }
  | {
      readonly type: 'decision';
      readonly id: string;
      readonly decision: 'wait' | 'grant';
      readonly reason: string;
      readonly cause?: string;
      readonly since: string | null;
    }
  | {
      readonly type: 'outcome';
      readonly ref?: number;
      readonly id: string;
      readonly state: string;
      readonly confirmed: boolean;
      readonly reason: string;
      readonly cause?: string;
      readonly bytes_written: number;
      readonly outbox_id: string;
    }
  | {
      readonly type: 'withdrawn';
      readonly ref?: number;
      readonly id: string;
      readonly answer: 'withdrawn' | 'already_granted' | 'unknown';
    }
  | ({ readonly type: 'status'; readonly seat: string; readonly generation: number } & StatusValue)
  | ({ readonly type: 'presence'; readonly seat: string } & PresenceValue)
  | { readonly type: 'ended'; readonly seat: string }
  | {
      readonly type: 'error';
      readonly ref?: number;
      readonly reason: string;
      readonly error: string;
      readonly next: string;
    }
  | { readonly type: 'pong'; readonly ref?: number };
