// The codec takes any bytes: what it refuses it names, what it takes it can give back, and nothing crashes or grows it.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeFrame, encodeFrame, type PlainMap, parseJson } from '../../protocol/codec.js';
import { FRAME_BYTES, FRAME_DEPTH, FRAME_NODES } from '../../protocol/limit.js';

const test = suite('codec');

const bytes = (...values: number[]) => Uint8Array.from(values);
const reasonOf = (frame: Uint8Array, limits?: Parameters<typeof decodeFrame>[1]) => {
  const decoded = decodeFrame(frame, limits);
  return decoded.ok ? 'taken' : decoded.reason;
};
function nested(depth: number): PlainMap {
  let value: PlainMap = {};
  for (let level = 1; level < depth; level++) value = { a: value };
  return value;
}

test('every prefix of a frame is refused as incomplete, and the frame itself is taken', () => {
  const frame = encodeFrame({
    type: 'request',
    n: [1, 300, 70_000, -5, 2 ** 40, 1.5],
    raw: bytes(1, 2),
    x: null,
  });
  for (let end = 0; end < frame.length; end++) assert.is(reasonOf(frame.subarray(0, end)), 'frame_malformed');
  assert.is(reasonOf(frame), 'taken');
  assert.is(reasonOf(Uint8Array.from([...frame, 0xc0])), 'frame_malformed', 'and nothing may follow it');
});

test('equal maps have equal bytes, whatever the order of their keys', () => {
  const one = encodeFrame({ b: 1, a: { d: [1], c: undefined } });
  const two = encodeFrame({ a: { d: [1] }, b: 1 });
  assert.equal(one, two);
  assert.equal(one, bytes(0x82, 0xa1, 0x61, 0x81, 0xa1, 0x64, 0x91, 0x01, 0xa1, 0x62, 0x01));
});

test('what is not a map is refused as such', () => {
  assert.is(reasonOf(bytes(0x90)), 'frame_not_a_map');
  assert.is(reasonOf(bytes(0xc0)), 'frame_not_a_map');
  assert.is(reasonOf(bytes(0x80)), 'taken');
});

test('keys are text, extensions do not exist, text is UTF-8, integers are exact', () => {
  assert.is(reasonOf(bytes(0x81, 0x01, 0x01)), 'frame_malformed');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xd4, 0x01, 0x01)), 'frame_malformed');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xc1)), 'frame_malformed');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xa1, 0xff)), 'frame_malformed');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xcf, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)), 'taken');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xcf, 0, 0x20, 0, 0, 0, 0, 0, 0)), 'frame_malformed');
  assert.is(reasonOf(encodeFrame(JSON.parse('{"__proto__": {"x": 1}}'))), 'frame_malformed');
});

test('a small frame that claims a huge container is refused before anything is allocated', () => {
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xdd, 0xff, 0xff, 0xff, 0xff)), 'frame_malformed');
  assert.is(reasonOf(bytes(0xdf, 0xff, 0xff, 0xff, 0xff)), 'frame_malformed');
  assert.is(reasonOf(bytes(0x81, 0xa1, 0x61, 0xdb, 0xff, 0xff, 0xff, 0xff)), 'frame_malformed');
});

test('size, depth and nodes have a limit each, exactly', () => {
  const frame = encodeFrame({ a: 'x' });
  assert.is(reasonOf(frame, { bytes: frame.length }), 'taken');
  assert.is(reasonOf(frame, { bytes: frame.length - 1 }), 'frame_too_large');
  assert.is(reasonOf(encodeFrame(nested(FRAME_DEPTH))), 'taken');
  assert.is(reasonOf(encodeFrame(nested(FRAME_DEPTH + 1))), 'frame_too_deep');
  // The map, its key and the array are three nodes.
  assert.is(reasonOf(encodeFrame({ a: new Array(FRAME_NODES - 3).fill(0) })), 'taken');
  assert.is(reasonOf(encodeFrame({ a: new Array(FRAME_NODES - 2).fill(0) })), 'frame_too_large');
});

test('JSON has the same limits and the same refusals', () => {
  const reason = (text: string, limits?: Parameters<typeof parseJson>[1]) => {
    const decoded = parseJson(text, limits);
    return decoded.ok ? 'taken' : decoded.reason;
  };
  assert.is(reason('{"a":"[[[[[[[[[[[[[[[[[[[[[[\\"["}'), 'taken');
  assert.is(reason(JSON.stringify(nested(FRAME_DEPTH))), 'taken');
  assert.is(reason(JSON.stringify(nested(FRAME_DEPTH + 1))), 'frame_too_deep');
  assert.is(reason('[1]'), 'frame_not_a_map');
  assert.is(reason('{"a":'), 'frame_malformed');
  assert.is(reason('{"__proto__":{}}'), 'frame_malformed');
  assert.is(reason('{"a":1}', { bytes: 6 }), 'frame_too_large');
  assert.is(reason('['.repeat(FRAME_BYTES)), 'frame_too_deep');
});

const plain = fc.letrec<{ value: unknown; map: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('map'),
  ),
  map: fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
    tie('value'),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  ),
}));

test('any map comes back as it went out', () => {
  fc.assert(
    fc.property(plain.map, (value) => {
      const decoded = decodeFrame(encodeFrame(value as PlainMap), { bytes: FRAME_BYTES, depth: 64 });
      assert.ok(decoded.ok);
      // -0 and 0 are one integer on the wire.
      assert.equal(JSON.stringify(decoded.value), JSON.stringify(JSON.parse(JSON.stringify(sorted(value)))));
    }),
    { numRuns: 2_000 },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

test('100 000 random and mutated frames are taken or refused with a code, and memory stays where it was', () => {
  const seed = encodeFrame({ type: 'request', body: 'hello wörld', list: [1, 2, { a: true }], n: 70_000 });
  let state = 0x2545f491;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
  const counts = new Map<string, number>();
  const before = process.memoryUsage().rss;
  for (let run = 0; run < 100_000; run++) {
    const mutated = run % 2 === 0;
    const frame = mutated ? Uint8Array.from(seed) : new Uint8Array(Math.floor(random() * 64));
    const changes = mutated ? 1 + Math.floor(random() * 4) : frame.length;
    for (let change = 0; change < changes; change++) {
      const at = mutated ? Math.floor(random() * frame.length) : change;
      frame[at] = Math.floor(random() * 256);
    }
    const reason = reasonOf(frame);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  assert.is(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    100_000,
  );
  assert.equal([...counts.keys()].sort(), ['frame_malformed', 'frame_not_a_map', 'taken']);
  assert.ok(process.memoryUsage().rss - before < 128 * 1_048_576, 'no growth');
});

test.run();
