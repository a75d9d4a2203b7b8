// Dialogs, answers and overrides on real PTYs: a question of the agent is never answered by accident, an answer reaches the
// very dialog it was meant for, and an override says what it did. Numbers are those of the scenarios.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig }>('guard dialogs');
test.before(async (context) => {
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

const override = { dangerously_interact: true, reason: 'a test' };

async function asking(rig: SeatRig, seat: string, message = 'ask rm -rf build') {
  const agent = await rig.seat(seat);
  const sent = await rig.send(seat, message, { wait_ms: 10_000 });
  assert.is(sent.body.ok, true, JSON.stringify(sent.body));
  const body = await rig.status(seat, ({ state }) => state === 'blocked');
  return { agent, dialog: await dialogOf(rig, seat, body) };
}

async function dialogOf(rig: SeatRig, seat: string, body: { dialog?: { instance: string } }) {
  let found = body;
  while (found.dialog === undefined) found = await rig.status(seat, ({ state }) => state === 'blocked');
  return found.dialog as { instance: string; kind: string; truncated: boolean; question: string };
}

const answer = (rig: SeatRig, seat: string, dialog: string, choice: string, token?: string) =>
  rig.call('POST', '/api/transport/answer', { seat, dialog, choice }, token);

for (const more of [{}, { raw: true }, { force: true }, { urgent: true }]) {
  const name = Object.keys(more)[0] ?? 'plain';
  test(`33 a question is open: a ${name} send is refused with zero bytes`, async ({ rig }) => {
    const seat = `d33-${name}`;
    const { agent } = await asking(rig, seat, 'question');
    const before = await agent.received();
    const { status, body } = await rig.send(seat, '1', more);
    assert.equal([status, body.sent, body.reason], [409, false, 'target_needs_input']);
    assert.is(await agent.received(), before);
  });
}

test('33 a dialog that no status reports is seen on the screen and refuses too', async ({ rig }) => {
  const agent = await rig.seat('d33-screen', ['--dialog-unreported']);
  await rig.send('d33-screen', 'ask rm');
  await rig.status('d33-screen', ({ state }) => state === 'blocked');
  const before = await agent.received();
  const { body } = await rig.send('d33-screen', 'x');
  assert.equal([body.sent, body.reason], [false, 'target_needs_input']);
  assert.is(await agent.received(), before);
});

for (const [choice, index] of [
  ['allow_once', 0],
  ['deny_once', 2],
] as const) {
  test(`${choice} chooses exactly that, once; a second answer finds no such dialog`, async ({ rig }) => {
    const seat = `d-${choice.replace('_', '-')}`;
    const { agent, dialog } = await asking(rig, seat);
    assert.is(dialog.kind, 'permission');
    const { status, body } = await answer(rig, seat, dialog.instance, choice);
    assert.equal([status, body.ok, body.outcome], [200, true, 'delivered'], JSON.stringify(body));
    const chosen = await agent.until((entries) => entries.find(({ type }) => type === 'answer'));
    assert.is((chosen as { choice?: number }).choice, index);
    const again = await answer(rig, seat, dialog.instance, choice);
    assert.equal([again.status, again.body.sent, again.body.reason], [409, false, 'dialog_changed']);
    const record = (await rig.audit(seat)).find(({ kind }) => kind === 'dialog.answered');
    assert.equal((record as { detail?: object } | undefined)?.detail, { choice, dialog: dialog.instance });
  });
}

test('C-30 an answer needs a known choice, a permission dialog and the very instance', async ({ rig }) => {
  const { agent, dialog } = await asking(rig, 'd-which');
  assert.is((await answer(rig, 'd-which', dialog.instance, 'allow_always')).status, 400);
  assert.is(
    (await answer(rig, 'd-which', `${dialog.instance}x`, 'allow_once')).body.reason,
    'dialog_changed',
  );
  const operator = await rig.operator('d-which');
  operator.type('\x1b[B');
  const moved = await operator.until(() =>
    operator.frames.find(
      (frame) => frame.type === 'dialog' && frame.open && frame.instance !== dialog.instance,
    ),
  );
  const stale = await answer(rig, 'd-which', dialog.instance, 'allow_once');
  assert.is(stale.body.reason, 'dialog_changed', 'a key of the operator makes it another instance');
  assert.is((await answer(rig, 'd-which', String(moved.instance), 'deny_once')).body.outcome, 'delivered');
  assert.is((await agent.journal()).filter(({ type }) => type === 'answer').length, 1);
  const question = await asking(rig, 'd-question', 'question');
  const { body } = await answer(rig, 'd-question', question.dialog.instance, 'allow_once');
  assert.is(body.reason, 'not_a_permission');
});

test('a command that is shown cut short is not answered', async ({ rig }) => {
  const { dialog } = await asking(rig, 'd-long', `ask ${'rm -rf build; '.repeat(60)}`);
  assert.is(dialog.truncated, true);
  const { body } = await answer(rig, 'd-long', dialog.instance, 'allow_once');
  assert.equal([body.sent, body.reason], [false, 'dialog_truncated']);
});

test('agents without the scope and Shepherd never answer; with the scope it is allowed, but not in hold', async ({
  rig,
}) => {
  const { dialog } = await asking(rig, 'd-who');
  const ask = async (token: string) => (await answer(rig, 'd-who', dialog.instance, 'deny_once', token)).body;
  assert.is((await ask(await rig.token('agent'))).reason, 'answer_forbidden');
  assert.is((await ask(await rig.token('shepherd', ['answer']))).reason, 'answer_forbidden');
  const scoped = await rig.token('agent', ['answer']);
  await rig.guard('d-who', 'hold');
  assert.is((await ask(scoped)).reason, 'typing_guard_enabled');
  await rig.guard('d-who', 'off');
  assert.is((await ask(scoped)).outcome, 'delivered');
  const held = await asking(rig, 'd-hold');
  await rig.guard('d-hold', 'hold');
  const { body } = await answer(rig, 'd-hold', held.dialog.instance, 'allow_once');
  assert.is(body.outcome, 'delivered', 'an operator answers in hold too');
});

test('clients are told of a dialog when it opens, at attach, and when it has gone', async ({ rig }) => {
  const { dialog } = await asking(rig, 'd-frame', 'ask ls');
  const operator = await rig.operator('d-frame');
  const dialogs = () => operator.frames.filter(({ type }) => type === 'dialog');
  const [first] = await operator.until(() => dialogs().length > 0 && dialogs());
  assert.equal(
    [first?.open, first?.seat, first?.instance, first?.kind, first?.question, first?.truncated],
    [true, 'd-frame', dialog.instance, 'permission', 'Run command?', false],
  );
  await answer(rig, 'd-frame', dialog.instance, 'deny_once');
  await operator.until(() => dialogs().some(({ open }) => open === false));
  await rig.status('d-frame', ({ state }) => state === 'idle');
  await rig.send('d-frame', 'ask pwd');
  await operator.until(() => dialogs().at(-1)?.open === true);
});

test('37 an override needs a reason; a scope or an admin; never Shepherd', async ({ rig }) => {
  const agent = await rig.seat('o37');
  const bare = await rig.send('o37', 'x', { dangerously_interact: true });
  assert.equal([bare.status, bare.body.reason], [400, 'dangerously_interact_requires_reason']);
  for (const kind of ['agent', 'shepherd'] as const) {
    const token = await rig.token(kind, kind === 'shepherd' ? ['override'] : []);
    const body = { seat: 'o37', text: 'x', ...override };
    assert.is((await rig.call('POST', '/api/transport/send', body, token)).body.reason, 'override_forbidden');
  }
  assert.is(await agent.received(), '');
});

test('38 an override drives a question: unframed, no Enter of its own, unverified', async ({ rig }) => {
  const { agent } = await asking(rig, 'o38', 'question');
  const before = await agent.received();
  const { status, body } = await rig.send('o38', '2', override);
  assert.is(status, 200, JSON.stringify(body));
  assert.is(body.promptInteraction, 'unverified');
  const chosen = await agent.until((entries) => entries.find(({ type }) => type === 'answer'));
  assert.is((chosen as { choice?: number }).choice, 1);
  assert.is((await agent.received()).slice(before.length), '2');
  const used = (await rig.audit('o38')).find(({ kind }) => kind === 'override.used');
  assert.equal((used as { detail?: object } | undefined)?.detail, {
    type_without_checking: false,
    why: 'a test',
  });
});

test('I8 into a permission dialog only an admin overrides', async ({ rig }) => {
  const { agent } = await asking(rig, 'o-permission');
  const before = await agent.received();
  const token = await rig.token('agent', ['override']);
  const body = { seat: 'o-permission', text: '1', raw: true, ...override };
  const refused = await rig.call('POST', '/api/transport/send', body, token);
  assert.is(refused.body.reason, 'override_forbidden');
  assert.is(await agent.received(), before);
});

test('39 an override over a draft is refused and tells its caller alone what stands there', async ({
  rig,
}) => {
  const agent = await rig.seat('o39');
  await rig.call('PATCH', '/api/seat/settings/o39', { human_quiet_ms: 0 });
  const operator = await rig.operator('o39');
  operator.type('secret draft');
  await operator.until(() => operator.screen.includes('secret draft'));
  await rig.call('POST', '/api/transport/capture', { seat: 'o39' });
  const before = await agent.received();
  const { status, body } = await rig.send('o39', 'x', override);
  assert.equal([status, body.sent, body.reason], [409, false, 'override_input_present']);
  assert.equal(body.existingInput.rows, ['secret draft']);
  assert.equal(body.existingInput.cursor, { row: 0, column: 12 });
  assert.equal(body.existingInput.dimensions, { rows: 30, cols: 100 });
  assert.is(body.existingInput.target.seat, 'o39');
  assert.is(await agent.received(), before);
  const { body: held } = await rig.call('GET', '/api/seat/held-messages/o39');
  assert.is(held.total, 0);
  const records = await rig.audit('o39');
  assert.not.ok(JSON.stringify(records).includes('secret draft'));
});

test('39 a suggestion counts as empty; a composer that is not understood is told as such', async ({
  rig,
}) => {
  const agent = await rig.seat('o39-ghost', ['--ghost', 'write tests']);
  assert.is((await rig.send('o39-ghost', 'go on', override)).body.outcome, 'delivered');
  assert.equal(await agent.submitted(), ['go on']);
  await rig.seat('o39-vim', ['--vim']);
  const { status, body } = await rig.send('o39-vim', 'x', override);
  assert.equal(
    [status, body.sent, body.reason],
    [409, false, 'override_input_unknown'],
    JSON.stringify(body),
  );
  assert.is(body.existingInput.rows.length, 30);
});

test('40 type-without-checking writes as it stands and is named; alone it is a bad request', async ({
  rig,
}) => {
  const agent = await rig.seat('o40');
  await rig.call('PATCH', '/api/seat/settings/o40', { human_quiet_ms: 0 });
  const operator = await rig.operator('o40');
  operator.type('draft ');
  await operator.until(() => operator.screen.includes('draft'));
  const alone = await rig.send('o40', 'x', { type_without_checking: true });
  assert.equal([alone.status, alone.body.reason], [400, 'invalid_dangerously_interact']);
  const { body } = await rig.send('o40', 'and more', { ...override, type_without_checking: true });
  assert.equal([body.outcome, body.type_without_checking], ['delivered', true], JSON.stringify(body));
  assert.equal(await agent.submitted(), ['draft and more']);
});

test('41 an override does not wait', async ({ rig }) => {
  await rig.seat('o41');
  const { status, body } = await rig.send('o41', 'x', { ...override, wait_ms: 1_000 });
  assert.equal([status, body.reason], [400, 'invalid_dangerously_interact']);
});

test('an override types while the agent works; in hold it is held', async ({ rig }) => {
  const agent = await rig.seat('o-busy');
  await rig.send('o-busy', 'work 3s');
  await rig.status('o-busy', ({ state }) => state === 'working');
  // It says that it works before it has drawn the composer without the message.
  await rig.composerEmpty('o-busy');
  const { body } = await rig.send('o-busy', 'queued', override);
  assert.is(body.ok, true, JSON.stringify(body));
  await agent.until((entries) => entries.find((entry) => entry.type === 'submit' && entry.text === 'queued'));
  await rig.guard('o-busy', 'hold');
  assert.is((await rig.send('o-busy', 'x', override)).body.outcome, 'retained');
});

test.run();
