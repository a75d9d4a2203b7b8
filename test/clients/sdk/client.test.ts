// The admin side of a client: routes, headers, and every failure as one SdkError that keeps secrets out of its text.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect, login, parseServerUrl, SDK_REASONS, SdkError } from '../../../clients/sdk/index.js';
import { type BrowserSocket, browserDial } from '../../../clients/sdk/socket.js';
import { startTapeServer, type TapeServer } from './tape-server.js';

const test = suite<{ server: TapeServer }>('client');
test.before.each(async (context) => {
  context.server = await startTapeServer();
});
test.after.each(async (context) => {
  await context.server.close();
});

async function failure(promise: Promise<unknown>): Promise<SdkError> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, SdkError);
    return error as SdkError;
  }
  throw new Error('expected a failure');
}

test('every verb of the admin plane has its route, with names percent-encoded', async ({ server }) => {
  const { sessions, tokens, tickets } = connect({ url: `${server.url}/`, credential: 's' });
  await sessions.list();
  await sessions.create({ name: 'a', command: ['bash'] });
  await sessions.renew('a@rig');
  await sessions.restart('a');
  await sessions.kill('a');
  await sessions.mintToken('a', { mode: 'view' });
  await tokens.mint({ kind: 'auditor', name: 'x' });
  await tokens.list();
  await tokens.revoke('id/1');
  await tickets.create();
  assert.equal(
    server.requests.map(({ method, path, body }) => `${method} ${path} ${body}`.trim()),
    [
      'GET /admin/sessions',
      'POST /admin/sessions {"name":"a","command":["bash"]}',
      'POST /admin/sessions/a%40rig/renew',
      'POST /admin/sessions/a/restart',
      'DELETE /admin/sessions/a',
      'POST /admin/sessions/a/tokens {"mode":"view"}',
      'POST /admin/tokens {"kind":"auditor","name":"x"}',
      'GET /admin/tokens',
      'DELETE /admin/tokens/id%2F1',
      'POST /admin/tickets {}',
    ],
  );
  assert.ok(server.requests.every(({ authorization }) => authorization === 'Bearer s'));
});

test('a ticket is exchanged without a credential', async ({ server }) => {
  server.answer = () => ({ status: 200, body: '{"token":"t","expires_in_secs":60}' });
  assert.equal(await login(server.url, 'ticket-1'), { token: 't', expires_in_secs: 60 });
  assert.is(server.requests[0]?.authorization, undefined);
  assert.is(server.requests[0]?.body, '{"ticket":"ticket-1"}');
});

test('an error of the server keeps its sentence, reason and next step', async ({ server }) => {
  server.answer = () => ({
    status: 409,
    body: '{"error":"session already exists: a","reason":"session_exists","next":"Choose another name."}',
  });
  const error = await failure(connect({ url: server.url, credential: 's' }).sessions.list());
  assert.is(error.message, 'session already exists: a');
  assert.is(error.reason, 'session_exists');
  assert.is(error.next, 'Choose another name.');
  assert.is(error.status, 409);
});

test('a status without a body, with plain text or with a page has a sentence of its own', async ({
  server,
}) => {
  const client = connect({ url: server.url, credential: 'very-secret' });
  const cases = [
    [401, '', 'unauthorized', /credential/],
    [503, 'runtime is draining for shutdown', 'unavailable', /^runtime is draining for shutdown$/],
    [502, '<html>bad gateway</html>', 'server_error', /status 502/],
    [418, '', 'bad_request', /status 418/],
  ] as const;
  for (const [status, body, reason, message] of cases) {
    server.answer = () => ({ status, body });
    const error = await failure(client.sessions.list());
    assert.is(error.reason, reason);
    assert.match(error.message, message);
    assert.not.match(`${error.message} ${error.next}`, /very-secret/);
  }
});

test('an answer that is no JSON is bad_answer', async ({ server }) => {
  server.answer = () => ({ status: 200, body: '<html>' });
  assert.is(
    (await failure(connect({ url: server.url, credential: 's' }).sessions.list())).reason,
    'bad_answer',
  );
});

test('an address where nothing listens is unreachable, and not healthy', async ({ server }) => {
  await server.close();
  const client = connect({ url: server.url, credential: 's' });
  const error = await failure(client.sessions.list());
  assert.is(error.reason, 'unreachable');
  assert.match(error.message, /ECONNREFUSED/);
  assert.is(await client.healthy(), false);
});

test('a request without a credential is refused before anything is sent', async ({ server }) => {
  const error = await failure((async () => connect({ url: server.url }).sessions.list())());
  assert.is(error.reason, 'no_credential');
  assert.equal(server.requests, []);
});

test('an address that is none, or that carries a user or a query, is refused without repeating it', () => {
  for (const url of ['', 'x', 'ftp://h', 'http://user:pw@h', 'http://h/?token=secret']) {
    try {
      parseServerUrl(url);
      assert.unreachable(url);
    } catch (error) {
      assert.is((error as SdkError).reason, 'bad_url');
      assert.not.match((error as SdkError).message, /secret|pw/);
    }
  }
  assert.is(parseServerUrl('http://h:1/base/'), 'http://h:1/base');
});

test('a bad seat name is refused with the sentence of the contract', () => {
  assert.throws(
    () => connect({ url: 'http://h', token: 't' }).attach('BAD NAME'),
    (error: SdkError) =>
      error.reason === 'bad_options' && /invalid session name "BAD NAME"/.test(error.message),
  );
});

test('a browser offers its token and the plane as subprotocols, and its refusal comes once', () => {
  const opened: Array<{ url: string; protocols: string[]; socket: BrowserSocket }> = [];
  class FakeSocket implements BrowserSocket {
    binaryType = '';
    readyState = 0;
    bufferedAmount = 0;
    onopen = null;
    onmessage: BrowserSocket['onmessage'] = null;
    onclose: BrowserSocket['onclose'] = null;
    onerror = null;
    constructor(url: string, protocols: string[]) {
      opened.push({ url, protocols, socket: this });
    }
    send(): void {}
    close(): void {}
  }
  const told: string[] = [];
  browserDial(FakeSocket)(
    { url: 'ws://h/pty/a?mode=join', token: 'tok', protocol: 'openab.pty.v1' },
    {
      open: () => told.push('open'),
      text: (text) => told.push(text),
      bytes: (bytes) => told.push(`bytes ${bytes.length}`),
      alive: () => told.push('alive'),
      refused: () => told.push('refused'),
      close: (code) => told.push(`close ${code}`),
    },
  );
  const { url, protocols, socket } = opened[0]!;
  assert.is(url, 'ws://h/pty/a?mode=join');
  assert.equal(protocols, ['openab.bearer.tok', 'openab.pty.v1']);
  assert.is(socket.binaryType, 'arraybuffer');
  socket.onclose?.({ code: 1006, reason: '' });
  socket.onclose?.({ code: 1006, reason: '' });
  socket.onmessage?.({ data: 'late' });
  assert.equal(told, ['refused']);
});

test('the reasons of the SDK are those of its spec page', () => {
  const page = readFileSync('spec/sdk.md', 'utf8');
  const table = page
    .slice(page.indexOf('## 5. Errors'))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const codes = table.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map((match) => match[1]),
  );
  assert.equal(codes.sort(), [...SDK_REASONS].sort());
});

test.run();
