// Shepherd as a child of `up`: a crash loop is told once and the tries go on; after a stop nothing is started.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ShepherdProcess } from '../../../clients/cli/shepherd-process.js';

const test = suite('shepherd process');
const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

test('a child that keeps ending is started again, and the loop is told once', async () => {
  let told = 0;
  let ends = 0;
  const looped = new Promise<void>((resolve) => {
    const child = new ShepherdProcess({
      // This verb ends by itself at once.
      argv: ['version'],
      env,
      firstDelayMs: 1,
      crashing: (count) => {
        told++;
        ends = count;
        void child.address().then(async (address) => {
          assert.is(address, undefined);
          await child.stop();
          resolve();
        });
        void child.stop();
      },
    });
    child.start();
  });
  await looped;
  assert.equal([told, ends], [1, 4]);
});

test('a stop before it is up ends the child, and who waits for its address is told that there is none', async () => {
  const child = new ShepherdProcess({
    argv: ['shepherd', '--child', '--runtime', 'http://127.0.0.1:9', '--credential-file', '/nonexistent'],
    env,
    crashing: () => assert.unreachable(),
  });
  child.start();
  const address = child.address();
  await child.stop();
  assert.is(await address, undefined);
  assert.is(child.pid, undefined);
});

test.run();
