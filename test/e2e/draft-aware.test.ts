// Draft-aware with the demo agent: what counts as a draft, as a suggestion and as our own text. Numbers are those of the
// scenarios.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DemoAgent, reads } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('draft-aware');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

async function guarded(rig: SeatRig, seat: string, switches: readonly string[] = []): Promise<DemoAgent> {
  const agent = await rig.seat(seat, switches);
  await rig.call('PATCH', `/api/seat/settings/${seat}`, { human_quiet_ms: 0 });
  await rig.guard(seat, 'draft-aware');
  return agent;
}

/** An operator has typed this, the agent has read and drawn it, and the reader says that it is a draft. */
async function drafted(rig: SeatRig, seat: string, agent: DemoAgent, keys: string): Promise<void> {
  const operator = await rig.operator(seat);
  operator.type(keys);
  const wanted = Buffer.from(keys, 'utf8').toString('latin1');
  await agent.until((entries) => reads(entries).join('').endsWith(wanted) || undefined);
  for (;;) {
    const { composer } = await rig.status(seat, () => true);
    if (composer.state === 'draft') return;
  }
}

async function heldAs(rig: SeatRig, seat: string, agent: DemoAgent, reason: string): Promise<void> {
  const before = await agent.received();
  const { status, body } = await rig.send(seat, 'status?');
  assert.equal([status, body.sent, body.outcome, body.reason], [200, false, 'retained', reason]);
  assert.is(await agent.received(), before);
}

test('1 a dim suggestion is no draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a1', ['--ghost', 'Try "write tests"']);
  assert.is((await rig.send('a1', 'hello')).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['hello']);
});

test('2 the words of the suggestion, typed, are a draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a2', ['--ghost', 'fix it all']);
  await drafted(rig, 'a2', agent, 'fix it');
  await heldAs(rig, 'a2', agent, 'draft_input_busy');
});

test('3 a draft with the cursor at its start is a draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a3');
  await drafted(rig, 'a3', agent, 'fix it\x01');
  await heldAs(rig, 'a3', agent, 'draft_input_busy');
});

test('4 a draft that quotes an empty composer is a draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a4');
  const rule = '─'.repeat(60);
  const frame = `${rule}\n> \n${rule}\n? for shortcuts\nend`;
  await drafted(rig, 'a4', agent, `\x1b[200~${frame}\x1b[201~`);
  await heldAs(rig, 'a4', agent, 'draft_input_busy');
});

test('11 what somebody adds to our text takes Enter away', async ({ rig }) => {
  const agent = await guarded(rig, 'a11');
  const operator = await rig.operator('a11');
  const sending = rig.send('a11', 'hello');
  await operator.until(() => operator.screen.includes('hello'));
  operator.type(' ');
  const { status, body } = await sending;
  assert.equal([status, body.outcome], [502, 'indeterminate']);
  assert.equal(await agent.submitted(), []);
});

test('12 three hundred wide characters that wrap are recognised as ours', async ({ rig }) => {
  const agent = await guarded(rig, 'a12');
  const text = '漢字'.repeat(150);
  assert.is((await rig.send('a12', text)).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), [text]);
});

test('13 14 two hundred lines become a label that is ours', async ({ rig }) => {
  const agent = await guarded(rig, 'a13');
  const text = Array.from({ length: 200 }, (_, n) => `line ${n} of a long message`).join('\n');
  const { body } = await rig.send('a13', text, { wait_ms: 10_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), [text]);
});

const LONG = Array.from({ length: 60 }, (_, n) => `line ${n} of a long message`).join('\n');

test('13 a label with the end of the text behind it is ours; with a wrong count Enter is refused', async ({
  rig,
}) => {
  const agent = await guarded(rig, 'a13-tail', ['--label-tail', '90']);
  const { body } = await rig.send('a13-tail', LONG, { wait_ms: 10_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), [LONG]);
  for (const [seat, switches] of [
    ['a13-off', ['--miscount']],
    ['a13-off-tail', ['--miscount', '--label-tail', '90']],
  ] as const) {
    const wrong = await guarded(rig, seat, switches);
    const answer = await rig.send(seat, LONG, { wait_ms: 10_000 });
    assert.equal(
      [answer.status, answer.body.outcome, answer.body.reason],
      [502, 'indeterminate', 'draft_input_changed'],
      JSON.stringify(answer.body),
    );
    assert.is(await wrong.received(), `\x1b[200~${LONG}\x1b[201~`, 'left as it stands, no Enter');
  }
});

