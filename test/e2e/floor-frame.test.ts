// The attach plane's `floor` frame: at attach, when the floor changes hands and when the queue moves, coalesced.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../clients/sdk/index.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('floor frame');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

test('whoever attaches knows the floor, and hears who has it, what waits and why, in a few frames', async ({
  rig,
}) => {
  await rig.seat('floor');
  const operator = await rig.operator('floor', 'view');
  const frames = () => operator.frames.filter(({ type }) => type === 'floor');
  const free = { v: 1, type: 'floor', seat: 'floor', holder: null, waiting: 0, reason: null, since: null };
  assert.equal(frames(), [free]);
  const first = await rig.send('floor', 'work 60s');
  const held = await operator.until(() => frames().find(({ holder }) => holder !== null));
  assert.is(held.holder, first.body.id);
  const floor = connect({ url: rig.server.url, credential: rig.server.credential }).floor();
  const handles = Array.from({ length: 30 }, (_, n) =>
    floor.request({ seat: 'floor', origin: 'wake', body: `n${n}`, wait_ms: 600_000 }),
  );
  const busy = await operator.until(() => frames().find(({ waiting }) => waiting === 30));
  assert.ok(['floor_held', 'session_working'].includes(String(busy.reason)), JSON.stringify(busy));
  assert.ok(Date.parse(String(busy.since)) > 0);
  for (const handle of handles) assert.is(await floor.withdraw(handle), 'withdrawn');
  floor.close();
  const last = await operator.until(() => frames().find((_, at) => at > 2 && isFree(frames().at(-1))));
  assert.ok(last);
  assert.ok(frames().length < 30, `${frames().length} frames for 62 changes`);
  assert.equal(frames().at(-1), free);
  const second = await rig.operator('floor');
  assert.equal(
    second.frames.find(({ type }) => type === 'floor'),
    free,
  );
});

const isFree = (frame: Record<string, unknown> | undefined) => frame?.holder === null && frame.waiting === 0;

test.run();
