// What Shepherd needs of the runtime, and nothing more: seats as they are, requests for the floor, and who is calling. Always
// true: there is no other way in; whatever Shepherd asks, the runtime judges like anybody's. It holds types only.
import type { SeatEntry } from '../protocol/seat.js';
import type { CaptureAnswer } from '../protocol/transport.js';

/** Milliseconds since 1970, UTC. */
export type TimeMs = number;

export type Priority = 'routine' | 'urgent' | 'critical';

/** A message for the floor of a seat. */
export interface FloorMessage {
  readonly seat: string;
  readonly origin: 'wake' | 'notice';
  readonly body: string;
  readonly priority: Priority;
  /** Name of the routine that sends it. */
  readonly routine?: string;
  /** How long it may wait; at most 24 h. */
  readonly waitMs: number;
  /** By which it is found again, and typed once only. */
  readonly key: string;
  /** A newer message to the same seat under the same key withdraws the waiting older one. */
  readonly supersede?: string;
  readonly expectGeneration?: number;
  readonly expectTenure?: string;
}

/** What became of a message. `failed` and `held` have written nothing. */
export interface FloorOutcome {
  readonly state: 'complete' | 'held' | 'failed' | 'indeterminate';
  readonly confirmed: boolean;
  /** A reason code; `request_not_found` when the runtime knows no such request. */
  readonly reason: string;
  readonly cause?: string;
  readonly bytesWritten: number;
  /** Of a followed request: it had ended before Shepherd asked for it. */
  readonly early?: boolean;
}

export type WithdrawAnswer = 'withdrawn' | 'already_granted' | 'unknown';

/** A message on its way. */
export interface Asked {
  readonly key: string;
  /** Rejects only when Shepherd ends. A lost connection is waited out. */
  readonly outcome: Promise<FloorOutcome>;
  /** Called when the turn began after the outcome was told. */
  onConfirmed(listener: () => void): void;
  /** Exact: the runtime orders it against the grant. `unknown` when it has ended or nothing answers in time. */
  withdraw(): Promise<WithdrawAnswer>;
}

export type RuntimeChange =
  /** `resumed` is false for the first connection of this process. */
  | { readonly kind: 'connected'; readonly resumed: boolean }
  | { readonly kind: 'lost' }
  /** The seat's status, presence or occupant is another; look with `seat`. */
  | { readonly kind: 'seat'; readonly seat: string };

/** Who a credential belongs to. */
export interface Caller {
  readonly kind: 'admin' | 'agent' | 'shepherd' | 'auditor';
  readonly name: string;
  /** Seat of an agent's credential. */
  readonly seat?: string;
}

/** One cause that a person should know of. Content-free: no text of a message, a screen or a row. */
export interface Alert {
  /** For example blocked, held_too_long, unsubmitted_text, routine_failing, retention_nearly_full, rate_capped. */
  readonly cause: string;
  readonly seat?: string;
  readonly routine?: string;
  /** Since when the cause holds. */
  readonly sinceAt: TimeMs;
  readonly detail?: Readonly<Record<string, string | number>>;
  /** The cause has ended. */
  readonly cleared?: true;
}

export interface Runtime {
  /** Address of the runtime, for links. */
  readonly url: string;
  connected(): boolean;
  /** Seats that have an occupant, as last heard: at most a second old while connected. */
  seats(): readonly SeatEntry[];
  seat(address: string): SeatEntry | undefined;
  listen(listener: (change: RuntimeChange) => void): () => void;
  request(message: FloorMessage): Asked;
  /** A request of before a restart, by its key: followed, never sent. */
  follow(seat: string, key: string): Asked;
  /** Rejects when the seat has no session or the runtime doesn't answer. */
  capture(seat: string, lines?: number): Promise<CaptureAnswer>;
  /** Undefined when the credential is none; rejects when the runtime doesn't answer. */
  caller(credential: string): Promise<Caller | undefined>;
  /** Held messages of a seat that are not retired. Rejects when the seat has no session or the runtime doesn't answer. */
  held(seat: string): Promise<number>;
  /** Puts it on the runtime's audit feed. Rejects when the runtime doesn't take it. */
  alert(alert: Alert): Promise<void>;
}

/** An error for a caller, with a code of spec/reasons.md. */
export class ShepherdError extends Error {
  constructor(
    readonly reason: string,
    readonly status: number,
    message: string,
    readonly next: string,
  ) {
    super(message);
    this.name = 'ShepherdError';
  }
}
