// Recognition of the agent and the class of the foreground against spec/vectors/status/tenure.json. Facts are data here;
// that the kernel's facts have this shape is tested where they are read.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProcessFact } from '../../../runtime/pty/port.js';
import { classifyForeground, findTenure, type RecognisingPack } from '../../../runtime/status/foreground.js';
import { isInteractiveShell, isTenure, type ProcessLike, tenureOf } from '../../../runtime/status/tenure.js';
import { isVersionRange, parseVersion, versionInRange } from '../../../runtime/status/version.js';
import { readVectors } from '../../support/byte-vector.js';

const test = suite('tenure');

interface Fact {
  readonly pid: number;
  readonly ppid: number;
  readonly exe: string;
  readonly argv: readonly string[];
  readonly startTime?: string;
  readonly tty?: boolean;
}
interface Case {
  readonly description: string;
  readonly members: readonly Fact[] | null;
  readonly leader: number;
  readonly tenure?: Fact;
  readonly carriers?: readonly string[];
  readonly named?: true;
  readonly expect: {
    readonly class: string;
    readonly front: string;
    readonly cause?: string;
    readonly tenure: { pid: number; pack: string; by: string; version?: string } | null;
    readonly roles?: Record<string, string>;
  };
}

const packLists = readVectors<{ description: string; packs: readonly RecognisingPack[] }>(
  'status/tenure-pack.json',
  ['packs'],
);
const [auto, named] = packLists.map((item) => item.packs) as [RecognisingPack[], RecognisingPack[]];
const full = (fact: Fact): ProcessLike => ({ pgid: 5, sid: 1, startTime: '100', ...fact });

for (const item of readVectors<Case>('status/tenure.json', [
  'members',
  'leader',
  'tenure',
  'carriers',
  'named',
  'expect',
])) {
  test(item.description, () => {
    const { expect } = item;
    const foreground = item.members === null ? undefined : { pgid: 5, members: item.members.map(full) };
    const found = foreground && findTenure(foreground, item.named ? named : auto);
    const seen = found && {
      pid: found.tenure.pid,
      pack: found.pack.name,
      by: found.by,
      ...(found.tenure.version ? { version: found.tenure.version } : {}),
    };
    assert.equal(seen ?? null, expect.tenure);
    const rules = found?.pack.process ?? auto[0]?.process;
    const tenure = item.tenure
      ? tenureOf(full(item.tenure), rules ?? { names: [] })
      : (found?.tenure ?? undefined);
    const verdict = classifyForeground({
      foreground,
      leaderPid: item.leader,
      tenure,
      rules,
      carriers: item.carriers ?? [],
    });
    assert.is(verdict.class, expect.class, JSON.stringify(verdict));
    assert.is(verdict.front, expect.front);
    assert.is(verdict.cause, expect.cause);
    for (const [pid, role] of Object.entries(expect.roles ?? {}))
      assert.is(verdict.members.find((member) => member.pid === Number(pid))?.role, role, pid);
  });
}

test('the facts of the PTY port have the shape that recognition takes', () => {
  const fact: ProcessFact = {
    pid: 7,
    ppid: 1,
    pgid: 7,
    sid: 1,
    startTime: '5',
    exe: '/bin/bash',
    argv: ['bash'],
  };
  assert.ok(isInteractiveShell(fact));
});

test('a tenure is pid, start time and executable together', () => {
  const fact = full({ pid: 5, ppid: 1, exe: '/usr/bin/claude', argv: ['claude'] });
  const tenure = tenureOf(fact, { names: ['claude'] });
  assert.ok(isTenure(fact, tenure));
  assert.not(isTenure({ ...fact, pid: 6 }, tenure));
  assert.not(isTenure({ ...fact, startTime: '101' }, tenure));
  assert.not(isTenure({ ...fact, exe: '/usr/bin/other' }, tenure));
});

test('version ranges: bounds, lists, equality, and an unknown version inside every range', () => {
  assert.ok(versionInRange('>=2.1.228', '2.1.228'));
  assert.not(versionInRange('>=2.1.228', '2.1.227'));
  assert.ok(versionInRange('>=2.1.228', '2.1.1000'));
  assert.ok(versionInRange('>=1 <2', '1.99'));
  assert.not(versionInRange('>=1 <2', '2'));
  assert.ok(versionInRange('<=2', '2.0.0'));
  assert.not(versionInRange('>2', '2.0'));
  assert.ok(versionInRange('1.2', '1.2.0'));
  assert.ok(versionInRange('<1', undefined));
  assert.ok(versionInRange('*', '9'));
  assert.equal(['*', '>=1', '1.2 <3', '', '~1', '>=x'].map(isVersionRange), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.equal(['v2.1.3-beta', '0.61.0', 'latest'].map(parseVersion), ['2.1.3', '0.61.0', undefined]);
});

test.run();
