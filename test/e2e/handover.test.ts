// Handovers on real PTYs with the demo agent: the seat stays, operators follow on their sockets, and every record tells
// both outcomes. Numbers are those of the scenarios.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Operator, SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('handover');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

const handover = (rig: SeatRig, seat: string, body: object): Promise<Answer> =>
  rig.call('POST', `/api/seat/handover/${seat}`, { reason: 'a test', ...body });
const lineage = async (rig: SeatRig, seat: string) =>
  (await rig.call('GET', `/api/seat/lineage/${seat}`)).body;
const outcomes = ({ body }: Answer) => [body.continuityOutcome, body.seatBindingOutcome];
const frames = (operator: Operator, type: string) => operator.frames.filter((frame) => frame.type === type);

test('a fresh occupant takes the seat: the operator follows on the same socket and types to it', async ({
  rig,
}) => {
  const agent = await rig.seat('ho-fresh');
  const operator = await rig.operator('ho-fresh');
  const before = (await rig.call('GET', '/api/seat/status/ho-fresh')).body;
  const answer = await handover(rig, 'ho-fresh', { mode: 'fresh' });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(outcomes(answer), ['fresh', 'handed_over']);
  assert.is(answer.body.state, 'bound');
  assert.equal(
    answer.body.steps.map(({ step, result }: { step: string; result: string }) => `${step} ${result}`),
    ['lock', 'candidate', 'ready', 'freeze', 'detach', 'bind', 'provenance', 'thaw'].map(
      (step) => `${step} done`,
    ),
  );
  const notices = await operator.until(
    () => frames(operator, 'attach-notice').length > 1 && frames(operator, 'attach-notice'),
  );
  const after = (await rig.call('GET', '/api/seat/status/ho-fresh')).body;
  assert.not.equal(after.pid, before.pid);
  assert.ok(after.generation > before.generation);
  assert.is(notices[1]?.generation, after.generation);
  assert.equal(
    frames(operator, 'handover').map(({ phase }) => phase),
    ['frozen', 'bound', 'over'],
  );
  await operator.until(() => frames(operator, 'snapshot').length > 0);
  operator.type('from the operator\r');
  await agent.until((entries) =>
    entries.find((entry) => entry.type === 'submit' && entry.text === 'from the operator'),
  );
  const starts = (await agent.journal()).filter(({ type }) => type === 'start');
  assert.is(starts.length, 2);
  const { occupants, handovers, state } = await lineage(rig, 'ho-fresh');
  assert.is(state, 'stable');
  assert.equal(
    occupants.map((row: { name: string; state: string; running: boolean }) => [
      row.name,
      row.state,
      row.running,
    ]),
    [
      ['ho-fresh', 'bound', true],
      ['ho-fresh-v1', 'retired', false],
    ],
  );
  assert.is(handovers.length, 1);
  assert.is(handovers[0].handover, answer.body.handover);
  assert.equal(after.lineage.version, 2);
});

test.run();
