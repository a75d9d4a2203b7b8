// The writer keeps sources apart and in order, waits without blocking when the child doesn't read, and never lets anything
// into an operator's open paste frame.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { INPUT_QUEUE_BYTES, OPEN_PASTE_MS } from '../../../protocol/limit.js';
import { Writer } from '../../../runtime/session/writer.js';

const test = suite('writer');
const bytes = (text: string) => new TextEncoder().encode(text);

/** A child that takes `room` bytes at a time, on a clock that the test moves. */
function bench(room = Number.POSITIVE_INFINITY) {
  const state = { room, now: 0, out: '', calls: 0, told: [] as Array<readonly [boolean, number]> };
  const timers: Array<{ at: number; run: () => void }> = [];
  const writer = new Writer({
    write: (chunk) => {
      state.calls++;
      if (state.room === 0) return 'again';
      const took = Math.min(chunk.length, state.room);
      state.room -= took;
      state.out += Buffer.from(chunk.subarray(0, took)).toString();
      return took;
    },
    now: () => state.now,
    after: (ms, run) => {
      const timer = { at: state.now + ms, run };
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        if (at >= 0) timers.splice(at, 1);
      };
    },
    later: (run) => timers.push({ at: state.now, run }),
    backpressure: (active, waiting) => state.told.push([active, waiting]),
  });
  const advance = (ms: number) => {
    const until = state.now + ms;
    for (;;) {
      timers.sort((a, b) => a.at - b.at);
      const next = timers[0];
      if (next === undefined || next.at > until) break;
      timers.shift();
      state.now = Math.max(state.now, next.at);
      next.run();
    }
    state.now = until;
  };
  return { writer, state, advance, timers };
}

test('a key is written in the turn in which it comes', () => {
  const { writer, state } = bench();
  writer.operator(1, bytes('a'), false);
  assert.is(state.out, 'a');
});

test('operators go before replies, and each keeps its order', () => {
  const { writer, state, advance } = bench(0);
  writer.reply(bytes('R1'));
  writer.operator(1, bytes('k1'), false);
  writer.reply(bytes('R2'));
  writer.operator(2, bytes('k2'), false);
  state.room = 1000;
  advance(50);
  assert.is(state.out, 'R1k1k2R2', 'the reply under way is finished first');
});

test('a sequence that the kernel took in part is finished before anything else', () => {
  const { writer, state, advance } = bench(2);
  writer.reply(bytes('\x1b[3;4R'));
  writer.operator(1, bytes('x'), false);
  state.room = 100;
  advance(50);
  assert.is(state.out, '\x1b[3;4Rx');
});

test('nothing enters an open paste frame but its operator’s own bytes', () => {
  const { writer, state } = bench();
  writer.operator(1, bytes('\x1b[200~half'), true);
  writer.operator(2, bytes('other'), false);
  writer.reply(bytes('R'));
  assert.is(state.out, '\x1b[200~half');
  writer.operator(1, bytes(' rest\x1b[201~'), false);
  assert.is(state.out, '\x1b[200~half rest\x1b[201~otherR');
});

test('a frame that stays open keeps others out for two seconds, counted from its last byte', () => {
  const { writer, state, advance } = bench();
  writer.operator(1, bytes('\x1b[200~a'), true);
  advance(OPEN_PASTE_MS - 1);
  writer.operator(1, bytes('b'), true);
  writer.operator(2, bytes('X'), false);
  advance(OPEN_PASTE_MS - 1);
  assert.is(state.out, '\x1b[200~ab');
  advance(1);
  assert.is(state.out, '\x1b[200~abX');
});

test('an operator who leaves inside a frame has it closed', () => {
  const { writer, state } = bench();
  writer.operator(1, bytes('\x1b[200~a'), true);
  writer.operator(2, bytes('X'), false);
  writer.left(1);
  assert.is(state.out, '\x1b[200~a\x1b[201~X');
  writer.left(2);
  assert.is(state.out, '\x1b[200~a\x1b[201~X', 'who has no frame open leaves nothing');
});

test('C-17 a full kernel buffer is asked again after 1, 2, 4 ... at most 20 ms', () => {
  const { writer, state, advance } = bench(0);
  writer.operator(1, bytes('a'), false);
  advance(1000);
  assert.ok(state.calls >= 50 && state.calls <= 60, `${state.calls} calls in a second`);
  state.room = 10;
  advance(20);
  assert.is(state.out, 'a');
});

test('C-17 waiting input is told once when it begins and once when it is over', () => {
  const { writer, state, advance } = bench(0);
  for (let i = 0; i < 3; i++) writer.operator(1, new Uint8Array(40_000), false);
  assert.equal(state.told, [[true, 80_000]]);
  state.room = Number.POSITIVE_INFINITY;
  advance(100);
  assert.is(writer.waitingBytes, 0);
  assert.is(state.told.length, 2);
  assert.is(state.told[1]?.[0], false);
});

test('a full queue takes none of the bytes', () => {
  const { writer } = bench(0);
  assert.is(writer.operator(1, new Uint8Array(INPUT_QUEUE_BYTES), false), true);
  assert.is(writer.operator(1, bytes('x'), false), false);
  assert.is(writer.waitingBytes, INPUT_QUEUE_BYTES);
});

test('C-16 a large paste to a fast child gives way to the loop and arrives whole', () => {
  const { writer, state, advance } = bench();
  const paste = 'p'.repeat(1_048_576);
  writer.operator(1, bytes(paste), false);
  assert.ok(state.out.length <= 16 * 4096, 'one turn writes a slice');
  advance(0);
  assert.is(state.out.length, paste.length);
});

test('after close nothing is written', () => {
  const { writer, state } = bench();
  writer.close();
  writer.operator(1, bytes('a'), false);
  writer.reply(bytes('R'));
  assert.is(state.out, '');
});

test.run();
