// A request: a message with an origin, a sender and a deadline (floor.md 5). Always true: a Request has been checked
// whole; its body can be typed as it stands. It mints no id and reads no clock: both come with the stamp.

import type { Capability } from '../../protocol/policy.js';
import type { Reason } from '../../protocol/reason.js';
import { beginsLikeCommand, readBody } from './body.js';
import { KEY_CHARACTERS, WAIT_MAX_MS } from './limit.js';
import { whoMay } from './mode.js';

export const ORIGINS = ['send', 'wake', 'notice', 'answer', 'override', 'lifecycle'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Order of the queue, first to last. */
export const RANKS = ['critical', 'urgent', 'normal', 'notice'] as const;
export type Rank = (typeof RANKS)[number];

/** Who asks, as the credential says. Never taken from the body. */
export interface Identity {
  readonly kind: 'admin' | 'attach' | 'agent' | 'shepherd' | 'auditor';
  readonly name: string;
  /** The seat whose occupant holds the credential, for kind `agent`. */
  readonly seat?: string;
  readonly scopes: readonly string[];
}

export type DialogChoice = 'allow_once' | 'deny_once';

export interface Request {
  /** UUIDv7. */
  readonly id: string;
  readonly seat: string;
  readonly origin: Origin;
  readonly urgent: boolean;
  readonly rank: Rank;
  readonly identity: Identity;
  /** Claimed labels, shown as claimed. */
  readonly routine?: string;
  readonly actor?: string;
  readonly reason?: string;
  /** What is typed; empty for an answer, whose keys the pack knows. */
  readonly body: string;
  readonly bodyBytes: number;
  readonly bodySha256: string;
  readonly waitMs: number;
  readonly acceptedAt: number;
  readonly deadlineAt: number;
  /** Always set once accepted: a message is for the occupant it was sent to. */
  readonly expectGeneration?: number;
  readonly expectTenure?: string;
  readonly idempotencyKey?: string;
  readonly supersede?: string;
  /** For an answer: which dialog instance, and how it is answered. */
  readonly dialog?: { readonly instance: string; readonly choice: DialogChoice };
  /** For an override: the composer isn't read. */
  readonly typeWithoutChecking: boolean;
  /** What the seat's policy must allow. */
  readonly intervention?: Capability;
}

/** What a caller sends, field names as on the wire. */
export interface RequestInput {
  readonly origin: Origin;
  readonly body?: string;
  readonly urgent?: boolean;
  /** Priority of the queue row that a wake points to. */
  readonly priority?: 'routine' | 'urgent' | 'critical';
  readonly routine?: string;
  readonly actor?: string;
  readonly reason?: string;
  readonly wait_ms?: number;
  readonly expect_generation?: number;
  readonly expect_tenure?: string;
  readonly idempotency_key?: string;
  readonly supersede?: string;
  readonly command?: boolean;
  readonly dialog?: string;
  readonly choice?: string;
  readonly type_without_checking?: boolean;
  readonly intervention?: Capability;
}

/** What the runtime adds. `sha256` is the digest of a text as lower-case hexadecimal. */
export interface RequestStamp {
  readonly id: string;
  readonly seat: string;
  readonly identity: Identity;
  readonly now: number;
  readonly commandPrefixes: readonly string[];
  readonly sha256: (text: string) => string;
}

export type RequestReading =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly reason: Reason; readonly field?: string };

const refuse = (reason: Reason, field?: string): RequestReading =>
  field === undefined ? { ok: false, reason } : { ok: false, reason, field };

/** A wake is as urgent as its row. */
function isUrgent(input: RequestInput): boolean {
  return input.urgent === true || input.priority === 'urgent' || input.priority === 'critical';
}

function rankOf(input: RequestInput): Rank {
  if (input.priority === 'critical') return 'critical';
  if (isUrgent(input)) return 'urgent';
  return input.origin === 'notice' ? 'notice' : 'normal';
}

