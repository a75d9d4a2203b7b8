// Who gets in: pages and host names, tokens of the wrong kind, session, generation or age, tickets, and throttles that
// answer failures only. Quality bars S1 and S2; cases D23, U7, U8, U10, U18 and U21 of the attach contract.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { external, full, openSubject, type Subject } from '../support/subject.js';
import { askRaw } from '../support/wire.js';

const test = suite('conformance: security');
const own = external ? test.skip : test;
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

own('S1 a foreign Origin is 403 on every plane, before the token is looked at', async () => {
  const session = await subject.create();
  const { host } = new URL(subject.url);
  for (const origin of [
    'https://evil.example',
    'null',
    `http://${host}.evil.example`,
    'http://127.0.0.1:1',
  ]) {
    const refusal = await subject.refused(session.session, { token: session.token, headers: { origin } });
    assert.is(refusal.status, 403, origin);
    const admin = await subject.admin('GET', '/admin/sessions', undefined, { origin });
    assert.is(admin.status, 403, origin);
  }
  const home = await subject.attach(session, { headers: { origin: `http://${host}` } });
  await home.end();
});

own('S1 an unknown Host is 403 on every plane', async () => {
  const session = await subject.create();
  const host = 'rebound.example';
  assert.is(
    (await subject.refused(session.session, { token: session.token, headers: { host } })).status,
    403,
  );
  for (const [method, path] of [
    ['GET', '/admin/sessions'],
    ['GET', '/healthz'],
    ['POST', '/api/login'],
  ] as const) {
    assert.is((await subject.admin(method, path, undefined, { host })).status, 403, path);
  }
  const port = new URL(subject.url).port;
  assert.is(
    (await subject.admin('GET', '/admin/sessions', undefined, { host: `localhost:${port}` })).status,
    200,
  );
});

test('S1 a token in the query string opens nothing', async () => {
  const session = await subject.create();
  for (const key of ['token', 'access_token', 'bearer', 'ticket']) {
    const refusal = await subject.refused(session.session, { query: `${key}=${session.token}` });
    assert.ok(refusal.status === 401 || refusal.status === 400, `${key}: ${refusal.status}`);
    const admin = await subject.ask('GET', `/admin/sessions?${key}=${subject.credential}`, {
      from: subject.source(),
    });
    assert.is(admin.status, 401, key);
  }
});

test('S1 a token of another session, of an older generation or revoked is 401', async () => {
  const [a, b] = [await subject.create(), await subject.create()];
  assert.is((await subject.refused(a.session, { token: b.token })).status, 401);
  await subject.renew(a.session);
  assert.is((await subject.refused(a.session, { token: a.token })).status, 401);
  await subject.kill(b.session);
  assert.is((await subject.refused(b.session, { token: b.token })).status, 401);
  const again = await subject.restart(b.session);
  assert.is((await subject.refused(b.session, { token: b.token })).status, 401);
  const client = await subject.attach(again);
  await client.end();
});

test('U10 a token works until it is revoked, more than once', async () => {
  const session = await subject.create();
  for (let n = 0; n < 3; n++) {
    const client = await subject.attach(session);
    client.control({ v: 1, type: 'detach' });
    await client.closed;
  }
});

test('S1 an attach token is no admin credential', async () => {
  const session = await subject.create();
  const answer = await subject.ask('GET', '/admin/sessions', {
    from: subject.source(),
    headers: bearer(session.token),
  });
  assert.is(answer.status, 401);
});

own('S1 a login ticket works once, and what it gives is a credential', async () => {
  const ticket = subject.server?.mintTicket() ?? '';
  const login = () => subject.ask('POST', '/api/login', { body: { ticket }, from: subject.source() });
  const first = await login();
  assert.is(first.status, 200, first.text);
  const { token } = first.json<{ token: string }>();
  assert.is((await subject.ask('GET', '/admin/sessions', { headers: bearer(token) })).status, 200);
  assert.is((await login()).status, 401);
  const wrong = await subject.ask('POST', '/api/login', {
    body: { ticket: '0'.repeat(64) },
    from: subject.source(),
  });
  assert.is(wrong.status, 401);
});

