// How requests come in and go out: accept, withdraw, wait, expire, end. Always true: whatever was accepted ends exactly
// once, what wasn't never ends, and nothing that ends here has written a byte unless its transaction says so. It judges
// nothing; the floor tells it the verdicts.

import type { Reason } from '../../protocol/reason.js';
import { decide, endOfWait, type Judgement } from './decide.js';
import type { Ending, FloorEffect, WaitState } from './event.js';
import { IdempotencyKeys } from './idempotency.js';
import { GRACE_MS, PAST_VERDICTS } from './limit.js';
import type { Fence } from './plan.js';
import { type Group, Queue, type QueueBounds, type Waiting } from './queue.js';
import type { Request } from './request.js';
import type { View } from './view.js';

/** What a wait may lack that is under way: a reading, a frame's end, the line mode, a second look, the disk. */
const PASSING: ReadonlySet<Reason> = new Set<Reason>([
  'bytes_pending',
  'sync_update_open',
  'termios_unread',
  'empty_once',
  'intent_pending',
]);

/** A judgement that doesn't grant. */
export type Failed = Judgement & { readonly kind: 'wait' | 'hold' | 'refuse' };

type EndingParts = Pick<Ending, 'state' | 'reason'> & Partial<Ending>;

export function endingOf(judged: Failed): EndingParts {
  const state = judged.kind === 'hold' ? 'held' : 'failed';
  return judged.cause === undefined
    ? { state, reason: judged.reason }
    : { state, reason: judged.reason, cause: judged.cause };
}

export class Intake {
  readonly queue: Queue;
  readonly #keys = new IdempotencyKeys<Ending>();
  readonly #emit: (effect: FloorEffect) => void;
  /** Requests whose deadline waits for a judgement that comes later in this turn. */
  #deferred: Array<{ readonly waiting: Waiting; readonly dueAt: number }> = [];

  constructor(bounds: QueueBounds, emit: (effect: FloorEffect) => void) {
    this.queue = new Queue(bounds);
    this.#emit = emit;
  }

  /** A result of before a restart. */
  remember(request: Request, ending: Ending, at: number): void {
    this.#keys.remember(request, ending, at);
  }

  inherit(from: Intake): void {
    this.#keys.inherit(from.#keys);
  }

  submit(request: Request, view: View, now: number): void {
    const known = this.#keys.find(request, now);
    if (known.kind === 'conflict') {
      this.#emit({ kind: 'rejected', request, reason: 'idempotency_conflict' });
    } else if (known.kind !== 'new') {
      const result = known.kind === 'result' ? known.result : undefined;
      this.#emit({ kind: 'duplicate', request, of: known.id, result });
    } else if (!this.queue.fits(request)) {
      this.#emit({ kind: 'rejected', request, reason: 'queue_full' });
    } else {
      this.#accept(request, view, now);
    }
  }

  #accept(request: Request, view: View, now: number): void {
    this.#emit({ kind: 'accepted', request });
    this.#keys.open(request);
    const old = this.queue.superseded(request);
    if (old !== undefined) this.endWaiting(old, { state: 'failed', reason: 'superseded' }, now);
    // Only here is a blocked seat a refusal: who waits already goes on waiting.
    const judged = decide(request, view, now, 'submitted');
    if (judged.kind === 'refuse' || judged.kind === 'hold') {
      this.end(request, endingOf(judged), now);
      return;
    }
    const { group } = this.queue.add(request);
    if (group.verdict !== undefined) this.#emit({ kind: 'waits', request, wait: group.verdict });
  }

  /** `granted`: the request that has the floor. */
  withdraw(
    id: string,
    reason: 'withdrawn' | 'draft_wake_superseded',
    granted: string | undefined,
    now: number,
  ): void {
    const waiting = this.queue.get(id);
    if (waiting !== undefined) this.endWaiting(waiting, { state: 'failed', reason }, now);
    const answer = waiting !== undefined ? 'withdrawn' : granted === id ? 'already_granted' : 'unknown';
    this.#emit({ kind: 'withdraw_answer', id, answer });
  }

  end(request: Request, parts: EndingParts, now: number, fence?: Fence): void {
    const ending: Ending = { confirmed: false, bytesWritten: 0, ...parts };
    const anyByte =
      ending.bytesWritten > 0 || ending.state === 'complete' || ending.state === 'indeterminate';
    this.#keys.close(request, ending, anyByte, now);
    this.#emit({ kind: 'ended', request, ending, fence });
  }

  endWaiting(waiting: Waiting, parts: EndingParts, now: number): void {
    this.queue.remove(waiting);
    this.end(waiting.request, parts, now);
  }

  endGroup(group: Group, parts: EndingParts, now: number): void {
    for (let one = group.head; one !== undefined; one = group.head) this.endWaiting(one, parts, now);
  }

  /** Notes why a group waits, and tells it if that is new. */
  verdict(
    group: Group,
    judged: { row: number; reason: Reason; cause?: Reason | undefined },
    now: number,
  ): void {
    const old = group.verdict;
    if (old?.reason === judged.reason && old.cause === judged.cause) return;
    const base = { row: judged.row, reason: judged.reason, sinceAt: now };
    group.verdict = judged.cause === undefined ? base : { ...base, cause: judged.cause };
    group.past = [...group.past.slice(1 - PAST_VERDICTS), group.verdict];
    this.#emit({ kind: 'group_waits', group: group.key, size: group.size, wait: group.verdict });
  }

  /** Brings back the deadlines that waited for a judgement. */
  resume(): void {
    for (const one of this.#deferred) this.queue.postpone(one.waiting, one.dueAt);
    this.#deferred = [];
  }

  /** Ends what is due. `undecided`: a judgement of this turn is still to come, so all deadlines wait for it. */
  expire(view: View, now: number, undecided: boolean): void {
    for (let one = this.queue.earliest; one !== undefined && one.dueAt <= now; one = this.queue.earliest) {
      const { verdict } = one.group;
      if (undecided || verdict === undefined) {
        this.#deferred.push({ waiting: one, dueAt: one.dueAt });
        this.queue.postpone(one, Number.POSITIVE_INFINITY);
      } else if (verdict.cause !== undefined && PASSING.has(verdict.cause) && !one.graceUsed) {
        one.graceUsed = true;
        this.queue.postpone(one, now + GRACE_MS);
      } else {
        this.endWaiting(one, endOfWait(one.request, view, verdict), now);
      }
    }
  }
}

/** What a request waited for until `now`, in order, as far as it is remembered; nothing for one that did not wait. */
export function waitsOf({ request, group }: Waiting, now: number): readonly WaitState[] {
  if (now <= request.acceptedAt) return [];
  const ended = group.past.filter((_, at) => (group.past[at + 1]?.sinceAt ?? now) > request.acceptedAt);
  return ended.map((one) => ({ ...one, sinceAt: Math.max(one.sinceAt, request.acceptedAt) }));
}

/** Why one request waits, and since when: not before it came. */
export function waitOf(one: Waiting): WaitState | undefined {
  const { verdict } = one.group;
  return verdict && { ...verdict, sinceAt: Math.max(verdict.sinceAt, one.request.acceptedAt) };
}
