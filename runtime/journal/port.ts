// What the rest of the runtime knows of the store. Always true: a call either returns with everything written (it
// survives kill -9) or throws JournalError with nothing written, at once: no call waits for a lock, a checkpoint or
// another process. Operator paths never need it: credentials are verified in memory and generations are counted there.

import type { AuditRecordValue } from '../../protocol/audit.js';
import type { Plain, PlainMap } from '../../protocol/codec.js';

/** Milliseconds since 1970, UTC. */
export type TimeMs = number;

/** Why the store could not be written or read. */
export type StoreFault = 'locked' | 'full' | 'read_only' | 'corrupt' | 'io' | 'closed';

/** The one error of this room. `reason` is the code for callers, `fault` says what the store met. */
export class JournalError extends Error {
  constructor(
    readonly reason: 'audit_unavailable' | 'store_unavailable' | 'unknown_record' | 'credential_capacity',
    message: string,
    /** What a person can do. */
    readonly next: string,
    readonly fault?: StoreFault,
  ) {
    super(message);
    this.name = 'JournalError';
  }
}

/** What happened, as the caller knows it; the journal adds seq, runtime, prev and hash (spec/audit.md). */
export interface AuditEntry
  extends Omit<AuditRecordValue, 'seq' | 'runtime' | 'prev' | 'hash' | 'checks' | 'detail'> {
  readonly checks?: readonly Plain[];
  /** What only this kind has, for example an exit code. */
  readonly detail?: PlainMap;
}

/** A record as it stands in the chain. */
export interface AuditRecord extends AuditEntry {
  /** Counts from 1 without gaps. */
  readonly seq: number;
  readonly runtime: string;
  /** Hash of the record before, 64 hex characters; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 over the canonical MessagePack of all other fields, 64 hex characters. */
  readonly hash: string;
}

export type OutboxState = 'waiting' | 'sending' | 'held' | 'complete' | 'indeterminate' | 'failed';

/** One accepted request (guard contract 3). */
export interface OutboxRow {
  readonly id: string;
  readonly seat: string;
  readonly session: string | null;
  readonly generation: number | null;
  readonly tenure: string | null;
  readonly identity: string;
  readonly actor: string | null;
  readonly origin: string;
  readonly urgent: boolean;
  readonly routine: string | null;
  readonly body: string;
  /** UTF-8 length and SHA-256 (hex) of the body; they stay when the body is not kept. */
  readonly bytes: number;
  readonly sha256: string;
  readonly supersede: string | null;
  readonly idempotencyKey: string | null;
  readonly state: OutboxState;
  readonly reason: string | null;
  readonly confirmed: boolean | null;
  readonly bytesWritten: number;
  readonly createdAt: TimeMs;
  readonly deadlineAt: TimeMs | null;
  readonly updatedAt: TimeMs;
  readonly supersededCount: number;
  readonly firstHeldAt: TimeMs | null;
  readonly retiredAt: TimeMs | null;
  readonly retiredBy: string | null;
  readonly retiredReason: string | null;
}

/** What a caller gives for a new row; the journal computes the size and the counters, and the hash unless it is given. */
export type OutboxDraft = Pick<
  OutboxRow,
  'id' | 'seat' | 'identity' | 'origin' | 'urgent' | 'body' | 'state' | 'createdAt'
> &
  Partial<
    Pick<
      OutboxRow,
      | 'session'
      | 'generation'
      | 'tenure'
      | 'actor'
      | 'routine'
      | 'supersede'
      | 'idempotencyKey'
      | 'reason'
      | 'confirmed'
      | 'deadlineAt'
      | 'sha256'
    >
  >;

export interface OutboxPatch {
  readonly state: OutboxState;
  readonly reason?: string | null;
  readonly confirmed?: boolean | null;
  readonly bytesWritten?: number;
  readonly tenure?: string | null;
  readonly session?: string | null;
  readonly generation?: number | null;
}

export type GuardMode = 'off' | 'draft-aware' | 'openrig-urgent' | 'urgent-only' | 'sends-only' | 'hold';