test('D23 every cause of a 401 on attach has the same status, headers and body', async () => {
  const [live, killed, renewed] = [await subject.create(), await subject.create(), await subject.create()];
  await subject.kill(killed.session);
  await subject.renew(renewed.session);
  const { host } = new URL(subject.url);
  const knock = async (name: string, header: string) => {
    const answer = await askRaw(
      subject.url,
      `GET /pty/${name} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `Sec-WebSocket-Protocol: openab.pty.v1\r\n${header}\r\n`,
      { from: subject.source() },
    );
    return answer.replace(/\r\ndate: [^\r]*/i, '');
  };
  const authorization = (token: string) => `Authorization: Bearer ${token}\r\n`;
  const causes: ReadonlyArray<readonly [string, string, string]> = [
    ['no token', live.session, ''],
    ['an empty token', live.session, 'Authorization: Bearer \r\n'],
    ['a wrong token', live.session, authorization('0'.repeat(64))],
    ['an oversize token', live.session, authorization('0'.repeat(600))],
    ['a bad name', 'BAD_NAME', authorization(live.token)],
    ['an unknown session', 'nosuch', authorization(live.token)],
    ['a killed session', killed.session, authorization(killed.token)],
    ['an older generation', renewed.session, authorization(renewed.token)],
    ["another session's token", live.session, authorization(renewed.token)],
    ['the admin credential', live.session, authorization(subject.credential)],
  ];
  const answers = [];
  for (const [cause, name, header] of causes) answers.push({ cause, text: await knock(name, header) });
  const [first] = answers;
  assert.match(first?.text ?? '', /^HTTP\/1\.1 401 /);
  for (const { cause, text } of answers) assert.is(text, first?.text, cause);
});

test('U7 a ban answers failures with 429 and a retry-after, and never a right token', async () => {
  const session = await subject.create();
  const from = subject.source();
  if (from === undefined) return;
  const { upgrade_bans: bans } = (await subject.list()).abuse;
  const statuses: number[] = [];
  let banned: Awaited<ReturnType<typeof subject.refused>> | undefined;
  for (let n = 0; n < 8; n++) {
    const refusal = await subject.refused(session.session, { token: 'f'.repeat(64), from });
    statuses.push(refusal.status);
    if (refusal.status === 429) banned = refusal;
  }
  assert.equal(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
  assert.equal(statuses.slice(5), [429, 429, 429]);
  assert.is(banned?.text, '');
  assert.ok(Number(banned?.headers['retry-after']) >= 1);
  assert.ok(((await subject.list()).abuse.upgrade_bans as number) > (bans as number));
  const right = await subject.attach(session, { from });
  await right.end();
  // Another source is not banned.
  assert.is((await subject.refused(session.session, { token: 'f'.repeat(64) })).status, 401);
});

test('U7 a success clears the failures of its source', async () => {
  const session = await subject.create();
  const from = subject.source();
  if (from === undefined) return;
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) {
      assert.is((await subject.refused(session.session, { token: 'f'.repeat(64), from })).status, 401);
    }
    const right = await subject.attach(session, { from });
    await right.end();
  }
});

test('U8 failures inside a block are 429, from that source only, and the right credential always passes', async () => {
  const from = subject.source();
  if (from === undefined) return;
  const wrong = (source: string | undefined) =>
    subject.ask('GET', '/admin/sessions', { from: source, headers: bearer('0'.repeat(64)) });
  const { admin_auth_failures: before } = (await subject.list()).abuse;
  const answers = [];
  for (let n = 0; n < 12; n++) answers.push(await wrong(from));
  assert.is(answers[0]?.status, 401);
  const blocked = answers.filter((answer) => answer.status === 429);
  assert.ok(blocked.length > 0);
  for (const answer of blocked) {
    assert.is(answer.text, '');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  }
  assert.ok(((await subject.list()).abuse.admin_auth_failures as number) >= (before as number) + 12);
  const right = await subject.ask('GET', '/admin/sessions', { from, headers: bearer(subject.credential) });
  assert.is(right.status, 200);
  assert.is((await wrong(subject.source())).status, 401);
});

test('U8 a missing header counts as a failure', async () => {
  const from = subject.source();
  if (from === undefined) return;
  const statuses = [];
  for (let n = 0; n < 12; n++) statuses.push((await subject.ask('GET', '/admin/sessions', { from })).status);
  assert.is(statuses[0], 401);
  assert.ok(statuses.includes(429));
});

test('S2 wrong credentials never lock out a right one, from the same source', async () => {
  const from = subject.source();
  const session = await subject.create();
  const wrong = full ? 10_000 : 600;
  for (let n = 0; n < wrong; n++) {
    const secret = n.toString(16).padStart(64, '0');
    const answer = await subject.ask('GET', '/admin/sessions', { from, headers: bearer(secret) });
    assert.ok(answer.status === 401 || answer.status === 429, `${answer.status}`);
    if (n % 20 !== 0) continue;
    const refusal = await subject.refused(session.session, { token: secret, from });
    assert.ok(refusal.status === 401 || refusal.status === 429, `${refusal.status}`);
    const right = await subject.ask('GET', '/admin/sessions', { from, headers: bearer(subject.credential) });
    assert.is(right.status, 200, `after ${n}`);
    const client = await subject.attach(session, { from });
    client.control({ v: 1, type: 'detach' });
    await client.closed;
  }
});

own(
  'U18 U21 no secret of the server or of another session is in a child, its arguments or the list',
  async () => {
    const other = await subject.create();
    const { session, client } = await subject.shell();
    const environment = await client.run('env; cat /proc/$$/cmdline | tr "\\0" " "', 8_000);
    for (const secret of [subject.credential, other.token, session.token]) {
      assert.not.ok(environment.includes(secret));
      assert.not.ok(JSON.stringify(await subject.list()).includes(secret));
    }
    await client.end();
  },
);

own('U18 the child gets the allowlist only, with a TERM and a HOME', async () => {
  process.env.CONFORMANCE_LEAK = 'leaked';
  process.env.OPENAB_LEAK = 'leaked';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'leaked';
  const { client } = await subject.shell();
  const environment = await client.run('env');
  assert.not.match(environment, /CONFORMANCE_LEAK|OPENAB_LEAK|AWS_SECRET_ACCESS_KEY/);
  for (const name of ['TERM', 'HOME', 'PATH']) assert.match(environment, new RegExp(`^${name}=.`, 'm'));
  await client.end();
});

own('healthz says only that it lives; metrics and the document need a credential', async () => {
  const health = await subject.ask('GET', '/healthz');
  assert.is(health.status, 200);
  assert.equal(health.json(), { ok: true });
  for (const path of ['/metrics', '/openapi.json']) {
    assert.is((await subject.ask('GET', path, { from: subject.source() })).status, 401, path);
    assert.is((await subject.admin('GET', path)).status, 200, path);
  }
});

test.run();
