// What a reading says, by the vectors: each case whole, and the same bytes one at a time.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SessionModel } from '../../../runtime/screen/model.js';

const test = suite('runtime/screen/read');

interface Case {
  readonly description: string;
  readonly rows: number;
  readonly cols: number;
  readonly input: string;
  readonly text: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly position: readonly [number, number];
  readonly screen: string;
  readonly syncOpen: boolean;
}
const FIELDS = new Set('description rows cols input text cursor position screen syncOpen'.split(' '));
const vectors = new URL('../../../../spec/vectors/screen/reading.json', import.meta.url);

function seen(model: SessionModel) {
  model.ask(1, { kind: 'cursor' });
  model.ask(2, { kind: 'reading' });
  const { answers, change } = model.step(1_000_000);
  const [cursor] = answers;
  if (cursor?.answer.kind !== 'cursor' || change === undefined) throw new Error('no answer');
  return {
    text: change.changed.map(([, text]) => text),
    cursor: change.cursor,
    position: [cursor.answer.row, cursor.answer.col],
    screen: change.screen,
    syncOpen: change.syncOpen,
    offsets: [change.offset, cursor.answer.offset],
  };
}

for (const vector of JSON.parse(readFileSync(vectors, 'utf8')) as Case[]) {
  test(vector.description, () => {
    for (const field of Object.keys(vector)) assert.ok(FIELDS.has(field), `unknown field ${field}`);
    const bytes = new Uint8Array(Buffer.from(vector.input, 'utf8'));
    const { text, cursor, position, screen, syncOpen } = vector;
    const expected = { text, cursor, position, screen, syncOpen, offsets: [bytes.length, bytes.length] };
    const whole = new SessionModel(1, vector, 10);
    whole.push(bytes, bytes.length);
    assert.equal(seen(whole), expected, 'whole');
    const single = new SessionModel(2, vector, 10);
    for (const [index, byte] of bytes.entries()) single.push(Uint8Array.of(byte), index + 1);
    assert.equal(seen(single), expected, 'one byte at a time');
  });
}

test.run();
