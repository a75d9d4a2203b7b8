// The guard's verbs against a real server: set a mode, read and retire what it held, answer a dialog.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../support/byte-vector.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('guard verbs');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

function openfloor(
  { server }: SeatRig,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const main = join(packageRoot(), 'dist/clients/cli/main.js');
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: server.dataDir,
    OPENFLOOR_URL: server.url,
    OPENFLOOR_TOKEN: server.credential,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('a mode is set with a reason, a held message is listed, read and retired', async ({ rig }) => {
  await rig.seat('v-hold');
  const none = await openfloor(rig, 'seat', 'set-typing-guard', 'v-hold', 'hold');
  assert.is(none.code, 1, 'a reason is needed');
  const set = await openfloor(rig, 'seat', 'set-typing-guard', 'v-hold', 'hold', '--reason', 'reviewing');
  assert.equal([set.code, set.out], [0, 'The typing guard of v-hold is hold.\n'], set.err);
  const { body } = await rig.send('v-hold', 'line one\nline two');
  const list = await openfloor(rig, 'seat', 'held-messages', 'v-hold');
  assert.ok(list.out.includes(body.id) && list.out.includes('line one'), list.out + list.err);
  const one = await openfloor(rig, 'seat', 'held-messages', 'v-hold', '--id', body.id);
  assert.ok(one.out.endsWith('\nline one\nline two\n'), one.out + one.err);
  const retired = await openfloor(rig, 'seat', 'retire-held-message', 'v-hold', body.id, '--reason', 'read');
  assert.is(retired.code, 0, retired.err);
  assert.is((await openfloor(rig, 'seat', 'held-messages', 'v-hold')).out, 'v-hold holds no messages.\n');
  const again = await openfloor(rig, 'seat', 'retire-held-message', 'v-hold', body.id, '--reason', 'read');
  assert.is(again.code, 1);
});

test('answer answers the open dialog; without one, and with another word, it types nothing', async ({
  rig,
}) => {
  const agent = await rig.seat('v-ask');
  assert.is((await openfloor(rig, 'answer', 'v-ask', 'allow_once')).code, 1);
  await rig.send('v-ask', 'ask rm -rf build', { wait_ms: 10_000 });
  await rig.status('v-ask', ({ state }) => state === 'blocked');
  assert.is((await openfloor(rig, 'answer', 'v-ask', 'allow_always')).code, 1);
  assert.is((await openfloor(rig, 'answer', 'v-ask', 'allow_once', '--dialog', 'other')).code, 1);
  const { code, out, err } = await openfloor(rig, 'answer', 'v-ask', 'deny_once');
  assert.equal([code, out], [0, 'Answered deny_once in v-ask: Run command?\n'], err);
  const chosen = await agent.until((entries) => entries.find(({ type }) => type === 'answer'));
  assert.is((chosen as { choice?: number }).choice, 2);
});

test.run();
