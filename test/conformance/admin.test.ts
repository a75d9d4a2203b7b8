// The admin plane: its gate, its answers and its errors. Cases E5, E6, E7, E9, E12, U1, U11, U19 and D8, D9, D14 of the
// attach contract.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { external, openSubject, type Subject } from '../support/subject.js';
import { askRaw, eventually } from '../support/wire.js';

const test = suite('conformance: admin');
const own = external ? test.skip : test;
let subject: Subject;
test.before(async () => {
  subject = await openSubject({ maxSessions: 40 });
});
test.after(() => subject.close());

test('E5 after DELETE, which says admin_kill, the token is 401', async () => {
  const session = await subject.create();
  const report = await subject.kill(session.session);
  assert.is(report.session, session.session);
  assert.is(report.generation, 1);
  assert.is(report.class, 'admin_kill');
  assert.is(report.close_code, 4008);
  assert.is(typeof report.kill_domain.tier, 'string');
  assert.equal(report.kill_domain.survivors, []);
  assert.ok(Number.isInteger(report.kill_domain.elapsed_ms));
  assert.is((await subject.refused(session.session, { token: session.token })).status, 401);
  assert.is((await subject.admin('DELETE', `/admin/sessions/${session.session}`)).status, 404);
});

test('DELETE closes the attached client with 4008', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  await subject.kill(session.session);
  assert.equal(await client.closed, { code: 4008, reason: 'session killed by an operator' });
});

test('E6 renew gives generation 2 and another token: the old one is 401, the new one attaches', async () => {
  const session = await subject.create();
  const renewed = await subject.renew(session.session);
  assert.is(renewed.generation, 2);
  assert.is.not(renewed.token, session.token);
  assert.match(renewed.token, /^[0-9a-f]{64}$/);
  assert.is((await subject.refused(session.session, { token: session.token })).status, 401);
  const client = await subject.attach(renewed);
  await client.end();
});

test('E7 renew while attached closes with 4003, and the process and its output live on', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  await client.run('echo before-renew; here=1');
  const renewed = await subject.renew(session.session);
  assert.equal(await client.closed, { code: 4003, reason: 'attach token renewed' });
  const again = await subject.attach(renewed, { query: 'since=0' });
  await again.until('before-renew');
  assert.match(await again.run('echo "still-$here-"'), /still-1-/);
  await again.end();
});

test('E9 DELETE, then restart: the generation rises, the new token attaches, the scrollback is empty', async () => {
  const session = await subject.create();
  const client = await subject.attach(session);
  await client.run('echo of-the-first-life');
  await subject.kill(session.session);
  const restarted = await subject.restart(session.session);
  assert.ok(restarted.generation >= 2);
  const again = await subject.attach(restarted, { query: 'since=0' });
  await again.run('true');
  assert.not.match(again.output, 'of-the-first-life');
  await again.end();
});

test('a restart of a live session closes its client with 4004 and keeps the size', async () => {
  const session = await subject.create(subject.name(), { rows: 30, cols: 90 });
  const client = await subject.attach(session);
  const restarted = await subject.restart(session.session);
  assert.equal(await client.closed, { code: 4004, reason: 'session ended' });
  assert.ok(restarted.generation > session.generation);
  const again = await subject.attach(restarted);
  assert.match(await again.run('stty size'), /30 90/);
  await again.end();
});

test('E12 every admin route without or with a wrong credential is 401 and does nothing', async () => {
  const session = await subject.create();
  const victim = `/admin/sessions/${session.session}`;
  const fresh = subject.name();
  const routes: ReadonlyArray<readonly [string, string, unknown]> = [
    ['GET', '/admin/sessions', undefined],
    ['POST', '/admin/sessions', { name: fresh }],
    ['POST', `${victim}/renew`, undefined],
    ['POST', `${victim}/restart`, undefined],
    ['DELETE', victim, undefined],
  ];
  const from = subject.source();
  const wrong: ReadonlyArray<Record<string, string>> = [
    {},
    { authorization: `Bearer ${'0'.repeat(64)}` },
    { authorization: 'Basic eDp5' },
  ];
  for (const headers of wrong) {
    for (const [method, path, body] of routes) {
      const answer = await subject.ask(method, path, { body, headers, from });
      assert.ok(
        answer.status === 401 || answer.status === 429,
        `${method} ${path} answered ${answer.status}`,
      );
      assert.is(answer.text, '');
    }
  }
  const right = await subject.ask('GET', '/admin/sessions', {
    from,
    headers: { authorization: `Bearer ${subject.credential}` },
  });
  assert.is(right.status, 200);
  assert.is(await subject.row(fresh), undefined);
  const row = await subject.row(session.session);
  assert.is(row?.generation, 1);
  assert.is(row?.alive, true);
});

