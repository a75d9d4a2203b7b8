// A sink that writes down what a scanner says. Always true: `events` has everything but the bytes in the order told;
// chunks passed are copied, since a scanner may reuse them.
import type { OutputSink, Reply, ScannerOptions } from '../../../runtime/terminal/port.js';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';

export interface Collected {
  passed: string;
  readonly replies: Reply[];
  readonly osc: Array<readonly [number, string]>;
  bells: number;
  resets: number;
  modeChanges: number;
  /** Name and offset of each event, in order. */
  readonly events: string[];
}

export const bytes = (text: string) => Buffer.from(text, 'latin1');

export function replyText(reply: Reply): string {
  if (reply.kind === 'fixed') return Buffer.from(reply.bytes).toString('latin1');
  return reply.kind === 'cursor' ? `<${reply.form}>` : '<eaten>';
}

export function collecting(options: ScannerOptions = {}) {
  const seen: Collected = {
    passed: '',
    replies: [],
    osc: [],
    bells: 0,
    resets: 0,
    modeChanges: 0,
    events: [],
  };
  const note = (name: string) => seen.events.push(`${name}@${scanner.offset}`);
  const sink: OutputSink = {
    pass(chunk) {
      seen.passed += Buffer.from(chunk).toString('latin1');
    },
    reply(reply) {
      seen.replies.push(reply);
      note(`reply ${replyText(reply)}`);
    },
    osc(code, body) {
      seen.osc.push([code, body]);
      note(`osc ${code};${body}`);
    },
    modesChanged() {
      seen.modeChanges++;
    },
    bell() {
      seen.bells++;
      note('bell');
    },
    reset() {
      seen.resets++;
      note('reset');
    },
  };
  const scanner = createOutputScanner(sink, options);
  return { scanner, seen };
}

/** Everything that must not depend on how the bytes were cut. */
export function outcome(chunks: Iterable<Uint8Array>, options: ScannerOptions = {}) {
  const { scanner, seen } = collecting(options);
  for (const chunk of chunks) scanner.push(chunk);
  scanner.release();
  return {
    passed: seen.passed,
    events: seen.events,
    offset: scanner.offset,
    modes: { ...scanner.modes },
    overlong: scanner.overlongStrings,
  };
}

/** The bytes cut at these places. */
export function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places)].filter((at) => at > 0 && at < whole.length).sort((a, b) => a - b);
  return [0, ...sorted].map((at, index) => whole.subarray(at, sorted[index] ?? whole.length));
}

export function byteByByte(whole: Uint8Array): Uint8Array[] {
  return Array.from(whole, (_, at) => whole.subarray(at, at + 1));
}
