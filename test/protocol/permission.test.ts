// Suggested rules within their bounds: the vectors of spec/vectors/permissions/suggestions.json, through the relay's reading
// and through the runtime's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boundSuggestions, checkSuggestions, permissionActor } from '../../protocol/permission.js';
import { readVectors } from '../support/byte-vector.js';

const test = suite('suggested rules');

interface Case {
  readonly description: string;
  readonly entries?: unknown;
  readonly repeat?: number;
  readonly rules?: number;
  readonly name?: number;
  readonly content?: number;
  readonly state: string;
  readonly kept: number;
  readonly same?: boolean;
  readonly unsupported?: boolean;
  readonly sizeCut?: boolean;
}
const FIELDS = [
  'entries',
  'repeat',
  'rules',
  'name',
  'content',
  'state',
  'kept',
  'same',
  'unsupported',
  'sizeCut',
];

function inputOf({ entries, repeat = 1, rules, name, content }: Case): unknown {
  if (entries === 'none') return undefined;
  if (entries !== undefined && !Array.isArray(entries)) return entries;
  const rule = { toolName: 'T'.repeat(name ?? 1), ...(content ? { ruleContent: 'c'.repeat(content) } : {}) };
  const built = {
    type: 'addRules',
    rules: Array(rules ?? 1).fill(rule),
    behavior: 'allow',
    destination: 'session',
  };
  const list = entries ?? [built];
  return Array.from({ length: repeat }, () => list as unknown[]).flat();
}

for (const one of readVectors<Case>('permissions/suggestions.json', FIELDS)) {
  test(one.description, () => {
    const input = inputOf(one);
    const bound = boundSuggestions(input);
    assert.is(bound.state, one.state);
    assert.is(bound.entries.length, one.kept);
    assert.is(bound.unsupported, one.unsupported ?? false);
    assert.is(bound.sizeCut, one.sizeCut ?? false);
    if (one.same) assert.equal(bound.entries, input);
    // A relay that bounds nothing gets the same from the runtime, and what was bounded stays as it is.
    if (one.state === 'present') {
      const posted = { state: 'present', entries: input, unsupported: false, sizeCut: false };
      assert.equal(checkSuggestions(posted), bound);
    }
    assert.equal(checkSuggestions(bound), bound);
  });
}

test('what is no answer of a relay is unavailable', () => {
  for (const posted of [
    undefined,
    null,
    [],
    'x',
    {},
    { state: 'present' },
    { state: 'other', entries: [] },
  ]) {
    assert.is(checkSuggestions(posted).state, 'unavailable');
  }
});

test('an agent id at the limit is a subagent, one unit over it is dropped', () => {
  assert.equal(permissionActor('a'.repeat(128)), { id: 'a'.repeat(128) });
  for (const id of ['a'.repeat(129), '', 'a\n', 7, {}, false]) assert.is(permissionActor(id), undefined);
});

test.run();
