// What new seats of a rig begin with: kept over a restart, the last choice counts, other facts are none of it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspace } from './workspace.js';

const test = suite('rigs');

test('a rig’s policy is there again after a restart, the last one that was set', () =>
  workspace(async (space) => {
    const first = space.open();
    assert.is(first.rigs.policies().size, 0);
    for (const [rig, preset] of [
      ['team', 'full-control'],
      ['team', 'no-peer-interventions'],
      ['other', 'full-control'],
    ] as const)
      first.commit([{ type: 'rig_policy', rig, policy: { preset } }]);
    await first.close();
    assert.equal(Object.fromEntries(space.open().rigs.policies()), {
      other: { preset: 'full-control' },
      team: { preset: 'no-peer-interventions' },
    });
  }));

test.run();
