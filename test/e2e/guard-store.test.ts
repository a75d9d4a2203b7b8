// The guard while the store can't be written: what protects fails closed, what only records goes on
// and says so. The store is locked by a second connection, as a backup might. Numbers are those of the scenarios.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('guard store');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

/** Locks the store against writes until the answer is called. */
function lock(rig: SeatRig): () => void {
  const { dataDir } = rig.server;
  const file = readdirSync(dataDir).find((name) => /\.(db|sqlite3?)$/.test(name));
  if (file === undefined) throw new Error(`no store in ${readdirSync(dataDir).join(' ')}`);
  const other = new Database(join(dataDir, file));
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

test('30 what can not be stored is not held: nothing is sent and the reason stays', async ({ rig }) => {
  const agent = await rig.seat('s30');
  await rig.guard('s30', 'hold');
  const unlock = lock(rig);
  const { status, body } = await rig.send('s30', 'x').finally(unlock);
  assert.equal(
    [status, body.ok, body.sent, body.reason, body.cause],
    [409, false, false, 'typing_guard_enabled', 'store_unavailable'],
  );
  assert.is(await agent.received(), '');
});

test('30 a receipt that can not be stored is a warning: the message was sent', async ({ rig }) => {
  const agent = await rig.seat('s30-receipt', ['--swallow-enter']);
  await rig.call('PATCH', '/api/seat/settings/s30-receipt', { confirm_ms: 800 });
  const operator = await rig.operator('s30-receipt');
  const sending = rig.send('s30-receipt', 'hello there');
  await operator.until(() => operator.screen.includes('hello there'));
  const unlock = lock(rig);
  const { status, body } = await sending.finally(unlock);
  assert.equal([status, body.ok, body.sent, body.outcome], [200, true, true, 'unconfirmed']);
  assert.is(body.warnings.length, 1);
  assert.is(await agent.received(), '\x1b[200~hello there\x1b[201~\r');
});

test('37 without its audit record an override types nothing; neither does a send', async ({ rig }) => {
  const agent = await rig.seat('s37');
  const unlock = lock(rig);
  const override = { dangerously_interact: true, reason: 'a test' };
  const forced = await rig.send('s37', 'x', override).finally(unlock);
  assert.equal([forced.status, forced.body.sent], [500, false], JSON.stringify(forced.body));
  assert.is(forced.body.reason, 'prompt_override_audit_unavailable');
  assert.is(await agent.received(), '');
});

test.run();
