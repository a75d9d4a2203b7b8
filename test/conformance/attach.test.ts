// Attaching: how the token is carried, what the first frame says, sizes, subprotocols and queries of the URL. Cases of
// the attach contract E1 to E3, E10, E13, U5, U17 and D7, D21, D22.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSubject, type Subject } from '../support/subject.js';
import { askRaw } from '../support/wire.js';

const test = suite('conformance: attach');
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

test('E1 a valid token attaches, and the notice is the first frame with all its fields', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  const first = client.frames[0];
  assert.ok(first && 'text' in first);
  const notice = client.notice;
  assert.is(notice.v, 1);
  assert.is(notice.type, 'attach-notice');
  assert.is(notice.ephemeral_workspace, true);
  assert.is(notice.teardown_best_effort, true);
  assert.is(typeof notice.externalise_with, 'string');
  assert.ok(Number.isInteger(notice.stream_offset) && (notice.stream_offset as number) >= 0);
  await client.end();
});

test('E1 create answers 200 with a 64-digit token, generation 1 and the seconds until it expires', async () => {
  const session = await subject.create();
  assert.is(session.generation, 1);
  assert.match(session.token, /^[0-9a-f]{64}$/);
  const expiry = session.token_expires_in_secs;
  assert.ok(expiry === null || (Number.isInteger(expiry) && expiry >= 0));
});

test('E2 a token carried in the subprotocol attaches', async () => {
  const session = await subject.create();
  const client = await subject.attach(session, { inProtocol: true });
  assert.is(client.socket.protocol, 'openab.pty.v1');
  await client.end();
});

test('E3 a wrong token, no token and an unknown session are each 401 without a body', async () => {
  const session = await subject.create();
  for (const [name, token] of [
    [session.session, '0'.repeat(64)],
    [session.session, undefined],
    ['nosuch', session.token],
  ] as const) {
    const answer = await subject.refused(name, { token });
    assert.is(answer.status, 401);
    assert.is(answer.text, '');
  }
});

test('E13 the admin credential is no attach token, and POST below /pty is 404 or 405', async () => {
  const session = await subject.create();
  const refusal = await subject.refused(session.session, { token: subject.credential });
  assert.is(refusal.status, 401);
  for (const path of [`/pty/${session.session}`, `/pty/${session.session}/input`]) {
    const answer = await subject.admin('POST', path, {});
    assert.ok(answer.status === 404 || answer.status === 405, `${path} answered ${answer.status}`);
  }
});

test('U5 an Authorization header wins over the subprotocol, and only an exact Bearer prefix counts', async () => {
  const session = await subject.create();
  const attempt = (headers: Record<string, string>, protocols: string[]) => ({ headers, protocols });
  const good = [`openab.bearer.${session.token}`, 'openab.pty.v1'];
  const fallsThrough = await subject.attach(
    { session: session.session, token: '' },
    { token: undefined, ...attempt({ authorization: 'Basic eDp5' }, good) },
  );
  await fallsThrough.end();
  const wrongHeader = await subject.refused(
    session.session,
    attempt({ authorization: 'Bearer nonsense' }, good),
  );
  assert.is(wrongHeader.status, 401);
  const lowerCase = await subject.refused(
    session.session,
    attempt({ authorization: `bearer ${session.token}` }, ['openab.pty.v1']),
  );
  assert.is(lowerCase.status, 401);
});

test('U5 a token of more than 512 bytes and an empty one are 401', async () => {
  const session = await subject.create();
  assert.is((await subject.refused(session.session, { token: 'f'.repeat(513) })).status, 401);
  assert.is((await subject.refused(session.session, { headers: { authorization: 'Bearer ' } })).status, 401);
});