test('the list has every field that a client needs', async () => {
  const [a, b] = [await subject.create(), await subject.create()];
  const listing = await subject.list();
  const names = listing.sessions.map((session) => session.name);
  assert.equal(names, [...names].sort());
  assert.ok(names.includes(a.session) && names.includes(b.session));
  for (const row of listing.sessions) {
    assert.is(typeof row.generation, 'number');
    assert.is(typeof row.alive, 'boolean');
    assert.is(typeof row.attached, 'boolean');
    assert.ok(Number.isInteger(row.bytes_written));
    assert.is(row.tier, 'tier1-best-effort-process-group');
    assert.is(row.teardown_best_effort, true);
  }
  assert.is(listing.draining, false);
  assert.is(listing.kill_domain.tier, 'tier1-best-effort-process-group');
  assert.is(listing.kill_domain.teardown_best_effort, true);
  assert.ok(Number.isInteger(listing.kill_domain.leaked_processes));
  assert.ok(Number.isInteger(listing.kill_domain.tracked_processes));
  for (const key of [
    'sessions_created',
    'admission_rejected',
    'takeovers',
    'takeovers_rate_limited',
    'ttl_expired',
    'self_exits',
  ])
    assert.ok(Number.isInteger(listing.metrics[key]), key);
  for (const key of [
    'malformed_frames',
    'oversize_frames',
    'upgrade_failures',
    'upgrade_bans',
    'input_backpressure_disconnects',
    'admin_auth_failures',
  ])
    assert.ok(Number.isInteger(listing.abuse[key]), key);
});

test('attached is true while somebody is attached and false after', async () => {
  const session = await subject.create();
  assert.is((await subject.row(session.session))?.attached, false);
  const client = await subject.attach(session);
  assert.is((await subject.row(session.session))?.attached, true);
  client.control({ v: 1, type: 'detach' });
  await client.closed;
  await eventually(
    'attached: false',
    async () => (await subject.row(session.session))?.attached === false || undefined,
  );
});

test('U1 names of lower case, digits and hyphens up to 32 characters are taken, others are 400 with the sentence', async () => {
  for (const name of ['a', 'my-session', 's0', '-', 'a'.repeat(32)]) {
    const answer = await subject.admin('POST', '/admin/sessions', { name });
    assert.is(answer.status, 200, `${name}: ${answer.text}`);
    await subject.kill(name);
  }
  for (const name of ['', 'a'.repeat(33), 'BAD NAME', 'a_b', 'a.b', 'a/b', 'ä']) {
    const answer = await subject.admin('POST', '/admin/sessions', { name });
    assert.is(answer.status, 400, name);
    const { error } = answer.json<{ error: string }>();
    assert.match(error, /^invalid session name ".*": expected \[a-z0-9-\]\{1,32\}$/);
  }
});

test('U19 each error has its status and its sentence', async () => {
  const session = await subject.create();
  const twice = await subject.admin('POST', '/admin/sessions', { name: session.session });
  assert.is(twice.status, 409);
  assert.is(twice.json<{ error: string }>().error, `session already exists: ${session.session}`);
  for (const [method, path] of [
    ['POST', '/admin/sessions/nosuch/renew'],
    ['POST', '/admin/sessions/nosuch/restart'],
    ['DELETE', '/admin/sessions/nosuch'],
  ] as const) {
    const answer = await subject.admin(method, path);
    assert.is(answer.status, 404, `${method} ${path}`);
    assert.is(answer.json<{ error: string }>().error, 'no such session: nosuch');
    assert.match(answer.headers['content-type'] ?? '', /application\/json/);
  }
  assert.is((await subject.admin('GET', '/nothing/here')).status, 404);
});

