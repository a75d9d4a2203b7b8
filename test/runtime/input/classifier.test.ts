// The input vectors: whole, byte by byte, cut at every place; keys at once, replies never, nothing lost.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createInputClassifier, type InputModes } from '../../../runtime/input/classifier.js';
import { passingBytes, presenceOf, type Segment } from '../../../runtime/input/segment.js';
import { INPUT_SEQUENCE_BYTES } from '../../../runtime/input/sequence.js';
import { readVectors } from '../../support/byte-vector.js';

interface InputCase {
  readonly description: string;
  readonly bytes: string;
  /** Kind, bytes and, for keys, their class. */
  readonly segments: ReadonlyArray<readonly [string, string, string?]>;
  readonly mouseEncoding?: InputModes['mouseEncoding'];
  /** Bytes that wait until the timer; the segments are then those after it. */
  readonly held?: number;
  readonly pasteOpen?: true;
}

const test = suite('input classifier');
const cases = readVectors<InputCase>('input/segments.json', [
  ...['bytes', 'segments', 'mouseEncoding', 'held', 'pasteOpen'],
]);
const ESC = 0x1b;
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const plain = (segment: Segment) =>
  segment.key === undefined
    ? [segment.kind, latin1(segment.bytes)]
    : [segment.kind, latin1(segment.bytes), segment.key];

function classify(chunks: readonly Uint8Array[], mouseEncoding: InputModes['mouseEncoding'] = 'legacy') {
  const classifier = createInputClassifier(() => ({ mouseEncoding }));
  const segments: Array<{ row: string[]; passes: boolean; signals: string }> = [];
  const take = (given: readonly Segment[]) => {
    for (const segment of given) {
      segments.push({ row: plain(segment), passes: segment.passes, signals: presenceOf(segment) });
    }
  };
  for (const chunk of chunks) take(classifier.push(chunk));
  const held = classifier.heldBytes;
  take(classifier.release());
  return { segments, held, pasteOpen: classifier.pasteOpen };
}

/** Rows with neighbours joined that chunking may cut: text, and all of one paste. */
function merged(rows: readonly string[][]): string[][] {
  const result: string[][] = [];
  for (const [kind = '', text = '', key] of rows) {
    const name = kind.startsWith('paste') ? 'paste' : kind;
    const last = result.at(-1);
    const joins = name === 'paste' || key === 'text';
    if (last && joins && last[0] === name && last[2] === key) last[1] += text;
    else result.push(key === undefined ? [name, text] : [name, text, key]);
  }
  return result;
}

for (const entry of cases) {
  test(entry.description, () => {
    const { segments, held, pasteOpen } = classify([bytesOf(entry.bytes)], entry.mouseEncoding);
    assert.equal(
      segments.map(({ row }) => row),
      entry.segments,
    );
    assert.is(held, entry.held ?? 0);
    assert.is(pasteOpen, entry.pasteOpen ?? false);
    const dropped = new Set(['reply', 'focus-in', 'focus-out']);
    for (const { row, passes } of segments) assert.is(passes, !dropped.has(row[0] as string));
  });

  test(`${entry.description}: cut anywhere but after an ESC, it is the same`, () => {
    const whole = bytesOf(entry.bytes);
    const once = classify([whole], entry.mouseEncoding).segments;
    for (let at = 1; at < whole.length; at++) {
      if (whole[at - 1] === ESC) continue;
      const cut = classify([whole.subarray(0, at), whole.subarray(at)], entry.mouseEncoding).segments;
      // Alt-O leaves at once, so a cut behind it makes two keys of an SS3 key; and a character may be cut in two.
      if (/^\x1b*(O|\xc3)/.test(entry.bytes) && at <= 2) continue;
      assert.equal(merged(cut.map(({ row }) => row)), merged(once.map(({ row }) => row)), `cut at ${at}`);
    }
  });

  test(`${entry.description}: byte by byte nothing is lost but replies and focus`, () => {
    const whole = bytesOf(entry.bytes);
    const { segments } = classify(
      Array.from(whole, (_, at) => whole.subarray(at, at + 1)),
      entry.mouseEncoding,
    );
    assert.is(segments.map(({ row }) => row[1]).join(''), entry.bytes);
  });
}

test('a reply cut after its ESC passes whole: half of it would be an Esc that nobody pressed', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  assert.equal(classifier.push(bytesOf('\x1b')).map(plain), [['key', '\x1b', 'escape']]);
  const rest = classifier.push(bytesOf('[?62;6;22cx'));
  assert.equal(rest.map(plain), [
    ['reply', '[?62;6;22c'],
    ['key', 'x', 'text'],
  ]);
  assert.is(latin1(passingBytes(rest)), '[?62;6;22cx');
});

