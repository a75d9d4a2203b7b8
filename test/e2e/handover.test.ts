// Handovers on real PTYs with the demo agent: the seat stays, operators follow on their sockets, and every record tells
// both outcomes. Numbers are those of the scenarios.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAgent } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';
import { frames, handover, lineage, outcomes, phases, wrappedSeat } from './handover-rig.js';

const test = suite<{ rig: SeatRig }>('handover');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

const statusOf = async (rig: SeatRig, seat: string) =>
  (await rig.call('GET', `/api/seat/status/${seat}`)).body;

test('a fresh occupant takes the seat: the operator follows on the same socket and types to it', async ({
  rig,
}) => {
  const agent = await rig.seat('ho-fresh');
  const operator = await rig.operator('ho-fresh');
  const before = await statusOf(rig, 'ho-fresh');
  const answer = await handover(rig, 'ho-fresh', { mode: 'fresh' });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  assert.equal([answer.body.state, ...outcomes(answer)], ['bound', 'fresh', 'handed_over']);
  const steps = ['lock', 'candidate', 'ready', 'freeze', 'detach', 'bind', 'provenance', 'thaw'];
  assert.equal(
    answer.body.steps.map(({ step, result }: { step: string; result: string }) => `${step} ${result}`),
    steps.map((step) => `${step} done`),
  );
  await operator.until(() => frames(operator, 'snapshot').length > 0);
  const after = await statusOf(rig, 'ho-fresh');
  assert.not.equal(after.pid, before.pid);
  assert.ok(after.generation > before.generation);
  assert.equal(
    frames(operator, 'attach-notice').map(({ generation, seat }) => [generation, seat]),
    [
      [before.generation, 'ho-fresh'],
      [after.generation, 'ho-fresh'],
    ],
  );
  assert.equal(phases(operator), ['frozen', 'bound', 'over']);
  operator.type('from the operator\r');
  await agent.until((entries) =>
    entries.find((entry) => entry.type === 'submit' && entry.text === 'from the operator'),
  );
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
  assert.equal(
    handovers.map((row: { handover: string }) => row.handover),
    [answer.body.handover],
  );
  assert.equal([after.lineage.state, after.lineage.seat, after.lineage.version], ['known', 'stable', 2]);
  assert.is(after.lineage.conversation, handovers[0].new.conversation, 'which the pack could name');
});

for (const disposition of ['advise', 'shadow'] as const) {
  test(`${disposition}: the old occupant goes on under -v1: attachable, and invisible to send, wake and lists`, async ({
    rig,
  }) => {
    const seat = `ho-${disposition}`;
    await rig.seat(seat);
    const { pid } = await statusOf(rig, seat);
    const answer = await handover(rig, seat, { mode: 'fresh', disposition });
    assert.equal([answer.status, answer.body.disposition], [200, disposition], JSON.stringify(answer.body));
    const former = `${seat}-v1`;
    const [, row] = (await lineage(rig, seat)).occupants;
    assert.equal(
      [row.name, row.state, row.running, row.ended_at],
      [former, disposition === 'advise' ? 'advising' : 'shadowing', true, null],
    );
    assert.is(process.kill(pid, 0), true, 'it runs');
    const operator = await rig.operator(former, 'view');
    await operator.until(() => operator.screen.length > 0);
    assert.is((await rig.send(former, 'x')).body.reason, 'seat_not_found');
    const wake = { seat: former, origin: 'wake', body: 'x', ref: 1 };
    assert.is((await rig.ask(await rig.token('shepherd'), wake)).reason, 'seat_not_found');
    assert.is((await rig.call('GET', `/api/seat/status/${former}`)).status, 404);
    const { seats } = (await rig.call('GET', '/api/seats')).body;
    const { sessions } = (await rig.call('GET', '/admin/sessions')).body;
    const names = [
      ...seats.map((one: { seat: string }) => one.seat),
      ...sessions.map((one: { name: string }) => one.name),
    ];
    assert.is(names.includes(former), false);
    assert.is(names.includes(seat), true);
    assert.is((await rig.call('DELETE', `/admin/sessions/${former}`)).status, 200, 'its exact name ends it');
    assert.is((await statusOf(rig, seat)).lineage.version, 2);
  });
}

