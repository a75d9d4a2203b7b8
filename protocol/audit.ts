// The audit feed as a reader gets it: records, pages and verdicts (spec/audit.md). Shapes only, so that a client that
// reads the feed loads no schema library.

/** One record; fields without a value are absent. Times are milliseconds since 1970, UTC. */
export interface AuditRecordValue {
  readonly seq: number;
  readonly runtime: string;
  readonly at: number;
  readonly kind: string;
  readonly prev: string;
  readonly hash: string;
  readonly seat?: string;
  readonly session?: string;
  readonly generation?: number;
  readonly request?: string;
  readonly identity?: string;
  readonly actor?: string;
  readonly routine?: string;
  readonly origin?: string;
  readonly urgent?: boolean;
  readonly message?: string;
  readonly message_sha256?: string;
  readonly bytes?: number;
  readonly outcome?: string;
  readonly confirmed?: boolean;
  readonly reason?: string;
  readonly checks?: readonly unknown[];
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** `GET /api/audit`. `next` is the cursor for the page after this one. */
export interface AuditPage {
  readonly records: readonly AuditRecordValue[];
  /** Sequence number of the newest record of the feed. */
  readonly head: number;
  readonly next: number;
}

/** `GET /api/audit/verify`. */
export type AuditVerdict =
  | { readonly ok: true; readonly records: number; readonly head: string }
  /** The first record that doesn't fit. */
  | { readonly ok: false; readonly seq: number; readonly fault: string };
