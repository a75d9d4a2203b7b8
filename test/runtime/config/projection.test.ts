// The contract's validator: what it takes and what it refuses, as the vectors say.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeProjection, judgeProjectionFile } from '../../../runtime/config/projection.js';

const test = suite('projection');

interface Case {
  readonly description: string;
  readonly toml: string;
  readonly env: Record<string, string>;
  readonly state: 'ok' | 'rejected';
  /** A part of the line that is printed. */
  readonly says: string;
}
const FIELDS = ['description', 'env', 'says', 'state', 'toml'];
const file = new URL('../../../../spec/vectors/wire/projection.json', import.meta.url);

for (const given of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
  test(`${given.state}: ${given.description}`, () => {
    assert.equal(Object.keys(given).sort(), FIELDS, 'the case has exactly the fields this test understands');
    const verdict = judgeProjection({ file: 'projection.toml', text: given.toml }, given.env);
    assert.is(verdict.state, given.state, verdict.text);
    assert.ok(verdict.text.startsWith(given.state === 'ok' ? 'OK: ' : 'REJECTED: '), verdict.text);
    assert.ok(verdict.text.includes(given.says), verdict.text);
    assert.not.ok(verdict.text.includes('\n'));
  });
}

test('a file that is not there is rejected', () => {
  const verdict = judgeProjectionFile('/nowhere/projection.toml', {});
  assert.equal(verdict, {
    state: 'rejected',
    text: 'REJECTED: "/nowhere/projection.toml" can\'t be read (ENOENT).',
  });
});

test.run();