function badLabel(input: RequestInput): string | undefined {
  const labels = ['routine', 'actor', 'idempotency_key', 'supersede', 'expect_tenure', 'dialog'] as const;
  return labels.find((field) => {
    const value = input[field];
    return value !== undefined && (value === '' || value.length > KEY_CHARACTERS);
  });
}

/** Rules of overrides and answers, which decide at once. */
function badNow(input: RequestInput): Reason | undefined {
  const waits = (input.wait_ms ?? 0) > 0;
  if (input.origin === 'override') {
    if (waits) return 'invalid_dangerously_interact';
    if ((input.reason ?? '').trim() === '') return 'dangerously_interact_requires_reason';
  } else if (input.type_without_checking === true) {
    return 'invalid_dangerously_interact';
  }
  return input.origin === 'answer' && waits ? 'invalid_wait_for_idle' : undefined;
}

function readDialog(input: RequestInput): Request['dialog'] | undefined {
  const { dialog, choice } = input;
  if (dialog === undefined || (choice !== 'allow_once' && choice !== 'deny_once')) return undefined;
  return { instance: dialog, choice };
}

function commandProblem(input: RequestInput, text: string, stamp: RequestStamp): Reason | undefined {
  const allowed = stamp.identity.kind === 'admin' || stamp.identity.scopes.includes('command');
  if (input.command === true && !allowed) return 'command_forbidden';
  // A pack's own lifecycle verb is a command by nature, and an override says it knows what it does.
  if (input.command === true || input.origin === 'lifecycle' || input.origin === 'override') return undefined;
  return beginsLikeCommand(text, stamp.commandPrefixes) ? 'command_prefix' : undefined;
}

/** Checks and normalises one request. The first fault gives the reason; nothing is mended but line ends. */
export function readRequest(input: RequestInput, stamp: RequestStamp): RequestReading {
  if (!ORIGINS.includes(input.origin)) return refuse('invalid_request', 'origin');
  const waitMs = input.wait_ms ?? 0;
  if (!Number.isSafeInteger(waitMs) || waitMs < 0 || waitMs > WAIT_MAX_MS)
    return refuse('invalid_wait_for_idle');
  const label = badLabel(input);
  if (label !== undefined) return refuse('invalid_request', label);
  const atOnce = badNow(input);
  if (atOnce !== undefined) return refuse(atOnce);
  const forbidden = whoMay(input.origin, stamp.identity, stamp.seat);
  if (forbidden !== undefined) return refuse(forbidden);
  const dialog = readDialog(input);
  if (input.origin === 'answer' && dialog === undefined) return refuse('invalid_request', 'choice');

  let text = '';
  let bytes = 0;
  if (input.origin !== 'answer') {
    const body = readBody(input.body ?? '');
    if (!body.ok) return refuse(body.reason);
    const problem = commandProblem(input, body.text, stamp);
    if (problem !== undefined) return refuse(problem);
    text = body.text;
    bytes = body.bytes;
  }
  return {
    ok: true,
    request: {
      id: stamp.id,
      seat: stamp.seat,
      origin: input.origin,
      urgent: isUrgent(input),
      rank: rankOf(input),
      identity: stamp.identity,
      ...(input.routine === undefined ? {} : { routine: input.routine }),
      ...(input.actor === undefined ? {} : { actor: input.actor }),
      ...(input.reason === undefined ? {} : { reason: input.reason }),
      body: text,
      bodyBytes: bytes,
      bodySha256: stamp.sha256(text),
      waitMs,
      acceptedAt: stamp.now,
      deadlineAt: stamp.now + waitMs,
      ...(input.expect_generation === undefined ? {} : { expectGeneration: input.expect_generation }),
      ...(input.expect_tenure === undefined ? {} : { expectTenure: input.expect_tenure }),
      ...(input.idempotency_key === undefined ? {} : { idempotencyKey: input.idempotency_key }),
      ...(input.supersede === undefined ? {} : { supersede: input.supersede }),
      ...(input.origin === 'answer' && dialog !== undefined ? { dialog } : {}),
      typeWithoutChecking: input.type_without_checking === true,
      ...(input.intervention === undefined ? {} : { intervention: input.intervention }),
    },
  };
}
