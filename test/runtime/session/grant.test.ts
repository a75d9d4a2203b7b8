// A grant is written last and whole, or an operator's key cuts it cleanly: marker completed, frame closed, key after it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutGrant } from '../../../runtime/session/cut.js';
import { Writer } from '../../../runtime/session/writer.js';

const test = suite('grant');
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => Buffer.from(data).toString();
const paste = (body: string) => `\x1b[200~${body}\x1b[201~`;

function bench(room: number) {
  const state = {
    room,
    out: '',
    done: [] as Array<readonly [number, boolean]>,
    progress: [] as number[],
    holds: true,
  };
  const later: Array<() => void> = [];
  const writer = new Writer({
    write: (chunk) => {
      if (state.room === 0) return 'again';
      const took = Math.min(chunk.length, state.room);
      state.room -= took;
      state.out += Buffer.from(chunk.subarray(0, took)).toString('latin1');
      return took;
    },
    now: () => 0,
    after: (_ms, run) => {
      later.push(run);
      return () => {
        const at = later.indexOf(run);
        if (at >= 0) later.splice(at, 1);
      };
    },
    later: (run) => later.push(run),
    backpressure: () => {},
  });
  const grant = (body: string) =>
    writer.grant({
      bytes: bytes(body),
      holds: () => state.holds,
      progress: (written) => state.progress.push(written),
      done: (written, complete) => state.done.push([written, complete]),
    });
  const open = () => {
    state.room = Number.POSITIVE_INFINITY;
    while (later.length > 0) later.shift()?.();
  };
  return { writer, state, grant, open };
}

test('a grant is written in the turn in which it is given', () => {
  const { state, grant } = bench(1000);
  grant(paste('hi'));
  assert.is(state.out, paste('hi'));
  assert.equal(state.done, [[14, true]]);
});

test('what a slow child has taken so far is told, once for each time it takes some', () => {
  const { state, grant, open } = bench(10);
  grant(paste('hello there'));
  assert.equal(state.progress, [10]);
  assert.equal(state.done, []);
  open();
  assert.equal(state.progress, [10]);
  assert.equal(state.done, [[23, true]]);
});

test('a key cuts a paste at every byte: marker completed, frame closed, key after it', () => {
  const whole = paste('h\u00e9llo');
  const size = bytes(whole).length;
  for (let at = 1; at < size; at++) {
    const { writer, state, grant, open } = bench(at);
    grant(whole);
    writer.operator(1, bytes('K'), false);
    open();
    const out = Buffer.from(state.out, 'latin1').toString();
    assert.match(out, /^\x1b\[200~[^\x1b]*\x1b\[201~K$/, `cut at ${at}: ${JSON.stringify(out)}`);
    assert.not.match(out, /\ufffd/);
    assert.is(state.done.length, 1);
    assert.is(state.done[0]?.[1], false);
    assert.ok(whole.startsWith(out.slice(0, out.indexOf('\x1b[201~'))));
  }
});

test('a key before the first byte drops the grant whole', () => {
  const { writer, state, grant, open } = bench(0);
  grant(paste('hi'));
  writer.operator(1, bytes('K'), false);
  open();
  assert.is(state.out, 'K');
  assert.equal(state.done, [[0, false]]);
});

test('replies never enter a grant’s frame', () => {
  const { writer, state, grant, open } = bench(8);
  grant(paste('hello'));
  writer.reply(bytes('R'));
  open();
  assert.is(state.out, `${paste('hello')}R`);
});

test('a grant waits for an operator’s open frame', () => {
  const { writer, state, grant } = bench(1000);
  writer.operator(1, bytes('\x1b[200~a'), true);
  grant(paste('x'));
  assert.is(state.out, '\x1b[200~a');
  writer.operator(1, bytes('\x1b[201~'), false);
  assert.is(
    state.out,
    '\x1b[200~a\x1b[201~',
    'and the key that closed it is one more reason to drop the grant',
  );
  assert.equal(state.done, [[0, false]]);
});

test('a stale fence writes nothing', () => {
  const { state, grant } = bench(1000);
  state.holds = false;
  grant(paste('x'));
  assert.is(state.out, '');
  assert.equal(state.done, [[0, false]]);
});

test('a fence that breaks half-way closes the frame', () => {
  const { state, grant, open } = bench(8);
  grant(paste('hello'));
  state.holds = false;
  open();
  assert.is(state.out, '\x1b[200~he\x1b[201~');
  assert.equal(
    state.done.map(([, complete]) => complete),
    [false],
  );
});

test('a closed writer tells how much was written', () => {
  const { writer, state, grant } = bench(7);
  grant(paste('hello'));
  writer.close();
  assert.equal(state.done, [[7, false]]);
});

test('an unframed text is cut between code points', () => {
  assert.is(text(cutGrant(bytes('a\u00e9b'), 2)), 'a\u00e9');
  assert.is(text(cutGrant(bytes('abc'), 1)), 'a');
});

test.run();
