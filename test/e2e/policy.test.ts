// Scenario 66 and managed compaction on real PTYs: a policy is complete, counts for who a credential is, and is read again
// before each further input.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';
import { Home } from './home.js';

const test = suite<{ rig: SeatRig; home: Home }>('interaction policy on real PTYs');
test.before(async (context) => {
  context.rig = await SeatRig.start();
  context.home = new Home();
  const { server } = context.rig;
  Object.assign(context.home.env, { OPENFLOOR_URL: server.url, OPENFLOOR_TOKEN: server.credential });
});
test.after(async ({ rig, home }) => {
  await home.close();
  await rig.close();
});

/** A shell seat, for the token of its occupant: an agent that asks something of another seat. */
async function peer(rig: SeatRig, name: string): Promise<string> {
  await rig.call('POST', '/admin/sessions', {
    name,
    command: ['/bin/sh', '-c', 'echo "token=$OPENFLOOR_TOKEN;"; cat'],
  });
  const operator = await rig.operator(name);
  return operator.until(() => /token=([0-9a-f]+);/.exec(operator.screen)?.[1]);
}

const policy = (rig: SeatRig, seat: string, body: object) =>
  rig.call('POST', `/api/seat/set-terminal-policy/${seat}`, { reason: 'a test', ...body });
const compact = (rig: SeatRig, seat: string, token?: string, body: object = {}) =>
  rig.call('POST', `/api/seat/compact/${seat}`, body, token);
const model = (rig: SeatRig, seat: string, token: string) =>
  rig.call('PATCH', `/api/seat/settings/${seat}`, { model: 'other' }, token);

test('66 one exception reads Custom, a setter without it goes back to the preset', async ({ rig, home }) => {
  await rig.seat('choice');
  const custom = await policy(rig, 'choice', {
    preset: 'no-peer-interventions',
    exceptions: { peer: { compaction: 'allow' } },
  });
  assert.is(custom.body.choice, 'Custom');
  assert.equal(custom.body.table.peer, { compaction: 'allow', model: 'deny' });
  const back = await policy(rig, 'choice', { preset: 'no-peer-interventions' });
  assert.is(back.body.choice, 'no-peer-interventions');
  assert.is((await rig.call('GET', '/api/seat/status/choice')).body.policy.choice, 'no-peer-interventions');
  const said = await home.run(
    ...[
      'seat',
      'set-terminal-policy',
      'choice',
      '--preset',
      'help-within-instructions',
      '--helper',
      'friend',
    ],
    ...['--reason', 'a test', '--operator', 'kim@desk', '--self-model', 'deny'],
  );
  assert.is(said.code, 0, said.err);
  assert.match(said.out, /Custom/);
  assert.match(said.out, /self\s+compaction allow, model deny/);
  assert.match(
    (await home.run('status', 'choice')).out,
    /policy\s+Custom: peers compaction helpers \(friend\)/,
  );
  const { body } = await rig.call('GET', '/api/audit?seat=choice&kind=policy.changed&limit=10');
  assert.is(body.records.length, 3);
  assert.is(body.records[2].actor, 'kim@desk');
});

test('66 what a body gets wrong is one sentence and changes nothing', async ({ rig, home }) => {
  for (const body of [
    {},
    { preset: 'all' },
    { preset: 'full-control', exceptions: { peer: { compaction: 'yes' } } },
  ])
    assert.is((await policy(rig, 'choice', body)).status, 400);
  assert.is((await policy(rig, 'choice', { preset: 'full-control', reason: ' ' })).status, 400);
  const wrong = await home.run('seat', 'set-terminal-policy', 'choice', '--preset', 'all', '--reason', 'x');
  assert.is(wrong.code, 1);
  assert.match(wrong.err, /no-peer-interventions/);
  assert.is((await rig.call('GET', '/api/seat/status/choice')).body.policy.choice, 'Custom');
});

test('66 a peer that is denied is refused, the operator and the seat itself are not', async ({ rig }) => {
  const agent = await rig.seat('guarded');
  const token = await peer(rig, 'stranger');
  assert.is((await model(rig, 'guarded', token)).status, 200);
  await policy(rig, 'guarded', { preset: 'no-peer-interventions' });
  const refused = await model(rig, 'guarded', token);
  assert.is(refused.status, 403);
  assert.is(refused.body.reason, 'policy_denied');
  const denied = await compact(rig, 'guarded', token, { wait_ms: 5_000 });
  assert.is(denied.status, 403);
  assert.is(denied.body.reason, 'policy_denied');
  assert.is(denied.body.bytes_written, 0);
  assert.is(
    (await rig.call('PATCH', '/api/seat/settings/guarded', { human_quiet_ms: 0 }, token)).status,
    403,
  );
  await policy(rig, 'guarded', { preset: 'help-within-instructions', helpers: ['stranger'] });
  const helped = await compact(rig, 'guarded', token, { wait_ms: 10_000 });
  assert.is(helped.status, 200, JSON.stringify(helped.body));
  assert.equal(await agent.submitted(), ['/compact']);
});

test('a policy that changes while a compaction waits is read before it is typed', async ({ rig }) => {
  const agent = await rig.seat('changes');
  const token = await peer(rig, 'waits');
  const operator = await rig.operator('changes');
  operator.type('a draft');
  await rig.status('changes', () => operator.screen.includes('a draft'));
  const waiting = compact(rig, 'changes', token, { wait_ms: 20_000 });
  await operator.until(() => operator.frames.find((frame) => frame.type === 'floor' && frame.waiting === 1));
  await policy(rig, 'changes', { preset: 'no-peer-interventions' });
  const { status, body } = await waiting;
  assert.is(status, 403);
  assert.is(body.reason, 'policy_denied');
  assert.equal(await agent.submitted(), []);
});

test('on the floor plane a lifecycle request is the pack’s own command and nothing else', async ({ rig }) => {
  await rig.seat('plane');
  const token = await peer(rig, 'asker');
  const request = (body: string) => rig.ask(token, { seat: 'plane', origin: 'lifecycle', body, wait_ms: 0 });
  assert.is((await request('rm -rf /')).reason, 'lifecycle_verb_unsupported');
  await policy(rig, 'plane', { preset: 'no-peer-interventions' });
  assert.is((await request('/compact')).reason, 'policy_denied');
});

test('a rig’s default is copied by seats that are added later', async ({ rig }) => {
  await rig.seat('first@team');
  await policy(rig, encodeURIComponent('first@team'), { preset: 'full-control', rig_default: true });
  await rig.seat('second@team');
  await rig.seat('elsewhere');
  const choice = async (seat: string) =>
    (await rig.call('GET', `/api/seat/status/${encodeURIComponent(seat)}`)).body.policy.choice;
  assert.is(await choice('second@team'), 'full-control');
  assert.is(await choice('elsewhere'), 'none');
});

test.run();
