// The requests that wait for one seat. Always true: at most QUEUE_REQUESTS and QUEUE_BYTES; critical before urgent before
// send and wake before notice, first come first served inside. Requests that every row judges alike stand in one group,
// so that a decision judges a handful of heads, however many wait: a head that waits for a reason of its own never
// blocks another group. It judges nothing.

import type { Reason } from '../../protocol/reason.js';
import { DeadlineHeap, type Timed } from './deadline.js';
import { QUEUE_BYTES, QUEUE_REQUESTS, QUEUE_SINGLES } from './limit.js';
import { RANKS, type Request } from './request.js';
import { isShortLine } from './row.js';

export interface Waiting extends Timed {
  readonly request: Request;
  readonly sequence: number;
  readonly group: Group;
  /** The grace after its deadline has been used. */
  graceUsed: boolean;
  previous: Waiting | undefined;
  next: Waiting | undefined;
}

export interface Group {
  readonly key: string;
  readonly rank: number;
  head: Waiting | undefined;
  tail: Waiting | undefined;
  size: number;
  /** Why its requests wait, since when; undefined until it has been judged. */
  verdict: Verdict | undefined;
  /** The last verdicts, the present one included, oldest first. */
  past: readonly Verdict[];
}

export interface Verdict {
  readonly row: number;
  readonly reason: Reason;
  readonly cause?: Reason;
  readonly sinceAt: number;
}

export interface QueueBounds {
  readonly requests: number;
  readonly bytes: number;
  readonly singles: number;
}

export const QUEUE_BOUNDS: QueueBounds = {
  requests: QUEUE_REQUESTS,
  bytes: QUEUE_BYTES,
  singles: QUEUE_SINGLES,
};

/** An answer or override: each is judged by itself. */
export const isSingle = (request: Request) => request.origin === 'answer' || request.origin === 'override';

/** Everything of a request that a row looks at. Generation and tenure are the present ones, or the request is refused. */
function groupKey(request: Request): string {
  if (isSingle(request)) return `single ${request.id}`;
  const shape = isShortLine(request) ? 'line' : 'frame';
  const expects = `${request.expectGeneration ?? ''} ${request.expectTenure ?? ''}`;
  return `${request.rank} ${request.origin} ${request.urgent} ${shape} ${expects}`;
}

/** A supersede key is its sender's own: nobody withdraws another's request by guessing its key. */
const supersedeKey = (request: Request) =>
  request.supersede === undefined
    ? undefined
    : `${request.identity.kind} ${request.identity.name} ${request.supersede}`;

export class Queue {
  readonly #bounds: QueueBounds;
  readonly #byId = new Map<string, Waiting>();
  readonly #bySupersede = new Map<string, Waiting>();
  readonly #groups = new Map<string, Group>();
  readonly #deadlines = new DeadlineHeap<Waiting>();
  #sequence = 0;
  #bytes = 0;
  #singles = 0;

  constructor(bounds: QueueBounds = QUEUE_BOUNDS) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#byId.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The earliest deadline, or undefined when nothing waits. */
  get earliest(): Waiting | undefined {
    return this.#deadlines.earliest;
  }

  get(id: string): Waiting | undefined {
    return this.#byId.get(id);
  }

  /** Whether the request fits, next to what it would supersede. */
  fits(request: Request): boolean {
    const old = this.superseded(request);
    const count = this.size - (old === undefined ? 0 : 1);
    const bytes = this.#bytes - (old?.request.bodyBytes ?? 0);
    if (isSingle(request) && this.#singles >= this.#bounds.singles) return false;
    return count < this.#bounds.requests && bytes + request.bodyBytes <= this.#bounds.bytes;
  }

  /** The waiting request that this one would take the place of. */
  superseded(request: Request): Waiting | undefined {
    const key = supersedeKey(request);
    return key === undefined ? undefined : this.#bySupersede.get(key);
  }

  /** Adds a request that fits. */
  add(request: Request): Waiting {
    const group = this.#groupOf(request);
    const waiting: Waiting = {
      request,
      sequence: this.#sequence++,
      group,
      dueAt: request.deadlineAt,
      heapIndex: -1,
      graceUsed: false,
      previous: group.tail,
      next: undefined,
    };
    if (group.tail === undefined) group.head = waiting;
    else group.tail.next = waiting;
    group.tail = waiting;
    group.size++;
    this.#byId.set(request.id, waiting);
    const key = supersedeKey(request);
    if (key !== undefined) this.#bySupersede.set(key, waiting);
    this.#deadlines.add(waiting);
    this.#bytes += request.bodyBytes;
    if (isSingle(request)) this.#singles++;
    return waiting;
  }

  remove(waiting: Waiting): void {
    const { request, group } = waiting;
    if (this.#byId.get(request.id) !== waiting) return;
    this.#byId.delete(request.id);
    const key = supersedeKey(request);
    if (key !== undefined && this.#bySupersede.get(key) === waiting) this.#bySupersede.delete(key);
    this.#deadlines.remove(waiting);
    this.#bytes -= request.bodyBytes;
    if (isSingle(request)) this.#singles--;
    if (waiting.previous === undefined) group.head = waiting.next;
    else waiting.previous.next = waiting.next;
    if (waiting.next === undefined) group.tail = waiting.previous;
    else waiting.next.previous = waiting.previous;
    waiting.previous = waiting.next = undefined;
    group.size--;
    if (group.size === 0) this.#groups.delete(group.key);
  }

  /** Moves the instant at which a request is looked at for its end. */
  postpone(waiting: Waiting, dueAt: number): void {
    if (this.#byId.get(waiting.request.id) === waiting) this.#deadlines.move(waiting, dueAt);
  }

  /** The groups in the order in which their heads come. */
  groups(): Group[] {
    const sequence = (group: Group) => group.head?.sequence ?? 0;
    return [...this.#groups.values()].sort((a, b) => a.rank - b.rank || sequence(a) - sequence(b));
  }

  /** Whether this holds for any group, in no order. */
  some(holds: (group: Group) => boolean): boolean {
    for (const group of this.#groups.values()) if (holds(group)) return true;
    return false;
  }

  /** Everything that waits, group by group. */
  *all(): IterableIterator<Waiting> {
    for (const group of this.groups()) {
      for (let one = group.head; one !== undefined; one = one.next) yield one;
    }
  }

  #groupOf(request: Request): Group {
    const key = groupKey(request);
    let group = this.#groups.get(key);
    if (group === undefined) {
      const rank = RANKS.indexOf(request.rank);
      group = { key, rank, head: undefined, tail: undefined, size: 0, verdict: undefined, past: [] };
      this.#groups.set(key, group);
    }
    return group;
  }
}
