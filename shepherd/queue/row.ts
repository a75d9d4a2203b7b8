// A queue row: durable work, addressed to a seat. Always true: a row is the truth, its wake only points to it; `done` and
// `handed-off` are final. Pure; it stores nothing.
import type { Priority, TimeMs } from '../port.js';

export type { Priority } from '../port.js';

export const STATES = [
  'pending',
  'in-progress',
  'done',
  'blocked',
  'failed',
  'denied',
  'canceled',
  'handed-off',
] as const;
export type State = (typeof STATES)[number];

export const CLOSURE_REASONS = [
  'handed_off_to',
  'blocked_on',
  'denied',
  'canceled',
  'no-follow-on',
  'escalation',
  'superseded',
] as const;
export type ClosureReason = (typeof CLOSURE_REASONS)[number];

/** `confirmed`, `unconfirmed`, `held` or `failed:` and a reason code. */
export type WakeResult = string;

export interface Row {
  readonly id: string;
  /** A seat address, or `operator`. */
  readonly source: string;
  readonly destination: string;
  readonly state: State;
  readonly priority: Priority;
  readonly tier: string | null;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly body: string;
  readonly blockedOn: string | null;
  readonly handedOffTo: string | null;
  readonly handedOffFrom: string | null;
  readonly expiresAt: TimeMs | null;
  /** No wake and no reminder before this. */
  readonly notBefore: TimeMs | null;
  readonly closureReason: ClosureReason | null;
  readonly closureTarget: string | null;
  readonly closureRequiredAt: TimeMs | null;
  readonly claimedAt: TimeMs | null;
  readonly lastWakeAt: TimeMs | null;
  readonly lastWakeResult: WakeResult | null;
  readonly createdAt: TimeMs;
  readonly updatedAt: TimeMs;
}

/** Somebody still owes work on it. */
export function isOpen({ state }: Pick<Row, 'state'>): boolean {
  return state === 'pending' || state === 'in-progress' || state === 'blocked';
}

/** Nothing can change it any more. */
export function isFinal({ state }: Pick<Row, 'state'>): boolean {
  return state === 'done' || state === 'handed-off';
}

/** Set aside on purpose: nobody is reminded of it before its time. */
export function isDeliberatelyHeld({ notBefore }: Pick<Row, 'notBefore'>, now: TimeMs): boolean {
  return notBefore !== null && notBefore > now;
}

/** In progress past the time by which it should have been closed. */
export function isOverdue(
  { state, closureRequiredAt }: Pick<Row, 'state' | 'closureRequiredAt'>,
  now: TimeMs,
): boolean {
  return state === 'in-progress' && closureRequiredAt !== null && closureRequiredAt < now;
}
