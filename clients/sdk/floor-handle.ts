// One request to the floor as its sender holds it. Always true: it gets at most one outcome; `outcome` settles once, with
// what became of the message, and rejects only when the connection has ended for good and nobody here can know.
import type { FloorServerMessage } from '../../protocol/floor-plane.js';
import { Emitter } from './emitter.js';
import type { SdkError } from './error.js';

type Message<Type extends FloorServerMessage['type']> = Extract<FloorServerMessage, { type: Type }>;

/** Waits or is granted, since when and why. */
export type FloorDecision = Omit<Message<'decision'>, 'type' | 'id'>;

export interface FloorOutcome {
  /** Undefined when it was refused before it was accepted. */
  readonly id: string | undefined;
  /** `complete`, `held`, `failed` or `indeterminate`; what was never accepted is `failed`. */
  readonly state: string;
  readonly confirmed: boolean;
  readonly reason: string;
  readonly cause?: string;
  readonly bytes_written: number;
  /** A sentence and the next step, where the server gave them. */
  readonly error?: string;
  readonly next?: string;
}

export interface FloorHandleEvents {
  accepted: { readonly id: string };
  decision: FloorDecision;
  outcome: FloorOutcome;
  /** The turn start came after the outcome. */
  confirmed: FloorOutcome;
}

export class FloorHandle extends Emitter<FloorHandleEvents> {
  readonly seat: string;
  /** By which it is found again after a lost connection. */
  readonly key: string;
  readonly outcome: Promise<FloorOutcome>;
  #id: string | undefined;
  #ended: FloorOutcome | undefined;
  #settle: { resolve: (outcome: FloorOutcome) => void; reject: (error: SdkError) => void } | undefined;

  constructor(seat: string, key: string) {
    super();
    this.seat = seat;
    this.key = key;
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.outcome.catch(() => {});
  }

  /** Once it is accepted. */
  get id(): string | undefined {
    return this.#id;
  }

  get ended(): FloorOutcome | undefined {
    return this.#ended;
  }

  /** What the connection heard. True when nothing more can come for it. */
  hear(message: Message<'accepted' | 'decision' | 'outcome' | 'error'>): boolean {
    switch (message.type) {
      case 'accepted':
        if (this.#id === undefined) this.emit('accepted', { id: message.id });
        this.#id = message.id;
        return false;
      case 'decision': {
        const { type: _type, id: _id, ...decision } = message;
        this.emit('decision', decision);
        return false;
      }
      case 'outcome': {
        const { type: _type, ref: _ref, outbox_id: _outbox, ...rest } = message;
        return this.#end(rest);
      }
      case 'error': {
        const { reason, error, next } = message;
        return this.#end({
          id: this.#id,
          state: 'failed',
          confirmed: false,
          reason,
          bytes_written: 0,
          error,
          next,
        });
      }
    }
  }

  /** The connection is over; nothing more will be heard. */
  abandon(error: SdkError): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  #end(outcome: FloorOutcome): boolean {
    this.#id ??= outcome.id;
    if (this.#ended !== undefined) {
      if (outcome.confirmed && !this.#ended.confirmed) this.emit('confirmed', outcome);
      return true;
    }
    this.#ended = outcome;
    this.emit('outcome', outcome);
    this.#settle?.resolve(outcome);
    this.#settle = undefined;
    return outcome.state !== 'complete' || outcome.confirmed;
  }
}
