// The scanner over real and mutated streams: recordings of agents at every cut, random mixtures, and, with
// OPENFLOOR_FUZZ=N, N mutated sequences (`npm test` takes a sample).
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';
import { OSC_BYTES, QUERY_BYTES } from '../../../runtime/terminal/sequence.js';
import { readVectors } from '../../support/byte-vector.js';
import { programBytes, readRecording, recordingNames } from '../../support/recording.js';
import { byteByByte, bytes, collecting, cut, outcome, replyText } from './collect.js';

const test = suite('streams');
const MUTATIONS = Number(process.env.OPENFLOOR_FUZZ ?? 100_000);

for (const name of recordingNames()) {
  const recording = readRecording(name);
  const whole = programBytes(recording);
  const expected = outcome([whole]);

  test(`${name}: as it was read, byte by byte and in one piece say the same`, () => {
    const read = recording.chunks.filter((chunk) => chunk.from === 'program').map((chunk) => chunk.bytes);
    assert.equal(outcome(read), expected);
    assert.equal(outcome(byteByByte(whole)), expected);
  });

  test(`${name}: every cut says the same`, () => {
    // Whole streams at every cut would be quadratic: every cut is tested inside its window.
    const window = 192;
    for (let from = 0; from < whole.length; from += window) {
      const part = whole.subarray(from, from + window);
      const once = outcome([part]);
      for (let at = 1; at < part.length; at++) assert.equal(outcome(cut(part, [at])), once);
    }
  });
}

const STARTUP: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['claude-7501-startup', ['\x1b]7501;?\x07', '\x1b[?62;6;22c', '\x1b[?2026;2$y', '\x1b[6;16;8t']],
  ['codex-7501-startup', ['\x1b[?7u', '\x1b[?1007;2$y', '\x1b[?62;6;22c', '<cpr>']],
  ['pi-7501-startup', ['\x1b[?7u', '\x1b]7501;?\x1b\\', '\x1b[?62;6;22c']],
  [
    'gemini-startup',
    ['\x1b[?0u', '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\', '\x1bP>|openfloor\x1b\\', '\x1b[>4;0m'],
  ],
  ['opencode-7501-startup', ['<cpr>', '\x1b[?2026;2$y', '\x1b[?0u', '\x1b[?62;6;22c']],
];
for (const [name, wanted] of STARTUP) {
  test(`${name}: every query of the start is answered in order and none is left in the stream`, () => {
    const { scanner, seen } = collecting();
    scanner.push(programBytes(readRecording(name)));
    scanner.release();
    const replies = seen.replies.map(replyText);
    let from = 0;
    for (const reply of wanted) {
      const at = replies.indexOf(reply, from);
      assert.ok(at >= from, `${JSON.stringify(reply)} after ${from} of ${JSON.stringify(replies)}`);
      from = at + 1;
    }
    assert.not.match(seen.passed, /\x1b\[[?>=]?\d*[cn]|\x1b\[\?[\d;]*u|\$p|;\?(?:\x07|\x1b\\)|\x1b\[>\d*q/);
  });
}

const cases = readVectors<{ description: string; bytes: string; passed: string }>('wire/queries.json', [
  ...['bytes', 'replies', 'passed', 'osc', 'bells', 'rows', 'cols', 'options'],
]);
/** Vectors that end in ground state: those alone can be joined. */
const joinable = cases.filter(({ bytes }) => !/\x1a$/.test(bytes) || bytes.length > 1);

test('any mixture of queries and output, cut anywhere, passes all but the removed queries', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...joinable),
      fc.constantFrom('text', 'ü€', '\r\n', '\x1b[31m', '\x1b[2J', '\x1b]0;t\x07', '\x1b]8;;u\x1b\\', '\x07'),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(400), { maxLength: 8 }), (list, places) => {
      const whole = bytes(
        list.map((piece) => (typeof piece === 'string' ? utf8(piece) : piece.bytes)).join(''),
      );
      const passed = list.map((piece) => (typeof piece === 'string' ? utf8(piece) : piece.passed)).join('');
      const once = outcome([whole]);
      assert.is(once.passed, passed);
      assert.equal(outcome(cut(whole, places)), once);
    }),
    { numRuns: 400 },
  );
});

test('random bytes, cut anywhere, say the same and none is lost that is not a query', () => {
  const alphabet = fc.constantFrom(
    ...'\x1b\x1b\x1b[]P_X\\\x07\x05\x18?>=;:$!"*+ 0123456789acnqmuhltpxGRt\x9c\xe2\n'.split(''),
  );
  fc.assert(
    fc.property(
      fc.array(alphabet, { maxLength: 60 }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (chars, places) => {
        const whole = bytes(chars.join(''));
        const once = outcome([whole]);
        assert.equal(outcome(cut(whole, places)), once);
        assert.equal(outcome(byteByByte(whole)), once);
        assert.ok(isSubsequence(once.passed, whole.toString('latin1')));
      },
    ),
    { numRuns: 3_000 },
  );
});

test(`${MUTATIONS} mutated sequences neither crash nor grow`, () => {
  const next = random(7_501);
  const seeds = cases.map((entry) => bytes(entry.bytes));
  let passed = 0;
  let replies = 0;
  let pushed = 0;
  const nothing = () => {};
  const scanner = createOutputScanner({
    pass: (chunk) => (passed += chunk.length),
    reply: () => replies++,
    osc: (_, body) => assert.ok(body.length <= OSC_BYTES),
    modesChanged: nothing,
    bell: nothing,
    reset: nothing,
  });
  for (let i = 0; i < MUTATIONS; i++) {
    const seed = Buffer.from(seeds[next(seeds.length)] as Buffer);
    for (let edits = next(4); edits > 0; edits--) seed[next(seed.length)] = next(256);
    const chunk = next(8) === 0 ? Buffer.concat([seed, Buffer.alloc(next(3_000), 'x')]) : seed;
    const at = next(chunk.length);
    scanner.push(chunk.subarray(0, at));
    scanner.push(chunk.subarray(at));
    pushed += chunk.length;
    assert.ok(scanner.heldBytes <= QUERY_BYTES);
    if (next(16) === 0) scanner.release();
  }
  assert.is(scanner.offset, passed);
  assert.ok(passed + scanner.heldBytes < pushed && replies > MUTATIONS / 10);
});

function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at++;
  return at === part.length;
}

/** Numerical Recipes' generator: the same figures in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.run();
