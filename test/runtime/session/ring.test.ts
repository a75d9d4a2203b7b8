// The ring keeps the last bytes under absolute offsets, and a replay plan says exactly what a client gets.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planReplay, Ring } from '../../../runtime/session/ring.js';

const test = suite('ring');
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => Buffer.from(data).toString();

test('offsets go on counting across eviction, and a replay goes back as far as is retained', () => {
  const ring = new Ring(300_000);
  ring.write(Buffer.alloc(299_998, 'a'));
  ring.write(bytes('bcde'));
  assert.is(ring.end, 300_002);
  assert.is(ring.start, 2);
  assert.is(text(ring.slice(299_996, 300_002)), 'aabcde');
  const small = new Ring(8);
  small.write(bytes('abcdefghij'));
  assert.is(small.replayStart, 2);
});

test('one write larger than the ring keeps its tail', () => {
  const ring = new Ring(300_000);
  ring.write(Buffer.concat([Buffer.alloc(300_000, 'x'), bytes('6789')]));
  assert.is(ring.start, 4);
  assert.is(text(ring.slice(300_000, 300_004)), '6789');
});

test('a ring that retains nothing still serves who is live', () => {
  const ring = new Ring(0);
  ring.write(bytes('abc'));
  assert.is(ring.end, 3);
  assert.is(ring.replayStart, 3);
  assert.is(text(ring.slice(1, 3)), 'bc');
});

test('what lies outside is refused', () => {
  const ring = new Ring(0);
  ring.write(Buffer.alloc(262_146));
  assert.throws(() => ring.slice(1, 3), /ring holds no 1..3/);
  assert.throws(() => ring.slice(4, 262_147), /ring holds no 4..262147/);
});

test('any writes leave exactly the last bytes, also while it grows', () => {
  const capacity = 270_000;
  fc.assert(
    fc.property(fc.array(fc.nat(90_000), { maxLength: 12 }), (sizes) => {
      const ring = new Ring(capacity);
      let all = Buffer.alloc(0);
      for (const [index, size] of sizes.entries()) {
        const chunk = Buffer.alloc(size, index + 1);
        ring.write(chunk);
        all = Buffer.concat([all, chunk]);
      }
      assert.is(ring.end, all.length);
      assert.ok(all.length - ring.start <= capacity);
      assert.ok(all.length <= 16_384 ? ring.start === 0 : true);
      assert.equal(ring.slice(ring.start, ring.end), all.subarray(ring.start));
    }),
    { numRuns: 60 },
  );
});

const held = { replayStart: 100, end: 150, capacityBytes: 50 };
const cases: ReadonlyArray<
  readonly [string, bigint | undefined, boolean, { from: number; gapBytes: number | undefined }]
> = [
  ['no offset is live from the end', undefined, false, { from: 150, gapBytes: undefined }],
  [
    'no offset with full replay is everything held, and the rest a gap',
    undefined,
    true,
    { from: 100, gapBytes: 100 },
  ],
  ['the end is contiguous and empty', 150n, false, { from: 150, gapBytes: undefined }],
  ['an offset inside is contiguous', 120n, false, { from: 120, gapBytes: undefined }],
  ['the start is contiguous', 100n, false, { from: 100, gapBytes: undefined }],
  ['an offset before the start tells its gap', 40n, false, { from: 100, gapBytes: 60 }],
  [
    'an offset beyond the end is another leader’s: a gap of nothing, then everything',
    151n,
    false,
    { from: 100, gapBytes: 0 },
  ],
  ['the largest 64-bit offset is no error', 18_446_744_073_709_551_615n, false, { from: 100, gapBytes: 0 }],
];
for (const [name, since, all, plan] of cases) {
  test(`replay: ${name}`, () => assert.equal(planReplay(held, since, all), plan));
}

test('replay: without retention the missing bytes are told and none are sent', () => {
  const none = { replayStart: 150, end: 150, capacityBytes: 0 };
  assert.equal(planReplay(none, 100n, false), { from: 150, gapBytes: 50 });
  assert.equal(planReplay(none, 150n, false), { from: 150, gapBytes: 0 });
  assert.equal(planReplay(none, 151n, false), { from: 150, gapBytes: 0 });
  assert.equal(planReplay(none, undefined, true), { from: 150, gapBytes: undefined });
});

test.run();
