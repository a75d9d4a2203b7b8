// What an attachment is asked for, what it tells, and how it reaches its server. Shapes only.
import type { AttachMode } from '../../protocol/frame.js';
import type { SdkError } from './error.js';
import type { SeatFrames } from './seat-frame.js';
import type { Notice, OtherFrame } from './server-frame.js';
import type { Dial } from './socket.js';

export interface AttachOptions {
  /** `join` (default) shares, `take` evicts the other operators, `view` only reads. */
  readonly mode?: AttachMode;
  /** Attach token; with an administrator's credential one is minted when this is absent. */
  readonly token?: string | (() => Promise<string>);
  readonly rows?: number;
  readonly cols?: number;
  /** Absolute offset to go on from. Without it nothing that is past is replayed. */
  readonly since?: number;
  /** Draw the screen first, and again whenever bytes were lost. */
  readonly snapshot?: boolean;
  /** Go on by itself after a lost connection; default true. */
  readonly resume?: boolean;
  /** Stop trying this long after the connection was lost; default five minutes. */
  readonly resumeForMs?: number;
  readonly heartbeatMs?: number;
  /** Delay before retry `attempt` (0 first); default 0.1 to 5 s with jitter. */
  readonly retryDelayMs?: (attempt: number) => number;
  readonly onBytes?: (event: OutputEvent) => void;
}

export interface OutputEvent {
  /** Absolute offset of the first byte. */
  readonly offset: number;
  /** Valid as long as the caller likes. */
  readonly bytes: Uint8Array;
}

export interface CloseEvent {
  readonly code: number;
  /** A sentence. */
  readonly reason: string;
  readonly next: string;
  /** Undefined when the client detached by itself. */
  readonly error: SdkError | undefined;
}

export interface AttachmentEvents extends SeatFrames {
  attached: { readonly notice: Notice; readonly resumed: boolean };
  bytes: OutputEvent;
  /** Bytes that draw the screen as of `offset` on a terminal that was just reset. */
  snapshot: {
    readonly offset: number;
    readonly rows: number;
    readonly cols: number;
    readonly bytes: Uint8Array;
  };
  gap: { readonly from: number; readonly bytes: number };
  /** The stream is another one than before: the session was restarted. */
  restarted: { readonly offset: number; readonly generation: number | undefined };
  size: { readonly rows: number; readonly cols: number };
  exit: { readonly code: number | null; readonly signal: string | null };
  /** Every other frame as the server sent it, those of the seat's own events too: ttl-warning, dialog, ... */
  frame: OtherFrame;
  lost: { readonly code: number; readonly reason: string; readonly retryInMs: number };
  /** Input that was not sent. */
  dropped: { readonly bytes: number; readonly why: 'not_attached' | 'view' | 'full' };
  close: CloseEvent;
}

/** How an attachment reaches its server; made by the client. */
export interface AttachPort {
  /** ws: or wss: address of the seat, without a query. */
  readonly url: string;
  readonly dial: () => Promise<Dial>;
  /** A token; `fresh` when the last one was refused. */
  readonly token: (fresh: boolean) => Promise<string>;
  readonly renewable: boolean;
}
