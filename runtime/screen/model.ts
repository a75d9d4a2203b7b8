// One session's screen in the worker: what waits to be parsed, the emulator, the offsets, the last reading told. Always
// true: bytes, resizes and questions are taken in the order they came; the emulator gets whole code points only; it is
// made when the first byte or question needs it. It has no clock: the turns decide when it works and publishes.
import { type Plan, planOf } from '../composer/plan.js';
import { NO_PLAN } from '../composer/read.js';
import type { ReadingPack } from '../composer/reading-pack.js';
import { Emulator, PARSE_LIMIT_BYTES } from './emulator.js';
import type { Answer, Question, ReadingChange } from './message.js';
import type { Reading, ScreenSize } from './port.js';
import { readCursor, readScreen } from './read.js';
import { paintSnapshot } from './snapshot.js';
import { unfinishedBytes } from './utf8.js';

/**
 * A snapshot goes back to the start of an unfinished sequence, but not behind a control string that is longer than
 * this: its rest will show as text, as it would in a terminal that attached now.
 */
const UNFINISHED_LIMIT_BYTES = 65_536;
/** A program's worst bytes (repeats of repeats) make these some 40 ms of work; text makes them 0.1 ms. */
const PIECE_BYTES = 4_096;
const ESC = 0x1b;

type Work =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly end: number }
  | { readonly kind: 'resize'; readonly size: ScreenSize }
  | { readonly kind: 'pack'; readonly pack: ReadingPack | undefined }
  | { readonly kind: 'ask'; readonly ask: number; readonly question: Question };

/** What one step did. `change` is there when a question asked for a reading that differs from the last one told. */
export interface Step {
  readonly parsed: number;
  readonly answers: ReadonlyArray<{ readonly ask: number; readonly answer: Answer }>;
  readonly change: ReadingChange | undefined;
}

export class SessionModel {
  /** When the last reading was told, on the turns' clock. */
  publishedAt = Number.NEGATIVE_INFINITY;
  #size: ScreenSize;
  #emulator: Emulator | undefined;
  readonly #work: Work[] = [];
  #queued = 0;
  /** End of what was taken from the queue; the last bytes of it may wait in `#rest`. */
  #offset = 0;
  /** Head of a code point whose other bytes haven't come: at most 3 bytes. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Where the sequence began that the parser is in. */
  #sequenceStart: number | undefined;
  #changed = false;
  #plan: Plan = NO_PLAN;
  #told: Reading | undefined;

  constructor(
    readonly session: number,
    size: ScreenSize,
    readonly scrollbackLines: number,
  ) {
    this.#size = { rows: size.rows, cols: size.cols };
  }

  get queuedBytes(): number {
    return this.#queued;
  }

  get hasWork(): boolean {
    return this.#work.length > 0;
  }

  /** Something changed since the last reading told. */
  get changed(): boolean {
    return this.#changed;
  }

  push(bytes: Uint8Array, end: number): void {
    this.#work.push({ kind: 'bytes', bytes, end });
    this.#queued += bytes.length;
  }

  resize(size: ScreenSize): void {
    this.#work.push({ kind: 'resize', size });
  }

  setPack(pack: ReadingPack | undefined): void {
    this.#work.push({ kind: 'pack', pack });
  }

  ask(ask: number, question: Question): void {
    this.#work.push({ kind: 'ask', ask, question });
  }