test('D8 the gate comes before the body: a bad body without a credential is 401', async () => {
  const json = { 'content-type': 'application/json' };
  const bodies: ReadonlyArray<readonly [Record<string, string>, string]> = [
    [{}, 'x'],
    [json, '{'],
    [json, '{"rows":70000}'],
    [json, JSON.stringify({ name: 'x'.repeat(5_000) })],
  ];
  for (const [headers, body] of bodies) {
    const answer = await subject.ask('POST', '/admin/sessions', { headers, body, from: subject.source() });
    assert.is(answer.status, 401, body.slice(0, 20));
    assert.is(answer.text, '');
  }
});

test('D8 the gate answers before the body has come', async () => {
  const { host } = new URL(subject.url);
  const answer = await askRaw(
    subject.url,
    `POST /admin/sessions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`,
    { from: subject.source() },
  );
  assert.match(answer, /^HTTP\/1\.1 401 /);
});

test('D9 rows and cols outside 1 to 1000, or of a wrong type, are 400 on create', async () => {
  for (const bad of [
    { rows: 0 },
    { rows: 1001 },
    { cols: 0 },
    { cols: 65_536 },
    { rows: 1.5 },
    { rows: '24' },
  ]) {
    const name = subject.name();
    const answer = await subject.admin('POST', '/admin/sessions', { name, ...bad });
    assert.is(answer.status, 400, JSON.stringify(bad));
    assert.is(typeof answer.json<{ error: string }>().error, 'string');
    assert.is(await subject.row(name), undefined);
  }
});

test('an oversize body is 413 for the right credential, and unknown keys are ignored', async () => {
  // The contract's bound is 4096; ours is larger on create alone, since a command and its environment travel in it.
  const bound = external ? 4_096 : 1_048_576;
  const large = await subject.admin('POST', '/admin/sessions', { name: 'a', note: 'x'.repeat(bound) });
  assert.is(large.status, 413);
  assert.is(await subject.row('a'), undefined);
  await subject.create(subject.name(), { colour: 'blue' });
});

test('U11 eight creates of one name at once start exactly one session', async () => {
  const name = subject.name();
  const before = (await subject.list()).sessions.length;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => subject.admin('POST', '/admin/sessions', { name })),
  );
  assert.is(answers.filter((answer) => answer.status === 200).length, 1);
  assert.is(answers.filter((answer) => answer.status === 409).length, 7);
  assert.is((await subject.list()).sessions.length, before + 1);
});

own('U11 the bound on sessions holds under a race, and a freed place can be taken', async () => {
  const small = await openSubject({ maxSessions: 3 });
  try {
    const names = Array.from({ length: 8 }, (_, n) => `race-${n}`);
    const answers = await Promise.all(names.map((name) => small.admin('POST', '/admin/sessions', { name })));
    assert.is(answers.filter((answer) => answer.status === 200).length, 3);
    const refused = answers.filter((answer) => answer.status === 503);
    assert.is(refused.length, 5);
    assert.is(refused[0]?.json<{ error: string }>().error, 'session capacity exceeded (limit 3)');
    assert.is((await small.list()).metrics.admission_rejected, 5);
    const [row] = (await small.list()).sessions;
    await small.kill(row?.name ?? '');
    await small.create('after');
  } finally {
    await small.close();
  }
});

own('U11 a start that fails holds no place and no name', async () => {
  const small = await openSubject({ maxSessions: 1 });
  try {
    const failed = await small.admin('POST', '/admin/sessions', { name: 'x', command: ['/no/such/program'] });
    assert.ok(failed.status >= 400, `answered ${failed.status}`);
    assert.equal((await small.list()).sessions, []);
    await small.create('x');
  } finally {
    await small.close();
  }
});

own('D14 a restart that fails to start keeps the name restartable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const program = join(folder, 'program');
  try {
    symlinkSync('/bin/cat', program);
    const session = await subject.create(subject.name(), { command: [program] });
    rmSync(program);
    const failed = await subject.admin('POST', `/admin/sessions/${session.session}/restart`);
    assert.ok(failed.status >= 400 && failed.status !== 404, `answered ${failed.status}`);
    symlinkSync('/bin/cat', program);
    const restarted = await subject.restart(session.session);
    assert.ok(restarted.generation >= 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
