// What happened in one seat over time, as the band draws it: status spans, keys, requests and marks. Always true: it is built
// from what the server told, never guessed; each list is bounded and in order of time. Pure: time is an argument.
import type { AuditRecordValue } from '../../../protocol/audit.js';

/** The agent's status from one moment until the next change; `to` is undefined while it lasts. Times in milliseconds. */
export interface Span {
  readonly from: number;
  to: number | undefined;
  readonly state: string;
  readonly kind: string | undefined;
  readonly detail: string;
}

/** One request for the floor: it waits, is granted, ends. */
export interface Ask {
  readonly id: string;
  from: number;
  to: number | undefined;
  grantedAt: number | undefined;
  /** Why it waited, from when; the last one lasts until the grant or the end. */
  readonly reasons: { readonly at: number; readonly reason: string }[];
  /** delivered, unconfirmed, indeterminate, held, refused or over; undefined while it goes on. */
  outcome: string | undefined;
  reason: string | undefined;
  origin: string;
  identity: string;
  message: string | undefined;
  /** Audit record that tells most about it. */
  seq: number | undefined;
}

/** Something that happened at one moment and has an audit record. */
export interface Mark {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
  readonly seq: number;
}

export interface Timeline {
  readonly spans: Span[];
  readonly keys: number[];
  readonly asks: Ask[];
  readonly marks: Mark[];
}

export interface StatusSeen {
  readonly state: string;
  readonly kind?: string;
  readonly detail?: string;
  /** ISO 8601. */
  readonly at?: string;
}

export interface WaitingSeen {
  readonly id: string;
  readonly origin: string;
  readonly identity: string;
  readonly accepted_at: string;
  readonly reason: string | null;
  readonly since: string | null;
}

const LIMIT = 1_000;
/** A request that is gone from the list has a record by then, or ended without one. */
const RECORD_LATE_MS = 3_000;
/** Ticks closer than this can't be told apart. */
const KEY_MS = 100;

export function emptyTimeline(): Timeline {
  return { spans: [], keys: [], asks: [], marks: [] };
}

const bound = (list: unknown[]) => {
  if (list.length > LIMIT) list.splice(0, list.length - LIMIT);
};

const timeOf = (iso: string | null | undefined, fallback: number): number => {
  const time = iso ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(time) ? fallback : time;
};

/** The status as told at `now`; the first one began when its evidence says. */
export function seeStatus({ spans }: Timeline, status: StatusSeen, now: number): void {
  const last = spans.at(-1);
  if (last && last.to === undefined) {
    if (last.state === status.state && last.kind === status.kind) return;
    last.to = now;
  }
  const from = last === undefined ? Math.min(now, timeOf(status.at, now)) : now;
  spans.push({ from, to: undefined, state: status.state, kind: status.kind, detail: status.detail ?? '' });
  bound(spans);
}

export function seeEnd({ spans }: Timeline, now: number): void {
  const last = spans.at(-1);
  if (last && last.to === undefined) last.to = now;
}

/** Somebody typed at `at`. */
export function seeKey({ keys }: Timeline, at: number): void {
  if (at - (keys.at(-1) ?? Number.NEGATIVE_INFINITY) < KEY_MS) return;
  keys.push(at);
  bound(keys);
}

function askOf({ asks }: Timeline, id: string, from: number): Ask {
  const known = asks.find((ask) => ask.id === id);
  if (known) return known;
  const ask: Ask = {
    id,
    from,
    to: undefined,
    grantedAt: undefined,
    reasons: [],
    outcome: undefined,
    reason: undefined,
    origin: '',
    identity: '',
    message: undefined,
    seq: undefined,
  };
  asks.push(ask);
  asks.sort((a, b) => a.from - b.from);
  bound(asks);
  return ask;
}

/** Everything that waits in this seat now. */
export function seeWaiting(timeline: Timeline, waiting: readonly WaitingSeen[], now: number): void {
  for (const seen of waiting) {
    const ask = askOf(timeline, seen.id, timeOf(seen.accepted_at, now));
    ask.origin = seen.origin;
    ask.identity = seen.identity;
    if (seen.reason !== null && ask.reasons.at(-1)?.reason !== seen.reason && ask.outcome === undefined) {
      ask.reasons.push({ at: timeOf(seen.since, now), reason: seen.reason });
    }
  }
  for (const ask of timeline.asks) {
    if (ask.to !== undefined || ask.grantedAt !== undefined) continue;
    if (waiting.some(({ id }) => id === ask.id)) continue;
    if (now - (ask.reasons.at(-1)?.at ?? ask.from) < RECORD_LATE_MS) continue;
    ask.to = now;
    ask.outcome = 'over';
  }
}

const OUTCOMES: Readonly<Record<string, string>> = {
  'request.held': 'held',
  'request.refused': 'refused',
};

function outcomeOf({ outcome, confirmed }: AuditRecordValue): string {
  if (outcome === 'complete') return confirmed ? 'delivered' : 'unconfirmed';
  return outcome ?? 'over';
}

function seeRequest(timeline: Timeline, record: AuditRecordValue, id: string): void {
  const ask = askOf(timeline, id, record.at);
  ask.from = Math.min(ask.from, record.at);
  ask.origin = record.origin ?? ask.origin;
  ask.identity = record.actor ?? record.identity ?? ask.identity;
  ask.message = record.message ?? ask.message;
  ask.seq = record.seq;
  if (record.kind === 'injection.granted') ask.grantedAt = record.at;
  else {
    ask.to = record.at;
    ask.reason = record.reason ?? ask.reason;
    ask.outcome = OUTCOMES[record.kind] ?? outcomeOf(record);
  }
}

const REQUESTS = new Set(['injection.granted', 'injection.finished', 'request.refused', 'request.held']);
const MARKS = /^(guard|held|policy|dialog|override|handover|session|alert)\./;

/** One audit record of this seat. */
export function seeRecord(timeline: Timeline, record: AuditRecordValue): void {
  const { kind, request } = record;
  if (REQUESTS.has(kind) && request !== undefined) return seeRequest(timeline, record, request);
  if (!MARKS.test(kind)) return;
  const mode = record.detail?.mode;
  const text = typeof mode === 'string' ? mode : (record.reason ?? '');
  timeline.marks.push({ at: record.at, kind, text, seq: record.seq });
  bound(timeline.marks);
}

/** Requests in as few rows as don't overlap, at most `rows`; the last row takes the rest. */
export function rowsOf(asks: readonly Ask[], now: number, rows: number): Map<string, number> {
  const ends: number[] = [];
  const placed = new Map<string, number>();
  for (const ask of asks) {
    const free = ends.findIndex((end) => end <= ask.from);
    const row = Math.min(rows - 1, free < 0 ? ends.length : free);
    ends[row] = Math.max(ends[row] ?? 0, ask.to ?? now);
    placed.set(ask.id, row);
  }
  return placed;
}
