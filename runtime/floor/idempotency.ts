// Idempotency keys (floor.md 5). Always true: a key belongs to one identity; while its request waits or is being typed the
// key means that request; a result with any byte is remembered for 24 h, a result without one is forgotten at once, so
// the same key may try again. Bounded: at most IDEMPOTENCY_RESULTS results, the oldest goes first.

import { IDEMPOTENCY_MS, IDEMPOTENCY_RESULTS } from './limit.js';
import type { Request } from './request.js';

export type Remembered<R> =
  | { readonly kind: 'open'; readonly id: string; readonly bodySha256: string }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly bodySha256: string;
      readonly result: R;
      readonly at: number;
    };

export type KeyFinding<R> =
  | { readonly kind: 'new' }
  | { readonly kind: 'conflict'; readonly id: string }
  | Remembered<R>;

const keyOf = (request: Request) =>
  request.idempotencyKey === undefined
    ? undefined
    : `${request.identity.kind} ${request.identity.name} ${request.idempotencyKey}`;

/** What is compared: an answer has no body, so its dialog and choice stand for it. */
const contentOf = (request: Request) =>
  request.dialog === undefined
    ? request.bodySha256
    : `${request.bodySha256} ${request.dialog.instance} ${request.dialog.choice}`;

export class IdempotencyKeys<R> {
  /** In order of insertion; results are re-inserted when they come, so the first result is the oldest. */
  readonly #open = new Map<string, Remembered<R>>();
  readonly #results = new Map<string, Remembered<R> & { kind: 'result' }>();

  get size(): number {
    return this.#open.size + this.#results.size;
  }

  find(request: Request, now: number): KeyFinding<R> {
    const key = keyOf(request);
    if (key === undefined) return { kind: 'new' };
    this.#forgetOld(now);
    const found = this.#open.get(key) ?? this.#results.get(key);
    if (found === undefined) return { kind: 'new' };
    return found.bodySha256 === contentOf(request) ? found : { kind: 'conflict', id: found.id };
  }

  open(request: Request): void {
    const key = keyOf(request);
    if (key !== undefined)
      this.#open.set(key, { kind: 'open', id: request.id, bodySha256: contentOf(request) });
  }

  /** The request has ended. `anyByte`: a byte of it was or may have been written. */
  close(request: Request, result: R, anyByte: boolean, now: number): void {
    const key = keyOf(request);
    if (key === undefined) return;
    this.#open.delete(key);
    if (anyByte) this.remember(request, result, now);
  }

  /** A result from before a restart, or one that has just come. */
  remember(request: Request, result: R, at: number): void {
    const key = keyOf(request);
    if (key === undefined) return;
    this.#results.delete(key);
    this.#results.set(key, { kind: 'result', id: request.id, bodySha256: contentOf(request), result, at });
    while (this.#results.size > IDEMPOTENCY_RESULTS) this.#dropOldest();
  }

  /** Results of the floor that a seat had before, older than any of this one. */
  inherit(from: IdempotencyKeys<R>): void {
    const own = [...this.#results];
    this.#results.clear();
    for (const [key, one] of [...from.#results, ...own]) this.#results.set(key, one);
    while (this.#results.size > IDEMPOTENCY_RESULTS) this.#dropOldest();
  }

  #forgetOld(now: number): void {
    for (const [key, one] of this.#results) {
      if (now - one.at < IDEMPOTENCY_MS) return;
      this.#results.delete(key);
    }
  }

  #dropOldest(): void {
    const oldest = this.#results.keys().next().value;
    if (oldest !== undefined) this.#results.delete(oldest);
  }
}
