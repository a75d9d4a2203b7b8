// Requests on their way: from a plane's input to the floor of a seat, and back as decisions and an outcome. Always true: who
// asks is what the credential says; a request has one outcome; a sender that has gone loses nothing, since its outcome is
// in the outbox. It keeps no message longer than its request lives.
import { hash, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';
import type { Reason } from '../../protocol/reason.js';
import type { Ending, FloorEffect, WaitState } from '../floor/event.js';
import { type Identity, type Request, type RequestInput, readRequest } from '../floor/request.js';
import type { Credential } from '../journal/port.js';
import type { Seat, SeatBook } from './seat-book.js';

export type SubmissionEvent =
  | { readonly kind: 'accepted'; readonly request: Request }
  | { readonly kind: 'decision'; readonly request: Request; readonly wait: WaitState | undefined }
  | { readonly kind: 'outcome'; readonly request: Request; readonly ending: Ending }
  /** A turn began after the outcome was told. */
  | { readonly kind: 'confirmed'; readonly request: Request };

export type SubmissionListener = (event: SubmissionEvent) => void;

export type Submitted =
  | { readonly kind: 'submitted'; readonly id: string; stop(): void }
  /** The key belongs to a request that ended with this. */
  | { readonly kind: 'known'; readonly id: string; readonly ending: Ending }
  | { readonly kind: 'refused'; readonly reason: Reason; readonly field?: string };

const sha256 = (text: string) => hash('sha256', text, 'hex');

/** Random words drawn many at once: a call of the generator costs more than the rest of an id. */
const words = new Uint32Array(1_024);
let wordAt = words.length;
const ids = new V7Generator({
  nextUint32() {
    if (wordAt === words.length) {
      randomFillSync(words);
      wordAt = 0;
    }
    return words[wordAt++] as number;
  },
});

export function identityOf(credential: Credential): Identity {
  const { kind, name, scopes, session } = credential;
  return { kind, name, scopes, ...(kind === 'agent' && session ? { seat: session } : {}) };
}

/** Who acts, for the audit feed: the credential alone says it. */
export function actorOf(credential: Credential | undefined): string {
  if (credential === undefined) return 'unattributed (no credential)';
  if (credential.kind === 'agent' && credential.session) return `agent ${credential.session}`;
  return `${credential.kind} ${credential.name}: unattributed (no seat identity)`;
}

export class Submissions {
  readonly #listeners = new Map<string, Set<SubmissionListener>>();
  readonly #withdrawals = new Map<string, (answer: 'withdrawn' | 'already_granted' | 'unknown') => void>();
  /** What the floor said of the request that is being submitted in this turn. */
  #verdict: Extract<FloorEffect, { kind: 'duplicate' | 'rejected' }> | undefined;

  constructor(
    readonly book: SeatBook,
    readonly now: () => number,
  ) {
    book.listen((seat, change) => {
      if (change.kind === 'floor') this.#floor(seat, change.effect);
    }, true);
  }

  submit(seat: Seat, input: RequestInput, credential: Credential, listener: SubmissionListener): Submitted {
    const { floor, occupant } = seat;
    if (floor === undefined || occupant === undefined) return { kind: 'refused', reason: 'session_missing' };
    const identity = identityOf(credential);
    const reading = readRequest(input, {
      id: ids.generate().toString(),
      seat: seat.address,
      identity,
      now: this.now(),
      commandPrefixes: occupant.watch.pack?.command_prefixes ?? [],
      sha256,
    });
    if (!reading.ok)
      return { kind: 'refused', reason: reading.reason, ...(reading.field ? { field: reading.field } : {}) };
    const { request } = reading;
    const stop = this.follow(request.id, listener);
    this.#verdict = undefined;
    floor.submit(request);
    const verdict = this.#said();
    if (verdict === undefined) return { kind: 'submitted', id: request.id, stop };
    stop();
    if (verdict.kind === 'rejected') return { kind: 'refused', reason: verdict.reason };
    if (verdict.result) return { kind: 'known', id: verdict.of, ending: verdict.result };
    return { kind: 'submitted', id: verdict.of, stop: this.follow(verdict.of, listener) };
  }

  #said(): Extract<FloorEffect, { kind: 'duplicate' | 'rejected' }> | undefined {
    return this.#verdict;
  }

  /** Tells what becomes of a request from now on. */
  follow(id: string, listener: SubmissionListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  withdraw(
    seat: Seat,
    id: string,
    reason?: 'withdrawn' | 'draft_wake_superseded',
  ): 'withdrawn' | 'already_granted' | 'unknown' {
    let answer: 'withdrawn' | 'already_granted' | 'unknown' = 'unknown';
    this.#withdrawals.set(id, (given) => {
      answer = given;
    });
    seat.floor?.step({ kind: 'withdraw', id, ...(reason ? { reason } : {}) });
    this.#withdrawals.delete(id);
    return answer;
  }

  #floor(seat: Seat, effect: FloorEffect): void {
    switch (effect.kind) {
      case 'duplicate':
      case 'rejected':
        this.#verdict = effect;
        return;
      case 'accepted':
        return this.#tell(effect.request.id, { kind: 'accepted', request: effect.request });
      case 'waits':
        return this.#tell(effect.request.id, {
          kind: 'decision',
          request: effect.request,
          wait: effect.wait,
        });
      case 'group_waits':
        for (const request of seat.floor?.floor.members(effect.group) ?? []) {
          this.#tell(request.id, { kind: 'decision', request, wait: effect.wait });
        }
        return;
      case 'grant':
        return this.#tell(effect.request.id, { kind: 'decision', request: effect.request, wait: undefined });
      case 'ended':
        return this.#tell(effect.request.id, {
          kind: 'outcome',
          request: effect.request,
          ending: effect.ending,
        });
      case 'upgraded':
        return this.#tell(effect.request.id, { kind: 'confirmed', request: effect.request });
      case 'withdraw_answer':
        return this.#withdrawals.get(effect.id)?.(effect.answer);
    }
  }

  #tell(id: string, event: SubmissionEvent): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(event);
  }
}