test('resume and fork start from the recorded conversation; model and effort that were saved count', async ({
  rig,
}) => {
  const agent = await rig.seat('ho-resume', ['--session-id', 'talk-1']);
  await rig.call('PATCH', '/api/seat/settings/ho-resume', { model: 'small' });
  const resumed = await handover(rig, 'ho-resume', { mode: 'resume' });
  assert.equal(outcomes(resumed), ['resumed', 'handed_over'], JSON.stringify(resumed.body));
  assert.equal([resumed.body.old.conversation, resumed.body.new.conversation], ['talk-1', 'talk-1']);
  const forked = await handover(rig, 'ho-resume', { mode: 'fork' });
  assert.equal(outcomes(forked), ['forked', 'handed_over'], JSON.stringify(forked.body));
  const starts = (await agent.journal()).flatMap((entry) =>
    entry.type === 'start' ? [entry.argv.slice(-5)] : [],
  );
  assert.equal(starts[1]?.slice(-4), ['--model', 'small', '--resume', 'talk-1']);
  assert.equal(starts[2], ['--model', 'small', '--resume', 'talk-1', '--fork-session']);
});

test('rebuild types the restore packet to the candidate before it has the seat; its record names the files', async ({
  rig,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-artifact-'));
  try {
    const file = join(folder, 'notes.md');
    writeFileSync(file, 'the plan is\x1b[31m this\n');
    const agent = await rig.seat('ho-rebuild');
    const answer = await handover(rig, 'ho-rebuild', { mode: 'rebuild', artifacts: [file] });
    assert.equal(outcomes(answer), ['rebuilt', 'handed_over'], JSON.stringify(answer.body));
    assert.equal([answer.body.artifacts[0].path, answer.body.artifacts[0].bytes], [file, 22]);
    const [packet, ...more] = await agent.submitted();
    assert.is(more.length, 0, 'typed once');
    assert.match(packet ?? '', /take over the seat ho-rebuild/);
    assert.match(packet ?? '', /the plan is\ufffd\[31m this/);
    assert.match(packet ?? '', /last screen of ho-rebuild/);
    const granted = (await rig.audit(answer.body.candidate ? `candidate-${answer.body.candidate}` : '')).map(
      ({ kind }) => kind,
    );
    assert.ok(granted.includes('injection.granted'), granted.join(' '));
    const missing = await handover(rig, 'ho-rebuild', { mode: 'rebuild', artifacts: [join(folder, 'no')] });
    assert.equal([missing.status, missing.body.reason], [400, 'artifact_unreadable']);
    assert.is((await lineage(rig, 'ho-rebuild')).handovers.length, 1, 'refused before any effect');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('70 of two handovers at once the second is refused and names the first; a send during the freeze is held, a wake refused, an operator types', async ({
  rig,
}) => {
  // Its shell outlives the hang-up, so the freeze lasts until TERM.
  const { agent, close } = await wrappedSeat(rig, 'ho-70', 'trap "" HUP', 'sleep 30');
  const operator = await rig.operator('ho-70');
  const first = handover(rig, 'ho-70', { mode: 'fresh' });
  await operator.until(() => phases(operator).includes('frozen'));
  const shepherd = await rig.token('shepherd');
  const [second, sent, wake] = await Promise.all([
    handover(rig, 'ho-70', { mode: 'fresh' }),
    rig.send('ho-70', 'into the freeze', { wait_ms: 10_000 }),
    rig.ask(shepherd, { seat: 'ho-70', origin: 'wake', body: 'a wake', ref: 1, wait_ms: 10_000 }),
  ]);
  assert.equal([second.status, second.body.reason], [409, 'handover_in_progress']);
  assert.equal([sent.body.outcome, sent.body.reason], ['retained', 'runtime_switch_in_progress']);
  assert.equal([wake.state, wake.reason], ['failed', 'runtime_switch_in_progress']);
  operator.type('a key');
  const { body } = await first;
  assert.ok(second.body.error.includes(body.handover), second.body.error);
  assert.equal([body.continuityOutcome, body.seatBindingOutcome], ['fresh', 'handed_over']);
  const again = await rig.ask(shepherd, {
    seat: 'ho-70',
    origin: 'wake',
    body: 'a wake',
    ref: 2,
    wait_ms: 20_000,
  });
  assert.is(again.state, 'complete', JSON.stringify(again));
  const submitted = await agent.submitted();
  assert.is(submitted.filter((text) => text.includes('a wake')).length, 1);
  assert.is(submitted.filter((text) => text.includes('into the freeze')).length, 0);
  close();
});

test('71 advise without a name for the old occupant is retired with a notice; strict fails and the seat is as it was', async ({
  rig,
}) => {
  // 31 characters and `-v1` are no address.
  const seat = 'ho-71-with-a-name-of-thirty-one';
  await rig.seat(seat);
  const { pid } = await statusOf(rig, seat);
  const strict = await handover(rig, seat, {
    mode: 'fresh',
    disposition: 'advise',
    strict_disposition: true,
  });
  assert.equal([strict.status, strict.body.reason], [409, 'disposition_unavailable']);
  assert.equal(outcomes(strict), ['fresh', 'failed']);
  assert.is((await statusOf(rig, seat)).pid, pid);
  const degraded = await handover(rig, seat, { mode: 'fresh', disposition: 'advise' });
  assert.equal([...outcomes(degraded), degraded.body.disposition], ['fresh', 'handed_over', 'retire']);
  assert.match(degraded.body.notices[0], /advise can't be honoured/);
});

test('72 what a pack does not offer is 501 before any effect; a dry run is a plan that mutates nothing', async ({
  rig,
}) => {
  await rig.call('POST', '/admin/sessions', { name: 'ho-72', command: ['cat'], rows: 24, cols: 80 });
  const refused = await handover(rig, 'ho-72', { mode: 'fork' });
  assert.equal([refused.status, refused.body.reason], [501, 'creation_mode_unsupported']);
  await rig.seat('ho-72b');
  const unknown = await handover(rig, 'ho-72b', { mode: 'resume' });
  assert.equal([unknown.status, unknown.body.reason], [409, 'conversation_unknown']);
  const before = await rig.audit('ho-72b');
  const plan = await handover(rig, 'ho-72b', {
    mode: 'resume',
    conversation: 'talk',
    disposition: 'shadow',
    dry_run: true,
  });
  assert.is(plan.status, 200, JSON.stringify(plan.body));
  assert.equal([plan.body.dry_run, plan.body.conversation, plan.body.disposition], [true, 'talk', 'shadow']);
  assert.ok(plan.body.steps.length > 0);
  for (const step of plan.body.steps) assert.is(step.willMutate, false);
  assert.equal(await rig.audit('ho-72b'), before);
  for (const seat of ['ho-72', 'ho-72b']) {
    const told = await lineage(rig, seat);
    assert.equal([told.state, told.handovers, told.occupants.length], ['stable', [], 1]);
    assert.equal((await rig.call('GET', `/api/seat/candidate/${seat}`)).body.candidates, []);
  }
  assert.is((await handover(rig, 'ho-72b', { mode: 'fresh', reason: ' ' })).body.reason, 'missing_reason');
  assert.is((await handover(rig, 'ho-72b', { reason: 'neither' })).status, 400);
  assert.is((await handover(rig, 'ho-72b', { mode: 'resume', conversation: '--dangerous' })).status, 400);
});

test('73 a held message of the old occupant is not typed to the new one and stays addressed to the seat', async ({
  rig,
}) => {
  const agent = await rig.seat('ho-73');
  const once = { wait_ms: 10_000, idempotency_key: 'once' };
  assert.is((await rig.send('ho-73', 'typed once', once)).body.outcome, 'delivered');
  await rig.guard('ho-73', 'hold');
  const held = await rig.send('ho-73', 'for the old one');
  assert.is(held.body.outcome, 'retained', JSON.stringify(held.body));
  assert.is((await handover(rig, 'ho-73', { mode: 'fresh' })).body.seatBindingOutcome, 'handed_over');
  await rig.guard('ho-73', 'off');
  const sent = await rig.send('ho-73', 'for the new one', { wait_ms: 10_000 });
  assert.is(sent.body.outcome, 'delivered', JSON.stringify(sent.body));
  const again = await rig.send('ho-73', 'typed once', once);
  assert.is(again.status, 200, JSON.stringify(again.body));
  const submitted = await agent.submitted();
  assert.equal(
    submitted.filter((text) => text.includes('for the old one')),
    [],
  );
  assert.is(submitted.filter((text) => text.includes('typed once')).length, 1, 'its key is still known');
  const { items } = (await rig.call('GET', '/api/seat/held-messages/ho-73')).body;
  assert.equal(
    items.map(({ seat }: { seat: string }) => seat),
    ['ho-73'],
  );
});

test('74 a hook with the generation of the one before is generation_mismatch and says nothing of the seat', async ({
  rig,
}) => {
  const tokens = mkdtempSync(join(tmpdir(), 'openfloor-tokens-'));
  try {
    const wrapper = join(tokens, 'wrapped');
    writeFileSync(wrapper, `#!/bin/sh\necho "$OPENFLOOR_TOKEN" >> ${tokens}/all\nexec "$@"\n`, {
      mode: 0o700,
    });
    const agent = demoAgent();
    const command = [wrapper, ...agent.command];
    await rig.call('POST', '/admin/sessions', { name: 'ho-74', command, rows: 30, cols: 100 });
    await rig.status('ho-74', ({ state }) => state === 'idle');
    await rig.composerEmpty('ho-74');
    const answer = await handover(rig, 'ho-74', { mode: 'fresh', disposition: 'advise' });
    assert.is(answer.status, 200, JSON.stringify(answer.body));
    const [old, fresh] = readFileSync(join(tokens, 'all'), 'utf8').trim().split('\n');
    const hook = (token = '') =>
      rig.call(
        'POST',
        '/api/activity/hooks',
        { event: 'openfloor.signal', fields: { state: 'working' } },
        token,
      );
    const before = (await statusOf(rig, 'ho-74')).status;
    const stale = await hook(old);
    assert.equal([stale.status, stale.body.reason], [409, 'generation_mismatch']);
    assert.equal((await statusOf(rig, 'ho-74')).status, before);
    assert.is((await hook(fresh)).status, 202, 'the new one is heard under the same seat');
    agent.close();
  } finally {
    rmSync(tokens, { recursive: true, force: true });
  }
});

test('a candidate is one thing and binding it another; several are made and dropped, and the seat stays as it is', async ({
  rig,
}) => {
  await rig.seat('ho-cand');
  const { pid } = await statusOf(rig, 'ho-cand');
  const make = () => rig.call('POST', '/api/seat/candidate/ho-cand', { mode: 'fresh', reason: 'a test' });
  const one = await make();
  assert.equal([one.status, one.body.state], [201, 'realized'], JSON.stringify(one.body));
  const two = await make();
  assert.equal(
    [(await statusOf(rig, 'ho-cand')).pid, (await lineage(rig, 'ho-cand')).state],
    [pid, 'stable'],
  );
  const dropped = await rig.call('DELETE', `/api/seat/candidate/ho-cand/${one.body.id}`);
  assert.is(dropped.status, 200);
  assert.is((await handover(rig, 'ho-cand', { candidate: one.body.id })).body.reason, 'candidate_missing');
  const bound = await handover(rig, 'ho-cand', { candidate: two.body.id });
  assert.equal(outcomes(bound), ['fresh', 'handed_over'], JSON.stringify(bound.body));
  assert.equal((await rig.call('GET', '/api/seat/candidate/ho-cand')).body.candidates, []);
  const agentOnly = await rig.token('agent');
  assert.is((await handover(rig, 'ho-cand', { mode: 'fresh' }, agentOnly)).status, 403, 'operators alone');
});

test.run();
