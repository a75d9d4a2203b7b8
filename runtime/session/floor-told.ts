// Tells attached clients who has the floor of their session and how many requests wait. Always true: what is told was true
// when it was told, the last change is told within FLOOR_TOLD_MS, and the same is not told twice; nobody attached costs
// nothing. It decides nothing and keeps nothing but the last frame.
import type { FloorFrame } from '../../protocol/frame.js';
import type { Floor } from '../floor/floor.js';
import type { Client } from './client.js';
import type { Session } from './session.js';

/** Queues move in bursts: a person reads four changes a second at best. */
const FLOOR_TOLD_MS = 250;

export class FloorTold {
  #last = '';
  #toldAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    readonly session: Session,
    readonly floor: Floor,
  ) {}

  /** Something of the floor may be another. Hot: while a frame is due it does nothing. */
  moved(): void {
    if (this.#cancel !== undefined || this.session.audience.size === 0) return;
    const { clock } = this.session.port;
    const wait = Math.max(0, this.#toldAt + FLOOR_TOLD_MS - clock.now());
    this.#cancel = clock.after(wait, () => {
      this.#cancel = undefined;
      this.#tell();
    });
  }

  /** What a client that has just attached should know. */
  greet(client: Client): void {
    client.send(this.#frame());
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tell(): void {
    const frame = this.#frame();
    const text = JSON.stringify(frame);
    if (text === this.#last) return;
    this.#last = text;
    this.#toldAt = this.session.port.clock.now();
    this.session.audience.broadcast(frame);
  }

  #frame(): FloorFrame {
    const { floor, session } = this;
    const { holder } = floor.view;
    const { wait } = floor.waiting().next().value ?? {};
    return {
      v: 1,
      type: 'floor',
      seat: session.spec.name,
      holder: holder.kind === 'held' ? holder.request : null,
      waiting: floor.waitingCount,
      reason: wait?.reason ?? null,
      since: wait === undefined ? null : new Date(wait.sinceAt).toISOString(),
    };
  }
}
