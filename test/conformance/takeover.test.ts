// Who holds a session: the newest attach takes it, within a budget; joiners share it; viewers only read. Cases E8, U12,
// D6 and D20 of the attach contract, and the modes of the interface page.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { external, openSubject, type Subject } from '../support/subject.js';

const test = suite('conformance: takeover');
const own = external ? test.skip : test;
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

test('E8 a second attach with the same token succeeds, and the first closes 4002', async () => {
  const session = await subject.create();
  const { takeovers } = (await subject.list()).metrics;
  const first = await subject.attach(session);
  const second = await subject.attach(session);
  assert.equal(await first.closed, { code: 4002, reason: 'another connection took over' });
  assert.is((await subject.list()).metrics.takeovers, (takeovers as number) + 1);
  assert.match(await second.run('echo "it $((1+1))"'), 'it 2');
  await second.end();
});

test('U12 what the loser types after it lost never reaches the child', async () => {
  const { session, client: first } = await subject.shell();
  const second = await subject.attach(session);
  first.send('echo from-the-loser\r');
  await first.closed;
  await second.run('true');
  assert.not.match(second.output, 'from-the-loser');
  await second.end();
});

test("U12 the loser's teardown leaves the winner attached", async () => {
  const { session, client: first } = await subject.shell();
  const second = await subject.attach(session);
  await first.closed;
  await second.settled();
  assert.is((await subject.row(session.session))?.attached, true);
  assert.match(await second.run('echo "still $((1+1))"'), 'still 2');
  await second.end();
});

test('U12 the fourth takeover of a generation is refused with 4007, and the incumbent stays; renew resets', async () => {
  const session = await subject.create();
  let incumbent = await subject.attach(session);
  for (let n = 0; n < 3; n++) incumbent = await subject.attach(session);
  const before = (await subject.list()).metrics.takeovers_rate_limited as number;
  const refused = await subject.upgrade(session);
  assert.equal(await refused.closed, { code: 4007, reason: 'attach refused' });
  assert.equal(refused.frames, []);
  assert.is((await subject.list()).metrics.takeovers_rate_limited, before + 1);
  await incumbent.settled();
  const renewed = await subject.renew(session.session);
  assert.is((await incumbent.closed).code, 4003);
  const next = await subject.attach(renewed);
  const over = await subject.attach(renewed);
  assert.is((await next.closed).code, 4002);
  await over.end();
});

test('D6 reconnects do not consume the takeover budget', async () => {
  const session = await subject.create();
  for (let n = 0; n < 8; n++) {
    const client = await subject.attach(session);
    client.control({ v: 1, type: 'detach' });
    await client.closed;
  }
  let incumbent = await subject.attach(session);
  for (let n = 0; n < 3; n++) incumbent = await subject.attach(session);
  await incumbent.end();
});

own('D20 a second token is minted without evicting anybody, and renew ends them all', async () => {
  const { session, client: first } = await subject.shell();
  const answer = await subject.admin('POST', `/admin/sessions/${session.session}/tokens`, { mode: 'join' });
  assert.ok(answer.status === 200 || answer.status === 201, answer.text);
  const minted = answer.json<{ session: string; token: string; generation: number }>();
  assert.is.not(minted.token, session.token);
  assert.is(minted.generation, session.generation);
  const second = await subject.attach(
    { session: session.session, token: minted.token },
    { query: 'mode=join' },
  );
  await first.settled();
  await subject.renew(session.session);
  assert.is((await first.closed).code, 4003);
  assert.is((await second.closed).code, 4003);
  for (const token of [session.token, minted.token]) {
    assert.is((await subject.refused(session.session, { token })).status, 401);
  }
});

own('joiners share the session: all see the output, and all may type', async () => {
  const session = await subject.create();
  const first = await subject.attach(session, { query: 'mode=join' });
  const second = await subject.attach(session, { query: 'mode=join' });
  assert.is(first.notice.mode, 'join');
  await first.run('true');
  first.send('echo "by-$((10+1))"\r');
  await second.until('by-11');
  second.send('echo "by-$((20+2))"\r');
  await first.until('by-22');
  assert.is(first.isClosed, false);
  await first.end();
  await second.end();
});

own('a take closes joiners with 4002 and leaves viewers', async () => {
  const session = await subject.create();
  const joiner = await subject.attach(session, { query: 'mode=join' });
  const viewer = await subject.attach(session, { query: 'mode=view' });
  const taker = await subject.attach(session);
  assert.is((await joiner.closed).code, 4002);
  await viewer.settled();
  assert.is(viewer.isClosed, false);
  await taker.end();
  await viewer.end();
});

own('a viewer reads everything, types nothing and sizes nothing', async () => {
  const { session, client } = await subject.shell();
  const viewer = await subject.attach(session, { query: 'mode=view&rows=50&cols=150' });
  viewer.send('echo from-the-viewer\r');
  viewer.control({ v: 1, type: 'resize', cols: 151, rows: 51 });
  client.send('echo "seen-$((1+1))"\r');
  if (!viewer.isClosed) await viewer.until('seen-2');
  const printed = await client.run('stty size');
  assert.not.match(printed, /51|150|151/);
  assert.not.match(client.output, 'from-the-viewer');
  await viewer.end();
  await client.end();
});

own('a view token can do nothing but view', async () => {
  const session = await subject.create();
  const answer = await subject.admin('POST', `/admin/sessions/${session.session}/tokens`, { mode: 'view' });
  const { token } = answer.json<{ token: string }>();
  for (const query of ['mode=take', 'mode=join']) {
    const refusal = await subject.refused(session.session, { token, query });
    assert.ok(refusal.status === 401 || refusal.status === 403, `${query}: ${refusal.status}`);
  }
  assert.is(
    (
      await subject.ask('GET', '/admin/sessions', {
        from: subject.source(),
        headers: { authorization: `Bearer ${token}` },
      })
    ).status,
    401,
  );
  for (const query of ['mode=view', '']) {
    const viewer = await subject.attach({ session: session.session, token }, { query });
    assert.is(viewer.notice.mode, 'view');
    await viewer.end();
  }
});

own('an unknown mode is 400', async () => {
  const session = await subject.create();
  assert.is(
    (await subject.refused(session.session, { token: session.token, query: 'mode=own' })).status,
    400,
  );
});

test.run();
