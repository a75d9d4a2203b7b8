// A snapshot recreates a screen: a fresh terminal that parsed it equals the model at once and after any further bytes.
// Checked on the vectors, on recorded agents at many cuts, and on random programs.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { CELL_WORDS, type CoreBuffer, HAS_CONTENT, WIDTH_SHIFT } from '../../../runtime/screen/internals.js';
import { paintSnapshot } from '../../../runtime/screen/snapshot.js';
import { linkAndTitle, programStep } from './program.js';
import { feed, recording, stateOf } from './state.js';

const test = suite('runtime/screen/snapshot');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const fresh = (rows: number, cols: number, scrollbackLines = 1000) =>
  new Emulator({ rows, cols, scrollbackLines });

function twin(model: Emulator, history = 1000): Emulator {
  const copy = fresh(model.rows, model.cols);
  feed(copy, paintSnapshot(model, history));
  return copy;
}

function same(copy: Emulator, model: Emulator, what: string, history = 1000): void {
  const [actual, expected] = [stateOf(copy, history), stateOf(model, history)];
  assert.equal(actual, expected, what);
}

interface Case {
  readonly description: string;
  readonly rows: number;
  readonly cols: number;
  readonly input: string;
  readonly further: string;
}
const FIELDS = new Set(['description', 'rows', 'cols', 'input', 'further']);
const vectors = new URL('../../../../spec/vectors/screen/snapshot.json', import.meta.url);
for (const vector of JSON.parse(readFileSync(vectors, 'utf8')) as Case[]) {
  test(vector.description, () => {
    for (const field of Object.keys(vector)) assert.ok(FIELDS.has(field), `unknown field ${field}`);
    const model = fresh(vector.rows, vector.cols);
    feed(model, bytesOf(vector.input));
    const copy = twin(model);
    same(copy, model, 'at once');
    for (const emulator of [model, copy]) feed(emulator, bytesOf(vector.further));
    same(copy, model, 'after further bytes');
  });
}

for (const agent of ['claude', 'codex', 'opencode', 'pi', 'gemini']) {
  test(`a snapshot of ${agent} equals its screen at every tenth chunk, and at the end after going on from it`, () => {
    const { rows, cols, chunks } = recording(agent);
    const bytes = new Uint8Array(Buffer.concat(chunks));
    const model = fresh(rows, cols);
    const copies: Emulator[] = [];
    let offset = 0;
    const step = Math.ceil(chunks.length / 60);
    chunks.forEach((chunk, index) => {
      feed(model, chunk);
      offset += chunk.length;
      if (index % step !== 0 || !model.inGround) return;
      const copy = twin(model);
      same(copy, model, `after ${offset} bytes`);
      if (index % (step * 6) === 0) {
        feed(copy, bytes.subarray(offset));
        copies.push(copy);
      }
    });
    assert.ok(copies.length > 3);
    for (const copy of copies) same(copy, model, 'at the end');
  });
}

/**
 * What programs can leave in the package and no sequence makes again: a cursor behind an empty last column (or two
 * behind a full one), half a wide character, a first row that continues one which is gone.
 */
function isOdd(model: Emulator): boolean {
  const { x, y } = model.buffer;
  const last = model.row(y)?._data[(model.cols - 1) * CELL_WORDS] ?? 0;
  if (x > model.cols || (x === model.cols && !(last & HAS_CONTENT) && last >>> WIDTH_SHIFT !== 0))
    return true;
  const { normal, alt } = model.core._bufferService.buffers;
  return [normal, alt].some((buffer) => buffer.lines.get(0)?.isWrapped === true || hasHalves(buffer));
}

function hasHalves(buffer: CoreBuffer): boolean {
  for (let index = 0; index < buffer.lines.length; index++) {
    const { _data: data, length } = buffer.lines.get(index)!;
    const kinds = Array.from({ length }, (_, x) => {
      const content = data[x * CELL_WORDS]!;
      const width = content >>> WIDTH_SHIFT;
      return width === 2 ? 'W' : width === 0 && !(content & HAS_CONTENT) ? 'h' : '.';
    });
    if (/W(?!h)|(?<!W)h/.test(kinds.join(''))) return true;
  }
  return false;
}

test('a snapshot of any program equals its screen, and behaves like it afterwards', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 20, arbitrary: programStep }, { weight: 1, arbitrary: linkAndTitle }), {
        maxLength: 120,
      }),
      fc.array(fc.oneof({ weight: 20, arbitrary: programStep }, { weight: 1, arbitrary: linkAndTitle }), {
        maxLength: 40,
      }),
      fc.integer({ min: 4, max: 9 }),
      fc.integer({ min: 5, max: 24 }),
      (before, after, rows, cols) => {
        const model = fresh(rows, cols);
        feed(model, bytesOf(before.join('')));
        fc.pre(!isOdd(model));
        const copy = twin(model);
        same(copy, model, 'at once');
        // Positions the cursor first: joining a mark to a character of before is the one thing that isn't kept.
        for (const emulator of [model, copy]) feed(emulator, bytesOf(`\x1b[m${after.join('')}`));
        same(copy, model, 'afterwards');
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 250) },
  );
});

test.run();
