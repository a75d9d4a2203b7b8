// Client frames of the attach plane: what is taken and what is a strike, from the vectors.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseClientFrame, parseServerFrame } from '../../protocol/frame.js';
import { formatAddress, invalidNameText, parseAddress } from '../../protocol/name.js';
import { readVectors } from '../support/byte-vector.js';

const test = suite('frames');

interface FrameCase {
  readonly description: string;
  readonly text: string;
  readonly valid: boolean;
}
for (const { description, text, valid } of readVectors<FrameCase>('wire/client-frames.json', [
  'text',
  'valid',
])) {
  test(`client frame: ${description}`, () => assert.is('malformed' in parseClientFrame(text), !valid));
}

interface NameCase {
  readonly description: string;
  readonly name: string;
  /** The one spelling of a valid address, or null. */
  readonly address: string | null;
}
for (const { description, name, address } of readVectors<NameCase>('wire/names.json', ['name', 'address'])) {
  test(`name: ${description}`, () => {
    const parsed = parseAddress(name);
    assert.is(parsed === undefined ? null : formatAddress(parsed), address);
  });
}
test('a bad name is quoted and escaped in its refusal', () => {
  assert.is(invalidNameText('BAD NAME'), 'invalid session name "BAD NAME": expected [a-z0-9-]{1,32}');
  assert.not.match(invalidNameText('\x1b]0;x\x07'), /[\x00-\x1f]/);
});
test('a server frame of an unknown type is ignored', () => {
  assert.is(parseServerFrame('{"v":1,"type":"later"}'), undefined);
  assert.is(parseServerFrame('nonsense'), undefined);
  assert.equal(parseServerFrame('{"v":1,"type":"pong","more":1}'), { v: 1, type: 'pong', more: 1 });
});

test.run();