test('14 a label that changes between the paste and Enter is not ours any more', async ({ rig }) => {
  const agent = await guarded(rig, 'a14', ['--relabel', '600']);
  const { status, body } = await rig.send('a14', LONG, { wait_ms: 10_000 });
  assert.equal(
    [status, body.outcome, body.reason],
    [502, 'indeterminate', 'draft_input_changed'],
    JSON.stringify(body),
  );
  assert.is(await agent.received(), `\x1b[200~${LONG}\x1b[201~`);
});

test('13 somebody else’s label is a draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a13-other');
  await drafted(rig, 'a13-other', agent, `\x1b[200~${'x\n'.repeat(30)}\x1b[201~`);
  await heldAs(rig, 'a13-other', agent, 'draft_input_busy');
});

test('15 a message that begins like a menu is delivered; a dialog that opens over it takes Enter away', async ({
  rig,
}) => {
  const agent = await guarded(rig, 'a15');
  assert.is((await rig.send('a15', '1. run tests\n2. report')).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['1. run tests\n2. report']);
  const sudden = await guarded(rig, 'a15-menu', ['--dialog-on-paste']);
  const { body } = await rig.send('a15-menu', '1. run tests');
  assert.is(body.outcome, 'indeterminate', JSON.stringify(body));
  assert.not.ok((await sudden.received()).includes('\r'));
});

test('16 a composer in command mode is held as unknown, with its cause', async ({ rig }) => {
  const agent = await guarded(rig, 'a16', ['--vim']);
  const { body } = await rig.send('a16', 'x');
  assert.equal([body.outcome, body.reason, body.cause], ['retained', 'draft_input_unknown', 'command_mode']);
  assert.is(await agent.received(), '');
});

test('16 a half-drawn frame is unknown, never empty; the message goes when the frame is whole', async ({
  rig,
}) => {
  const agent = await guarded(rig, 'a16-sync', ['--sync', '1500']);
  const operator = await rig.operator('a16-sync');
  operator.type('x\x7f');
  await agent.until((entries) => reads(entries).join('').endsWith('\x7f') || undefined);
  const { body } = await rig.send('a16-sync', 'too early');
  assert.is(body.outcome, 'retained', JSON.stringify(body));
  const { body: later } = await rig.send('a16-sync', 'whole', { wait_ms: 20_000 });
  assert.is(later.outcome, 'delivered', JSON.stringify(later));
  assert.equal(await agent.submitted(), ['whole']);
});

test('6 7 8 rows below the box that look like warnings, prompts and work are not judged: empty is empty', async ({
  rig,
}) => {
  const agent = await guarded(rig, 'a6', ['--footer-noise']);
  const { body } = await rig.send('a6', 'hello', { wait_ms: 15_000 });
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.equal(await agent.submitted(), ['hello']);
});

test('9 a prompt in the history above is no draft', async ({ rig }) => {
  const agent = await guarded(rig, 'a9');
  assert.is((await rig.send('a9', 'say earlier prompt')).body.outcome, 'delivered');
  assert.is((await rig.send('a9', 'second', { wait_ms: 10_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['say earlier prompt', 'second']);
});

test('42 43 busy at once is held with no byte, and a wait that sees it idle is typed', async ({ rig }) => {
  const agent = await guarded(rig, 'a42');
  await rig.send('a42', 'work 1500ms');
  await rig.status('a42', ({ state }) => state === 'working');
  await heldAs(rig, 'a42', agent, 'wait_for_idle_timeout');
  assert.is((await rig.send('a42', 'then', { wait_ms: 15_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['work 1500ms', 'then']);
});

test('43 a status that stays unknown: nothing is sent, and in mode off nothing is kept', async ({ rig }) => {
  const agent = await rig.seat('a43', ['--status', 'none'], false);
  await rig.status('a43', ({ state }) => state === 'unknown');
  const { status, body } = await rig.send('a43', 'x', { wait_ms: 1_000 });
  assert.equal(
    [status, body.sent, body.reason],
    [409, false, 'target_activity_unknown'],
    JSON.stringify(body),
  );
  assert.is(await agent.received(), '');
  assert.is((await rig.call('GET', '/api/seat/held-messages/a43')).body.total, 0);
});

test('45 the same words in the transcript prove nothing: the second send is typed and confirmed too', async ({
  rig,
}) => {
  const agent = await guarded(rig, 'a45');
  assert.is((await rig.send('a45', 'the same')).body.outcome, 'delivered');
  assert.is((await rig.send('a45', 'the same', { wait_ms: 10_000 })).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['the same', 'the same']);
});

test.run();
