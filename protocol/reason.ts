// Reason codes: why something waits, was held, refused or how it ended (spec/reasons.md). Always true: the list is
// closed and append-only, and only codes are compared. The data stand in reason-table.ts; this file reads them.

import { REASON_ALIASES, REASON_TABLE, type ReasonEntry } from './reason-table.js';

export type { ReasonEffect, ReasonEntry } from './reason-table.js';

export type Reason = keyof typeof REASON_TABLE;
export type ReasonAlias = keyof typeof REASON_ALIASES;

export const REASONS: Readonly<Record<Reason, ReasonEntry>> = REASON_TABLE;
export const ALIASES: Readonly<Record<ReasonAlias, Reason>> = REASON_ALIASES;

export function isReason(code: string): code is Reason {
  return Object.hasOwn(REASON_TABLE, code);
}

/** The code that a text stands for: itself, what an old code was replaced by, or undefined when it is none. */
export function parseReason(code: string): Reason | undefined {
  if (isReason(code)) return code;
  return Object.hasOwn(REASON_ALIASES, code) ? REASON_ALIASES[code as ReasonAlias] : undefined;
}

/**
 * HTTP status of an answer. Retained messages are 200 and indeterminate ones 502 whatever the code says; a code that
 * does no harm by itself (a hold) and ends a request without keeping it is a plain refusal, 409.
 */
export function httpStatus(
  reason: Reason,
  outcome: 'done' | 'retained' | 'refused' | 'indeterminate',
): number {
  if (outcome === 'retained' || outcome === 'done') return 200;
  if (outcome === 'indeterminate') return 502;
  const status = REASONS[reason].status;
  return status >= 400 ? status : 409;
}

/** What a person reads: the case, then the next step. */
export function sentence(reason: Reason): string {
  return `${REASONS[reason].text} ${REASONS[reason].next}`;
}
