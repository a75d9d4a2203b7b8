// The door of the SDK, for browsers and Node: `connect` and what it returns. Everything else in this room is private.
// Wire types come from `openfloor/protocol`. Documented in spec/sdk.md.
export type { AttachmentEvents, AttachOptions, CloseEvent, OutputEvent } from './attach-options.js';
export { Attachment } from './attachment.js';
export type { AuditFollow, AuditFollowEvents } from './audit-follow.js';
export { Client, type ConnectOptions, connect, login, parseServerUrl } from './client.js';
export { Emitter, type Unsubscribe } from './emitter.js';
export { SDK_REASONS, SdkError, type SdkReason } from './error.js';
export type {
  DialogAnswer,
  FloorConnection,
  FloorEvents,
  FloorMessage,
  WithdrawAnswer,
} from './floor-connection.js';
export type { FloorDecision, FloorHandle, FloorHandleEvents, FloorOutcome } from './floor-handle.js';
export type { FetchLike } from './http.js';
export type { LostEvent, OverEvent, PlaneOptions } from './plane.js';
export type { QueueAs, QueueFilter, QueueNoted } from './queue.js';
export type { SeatFrames } from './seat-frame.js';
export type { Receipt } from './seats.js';
export type { Notice, OtherFrame } from './server-frame.js';
export { type BrowserSocketClass, browserDial, type Dial, type Socket, type SocketEvents } from './socket.js';
export type { RoutineFilter } from './watchdog.js';
