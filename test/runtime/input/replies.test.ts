// What terminals answer by themselves never reaches a program: every answer of table Q, and every answer that xterm.js
// gives to the queries of table Q, is a reply to the classifier, whole or cut.
import xterm from '@xterm/headless';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createInputClassifier } from '../../../runtime/input/classifier.js';
import { passingBytes } from '../../../runtime/input/segment.js';
import { readVectors } from '../../support/byte-vector.js';

interface QueryCase {
  readonly description: string;
  readonly bytes: string;
  readonly replies: ReadonlyArray<{ fixed?: string }>;
}

const test = suite('replies');
const cases = readVectors<QueryCase>('wire/queries.json', [
  ...['bytes', 'replies', 'passed', 'osc', 'bells', 'rows', 'cols', 'options'],
]);
const ESC = 0x1b;

function passed(chunks: readonly Uint8Array[]): string {
  const classifier = createInputClassifier(() => ({ mouseEncoding: 'sgr' }));
  return Buffer.concat(chunks.map((chunk) => Buffer.from(passingBytes(classifier.push(chunk))))).toString(
    'latin1',
  );
}

function check(reply: string): void {
  const whole = Buffer.from(reply, 'latin1');
  assert.is(passed([whole]), '', JSON.stringify(reply));
  for (let at = 1; at < whole.length; at++) {
    if (whole[at - 1] === ESC && whole[at] !== 0x5c) continue;
    assert.is(
      passed([whole.subarray(0, at), whole.subarray(at)]),
      '',
      `${JSON.stringify(reply)} cut at ${at}`,
    );
  }
}

for (const { description, replies } of cases) {
  const fixed = replies.flatMap((reply) => reply.fixed ?? []);
  if (fixed.length > 0) test(`dropped when a client sends it: ${description}`, () => fixed.forEach(check));
}

test('whatever xterm.js answers to these queries is dropped', async () => {
  const terminal = new xterm.Terminal({ allowProposedApi: true, rows: 24, cols: 80 });
  const replies: string[] = [];
  terminal.onData((data) => replies.push(data));
  // Below row 1, where a cursor report can't be a modified F3.
  for (const { bytes } of cases) {
    await new Promise<void>((resolve) => terminal.write(Buffer.from(`\x1b[5;3H${bytes}`, 'latin1'), resolve));
  }
  terminal.dispose();
  assert.ok(replies.length > 20);
  replies.forEach(check);
});

test.run();
