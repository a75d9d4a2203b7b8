// Who may intervene: the vectors of spec/vectors/policy/policy.json.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Capability,
  type Intervener,
  mayIntervene,
  type PolicyBody,
  policyChoice,
  policyOf,
} from '../../protocol/policy.js';
import { readVectors } from '../support/byte-vector.js';

const test = suite('interaction policy');

interface Case {
  readonly description: string;
  readonly body?: Omit<PolicyBody, 'reason'>;
  readonly ask: ReadonlyArray<readonly [string, Capability, boolean]>;
  readonly choice: string;
}

function intervener(name: string): Intervener {
  if (name === 'self') return { kind: 'agent', seat: 'here' };
  return name.startsWith('peer-') ? { kind: 'agent', seat: name } : { kind: name };
}

for (const one of readVectors<Case>('policy/policy.json', ['body', 'ask', 'choice'])) {
  test(one.description, () => {
    const policy = one.body && policyOf({ ...one.body, reason: 'a test' });
    for (const [who, capability, may] of one.ask)
      assert.is(mayIntervene(policy, 'here', intervener(who), capability), may, `${who} ${capability}`);
    assert.is(policyChoice(policy), one.choice);
  });
}

test.run();
