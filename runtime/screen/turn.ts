// The worker's loop: which session parses next, when readings are told, what is posted. Always true: a turn is short
// and lets messages in between; a session with little waiting goes before a flooding one, and every turn the longest
// waiting flood gets at least one slice, so nobody starves; a model that throws is lost alone. It knows no threads:
// time and posting come from outside.
import type { Answer, FromWorker, Question, ReadingChange, ToWorker } from './message.js';
import { SessionModel } from './model.js';

/** Some milliseconds of plain text on a slow machine: what a short session waits for at most. */
export const SLICE_BYTES = 32_768;
/** What costs more than text gets fewer bytes. */
const SLICE_MS = 2;
/** A turn ends after this, so that new bytes and questions are seen. */
const TURN_MS = 4;
/** Readings of one session while its output flows. */
export const PUBLISH_MS = 20;
/** A session that never settles is read this often. */
const UNSETTLED_MS = 100;

export interface TurnPort {
  now(): number;
  post(message: FromWorker, transfer: ArrayBuffer[]): void;
  /** Runs `turn` soon, after messages that have come. */
  soon(turn: () => void): void;
  /** Runs `turn` in that many milliseconds, in place of an earlier wish. */
  later(turn: () => void, delayMs: number): void;
}

export class Turns {
  readonly #models = new Map<number, SessionModel>();
  /** Models with work, in the order they are served. */
  readonly #ready = new Set<SessionModel>();
  /** Models whose last change has not been told. */
  readonly #untold = new Set<SessionModel>();
  #scheduled = false;

  constructor(readonly port: TurnPort) {}

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'bytes':
        this.#bytes(message.bytes, message.entries);
        break;
      case 'open':
        this.#models.set(
          message.session,
          new SessionModel(message.session, message, message.scrollbackLines),
        );
        return;
      case 'close':
        this.#forget(message.session);
        return;
      case 'resize':
        this.#with(message.session, (model) => model.resize(message));
        break;
      case 'pack':
        this.#with(message.session, (model) => model.setPack(message.pack));
        break;
      case 'ask':
        this.#ask(message.session, message.ask, message.question);
        break;
    }
    this.#schedule();
  }

  /** One turn. */
  run(): void {
    this.#scheduled = false;
    const startedAt = this.port.now();
    const parsed: number[] = [];
    const readings: ReadingChange[] = [];
    const answers: Array<{ ask: number; answer: Answer }> = [];
    const transfer: ArrayBuffer[] = [];
    const serve = (model: SessionModel) => {
      const step = this.#guarded(model, () => {
        const slowAt = this.port.now() + SLICE_MS;
        return model.step(SLICE_BYTES, () => this.port.now() >= slowAt);
      });
      if (step === undefined) return;
      this.#ready.delete(model);
      if (model.hasWork) this.#ready.add(model);
      if (model.changed) this.#untold.add(model);
      if (step.parsed > 0) parsed.push(model.session, step.parsed);
      if (step.change !== undefined) {
        readings.push(step.change);
        this.#told(model, startedAt);
      }
      for (const answer of step.answers) {
        answers.push(answer);
        if (answer.answer.kind === 'snapshot') transfer.push(answer.answer.bytes.buffer as ArrayBuffer);
      }
    };
    for (const model of [...this.#ready]) if (model.queuedBytes <= SLICE_BYTES) serve(model);
    while (this.#ready.size > 0) {
      for (const model of this.#ready) {
        serve(model);
        break;
      }
      if (this.port.now() - startedAt >= TURN_MS) break;
    }
    const nextMs = this.#publish(readings);
    if (parsed.length + readings.length + answers.length > 0) {
      this.port.post({ type: 'progress', parsed, readings, answers }, transfer);
    }
    if (this.#ready.size > 0) this.#schedule();
    else if (nextMs !== undefined) this.port.later(() => this.run(), nextMs);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.port.soon(() => this.run());
  }

  #bytes(bytes: Uint8Array, entries: readonly number[]): void {
    let from = 0;
    for (let i = 0; i + 2 < entries.length; i += 3) {
      const to = from + entries[i + 1]!;
      const part = bytes.subarray(from, to);
      this.#with(entries[i]!, (model) => model.push(part, entries[i + 2]!));
      from = to;
    }
  }

  #ask(session: number, ask: number, question: Question): void {
    this.#with(session, (model) => model.ask(ask, question));
  }

  #with(session: number, act: (model: SessionModel) => void): void {
    const model = this.#models.get(session);
    if (model === undefined) return;
    act(model);
    this.#ready.add(model);
  }

  /** Tells readings that are due; returns when the next one is. */
  #publish(readings: ReadingChange[]): number | undefined {
    const now = this.port.now();
    let next: number | undefined;
    for (const model of this.#untold) {
      const due = model.publishedAt + (model.hasWork ? UNSETTLED_MS : PUBLISH_MS);
      if (due > now) {
        next = Math.min(next ?? due, due);
        continue;
      }
      const change = this.#guarded(model, () => model.publish());
      if (change !== undefined) readings.push(change);
      this.#told(model, now);
    }
    return next === undefined ? undefined : Math.max(next - now, 0);
  }

  #told(model: SessionModel, now: number): void {
    model.publishedAt = now;
    if (!model.changed) this.#untold.delete(model);
  }

  #guarded<T>(model: SessionModel, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      this.#forget(model.session);
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.port.post({ type: 'lost', session: model.session, cause }, []);
      return undefined;
    }
  }

  #forget(session: number): void {
    const model = this.#models.get(session);
    if (model === undefined) return;
    this.#models.delete(session);
    this.#ready.delete(model);
    this.#untold.delete(model);
    model.dispose();
  }
}
