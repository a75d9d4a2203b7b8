// The keys that leave a seat: the vectors, and that no byte is eaten otherwise, for any chunking.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DetachScanner,
  describeKeys,
  parseDetachKeys,
} from '../../../../clients/cli/terminal/detach-keys.js';

const test = suite('detach-keys');

interface Vector {
  readonly description: string;
  readonly keys: string;
  readonly input: readonly string[];
  readonly pass: string;
  readonly detached: boolean;
}
const FIELDS = ['description', 'detached', 'input', 'keys', 'pass'];
const vectors = JSON.parse(readFileSync('spec/vectors/cli/detach-keys.json', 'utf8')) as Vector[];

function run(keys: string, chunks: readonly Uint8Array[]) {
  const scanner = new DetachScanner(keys === 'none' ? undefined : parseDetachKeys(keys));
  const pass: Uint8Array[] = [];
  for (const chunk of chunks) {
    const scanned = scanner.push(chunk);
    pass.push(scanned.pass);
    if (scanned.detached) return { pass: Buffer.concat(pass).toString('utf8'), detached: true };
  }
  return { pass: Buffer.concat(pass).toString('utf8'), detached: false };
}

for (const vector of vectors) {
  test(vector.description, () => {
    assert.equal(Object.keys(vector).sort(), FIELDS);
    const chunks = vector.input.map((text) => Buffer.from(text));
    assert.equal(run(vector.keys, chunks), { pass: vector.pass, detached: vector.detached });
  });
}

test('plain keys detach in the same way when they come one byte at a time', () => {
  for (const { keys, input, pass, detached } of vectors) {
    const bytes = Buffer.from(input.join(''));
    // A sequence that is cut is passed on as it comes and matches nothing; that is why chunks matter to it.
    if (bytes.includes('\x1b')) continue;
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    assert.equal(run(keys, single), { pass, detached });
  }
});

test('without the first key, every byte passes at once and unchanged, for any bytes and any chunking', () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0x1b, 0x5b, 0x3b, 0x75, 0x7e, 0x32),
  );
  fc.assert(
    fc.property(fc.array(fc.array(byte, { maxLength: 20 }), { maxLength: 20 }), (chunks) => {
      const scanner = new DetachScanner(parseDetachKeys('ctrl-\\,d'));
      for (const chunk of chunks) {
        // Without a 9 nothing spells Ctrl-\ as CSI 92;5u or CSI 27;5;92~ either.
        const bytes = Uint8Array.from(chunk.filter((value) => value !== 0x1c && value !== 0x39));
        const { pass, detached } = scanner.push(bytes);
        assert.not(detached);
        assert.equal([...pass], [...bytes]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is typed, what passes is what was typed, less one first key for each that was given twice', () => {
  const piece = fc.constantFrom('a', 'd', '\x1c', '\x1b[A', '\x1b[<0;1;1M', '\x1b[92;5u', 'é', '\r');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const scanner = new DetachScanner(parseDetachKeys('ctrl-\\,d'));
      const passed: number[] = [];
      let typed = '';
      for (const text of pieces) {
        const { pass, detached } = scanner.push(Buffer.from(text));
        typed += text;
        passed.push(...pass);
        if (detached) break;
      }
      // Every byte that passed was typed, in that order.
      let at = 0;
      for (const byte of Buffer.from(typed)) if (byte === passed[at]) at++;
      assert.is(at, passed.length);
    }),
  );
});

test('keys are read as people write them, and what is none is refused', () => {
  assert.equal(parseDetachKeys('ctrl-\\,d'), [
    { code: 92, ctrl: true },
    { code: 100, ctrl: false },
  ]);
  assert.equal(parseDetachKeys('Ctrl-A'), [{ code: 97, ctrl: true }]);
  for (const bad of ['', 'd', 'ctrl-', 'ctrl-\\,', 'ctrl-a,b,c', 'alt-x', 'ctrl-[', 'ctrl-é', 'd,ctrl-a']) {
    assert.is(parseDetachKeys(bad), undefined, bad);
  }
  assert.is(describeKeys(parseDetachKeys('ctrl-\\,d')!), 'Ctrl-\\ d');
});

test.run();
