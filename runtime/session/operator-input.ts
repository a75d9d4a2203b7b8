// What one operator sends, on its way to the PTY: classified, replies and focus taken out, the rest written in the same
// turn. Always true: a key never waits; bytes keep their order; what the session learns of a person it learns after the
// bytes are on their way. A viewer has none of these.
import { createInputClassifier } from '../input/classifier.js';
import { passingBytes, presenceOf, type Segment } from '../input/segment.js';
import type { Client } from './client.js';
import type { Session } from './session.js';

/** An unfinished sequence longer than ESC waits this long for its rest: no terminal takes longer within one sequence. */
const SPLIT_SEQUENCE_MS = 50;

export class OperatorInput {
  readonly #classifier;
  #release: (() => void) | undefined;
  #closed = false;

  constructor(
    readonly session: Session,
    readonly client: Client,
  ) {
    this.#classifier = createInputClassifier(() => session.scanner.modes);
  }

  /** False when the writer's queue is full: then none of these bytes was taken. */
  push(bytes: Uint8Array): boolean {
    this.#release?.();
    this.#release = undefined;
    const taken = this.#give(this.#classifier.push(bytes));
    if (this.#classifier.heldBytes > 0) {
      this.#release = this.session.port.clock.after(SPLIT_SEQUENCE_MS, () => {
        this.#release = undefined;
        if (!this.#closed) this.#give(this.#classifier.release());
      });
    }
    return taken;
  }

  composing(active: boolean): void {
    this.session.watcher.composing(this.client, active);
  }

  close(): void {
    this.#closed = true;
    this.#release?.();
  }

  #give(segments: readonly Segment[]): boolean {
    const { session, client } = this;
    const bytes = passingBytes(segments);
    const person = segments.some((segment) => presenceOf(segment) !== 'none');
    const taken = session.writer.operator(client.identity.id, bytes, this.#classifier.pasteOpen, person);
    if (!taken) return false;
    const now = session.port.clock.now();
    session.lastActivityAt = now;
    for (const segment of segments) {
      if (segment.kind === 'focus-in') session.audience.focus(client, true);
      else if (segment.kind === 'focus-out') session.audience.focus(client, false);
    }
    if (person) {
      client.activeAt = now;
      if (session.audience.size > 1) session.audience.elect();
    }
    session.watcher.operator(client, segments);
    return true;
  }
}
