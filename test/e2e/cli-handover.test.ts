// Handovers by the command line, and an attachment of the SDK that follows its seat on the connection it has.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAgent } from '../support/demo-agent.js';
import { Home } from './home.js';

const test = suite<{ home: Home }>('cli handover');
test.before(async (context) => {
  context.home = new Home();
  await context.home.run('up', '--background');
});
test.after(({ home }) => home.close());

test('the verbs of a handover, and an attachment that goes on with the new occupant', async ({ home }) => {
  const agent = demoAgent(['--session-id', 'talk']);
  const ran = await home.run('run', '--detach', '--seat', 'desk', '--', ...agent.command);
  assert.is(ran.code, 0, ran.err);
  const client = home.client();
  const attachment = client.attach('desk', { rows: 30, cols: 100, snapshot: true });
  const lost: unknown[] = [];
  attachment.on('lost', (event) => lost.push(event));
  const phases: string[] = [];
  attachment.on('handover', ({ phase }) => phases.push(phase));
  const drawn = attachment.once('snapshot');
  const first = await attachment.ready;
  await drawn;
  await agent.until((entries) => entries.find(({ type }) => type === 'start'));

  const made = await home.run(
    'seat',
    'candidate',
    'create',
    'desk',
    '--mode',
    'resume',
    '--conversation',
    'talk',
    '--reason',
    'r',
    '--json',
  );
  assert.is(made.code, 0, made.err);
  const { id } = JSON.parse(made.out) as { id: string };

  const restarted = attachment.once('restarted');
  const painted = attachment.once('snapshot');
  const done = await home.run('seat', 'handover', 'desk', '--candidate', id, '--reason', 'a newer one');
  assert.is(done.code, 0, done.err);
  assert.match(done.out, /^desk: handed_over; new occupant: resumed; the old occupant \(desk\): retire\n/);
  const { generation = 0 } = await restarted;
  assert.ok(generation > (first.generation ?? 0));
  await painted;
  assert.equal(lost, [], 'the connection is the same');
  assert.equal(phases.slice(0, 2), ['frozen', 'bound']);
  assert.is(attachment.write('typed afterwards\r'), 'sent');
  await agent.until((entries) =>
    entries.find((entry) => entry.type === 'submit' && entry.text === 'typed afterwards'),
  );
  await attachment.detach();

  const told = await home.run('seat', 'lineage', 'desk');
  assert.match(
    told.out,
    /^desk is stable\n[\s\S]*desk +bound +yes[\s\S]*desk-v1 +retired +no[\s\S]*resumed +handed_over/,
  );
  const refused = await home.run('seat', 'recover', 'desk', '--as', 'bound', '--reason', 'r');
  assert.equal([refused.code, /handover_not_halted/.test(refused.err)], [1, true], refused.err);
  agent.close();
});

test.run();
