// Wakes on real seats with the demo agent: typed when it is safe, joined, withdrawn, followed over a restart of Shepherd.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';
import { ShepherdRig } from '../support/shepherd-rig.js';

const test = suite<{ rig: SeatRig; shepherd: ShepherdRig }>('wakes end to end');
test.before(async (context) => {
  context.rig = await SeatRig.start();
  context.shepherd = new ShepherdRig(context.rig);
  await context.shepherd.start();
});
test.after(async ({ rig, shepherd }) => {
  await shepherd.close();
  await rig.close();
});

test('an idle seat gets its wake within a second, and the row says that it was confirmed', async ({
  rig,
  shepherd,
}) => {
  const agent = await rig.seat('idle');
  const began = Date.now();
  const id = await shepherd.create('idle', 'read the report');
  const [text] = await agent.until((entries) => {
    const texts = entries.flatMap((entry) => (entry.type === 'submit' ? [entry.text] : []));
    return texts.length > 0 ? texts : undefined;
  });
  // The settle before Enter alone takes a third of it; a loaded machine takes longer than the second of an idle one.
  assert.ok(Date.now() - began < 5_000);
  assert.match(text ?? '', new RegExp(`row from operator\\] ${id} "read the report" is in your queue`));
  const row = await shepherd.row(id, ({ lastWake }) => lastWake !== null);
  assert.is(row.lastWake.result, 'confirmed');
  assert.is(row.state, 'pending');
});

test.run();
