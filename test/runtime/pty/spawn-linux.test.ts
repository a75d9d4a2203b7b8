// The loss-free way on Linux: what every way keeps, and that a failed exec is told instead of shown.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createPtyRoom } from '../../../runtime/pty/host.js';
import { PtySpawnError } from '../../../runtime/pty/port.js';
import { hostCases } from './host-cases.js';
import { start } from './start.js';

const { host, ways } = createPtyRoom({ platform: 'linux' });
const test = hostCases('spawn-linux', host);

test('this machine has the loss-free way', () => {
  assert.equal(ways, { spawn: 'linux', facts: 'proc' });
});

test('a program that the kernel refuses is told as spawn_failed, and its PTY is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-pty-'));
  const file = join(folder, 'program');
  writeFileSync(file, '#!/no/such/interpreter\n');
  chmodSync(file, 0o755);
  try {
    await start(host, [file]);
    assert.unreachable('it was started');
  } catch (error) {
    assert.instance(error, PtySpawnError);
    assert.match((error as Error).message, /could not be started: exec ENOENT/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a started program is already itself: no starter is seen in its place', async () => {
  const { facts } = createPtyRoom({ platform: 'linux' });
  for (let round = 0; round < 20; round++) {
    const child = await start(host, ['sleep', '60']);
    assert.equal(facts.process(child.pty.pid)?.argv, ['sleep', '60']);
    await child.pty.kill();
  }
});

test.run();
