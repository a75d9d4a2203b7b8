// The output scanner: reads a child's bytes once, in linear time, and says what they mean. Always true: an unfinished
// sequence is held only while it can still become a query, at most QUERY_BYTES; what is kept for its meaning is at most
// OSC_BYTES; everything else has been passed when `push` returns. The state machine is ECMA-48's with xterm's habits:
// CAN and SUB abort, ESC inside a string ends it, BEL ends an OSC only. What sequences mean stands in interpreter.ts.
import { mayMatter } from './csi.js';
import { Interpreter, type Meaning } from './interpreter.js';
import type { OutputScanner, OutputSink, ScannerOptions, TerminalModes } from './port.js';
import { ControlSearch, stringEnd } from './search.js';
import {
  BEL,
  bytesOf,
  CAN,
  CSI_BYTES,
  ESC,
  OSC_BYTES,
  oscHead,
  type Prospect,
  QUERY_BYTES,
  STATUS_OSC,
  type StringKind,
  SUB,
  stringProspect,
} from './sequence.js';
import { SplitBuffer } from './split-buffer.js';
import { type State, stepOf } from './state.js';

const ESCAPE = new Uint8Array([ESC]);

/** `ESC ]`, five digits and a semicolon. */
const HEAD_BYTES = 8;

class Scanner implements OutputScanner {
  readonly #sink: OutputSink;
  readonly #search = new ControlSearch();
  readonly #interpreter: Interpreter;
  readonly #reported: ReadonlySet<number>;
  #state: State = 'ground';
  #string: StringKind = 'other';
  #offset = 0;
  #overlong = 0;
  /** First byte of the chunk that is neither passed nor removed. */
  #from = 0;
  /** Where the current sequence begins in the chunk; 0 when it began in an earlier one. */
  #start = 0;
  /** Bytes of the current sequence from earlier chunks; the last `#held` of them are not passed yet. */
  readonly #kept = new SplitBuffer();
  #held = 0;
  /** Some of the current sequence is at the clients: the rest follows, query or not. */
  #open = false;
  /** The current sequence's content is not kept: it can't matter, or it is too long. */
  #dropped = false;

  constructor(sink: OutputSink, options: ScannerOptions) {
    this.#sink = sink;
    this.#interpreter = new Interpreter(options);
    this.#reported = options.reportOsc ?? STATUS_OSC;
  }

  get modes(): TerminalModes {
    return this.#interpreter.modes.view;
  }

  get offset(): number {
    return this.#offset;
  }

  get heldBytes(): number {
    return this.#held;
  }

  get overlongStrings(): number {
    return this.#overlong;
  }

  resized(rows: number, cols: number): void {
    this.#interpreter.resized(rows, cols);
  }

