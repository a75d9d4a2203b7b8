// A send in the words of HTTP: which request a body asks for, under which envelope, and how an ending is answered. Pure.
import { httpStatus, REASONS, type Reason, sentence } from '../../protocol/reason.js';
import type { SendAnswer, SendBody } from '../../protocol/transport.js';
import type { Ending } from '../floor/event.js';
import type { RequestInput } from '../floor/request.js';
import type { Credential } from '../journal/port.js';

/** The request that a body asks for. Where both spellings stand, ours counts. */
export function requestOf(body: SendBody, text: string): RequestInput {
  const override = body.dangerously_interact ?? body.dangerouslyInteract ?? false;
  const wait = body.wait_ms ?? body.waitForIdleMs;
  const unchecked = body.type_without_checking ?? body.typeWithoutChecking;
  return {
    origin: override ? 'override' : 'send',
    body: text,
    ...(wait === undefined ? {} : { wait_ms: wait }),
    ...(unchecked === undefined ? {} : { type_without_checking: unchecked }),
    ...pick(body, [
      'urgent',
      'command',
      'reason',
      'expect_generation',
      'expect_tenure',
      'supersede',
      'actor',
      'routine',
      'idempotency_key',
    ]),
  };
}

function pick<Key extends keyof SendBody>(
  body: SendBody,
  keys: readonly Key[],
): Partial<Pick<SendBody, Key>> {
  return Object.fromEntries(
    keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])),
  ) as Partial<Pick<SendBody, Key>>;
}

/**
 * The text as it is typed: what comes from an agent or from Shepherd stands under one line that names the authenticated
 * sender and how to reply; an operator's own text is typed as it is.
 */
export function underEnvelope(
  text: string,
  credential: Credential,
  body: Pick<SendBody, 'raw' | 'actor' | 'command'>,
): string {
  if (body.raw === true || body.command === true) return text;
  if (credential.kind !== 'agent' && credential.kind !== 'shepherd') return text;
  const sender =
    credential.kind === 'agent'
      ? `agent ${credential.session ?? credential.name}`
      : `shepherd ${credential.name}`;
  const claimed = body.actor === undefined ? '' : `, as ${JSON.stringify(body.actor)} (claimed)`;
  const reply =
    credential.kind === 'agent' && credential.session
      ? `; reply: openfloor send ${credential.session} "..."`
      : '';
  return `[message from ${sender}${claimed}${reply}]\n${text}`;
}

export function warningsOf(body: SendBody): string[] {
  const warnings: string[] = [];
  if (body.verify) warnings.push('verify is ignored: receipts are always confirmed or unconfirmed.');
  if (body.force) warnings.push('force is ignored: it bypasses nothing.');
  if (body.deliveryId) warnings.push('deliveryId does not de-duplicate: use idempotency_key.');
  return warnings;
}

/** Status and answer for an ending (guard contract 7). */
export function answerOf(
  id: string,
  ending: Ending,
  warnings: readonly string[],
  extras: Pick<SendAnswer, 'existingInput' | 'type_without_checking'> = {},
): { status: number; answer: SendAnswer } {
  const { state, reason, cause, confirmed, bytesWritten } = ending;
  const told = [...warnings, ...(ending.warnings ?? []).map((one) => sentence(one))];
  const rest = {
    id,
    reason,
    bytes_written: bytesWritten,
    ...(cause === undefined ? {} : { cause }),
    ...(reason === 'prompt_unverified' ? { promptInteraction: 'unverified' as const } : {}),
    ...extras,
    ...(told.length > 0 ? { warnings: told } : {}),
  };
  const said = { error: REASONS[reason].text, next: REASONS[reason].next };
  switch (state) {
    case 'complete':
      return {
        status: 200,
        answer: { ok: true, sent: true, outcome: confirmed ? 'delivered' : 'unconfirmed', ...rest },
      };
    case 'held':
      return {
        status: 200,
        answer: { ok: true, sent: false, outcome: 'retained', outboxIds: [id], ...said, ...rest },
      };
    case 'indeterminate':
      return { status: 502, answer: { ok: false, outcome: 'indeterminate', ...said, ...rest } };
    case 'failed':
      return {
        status: httpStatus(reason, 'refused'),
        answer: { ok: false, sent: false, outcome: 'refused', ...said, ...rest },
      };
  }
}

/** Answer for a request that was never accepted. */
export function refusalOf(reason: Reason, field?: string): { status: number; answer: SendAnswer } {
  const error = field === undefined ? sentence(reason) : `${sentence(reason)} (${field})`;
  return {
    status: httpStatus(reason, 'refused'),
    answer: { ok: false, sent: false, outcome: 'refused', reason, error, next: REASONS[reason].next },
  };
}
