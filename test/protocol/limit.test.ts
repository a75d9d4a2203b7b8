// The limits of the spec and of the code are the same list.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as limits from '../../protocol/limit.js';
import { specTable } from '../support/spec-table.js';

const test = suite('limits');

test('spec/limits.md and protocol/limit.ts hold the same names and values', () => {
  const spec = Object.fromEntries(specTable('limits.md').map(([name = '', value]) => [name, Number(value)]));
  assert.equal(spec, { ...limits });
});

test.run();
