// The batch between the threads: every byte once and in order, offsets at the ends of parts, nothing kept back.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BATCH_BYTES, Batch } from '../../../runtime/screen/batch.js';
import type { BytesMessage } from '../../../runtime/screen/message.js';
import { unfinishedBytes } from '../../../runtime/screen/utf8.js';

const test = suite('runtime/screen/batch');

function collecting() {
  const messages: BytesMessage[] = [];
  const batch = new Batch((message, buffer) => {
    assert.is(message.bytes.buffer, buffer);
    // As a transfer would: the sender's view is gone afterwards.
    messages.push(structuredClone(message, { transfer: [buffer] }));
  });
  return { batch, messages };
}

test('parts of sessions follow each other, and writes of one session join', () => {
  const { batch, messages } = collecting();
  batch.add(1, Uint8Array.of(1, 2), 102);
  batch.add(1, Uint8Array.of(3), 103);
  batch.add(2, Uint8Array.of(4), 51);
  batch.add(1, Uint8Array.of(5), 104);
  batch.flush();
  batch.flush();
  assert.is(messages.length, 1);
  assert.equal([...messages[0]!.bytes], [1, 2, 3, 4, 5]);
  assert.equal(messages[0]!.entries, [1, 3, 103, 2, 1, 51, 1, 1, 104]);
  batch.close();
});

test('a write larger than a batch goes in parts, each with its end', () => {
  const { batch, messages } = collecting();
  const bytes = new Uint8Array(BATCH_BYTES * 2 + 10).map((_, at) => at % 251);
  batch.add(7, Uint8Array.of(9), 1);
  batch.add(7, bytes, 1 + bytes.length);
  batch.flush();
  assert.equal(
    messages.map((message) => message.entries),
    [
      [7, BATCH_BYTES, BATCH_BYTES],
      [7, BATCH_BYTES, BATCH_BYTES * 2],
      [7, 11, BATCH_BYTES * 2 + 11],
    ],
  );
  const joined = Buffer.concat(messages.map((message) => message.bytes));
  assert.ok(joined.equals(Buffer.concat([Uint8Array.of(9), bytes])));
  batch.close();
});

test('what was added is posted without a flush', async () => {
  const posted = await new Promise<BytesMessage>((resolve) => {
    const hold = setInterval(() => {}, 1000);
    const batch = new Batch((message) => {
      clearInterval(hold);
      batch.close();
      resolve(message);
    });
    batch.add(1, Uint8Array.of(1), 1);
  });
  assert.equal(posted.entries, [1, 1, 1]);
});

test('a code point is held back only while it can still become one', () => {
  const cases: ReadonlyArray<readonly [number[], number]> = [
    [[], 0],
    [[0x61], 0],
    [[0x61, 0xe2], 1],
    [[0xe2, 0x80], 2],
    [[0xe2, 0x80, 0x94], 0],
    [[0xf0, 0x9f, 0x98], 3],
    [[0xf0, 0x9f, 0x98, 0x80], 0],
    [[0xc3], 1],
    [[0x80, 0x80, 0x80, 0x80], 0],
    [[0xff], 0],
    [[0xf8, 0x80], 0],
  ];
  for (const [bytes, expected] of cases)
    assert.is(unfinishedBytes(Uint8Array.from(bytes)), expected, `${bytes}`);
});

test.run();