test('E10 a resize reaches the child, a ping is answered, input echoes, and detach leaves the session alive', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  await client.run('true');
  client.control({ v: 1, type: 'resize', cols: 101, rows: 37 });
  await client.settled();
  assert.match(await client.run('stty size'), /37 101/);
  await client.run('echo marker-of-e10');
  client.control({ v: 1, type: 'detach' });
  const closed = await client.closed;
  assert.is(closed.code, 1000);
  const again = await subject.attach(session, { query: 'since=0' });
  assert.ok((again.notice.stream_offset as number) > 0);
  await again.until('marker-of-e10');
  await again.end();
});

test('U17 the size of the create body and of the attach URL reaches the child', async () => {
  const session = await subject.create(subject.name(), { rows: 31, cols: 97 });
  const keeps = await subject.attach(session);
  assert.match(await keeps.run('stty size'), /31 97/);
  await keeps.end();
  const sized = await subject.attach(session, { query: 'rows=40&cols=120' });
  assert.match(await sized.run('stty size'), /40 120/);
  await sized.end();
});

test('D7 an attach without rows and cols keeps the size', async () => {
  const session = await subject.create();
  const first = await subject.attach(session, { query: 'rows=33&cols=111' });
  assert.match(await first.run('stty size'), /33 111/);
  await first.end();
  const second = await subject.attach(session);
  assert.match(await second.run('stty size'), /33 111/);
  await second.end();
});

test('1.4 sizes of the URL outside 1 to 1000 are 400, after authentication', async () => {
  const session = await subject.create();
  for (const query of ['rows=0', 'cols=1001', 'rows=24&cols=0']) {
    const answer = await subject.refused(session.session, { token: session.token, query });
    assert.is(answer.status, 400, query);
  }
  const edge = await subject.attach(session, { query: 'rows=1000&cols=1' });
  await edge.end();
});

test('D21 the subprotocol echo never contains the token', async () => {
  const session = await subject.create();
  const { host } = new URL(subject.url);
  const upgrade = (protocols: string) =>
    askRaw(
      subject.url,
      `GET /pty/${session.session} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `Sec-WebSocket-Protocol: ${protocols}\r\n\r\n`,
      { from: subject.source() },
    );
  const both = await upgrade(`openab.bearer.${session.token}, openab.pty.v1`);
  assert.match(both, /^HTTP\/1\.1 101 /);
  assert.match(both, /\r\nsec-websocket-protocol: openab\.pty\.v1\r\n/i);
  assert.not.match(both, session.token);
  const bearerOnly = await upgrade(`openab.bearer.${session.token}`);
  assert.match(bearerOnly, /^HTTP\/1\.1 101 /);
  assert.not.match(bearerOnly.split('\r\n\r\n')[0] as string, /sec-websocket-protocol/i);
  assert.not.match(bearerOnly, session.token);
});

test('D22 since takes every 64-bit number, and a sign, nothing or a duplicate is 400', async () => {
  const session = await subject.create();
  for (const query of ['since=18446744073709551615', 'since=0', 'since=9007199254740993']) {
    const client = await subject.attach(session, { query });
    await client.end();
  }
  const bad = [
    'since=-1',
    'since=',
    'since=0&since=0',
    'since=1.5',
    'since=0x10',
    'since=18446744073709551616',
  ];
  for (const query of bad) {
    const answer = await subject.refused(session.session, { token: session.token, query });
    assert.is(answer.status, 400, query);
  }
});

test('D22 rows and cols that are no numbers, or come twice, are 400', async () => {
  const session = await subject.create();
  for (const query of ['rows=-1', 'rows=', 'cols=x', 'rows=24&rows=24', 'cols=65536']) {
    const answer = await subject.refused(session.session, { token: session.token, query });
    assert.is(answer.status, 400, query);
  }
});

test('a plain GET of an attach address is no upgrade and starts nothing', async () => {
  const session = await subject.create();
  const answer = await subject.ask('GET', `/pty/${session.session}`, {
    headers: { authorization: `Bearer ${session.token}` },
  });
  assert.ok(answer.status >= 400 && answer.status < 500, `answered ${answer.status}`);
  assert.is((await subject.row(session.session))?.attached, false);
});

test.run();
