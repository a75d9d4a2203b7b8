// An attachment over real sockets on loopback: what is delivered, what is dropped, when it goes on and when it ends.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttachmentEvents, type AttachOptions, connect, SdkError } from '../../../clients/sdk/index.js';
import { noticeFrame, startTapeServer, type TapeServer } from './tape-server.js';

const test = suite<{ server: TapeServer }>('attachment');
test.before.each(async (context) => {
  context.server = await startTapeServer();
});
test.after.each(async (context) => {
  await context.server.close();
});

const attach = (server: TapeServer, options: AttachOptions = {}) =>
  connect({ url: server.url, credential: 'admin-secret' }).attach('bash', {
    retryDelayMs: () => 1,
    ...options,
  });

/** Collects output until `count` bytes have come. */
function collector(attachment: ReturnType<typeof attach>) {
  const got: number[] = [];
  let wake: (() => void) | undefined;
  attachment.on('bytes', ({ offset, bytes }) => {
    assert.is(offset, got.length);
    got.push(...bytes);
    wake?.();
  });
  return {
    got,
    until: async (count: number) => {
      while (got.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test('a minted token goes in the header, never in the address, and the mode, size and offset in the query', async ({
  server,
}) => {
  const attachment = attach(server, { mode: 'join', rows: 30, cols: 100, since: 0 });
  const notice = await attachment.ready;
  assert.is(notice.generation, 1);
  assert.equal(server.requests, [
    {
      method: 'POST',
      path: '/admin/sessions/bash/tokens',
      authorization: 'Bearer admin-secret',
      body: '{"mode":"join"}',
    },
  ]);
  const [client] = server.attached;
  assert.is(client?.headers.authorization, 'Bearer minted-1');
  assert.is(client?.headers['sec-websocket-protocol'], 'openab.pty.v1');
  assert.is(client?.path, '/pty/bash');
  assert.equal(Object.fromEntries(client?.query ?? []), {
    mode: 'join',
    since: '0',
    rows: '30',
    cols: '100',
  });
  await attachment.detach();
});

test('output is byte-exact over connections that are cut at every point', async ({ server }) => {
  const attachment = attach(server, { since: 0 });
  const output = collector(attachment);
  await attachment.ready;
  const sent: number[] = [];
  for (let round = 0; round < 8; round++) {
    const bytes = Uint8Array.from({ length: 1_000 + round }, (_, index) => (index * 7 + round) & 0xff);
    sent.push(...bytes);
    server.append(bytes);
    // Some rounds are cut while their bytes are still on the way, some after all have come.
    if (round % 2 === 0) await output.until(sent.length);
    const again = attachment.once('attached');
    server.attached.at(-1)?.socket.terminate();
    assert.is((await again).resumed, true);
  }
  await output.until(sent.length);
  assert.equal(output.got, sent);
  assert.is(attachment.offset, sent.length);
  await attachment.detach();
});

test('a resume asks for exactly the next byte and keeps the size of the terminal', async ({ server }) => {
  const attachment = attach(server, { since: 0, rows: 24, cols: 80 });
  const output = collector(attachment);
  await attachment.ready;
  server.append(Uint8Array.of(1, 2, 3));
  await output.until(3);
  attachment.resize(50, 120);
  const again = attachment.once('attached');
  server.attached[0]?.socket.terminate();
  await again;
  assert.equal(Object.fromEntries(server.attached[1]?.query ?? []), {
    mode: 'join',
    since: '3',
    rows: '50',
    cols: '120',
  });
  await attachment.detach();
});

test('what is typed without a connection is dropped with an event and never sent later', async ({
  server,
}) => {
  const attachment = attach(server);
  const dropped: AttachmentEvents['dropped'][] = [];
  attachment.on('dropped', (event) => dropped.push(event));
  assert.is(attachment.write('early'), 'dropped');
  await attachment.ready;
  assert.is(attachment.write('one'), 'sent');
  const lost = attachment.once('lost');
  const again = attachment.once('attached');
  server.attached[0]?.socket.terminate();
  await lost;
  assert.is(attachment.write('stale'), 'dropped');
  await again;
  assert.is(attachment.write('two'), 'sent');
  await attachment.detach();
  assert.equal(server.attached[1]?.received, ['two', { v: 1, type: 'detach' }]);
  assert.equal(dropped, [
    { bytes: 5, why: 'not_attached' },
    { bytes: 5, why: 'not_attached' },
  ]);
});

test('a viewer sends neither keys nor sizes nor composing', async ({ server }) => {
  const attachment = attach(server, { mode: 'view' });
  await attachment.ready;
  assert.is(attachment.write('x'), 'dropped');
  attachment.resize(10, 40);
  attachment.composing(true);
  await attachment.detach();
  assert.equal(server.attached[0]?.received, [{ v: 1, type: 'detach' }]);
});

test('input longer than a frame is sent in frames that the server accepts, in order', async ({ server }) => {
  const attachment = attach(server);
  await attachment.ready;
  attachment.write('a'.repeat(65_536) + 'b');
  await attachment.detach();
  assert.equal(
    server.attached[0]?.received.map((frame) => (typeof frame === 'string' ? frame.length : frame.type)),
    [65_536, 1, 'detach'],
  );
});

test('a token that a resume finds refused is minted anew, once', async ({ server }) => {
  const attachment = attach(server);
  await attachment.ready;
  server.refusals.push(401);
  const again = attachment.once('attached');
  server.attached[0]?.socket.terminate();
  await again;
  assert.is(server.attached[1]?.headers.authorization, 'Bearer minted-2');
  server.refusals.push(401, 401);
  server.attached[1]?.socket.terminate();
  const end = await attachment.closed;
  assert.is(end.error?.reason, 'unauthorized');
  assert.is(server.requests.length, 3);
});

test('a fixed token is never replaced: its refusal is final', async ({ server }) => {
  const attachment = attach(server, { token: 'fixed' });
  await attachment.ready;
  server.refusals.push(401);
  server.attached[0]?.socket.terminate();
  assert.is((await attachment.closed).error?.reason, 'unauthorized');
  assert.equal(server.requests, []);
});

test('a first attach that fails rejects with the reason and closes exactly once', async ({ server }) => {
  server.refusals.push(401);
  const attachment = attach(server, { token: 'wrong' });
  let closes = 0;
  attachment.on('close', () => closes++);
  try {
    await attachment.ready;
    assert.unreachable();
  } catch (error) {
    assert.instance(error, SdkError);
    assert.is((error as SdkError).reason, 'unauthorized');
    assert.is((error as SdkError).status, 401);
  }
  assert.is(closes, 1);
  assert.is(attachment.state, 'closed');
});

test('bytes lost to a gap are told, and a client that wants a screen gets a snapshot instead of rubbish', async ({
  server,
}) => {
  const attachment = attach(server, { snapshot: true });
  server.script = (client) => {
    client.send(noticeFrame(10, 10));
    client.send({ type: 'snapshot', stream_offset: 10, bytes: 3, rows: 24, cols: 80 });
    client.socket.send(Buffer.from('abc'));
    if (server.attached.length === 1) client.send({ type: 'gap', bytes_dropped: 5 });
  };
  const gap = attachment.once('gap');
  const first = await attachment.once('snapshot');
  assert.is(Buffer.from(first.bytes).toString(), 'abc');
  assert.is(first.offset, 10);
  assert.equal(await gap, { from: 10, bytes: 5 });
  await attachment.once('snapshot');
  assert.is(server.attached[1]?.query.get('snapshot'), '1');
  assert.is(server.attached[1]?.query.get('since'), null);
  assert.is(attachment.offset, 10);
  await attachment.detach();
});

test('a client that counts bytes goes on after a gap with the right offsets', async ({ server }) => {
  server.append(new Uint8Array(100));
  server.start = 60;
  const attachment = attach(server, { since: 20 });
  const gap = attachment.once('gap');
  const bytes = await attachment.once('bytes');
  assert.equal(await gap, { from: 20, bytes: 40 });
  assert.is(bytes.offset, 60);
  assert.is(attachment.offset, 100);
  await attachment.detach();
});

test('a stream of a new generation is told as restarted', async ({ server }) => {
  const attachment = attach(server);
  await attachment.ready;
  server.generation = 2;
  const restarted = attachment.once('restarted');
  server.attached[0]?.socket.terminate();
  assert.is((await restarted).generation, 2);
  await attachment.detach();
});

test('exit, size and frames of later versions reach the caller, and the end of the session is final', async ({
  server,
}) => {
  const attachment = attach(server);
  const told: unknown[] = [];
  attachment.on('size', (event) => told.push(event));
  attachment.on('exit', (event) => told.push(event));
  attachment.on('frame', (event) => told.push(event));
  await attachment.ready;
  const [client] = server.attached;
  client?.send({ type: 'size', rows: 40, cols: 132 });
  client?.send({ type: 'status', state: 'idle' });
  client?.send({ type: 'exit', code: 3, signal: null });
  client?.socket.close(4004, 'session ended');
  const end = await attachment.closed;
  assert.is(end.code, 4004);
  assert.is(end.reason, 'session ended');
  assert.equal(told, [
    { rows: 40, cols: 132 },
    { v: 1, type: 'status', state: 'idle' },
    { code: 3, signal: null },
  ]);
});

test('a connection that breaks after the exit frame is the end, not something to resume', async ({
  server,
}) => {
  const attachment = attach(server);
  await attachment.ready;
  const exit = attachment.once('exit');
  server.attached[0]?.send({ type: 'exit', code: 0, signal: null });
  await exit;
  server.attached[0]?.socket.terminate();
  assert.is((await attachment.closed).code, 4004);
});

test('a server that falls silent is given up and dialled again', async ({ server }) => {
  server.script = (client) => {
    client.send(noticeFrame(0, 0));
    if (server.attached.length === 1) client.socket.pause();
  };
  const attachment = attach(server, { heartbeatMs: 20 });
  const lost = await attachment.once('lost');
  assert.is(lost.code, 1006);
  assert.match(lost.reason, /silent/);
  await attachment.once('attached');
  await attachment.detach();
});

test('a quiet session with a living server is never given up, and composing is renewed', async ({
  server,
}) => {
  const attachment = attach(server, { heartbeatMs: 20 });
  await attachment.ready;
  attachment.composing(true);
  const [client] = server.attached;
  // Ten pings are more than three heartbeats of silence.
  await new Promise<void>((resolve) => {
    client?.socket.on('message', () => {
      if (client.received.filter((frame) => typeof frame !== 'string' && frame.type === 'ping').length >= 10)
        resolve();
    });
  });
  assert.is(server.attached.length, 1);
  const composing = client?.received.filter(
    (frame) => typeof frame !== 'string' && frame.type === 'composing',
  );
  assert.ok((composing?.length ?? 0) >= 10);
  await attachment.detach();
});

test('detaching while the connection is lost ends at once, and nothing is dialled again', async ({
  server,
}) => {
  const attachment = attach(server);
  await attachment.ready;
  const lost = attachment.once('lost');
  server.attached[0]?.socket.terminate();
  await lost;
  const end = await attachment.detach();
  assert.is(end.code, 1000);
  assert.is(end.error, undefined);
  assert.is(server.attached.length, 1);
});

test('a server that is gone is given up after resumeForMs', async ({ server }) => {
  const attachment = attach(server, { resumeForMs: 1 });
  await attachment.ready;
  await server.close();
  const end = await attachment.closed;
  assert.is(end.error?.reason, 'connection_lost');
});

test.run();
