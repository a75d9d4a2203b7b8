// The close codes of the spec and of the code are the same list.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLOSE_CODES, isCloseCode } from '../../protocol/close-code.js';
import { specTable } from '../support/spec-table.js';

const test = suite('close codes');

test('spec/close-codes.md and protocol/close-code.ts hold the same codes, texts and next steps', () => {
  const spec = Object.fromEntries(
    specTable('close-codes.md').map(([code = '', text, next]) => [code, { text, next }]),
  );
  assert.equal(spec, { ...CLOSE_CODES });
});
test('a code that is not on the list is none', () => {
  assert.ok(isCloseCode(4004));
  assert.not.ok(isCloseCode(4042));
});

test.run();
