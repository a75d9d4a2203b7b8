// The floor plane and the audit feed through the SDK, against a real server with demo agents, over a line that is cut.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../clients/sdk/index.js';
import { SeatRig } from '../support/seat-rig.js';
import { CutProxy } from './cut-proxy.js';

const retryDelayMs = () => 20;

const test = suite<{ rig: SeatRig; proxy: CutProxy; client: Client }>('sdk floor');
test.before(async (context) => {
  context.rig = await SeatRig.start();
  const { hostname, port } = new URL(context.rig.server.url);
  context.proxy = new CutProxy({ host: hostname, port: Number(port) });
  await context.proxy.open();
  context.client = connect({ url: context.proxy.url, credential: context.rig.server.credential });
});
test.after(async ({ rig, proxy }) => {
  await proxy.close();
  await rig.close();
});

test('a request tells its acceptance, its decisions and its outcome', async ({ rig, client }) => {
  const agent = await rig.seat('told');
  const floor = client.floor();
  const handle = floor.request({ seat: 'told', origin: 'wake', body: 'good morning', wait_ms: 10_000 });
  const heard: string[] = [];
  handle.on('accepted', ({ id }) => heard.push(`accepted ${id === handle.id || handle.id === undefined}`));
  handle.on('decision', ({ decision }) => heard.push(decision));
  const outcome = await handle.outcome;
  assert.is(outcome.state, 'complete');
  assert.is(outcome.confirmed, true);
  assert.is(heard[0], 'accepted true');
  assert.is(heard.at(-1), 'grant');
  assert.equal(await agent.submitted(), ['good morning']);
  floor.close();
  assert.is((await floor.closed).error, undefined);
});

test('a refusal before acceptance is an outcome with its reason', async ({ client }) => {
  const floor = client.floor();
  const outcome = await floor.request({ seat: 'told', origin: 'send', body: 'a\x03' }).outcome;
  assert.is(outcome.state, 'failed');
  assert.is(outcome.id, undefined);
  assert.is(outcome.reason, 'body_control_characters');
  floor.close();
});

test('a watch tells the present state first, and a seat that is none is refused', async ({ client }) => {
  const floor = client.floor();
  const seats: string[] = [];
  floor.on('status', ({ seat }) => seats.push(seat));
  await floor.watch(['told']);
  assert.equal(seats, ['told']);
  let reason = '';
  await floor.watch(['nosuch']).catch((error: { reason: string }) => {
    reason = error.reason;
  });
  assert.is(reason, 'seat_not_found');
  floor.close();
});

test('48 a waiting request can be withdrawn, and nothing is typed', async ({ rig, client }) => {
  const agent = await rig.seat('back');
  await rig.send('back', 'work 2s');
  const floor = client.floor();
  const handle = floor.request({ seat: 'back', origin: 'wake', body: 'never', wait_ms: 20_000 });
  await handle.once('accepted');
  assert.is(await floor.withdraw(handle), 'withdrawn');
  assert.is((await handle.outcome).reason, 'withdrawn');
  await rig.status('back', ({ state }) => state === 'idle');
  assert.equal(await agent.submitted(), ['work 2s']);
  floor.close();
});

test('a request outlives its connection: found again by its key, typed once, watched seats go on', async ({
  rig,
  proxy,
  client,
}) => {
  const agent = await rig.seat('cut');
  await rig.send('cut', 'work 2s');
  const floor = client.floor({ retryDelayMs });
  await floor.watch(['cut']);
  const handle = floor.request({ seat: 'cut', origin: 'wake', body: 'once', wait_ms: 20_000 });
  await handle.once('accepted');
  const again = floor.once('open');
  const greeted = floor.once('status');
  proxy.cut();
  assert.is((await again).resumed, true);
  assert.is((await greeted).seat, 'cut');
  assert.is((await handle.outcome).state, 'complete');
  assert.equal(await agent.submitted(), ['work 2s', 'once']);
  floor.close();
});