  beyondScreen(): Uint8Array {
    return bytesOf(this.#interpreter.modes.beyondScreen());
  }

  release(): void {
    if (this.#held === 0) return;
    this.#passHeld();
    this.#open = true;
  }

  push(chunk: Uint8Array): void {
    const end = chunk.length;
    this.#from = 0;
    this.#start = 0;
    this.#search.begin();
    let at = this.#state === 'ground' ? 0 : this.#sequence(chunk, 0);
    while (at < end) {
      at = this.#search.next(chunk, at);
      if (at >= end) break;
      const byte = chunk[at] as number;
      if (byte === ESC) at = this.#escape(chunk, at);
      else if (byte === BEL) {
        this.#flush(chunk, ++at);
        this.#sink.bell();
      } else {
        this.#flush(chunk, at);
        this.#from = ++at;
        this.#sink.reply({ kind: 'eaten' });
      }
    }
    if (this.#state === 'ground') this.#flush(chunk, end);
    else this.#suspend(chunk);
    const { modes } = this.#interpreter;
    if (modes.changed) {
      modes.changed = false;
      this.#sink.modesChanged();
    }
  }

  /** A sequence begins at `at`. A CSI that is whole in this chunk, by far the most, goes the short way. */
  #escape(chunk: Uint8Array, at: number): number {
    const end = chunk.length;
    if (at + 2 < end && chunk[at + 1] === 0x5b) {
      let next = at + 2;
      let byte = chunk[next] as number;
      while (byte >= 0x20 && byte <= 0x3f && next + 1 < end) byte = chunk[++next] as number;
      if (byte >= 0x40 && byte <= 0x7e) {
        if (mayMatter(chunk, at, byte)) {
          this.#begin(at);
          this.#finish(chunk, next, 'csi');
        }
        return next + 1;
      }
    }
    this.#begin(at);
    this.#state = 'escape';
    return this.#sequence(chunk, at + 1);
  }

  #begin(at: number): void {
    this.#start = at;
    this.#kept.length = 0;
    this.#open = false;
    this.#dropped = false;
  }

  /** Runs the open sequence from `at` on. The answer: where ground begins again, or the chunk's length. */
  #sequence(chunk: Uint8Array, at: number): number {
    const end = chunk.length;
    while (at < end) {
      const byte = chunk[at] as number;
      switch (this.#state) {
        case 'string': {
          at = stringEnd(chunk, at, this.#string === 'osc');
          if (at >= end) return end;
          const last = chunk[at] as number;
          if (last === BEL) return this.#finish(chunk, at, 'string');
          if (last !== ESC) return this.#abort(at + 1);
          this.#state = 'string-escape';
          break;
        }
        case 'string-escape':
          if (byte === 0x5c) return this.#finish(chunk, at, 'string');
          this.#restartAtEscape(at);
          continue;
        default:
          if (byte === CAN || byte === SUB) return this.#abort(at + 1);
          if (byte === ESC) this.#restart(at);
          else if (byte >= 0x80) return this.#abort(at + 1);
          else if (byte < 0x20 || byte === 0x7f) this.#uncover();
          else if (this.#advance(byte)) return this.#finish(chunk, at, this.#state);
      }
      at++;
    }
    return end;
  }

  /** One printable byte of an escape or control sequence; true when it is the final one. */
  #advance(byte: number): boolean {
    const step = stepOf(this.#state, byte);
    if (step === 'final') return true;
    if (step === 'intermediate' || step === 'csi') this.#state = step;
    else {
      this.#state = 'string';
      this.#string = step;
    }
    return false;
  }

  /** The sequence ends with the byte at `last`. */
  #finish(chunk: Uint8Array, last: number, shape: State): number {
    const next = last + 1;
    this.#state = 'ground';
    const meaning = this.#dropped ? undefined : this.#read(chunk, next, shape);
    const answer = meaning?.answer;
    if (answer && !answer.passes && !this.#open) {
      this.#flush(chunk, this.#start);
      this.#held = 0;
      this.#from = next;
      this.#sink.reply(answer.reply);
      return next;
    }
    this.#passHeld();
    if (meaning === undefined) return next;
    this.#flush(chunk, next);
    if (answer) this.#sink.reply(answer.reply);
    if (meaning.reset) this.#sink.reset();
    if (meaning.osc) this.#sink.osc(meaning.osc.code, meaning.osc.body);
    return next;
  }

  /** What the finished sequence means, or undefined when nobody needs to know. */
  #read(chunk: Uint8Array, next: number, shape: State): Meaning | undefined {
    const length = this.#kept.length + next - this.#start;
    if (length > (shape === 'string' ? OSC_BYTES : CSI_BYTES)) {
      if (shape === 'string') this.#tooLong(chunk);
      return undefined;
    }
    let bytes = chunk;
    let start = this.#start;
    let end = next;
    const keptLength = this.#kept.length;
    if (keptLength > 0) {
      this.#keep(chunk, next);
      bytes = this.#kept.bytes;
      start = 0;
      end = length;
      this.#kept.length = keptLength; // `#held` counts from here
    }
    if (shape === 'string') {
      if (length > QUERY_BYTES) this.#open = true;
      return this.#interpreter.string(this.#string, bytes, start, end, this.#reported);
    }
    if (shape === 'csi') return this.#interpreter.csi(bytes, start, end);
    return shape === 'escape' ? this.#interpreter.escape(bytes[end - 1] as number) : undefined;
  }