export interface SeatRow {
  readonly seat: string;
  readonly kind: 'agent' | 'terminal';
  readonly pack: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly binding: Readonly<Record<string, unknown>> | null;
  readonly guardDesired: GuardMode;
  readonly guardEffective: GuardMode;
  /** Rises when the desired mode changes. */
  readonly guardRevision: number;
  readonly createdAt: TimeMs;
}

export interface OccupantRow {
  readonly seat: string;
  /** Counts from 1; the retired occupant's name is `<seat>-v<version>`. */
  readonly version: number;
  readonly session: string;
  readonly generation: number;
  readonly state: string;
  readonly conversation: string | null;
  readonly boundAt: TimeMs;
  readonly endedAt: TimeMs | null;
  readonly outcome: string | null;
}

export interface HandoverRow {
  readonly id: string;
  readonly seat: string;
  readonly at: TimeMs;
  readonly record: Readonly<Record<string, unknown>>;
}

/** One write. Several of them make one commit: all or nothing. */
export type Change =
  | { readonly type: 'audit'; readonly entry: AuditEntry }
  | { readonly type: 'accept'; readonly row: OutboxDraft }
  | { readonly type: 'settle'; readonly id: string; readonly at: TimeMs; readonly patch: OutboxPatch }
  | {
      readonly type: 'retire';
      readonly id: string;
      readonly at: TimeMs;
      readonly by: string;
      readonly reason: string;
    }
  | { readonly type: 'seat'; readonly row: SeatRow }
  | { readonly type: 'seat_removed'; readonly seat: string }
  | { readonly type: 'occupant'; readonly row: OccupantRow }
  | { readonly type: 'handover'; readonly row: HandoverRow }
  /** What seats of the rig that are added later begin with. */
  | {
      readonly type: 'rig_policy';
      readonly rig: string;
      readonly policy: Readonly<Record<string, unknown>>;
    };

export interface AuditFilter {
  readonly seat?: string;
  readonly session?: string;
  readonly kind?: string;
}

/** Where a reader of the chain stands: the last record it has, and that record's hash. */
export interface ChainCursor {
  readonly seq: number;
  readonly hash: string;
}

export type ChainVerdict =
  | { readonly state: 'good'; readonly cursor: ChainCursor; readonly done: boolean }
  | {
      readonly state: 'broken';
      /** The first record that doesn't fit. */
      readonly seq: number;
      readonly fault: 'gap' | 'hash_mismatch' | 'prev_mismatch' | 'undecodable' | 'column_mismatch';
    };

export interface Subscription {
  /** Records up to this seq were committed before; read them with `page`. Later ones are delivered, each once. */
  readonly from: number;
  close(): void;
}

export interface AuditFeed {
  /** The newest record. */
  readonly head: ChainCursor;
  /** Records with seq > `after`, oldest first, at most `limit` (1..1000). */
  page(after: number, filter: AuditFilter, limit: number): AuditRecord[];
  /** Checks up to `limit` records after the cursor; call again until `done`, a turn of the loop apart. */
  verify(cursor: ChainCursor, limit: number): ChainVerdict;
  /** Tells of new records in order, after the turn that committed them. A listener that throws is told no more. */
  subscribe(listener: (records: readonly AuditRecord[]) => void): Subscription;
}

export interface HeldQuota {
  /** Held and not retired, notices left out. */
  readonly records: number;
  readonly bytes: number;
  /** Held notices have a quota of their own. */
  readonly notices: number;
}

export interface Outbox {
  get(id: string): OutboxRow | undefined;
  /** The newest row with this key. */
  byKey(seat: string, idempotencyKey: string): OutboxRow | undefined;
  /** The held, unretired record with this supersede key. */
  heldBySupersede(seat: string, supersede: string): OutboxRow | undefined;
  heldQuota(seat: string): HeldQuota;
  /** Held records of a seat, newest first, retired ones too when asked, and how many there are in all. */
  held(
    seat: string,
    page: { limit: number; offset: number; retired?: boolean },
  ): { items: OutboxRow[]; total: number };
}

