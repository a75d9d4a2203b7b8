// Turns with a clock of the test's own: who is served first, when readings are told, what a failing model costs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FromWorker } from '../../../runtime/screen/message.js';
import { PUBLISH_MS, SLICE_BYTES, Turns } from '../../../runtime/screen/turn.js';

const test = suite('runtime/screen/turn');

/** Turns whose time moves by hand, except that each look at the clock takes `tickMs`. */
function manual(tickMs = 0) {
  const state = {
    now: 1000,
    posts: [] as FromWorker[],
    soon: [] as Array<() => void>,
    later: [] as number[],
  };
  const turns = new Turns({
    now: () => (state.now += tickMs),
    post: (message) => state.posts.push(message),
    soon: (turn) => state.soon.push(turn),
    later: (_, delayMs) => state.later.push(delayMs),
  });
  const offsets = new Map<number, number>();
  const write = (session: number, bytes: number) => {
    const end = (offsets.get(session) ?? 0) + bytes;
    offsets.set(session, end);
    turns.receive({ type: 'bytes', bytes: new Uint8Array(bytes).fill(0x61), entries: [session, bytes, end] });
  };
  const open = (session: number) =>
    turns.receive({ type: 'open', session, rows: 5, cols: 20, scrollbackLines: 10 });
  const turn = (): FromWorker[] => {
    state.posts.length = 0;
    state.soon.shift()?.();
    return [...state.posts];
  };
  return { turns, state, write, open, turn };
}

test('a session with little to parse is served whole before a flood, which still gets a slice', () => {
  const { write, open, turn } = manual(3);
  open(1);
  open(2);
  write(1, SLICE_BYTES * 4);
  write(2, 100);
  const [post] = turn();
  assert.is(post?.type, 'progress');
  const parsed = post?.type === 'progress' ? post.parsed : [];
  assert.equal(parsed.slice(0, 2), [2, 100]);
  assert.is(parsed[2], 1);
  assert.ok(parsed[3]! > 0 && parsed[3]! <= SLICE_BYTES);
});

test('floods take turns', () => {
  const { write, open, turn } = manual(5);
  for (const session of [1, 2, 3]) open(session);
  for (const session of [1, 2, 3]) write(session, SLICE_BYTES * 2);
  const served: number[] = [];
  for (let i = 0; i < 6; i++) {
    for (const post of turn()) if (post.type === 'progress') served.push(post.parsed[0]!);
  }
  assert.equal(served, [1, 2, 3, 1, 2, 3]);
});

test('a reading is told at once after a quiet time, then every 20 ms at most', () => {
  const { state, write, open, turn } = manual();
  open(1);
  const told = () =>
    turn().flatMap((post) =>
      post.type === 'progress' ? post.readings.map((reading) => reading.offset) : [],
    );
  write(1, 1);
  assert.equal(told(), [1]);
  write(1, 1);
  assert.equal(told(), []);
  assert.equal(state.later, [PUBLISH_MS]);
  state.now += PUBLISH_MS;
  write(1, 1);
  assert.equal(told(), [3]);
});

test('a reading tells only the rows that changed', () => {
  const { turns, state, open, write, turn } = manual();
  open(1);
  turns.receive({ type: 'ask', session: 1, ask: 7, question: { kind: 'reading' } });
  const readings = () => turn().flatMap((post) => (post.type === 'progress' ? post.readings : []));
  assert.equal(
    readings().map(({ all, changed }) => [all, changed.length]),
    [[true, 5]],
  );
  state.now += PUBLISH_MS;
  write(1, 3);
  assert.equal(
    readings().map(({ all, changed }) => [all, changed]),
    [[false, [[0, 'aaa']]]],
  );
});

test('a question is answered after the bytes before it and before the bytes behind it', () => {
  const { turns, open, write, turn } = manual();
  open(1);
  write(1, 2);
  turns.receive({ type: 'ask', session: 1, ask: 1, question: { kind: 'cursor' } });
  write(1, 2);
  const answers = turn().flatMap((post) => (post.type === 'progress' ? post.answers : []));
  assert.equal(answers, [{ ask: 1, answer: { kind: 'cursor', row: 1, col: 3, offset: 2 } }]);
});

test('a closed session is forgotten with what waits for it', () => {
  const { turns, state, open, write, turn } = manual();
  open(1);
  write(1, 10);
  turns.receive({ type: 'close', session: 1 });
  write(1, 10);
  assert.equal(turn(), []);
  assert.equal(state.later, []);
});

test.run();