  /** The chunk ends inside a sequence: what can't become a query passes, and only what may matter is kept. */
  #suspend(chunk: Uint8Array): void {
    const end = chunk.length;
    const isString = this.#state === 'string' || this.#state === 'string-escape';
    const earlier = this.#kept.length;
    if (!this.#dropped) {
      if (this.#kept.length + end - this.#start > (isString ? OSC_BYTES : CSI_BYTES)) {
        if (isString) this.#tooLong(chunk);
        this.#dropped = true;
      } else {
        this.#keep(chunk, end);
        // What has begun to pass goes on passing: its prospect is asked once, so that a string in bytes stays linear.
        const prospect = this.#open ? 'content' : this.#prospect();
        if (prospect === 'query') {
          this.#flush(chunk, this.#start);
          this.#held += end - this.#from;
          this.#from = end;
          return;
        }
        if (prospect === 'nothing') this.#dropped = true;
      }
    }
    this.#open = true;
    this.#passHeld(this.#kept.length - earlier);
    if (this.#dropped) this.#kept.length = 0;
    if (this.#state !== 'string-escape' || end === this.#from) {
      this.#flush(chunk, end);
      return;
    }
    // The ESC that may end this string may also begin a query: it alone waits.
    this.#flush(chunk, end - 1);
    if (this.#dropped) {
      this.#start = end - 1;
      this.#keep(chunk, end);
    }
    this.#held = 1;
    this.#from = end;
  }

  #prospect(): Prospect {
    switch (this.#state) {
      case 'escape':
        return 'query';
      case 'csi':
        // Nothing with this prefix asks; kitty's pop is still to be read.
        return this.#kept.length > 2 && this.#kept.bytes[2] === 0x3c ? 'content' : 'query';
      case 'string':
      case 'string-escape': {
        const length = this.#kept.length - (this.#state === 'string-escape' ? 1 : 0);
        return stringProspect(this.#string, this.#kept.bytes, length, this.#reported);
      }
      default:
        return 'nothing';
    }
  }

  /** A new ESC gives up the open sequence: its bytes pass, and one begins here. */
  #restart(at: number): void {
    this.#passHeld();
    this.#begin(at);
    this.#state = 'escape';
  }

  /** The string is over without a terminator; the ESC before `at` begins the next sequence. */
  #restartAtEscape(at: number): void {
    this.#state = 'escape';
    if (at > 0) {
      this.#passHeld();
      this.#begin(at - 1);
      return;
    }
    const waiting = this.#held > 0;
    if (this.#held > 1) {
      this.#give(this.#kept.tail(this.#held - 1, 1));
    }
    this.#kept.length = 0;
    this.#kept.append(ESCAPE);
    this.#held = waiting ? 1 : 0;
    this.#open = !waiting;
    this.#dropped = false;
  }

  #abort(next: number): number {
    this.#passHeld();
    this.#state = 'ground';
    return next;
  }

  /** A control inside a sequence takes effect at once, so nothing of the sequence can be held or removed. */
  #uncover(): void {
    this.#passHeld();
    this.#open = true;
    // Between ESC and what follows it no program puts one; what comes then is not worth a second parser.
    if (this.#state === 'escape') this.#dropped = true;
  }

  /** Counts an OSC of a reported number; its head may be in what is kept, in the chunk, or in both. */
  #tooLong(chunk: Uint8Array): void {
    if (this.#string !== 'osc') return;
    const kept = Math.min(this.#kept.length, HEAD_BYTES);
    const bytes = new Uint8Array(HEAD_BYTES);
    bytes.set(this.#kept.bytes.subarray(0, kept));
    bytes.set(chunk.subarray(this.#start, this.#start + HEAD_BYTES - kept), kept);
    const head = oscHead(bytes, 2, HEAD_BYTES);
    if (typeof head === 'object' && this.#reported.has(head.code)) this.#overlong++;
  }

  /** Appends the sequence's bytes of this chunk up to `end` to what is kept of it. */
  #keep(chunk: Uint8Array, end: number): void {
    this.#kept.append(chunk.subarray(this.#start, end));
  }

  /** `newer`: bytes at the end of what is kept that are the chunk's own. */
  #passHeld(newer = 0): void {
    if (this.#held === 0) return;
    const held = this.#held;
    this.#held = 0;
    this.#give(this.#kept.tail(held, newer));
  }

  #flush(chunk: Uint8Array, end: number): void {
    if (end <= this.#from) return;
    const bytes = this.#from === 0 && end === chunk.length ? chunk : chunk.subarray(this.#from, end);
    this.#from = end;
    this.#give(bytes);
  }

  #give(bytes: Uint8Array): void {
    this.#offset += bytes.length;
    this.#sink.pass(bytes);
  }
}

/** A scanner of one session's output; see the port for what it tells `sink`. */
export function createOutputScanner(sink: OutputSink, options: ScannerOptions = {}): OutputScanner {
  return new Scanner(sink, options);
}
