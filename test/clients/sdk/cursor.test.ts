// Where a client is in a stream: the vectors of spec/vectors/sdk/cursor.json, and that no byte is lost or doubled for any
// way of cutting connections.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Chunk, Cursor } from '../../../clients/sdk/cursor.js';
import type { Notice } from '../../../clients/sdk/server-frame.js';

const test = suite('cursor');

interface Step {
  readonly do: 'connect' | 'notice' | 'gap' | 'snapshot' | 'binary';
  readonly since?: number;
  readonly stream_offset?: number;
  readonly replay_from?: number;
  readonly bytes_dropped?: number;
  readonly length?: number;
  readonly expect?: unknown;
}
interface Vector {
  readonly description: string;
  readonly steps: readonly Step[];
  readonly offset: number;
}
const VECTOR_FIELDS = ['description', 'steps', 'offset'];
const STEP_FIELDS = ['do', 'since', 'stream_offset', 'replay_from', 'bytes_dropped', 'length', 'expect'];
const vectors = JSON.parse(readFileSync('spec/vectors/sdk/cursor.json', 'utf8')) as Vector[];

const notice = (stream_offset: number, replay_from: number | undefined): Notice => ({
  stream_offset,
  replay_from,
  replay_bytes: undefined,
  ephemeral_workspace: true,
  teardown_best_effort: true,
  externalise_with: '',
  mode: undefined,
  rows: undefined,
  cols: undefined,
  generation: undefined,
  seat: undefined,
});

function shapeOf(chunk: Chunk): unknown {
  if (chunk.kind === 'nothing') return { kind: 'nothing' };
  const offset = chunk.kind === 'output' ? chunk.offset : chunk.notice.stream_offset;
  return { kind: chunk.kind, offset, length: chunk.bytes.length };
}

function run(cursor: Cursor, step: Step): unknown {
  switch (step.do) {
    case 'connect':
      return cursor.connect(step.since);
    case 'notice':
      return cursor.notice(notice(step.stream_offset!, step.replay_from));
    case 'gap':
      return cursor.gap(step.bytes_dropped!);
    case 'snapshot':
      return cursor.snapshot({ stream_offset: step.stream_offset!, bytes: 0, rows: 24, cols: 80 });
    case 'binary':
      return shapeOf(cursor.binary(new Uint8Array(step.length!)));
  }
}

for (const vector of vectors) {
  test(vector.description, () => {
    assert.equal(Object.keys(vector).sort(), [...VECTOR_FIELDS].sort());
    const cursor = new Cursor();
    for (const step of vector.steps) {
      assert.equal(
        Object.keys(step).filter((field) => !STEP_FIELDS.includes(field)),
        [],
      );
      assert.equal(run(cursor, step), step.expect, JSON.stringify(step));
    }
    assert.is(cursor.offset, vector.offset);
  });
}

test('however connections are cut, every byte arrives once and in order, or its gap is told', () => {
  const cut = fc.record({ grow: fc.nat(200), frames: fc.nat(20), size: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(
      fc.array(cut, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 100 }),
      (cuts, ring) => {
        const cursor = new Cursor();
        let end = 0;
        let expected = 0;
        for (const { grow, frames, size } of cuts) {
          end += grow;
          const since = cursor.offset;
          cursor.connect(since);
          const oldest = Math.max(0, end - ring);
          const from = since === undefined ? end : Math.max(since, oldest);
          const meaning = cursor.notice(notice(end, from));
          if (since === undefined) expected = from;
          if (meaning.kind === 'gap') {
            assert.is(meaning.from, expected);
            expected += meaning.bytes;
            assert.is(cursor.gap(meaning.bytes), 0);
          }
          assert.is(expected, from);
          let at = from;
          for (let frame = 0; frame < frames && at < end; frame++) {
            const bytes = new Uint8Array(Math.min(size, end - at));
            const chunk = cursor.binary(bytes);
            assert.is(chunk.kind, 'output');
            if (chunk.kind === 'output') assert.is(chunk.offset, expected);
            at += bytes.length;
            expected += bytes.length;
          }
        }
        assert.is(cursor.offset, expected);
      },
    ),
  );
});

test.run();
