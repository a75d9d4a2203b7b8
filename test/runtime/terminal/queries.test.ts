// Table Q: every vector, whole, byte by byte and cut in two at every place; and every query released at every place.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScannerOptions } from '../../../runtime/terminal/port.js';
import { readVectors } from '../../support/byte-vector.js';
import { byteByByte, bytes, collecting, cut, outcome, replyText } from './collect.js';

interface QueryCase {
  readonly description: string;
  readonly bytes: string;
  readonly replies: ReadonlyArray<{ fixed: string } | { cursor: 'cpr' | 'decxcpr' } | { eaten: true }>;
  readonly passed: string;
  readonly osc?: ReadonlyArray<readonly [number, string]>;
  readonly bells?: number;
  readonly rows?: number;
  readonly cols?: number;
  readonly options?: ScannerOptions;
}

const test = suite('queries');
const FIELDS = ['bytes', 'replies', 'passed', 'osc', 'bells', 'rows', 'cols', 'options'];
const cases = readVectors<QueryCase>('wire/queries.json', FIELDS);

const optionsOf = (entry: QueryCase): ScannerOptions => ({
  ...entry.options,
  rows: entry.rows ?? 24,
  cols: entry.cols ?? 80,
});

const expected = (entry: QueryCase) =>
  entry.replies.map((reply) =>
    'fixed' in reply ? reply.fixed : 'cursor' in reply ? `<${reply.cursor}>` : '<eaten>',
  );

function check(entry: QueryCase, chunks: Uint8Array[]): void {
  const { scanner, seen } = collecting(optionsOf(entry));
  for (const chunk of chunks) scanner.push(chunk);
  scanner.release();
  assert.is(seen.passed, entry.passed);
  assert.equal(seen.replies.map(replyText), expected(entry));
  assert.equal(seen.osc, entry.osc ?? []);
  assert.is(seen.bells, entry.bells ?? 0);
}

for (const entry of cases) {
  test(`${entry.description}: byte by byte`, () => check(entry, byteByByte(bytes(entry.bytes))));
  test(`${entry.description}: whole`, () => check(entry, [bytes(entry.bytes)]));
  test(`${entry.description}: cut at every place`, () => {
    const whole = bytes(entry.bytes);
    for (let at = 1; at < whole.length; at++) check(entry, cut(whole, [at]));
  });
  test(`${entry.description}: between other output`, () => {
    const { passed, events } = outcome([bytes(`before\x1b[m${entry.bytes}\x1b[mafter`)], optionsOf(entry));
    if (/[\x1a\x18\x1b]$/.test(entry.bytes)) return;
    assert.is(passed, `before\x1b[m${entry.passed}\x1b[mafter`);
    assert.equal(
      events
        .filter((event) => event.startsWith('reply'))
        .map((event) => event.replace(/^reply |@\d+$/gs, '')),
      expected(entry),
    );
  });
  test(`${entry.description}: released at every place, it is answered once and nothing is lost`, () => {
    const whole = bytes(entry.bytes);
    for (let at = 1; at < whole.length; at++) {
      const { scanner, seen } = collecting(optionsOf(entry));
      scanner.push(whole.subarray(0, at));
      const held = scanner.heldBytes;
      const before = scanner.offset;
      scanner.release();
      assert.is(scanner.heldBytes, 0);
      assert.is(scanner.offset, before + held);
      scanner.push(whole.subarray(at));
      scanner.release();
      assert.equal(seen.replies.map(replyText), expected(entry));
      assert.is(scanner.offset, seen.passed.length);
      if (held === 0) assert.is(seen.passed, entry.passed);
      else assert.ok(seen.passed.length >= entry.passed.length && seen.passed.length <= whole.length);
    }
  });
}

test.run();
