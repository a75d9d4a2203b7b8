// The child's environment against spec/vectors/pty/env.json, and that no value of the server gets past the contract.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildEnvironment, type Environment, type EnvironmentRequest } from '../../../runtime/pty/env.js';
import { readVectors } from '../../support/byte-vector.js';

interface Case {
  readonly description: string;
  readonly request: EnvironmentRequest;
  readonly expect: Environment;
}

const test = suite('pty env');
for (const { description, request, expect } of readVectors<Case>('pty/env.json', ['request', 'expect'])) {
  test(description, () => assert.equal(buildEnvironment(request), expect));
}

test('a variable without a value is absent', () => {
  const { env } = buildEnvironment({ mode: 'contract', base: { PATH: undefined, TERM: 'a' }, home: '/' });
  assert.equal(env, { TERM: 'a', HOME: '/' });
});

test('a name of the prototype is a variable like any other', () => {
  const base = JSON.parse('{"__proto__": "v", "constructor": "w"}') as Record<string, string>;
  const { env } = buildEnvironment({ mode: 'caller', base, home: '/' });
  assert.equal(Object.entries(env).sort().slice(-2), [
    ['__proto__', 'v'],
    ['constructor', 'w'],
  ]);
});

test.run();