  /** Works off at most `limitBytes` of what waits, and stops early, between pieces, once `spent` says so. */
  step(limitBytes: number, spent: () => boolean = () => false): Step {
    const answers: Array<{ ask: number; answer: Answer }> = [];
    let change: ReadingChange | undefined;
    let parsed = 0;
    let done = 0;
    while (done < this.#work.length) {
      const work = this.#work[done]!;
      if (work.kind === 'bytes') {
        const room = Math.min(limitBytes - parsed, PIECE_BYTES);
        if (room <= 0 || (parsed > 0 && spent())) break;
        const part = work.bytes.length > room ? work.bytes.subarray(0, room) : work.bytes;
        this.#parse(part, work.end - (work.bytes.length - part.length));
        parsed += part.length;
        if (part.length < work.bytes.length) {
          this.#work[done] = { kind: 'bytes', bytes: work.bytes.subarray(part.length), end: work.end };
          continue;
        }
      } else if (work.kind === 'resize') {
        this.#resize(work.size);
      } else if (work.kind === 'pack') {
        this.#plan = work.pack === undefined ? NO_PLAN : planOf(work.pack);
        this.#changed = true;
      } else {
        if (work.question.kind === 'reading') change = this.publish() ?? change;
        answers.push({ ask: work.ask, answer: this.#answer(work.question) });
      }
      done++;
    }
    this.#work.splice(0, done);
    this.#queued -= parsed;
    return { parsed, answers, change };
  }

  /** The reading now, as its difference to the one told before; undefined when that one is still right. */
  publish(): ReadingChange | undefined {
    if (this.#told !== undefined && !this.#changed) return undefined;
    const reading = readScreen(this.#open(), this.#offset, this.#plan);
    const before = this.#told;
    const all = before === undefined || before.rows !== reading.rows || before.cols !== reading.cols;
    const changed: Array<readonly [number, string]> = [];
    for (const [row, text] of reading.text.entries()) {
      if (all || before.text[row] !== text) changed.push([row, text]);
    }
    this.#told = reading;
    this.#changed = false;
    const { text: _, ...rest } = reading;
    return { session: this.session, ...rest, all, changed };
  }

  dispose(): void {
    this.#emulator?.dispose();
    this.#emulator = undefined;
    this.#work.length = 0;
    this.#queued = 0;
  }

  #open(): Emulator {
    this.#emulator ??= new Emulator({ ...this.#size, scrollbackLines: this.scrollbackLines });
    return this.#emulator;
  }

  #resize(size: ScreenSize): void {
    if (size.rows === this.#size.rows && size.cols === this.#size.cols) return;
    this.#size = { rows: size.rows, cols: size.cols };
    this.#emulator?.resize(size.rows, size.cols);
    this.#changed = true;
  }

  #parse(bytes: Uint8Array, end: number): void {
    const emulator = this.#open();
    this.#offset = end;
    this.#changed = true;
    let whole = bytes;
    if (this.#rest.length > 0) {
      whole = new Uint8Array(this.#rest.length + bytes.length);
      whole.set(this.#rest);
      whole.set(bytes, this.#rest.length);
    }
    const rest = unfinishedBytes(whole);
    this.#rest = rest === 0 ? this.#rest.subarray(0, 0) : whole.slice(whole.length - rest);
    whole = whole.subarray(0, whole.length - rest);
    for (let from = 0; from < whole.length; ) {
      let part = whole.subarray(from, from + PARSE_LIMIT_BYTES);
      if (from + part.length < whole.length) part = part.subarray(0, part.length - unfinishedBytes(part));
      emulator.parse(part);
      from += part.length;
    }
    this.#markUnfinished(emulator, whole, end - rest - whole.length);
  }

  #markUnfinished(emulator: Emulator, parsed: Uint8Array, start: number): void {
    if (emulator.inGround) {
      this.#sequenceStart = undefined;
      return;
    }
    // Whatever the parser is in, its last ESC began it.
    const last = parsed.lastIndexOf(ESC);
    if (last >= 0) this.#sequenceStart = start + last;
  }

  #answer(question: Question): Answer {
    const emulator = this.#open();
    switch (question.kind) {
      case 'reading':
        return { kind: 'reading' };
      case 'cursor':
        return { kind: 'cursor', ...readCursor(emulator, this.#offset) };
      case 'snapshot':
        return {
          kind: 'snapshot',
          offset: this.#boundary(),
          rows: emulator.rows,
          cols: emulator.cols,
          bytes: paintSnapshot(emulator, question.scrollbackLines),
        };
    }
  }

  #boundary(): number {
    const start = this.#sequenceStart;
    if (start !== undefined && this.#offset - start <= UNFINISHED_LIMIT_BYTES) return start;
    return this.#offset - this.#rest.length;
  }
}