test('text typed after Esc is text', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  classifier.push(bytesOf('\x1b'));
  assert.equal(classifier.push(bytesOf('[')).map(plain), [['key', '[', 'text']]);
  assert.equal(classifier.push(bytesOf('A')).map(plain), [['key', 'A', 'text']]);
});

test('a reply in two messages is dropped whole', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  assert.equal(classifier.push(bytesOf('\x1b]11;rgb:1e1e/')), []);
  assert.is(classifier.heldBytes, 14);
  const rest = classifier.push(bytesOf('1e1e/1e1e\x1b\\y'));
  assert.equal(rest.map(plain), [
    ['reply', '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\'],
    ['key', 'y', 'text'],
  ]);
  assert.is(latin1(passingBytes(rest)), 'y');
});

test('after the timer, what waited is keys and what follows begins anew', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  classifier.push(bytesOf('\x1b]'));
  assert.equal(classifier.release().map(plain), [['key', '\x1b]', 'edit']]);
  assert.is(classifier.heldBytes, 0);
  assert.equal(classifier.release(), []);
  assert.equal(classifier.push(bytesOf('hello\x07')).map(plain), [
    ['key', 'hello', 'text'],
    ['key', '\x07', 'edit'],
  ]);
});

test('a paste is never held, also where it may end', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  const pieces = ['\x1b[200~', 'a\x1b', '[20', '1~', 'b'];
  const seen = pieces.map((piece) => {
    const given = latin1(passingBytes(classifier.push(bytesOf(piece))));
    return [given, classifier.pasteOpen];
  });
  assert.equal(seen, [
    ['\x1b[200~', true],
    ['a\x1b', true],
    ['[20', true],
    ['1~', false],
    ['b', false],
  ]);
});

test('a string of the longest length is read, one byte more is keys', () => {
  const frame = '\x1b]52;\x1b\\'.length;
  for (const [length, first] of [
    [INPUT_SEQUENCE_BYTES, 'reply'],
    [INPUT_SEQUENCE_BYTES + 2, 'key'],
  ] as const) {
    const { segments } = classify([bytesOf(`\x1b]52;${'x'.repeat(length - frame)}\x1b\\`)]);
    assert.is(segments[0]?.row[0], first);
  }
});

test('any bytes in any chunks come out complete, in order, and little waits', () => {
  const piece = fc.oneof(
    fc.constantFrom(...cases.map((entry) => entry.bytes)),
    fc.string({
      unit: fc.constantFrom(
        '\x1b',
        '[',
        ']',
        'P',
        '_',
        'O',
        '?',
        '1',
        ';',
        'R',
        'c',
        'u',
        '~',
        '\\',
        '\x07',
        'a',
      ),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 10 }),
      fc.array(fc.nat(200), { maxLength: 8 }),
      (pieces, places) => {
        const whole = bytesOf(pieces.join(''));
        const ends = [...new Set(places)].filter((at) => at < whole.length).sort((a, b) => a - b);
        const classifier = createInputClassifier(() => ({ mouseEncoding: 'legacy' }));
        let out = '';
        let from = 0;
        for (const end of [...ends, whole.length]) {
          for (const { bytes } of classifier.push(whole.subarray(from, end))) out += latin1(bytes);
          assert.is(out + ' '.repeat(classifier.heldBytes), out.padEnd(end, ' '));
          from = end;
        }
        for (const { bytes } of classifier.release()) out += latin1(bytes);
        assert.is(out, latin1(whole));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('one million random bytes neither crash nor wait without bound', () => {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'legacy' }));
  let state = 7;
  let out = 0;
  const chunk = new Uint8Array(64);
  const total = 1_000_000;
  for (let done = 0; done < total; done += chunk.length) {
    for (let i = 0; i < chunk.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const byte = state >>> 24;
      chunk[i] = byte < 24 ? ESC : byte < 48 ? '[]P_?;~'.charCodeAt(byte % 7) : byte;
    }
    for (const { bytes } of classifier.push(chunk)) out += bytes.length;
    assert.ok(classifier.heldBytes < INPUT_SEQUENCE_BYTES);
  }
  assert.is(out + classifier.heldBytes, Math.ceil(total / chunk.length) * chunk.length);
});

test.run();