export interface Rigs {
  /** By rig, the policy that its new seats copy; rigs without one are not there. */
  policies(): ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface Seats {
  get(seat: string): SeatRow | undefined;
  list(): SeatRow[];
  /** Newest first. */
  occupants(seat: string): OccupantRow[];
  /** Newest first. */
  handovers(seat: string, limit: number): HandoverRow[];
}

export type CredentialKind = 'admin' | 'attach' | 'agent' | 'shepherd' | 'auditor';

export interface Credential {
  readonly id: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** Seats it is limited to; null is all. */
  readonly seats: readonly string[] | null;
  readonly scopes: readonly string[];
  /** attach and agent: the session and generation it is good for. */
  readonly session: string | null;
  readonly generation: number | null;
  /** attach: what its holder may do. */
  readonly mode: 'take' | 'join' | 'view' | null;
  readonly createdAt: TimeMs;
  readonly expiresAt: TimeMs | null;
}

export interface CredentialDraft {
  readonly kind: CredentialKind;
  readonly name: string;
  readonly seats?: readonly string[] | null;
  readonly scopes?: readonly string[];
  readonly session?: string;
  readonly generation?: number;
  readonly mode?: 'take' | 'join' | 'view';
  /** Absent or null: it doesn't expire. */
  readonly ttlMs?: number | null;
}

export type CredentialCheck =
  | { readonly state: 'valid'; readonly credential: Credential }
  | { readonly state: 'expired'; readonly credential: Credential }
  | { readonly state: 'unknown' };

export interface Credentials {
  /** A new secret of 64 hex characters, returned once and kept nowhere. Stored kinds throw JournalError. */
  mint(draft: CredentialDraft, now: TimeMs): { credential: Credential; secret: string };
  /** A credential whose verifier (`sha256:` + 64 hex) stands in the configuration. Not stored, not listed for removal. */
  admit(draft: CredentialDraft, verifier: string, now: TimeMs): Credential;
  /** Who presents this secret. Never touches the disk; the work doesn't depend on how much of it is right. */
  check(secret: string, now: TimeMs): CredentialCheck;
  list(now: TimeMs): Credential[];
  /** False when there is none. The credential is dead at once, also when the store can't record it. */
  revoke(id: string, now: TimeMs): boolean;
  /** Ends every attach and agent credential of a session (optionally of generations below one); how many. */
  revokeSession(session: string, belowGeneration?: number): number;
  /** The fingerprint for logs: `h:` and 16 hex characters, from which neither secret nor verifier follows. */
  fingerprint(secret: string): string;
}

/** What a start found and put right (floor contract I5, guard contract 3). */
export interface StartReport {
  readonly failed: readonly OutboxRow[];
  readonly indeterminate: readonly OutboxRow[];
  /** Seats whose guard mode was decided anew. */
  readonly guards: readonly SeatRow[];
}

export interface Journal {
  /** Persistent id of this installation. */
  readonly runtime: string;
  readonly audit: AuditFeed;
  readonly outbox: Outbox;
  readonly seats: Seats;
  readonly rigs: Rigs;
  readonly credentials: Credentials;
  /** One atomic commit, in the order given; returns the audit records it appended. */
  commit(changes: readonly Change[]): AuditRecord[];
  /** Appends now, or as soon as the store is back: for records that nothing depends on (attach, detach). Never throws. */
  note(entry: AuditEntry): void;
  /**
   * One commit, now or as soon as the store is back: for what has happened already, such as the end of a request. Never
   * throws; later commits come after it.
   */
  owe(at: TimeMs, changes: readonly Change[]): void;
  /** Commits of `note` and `owe` that wait for the store, and how many were dropped because too many did. */
  readonly backlog: { readonly waiting: number; readonly dropped: number };
  /** The next generation of a session name, counting from 1; it never falls and never repeats. */
  nextGeneration(session: string): number;
  /** Resolves when everything committed so far survives a power loss (`audit_sync = "full"`). */
  durable(): Promise<void>;
  /** Settles what the last process left. Once, before any route or writer starts. */
  settleStart(now: TimeMs): StartReport;
  /** Ends the checkpoint worker and the connection. Later calls throw `closed`. */
  close(): Promise<void>;
}
