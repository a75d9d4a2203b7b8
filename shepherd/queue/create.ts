// A new row: what is asked for, checked and completed. Always true: the same id between the same parties is the same row; a
// row that is refused leaves nothing. Pure: ids and time are given.

import { idFault } from '../own-id.js';
import type { Priority, TimeMs } from '../port.js';
import { type Actor, OPERATOR, seatAddress } from './actor.js';
import { NAME_CHARS, NOTE_CHARS, ROW_BODY_BYTES, SUMMARY_CHARS, TAG_CHARS, TAGS } from './limit.js';
import { type Refusal, refuse } from './refusal.js';
import type { Row } from './row.js';

export interface CreateWish {
  readonly id?: string;
  readonly destination: string;
  readonly priority?: Priority;
  readonly tier?: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly body?: string;
  readonly expiresAt?: TimeMs;
  readonly notBefore?: TimeMs;
}

/** Literal routes of the API, which an id would hide. */
const TAKEN: ReadonlySet<string> = new Set(['create', 'list', 'overdue']);
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** What is wrong with these fields, a sentence; undefined when nothing is. */
export function faultOf(fields: {
  readonly tier?: string | null;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly body?: string;
  readonly note?: string;
  readonly name?: string;
}): string | undefined {
  const { tier, tags = [], summary, body, note, name } = fields;
  if (
    summary !== undefined &&
    (summary.trim() === '' || [...summary].length > SUMMARY_CHARS || CONTROL.test(summary))
  ) {
    return `The summary is one line of 1 to ${SUMMARY_CHARS} characters.`;
  }
  if (body !== undefined && new TextEncoder().encode(body).length > ROW_BODY_BYTES) {
    return `The body has at most ${ROW_BODY_BYTES} bytes.`;
  }
  if (tags.length > TAGS || tags.some((tag) => tag === '' || tag.length > TAG_CHARS || CONTROL.test(tag))) {
    return `There are at most ${TAGS} tags of 1 to ${TAG_CHARS} characters.`;
  }
  if (tier && (tier.length > TAG_CHARS || CONTROL.test(tier))) {
    return `A tier has 1 to ${TAG_CHARS} characters.`;
  }
  if (note !== undefined && note.length > NOTE_CHARS) return `A note has at most ${NOTE_CHARS} characters.`;
  if (name !== undefined && (name.trim() === '' || name.length > NAME_CHARS || CONTROL.test(name))) {
    return `A name is one line of 1 to ${NAME_CHARS} characters.`;
  }
  return undefined;
}

/** The row that is asked for. `id` is used when the wish has none. */
export function newRow(
  wish: CreateWish,
  actor: Actor,
  id: string,
  now: TimeMs,
): { readonly ok: true; readonly row: Row } | Refusal {
  const destination = seatAddress(wish.destination);
  if (destination === undefined) {
    return refuse(
      'invalid_name',
      `The destination ${JSON.stringify(wish.destination.slice(0, 80))} is no seat address.`,
    );
  }
  const wanted = wish.id ?? id;
  const misnamed = idFault(wanted, TAKEN);
  if (misnamed !== undefined) return refuse('invalid_body', misnamed);
  const fault = faultOf(wish);
  if (fault !== undefined) return refuse('invalid_body', fault);
  return {
    ok: true,
    row: {
      id: wanted,
      source: actor.seat ?? OPERATOR,
      destination,
      state: 'pending',
      priority: wish.priority ?? 'routine',
      tier: wish.tier ?? null,
      tags: wish.tags ?? [],
      summary: wish.summary,
      body: wish.body ?? '',
      blockedOn: null,
      handedOffTo: null,
      handedOffFrom: null,
      expiresAt: wish.expiresAt ?? null,
      notBefore: wish.notBefore ?? null,
      closureReason: null,
      closureTarget: null,
      closureRequiredAt: null,
      claimedAt: null,
      lastWakeAt: null,
      lastWakeResult: null,
      createdAt: now,
      updatedAt: now,
    },
  };
}

/** A row with this id is there already: the same one when the parties are the same. */
export function reuse(stored: Row, wanted: Row): { readonly ok: true; readonly row: Row } | Refusal {
  const same = stored.source === wanted.source && stored.destination === wanted.destination;
  return same ? { ok: true, row: stored } : refuse('qitem_id_reuse');
}
