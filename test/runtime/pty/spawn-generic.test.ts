// The second way, node-pty's fork with `ps` facts, forced on this machine.
import * as assert from 'uvu/assert';
import { createPtyRoom } from '../../../runtime/pty/host.js';
import { hostCases } from './host-cases.js';

const { host, ways } = createPtyRoom({ platform: 'generic' });
const test = hostCases('spawn-generic', host);

test('the second way can be forced', () => {
  assert.equal(ways, { spawn: 'generic', facts: 'ps' });
});

test.run();