test('an outcome that came while the line was down is told afterwards', async ({ rig, proxy, client }) => {
  const agent = await rig.seat('down');
  await rig.send('down', 'work 1s');
  const floor = client.floor({ retryDelayMs });
  const handle = floor.request({ seat: 'down', origin: 'wake', body: 'meanwhile', wait_ms: 20_000 });
  await handle.once('accepted');
  await proxy.close();
  await agent.until((entries) =>
    entries.find((entry) => entry.type === 'submit' && entry.text === 'meanwhile'),
  );
  await rig.status('down', ({ state, turns }) => state === 'idle' && turns === 2);
  await proxy.open();
  const outcome = await handle.outcome;
  assert.is(outcome.state, 'complete');
  assert.is(outcome.id, handle.id);
  assert.equal(await agent.submitted(), ['work 1s', 'meanwhile']);
  floor.close();
});

test("another sender's request is not found under its key", async ({ rig, client }) => {
  await rig.seat('mine');
  await rig.send('mine', 'work 2s');
  const floor = client.floor();
  const handle = floor.request({
    ...{ seat: 'mine', origin: 'wake', body: 'secret', wait_ms: 20_000 },
    ...{ idempotency_key: 'guess' },
  } as const);
  await handle.once('accepted');
  const minted = await rig.call('POST', '/admin/tokens', { kind: 'shepherd', name: 'other' });
  const { WebSocket } = await import('ws');
  const { decodeFrame, encodeFrame } = await import('../../protocol/codec.js');
  const socket = new WebSocket(`${rig.server.url.replace('http', 'ws')}/floor`, ['openfloor.floor.v1'], {
    headers: { authorization: `Bearer ${minted.body.token}` },
  });
  const answer = new Promise<unknown>((resolve) =>
    socket.on('message', (data: Buffer) => {
      const decoded = decodeFrame(data);
      resolve(decoded.ok ? decoded.value.reason : undefined);
    }),
  );
  socket.on('open', () =>
    socket.send(
      encodeFrame({ type: 'watch', ref: 1, requests: [{ seat: 'mine', idempotency_key: 'guess' }] }),
    ),
  );
  assert.is(await answer, 'request_not_found');
  socket.terminate();
  await floor.withdraw(handle);
  floor.close();
});

test('the audit feed goes on from its cursor after the line was cut: no gap, no duplicate', async ({
  rig,
  proxy,
  client,
}) => {
  const feed = client.audit.follow(0, { retryDelayMs });
  const seen: number[] = [];
  const reached = (seq: number) =>
    new Promise<void>((resolve) => {
      const off = feed.on('record', (record) => {
        if (record.seq < seq) return;
        off();
        resolve();
      });
      if (feed.after >= seq) resolve();
    });
  feed.on('record', ({ seq }) => seen.push(seq));
  const { head } = await client.audit.page({ limit: 1 });
  await reached(head);
  const lost = feed.once('lost');
  await proxy.close();
  await lost;
  await rig.call('POST', '/admin/tokens', { kind: 'auditor', name: 'while-down' });
  await proxy.open();
  await reached((await client.audit.page({ limit: 1 })).head);
  assert.equal(
    seen,
    Array.from({ length: seen.length }, (_, at) => at + 1),
  );
  assert.ok(seen.length > head);
  feed.close();
  assert.is((await client.audit.verify()).ok, true);
});

test('an attachment tells the frames of its seat by name', async ({ rig, client }) => {
  await rig.seat('frames');
  const attachment = client.attach('frames', { mode: 'view' });
  const names: string[] = [];
  for (const name of ['status', 'presence', 'injection'] as const) {
    attachment.on(name, ({ seat }) => names.push(`${name} ${seat}`));
  }
  const finished = new Promise<void>((resolve) =>
    attachment.on('injection', ({ phase }) => {
      if (phase === 'finished') resolve();
    }),
  );
  await attachment.ready;
  assert.is((await client.send({ seat: 'frames', text: 'hello' })).outcome, 'delivered');
  await finished;
  for (const name of ['status', 'presence', 'injection']) assert.ok(names.includes(`${name} frames`), name);
  await attachment.detach();
});

test.run();
