// Times to live: tokens, the absolute bound that holds while attached, and the idle bound that runs only while nobody is.
// Cases E4, U14 and D16 of the attach contract, with short times on servers of our own.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TextFrame } from '../support/attached.js';
import type { ServerOptions } from '../support/server.js';
import { external, openSubject, type Subject } from '../support/subject.js';
import { eventually } from '../support/wire.js';

const test = suite('conformance: times to live');

let starting: Promise<unknown> = Promise.resolve();
/** Cases wait for seconds to pass, so they run side by side, each on its server, and are awaited one by one. */
function own(name: string, options: ServerOptions, run: (subject: Subject) => Promise<void>): void {
  if (external) {
    test.skip(name);
    return;
  }
  const opened = starting.then(() => openSubject(options));
  starting = opened.catch(() => {}); // told below
  const done = opened.then(async (subject) => {
    try {
      await run(subject);
    } finally {
      await subject.close();
    }
  });
  done.catch(() => {}); // told by the test
  test(name, () => done);
}

own(
  'E4 a token past its time is 401 while the session lives, and an open socket is not disturbed',
  { attachTokenMs: 3_000 },
  async (subject) => {
    const session = await subject.create();
    assert.is(session.token_expires_in_secs, 2);
    const client = await subject.attach(session);
    await eventually('the token to expire', async () => {
      const attempt = { token: session.token, query: 'mode=join' };
      const answer = await subject.refused(session.session, attempt).catch(() => undefined);
      return answer?.status === 401 || undefined;
    });
    assert.is((await subject.row(session.session))?.alive, true);
    const again = await subject.renew(session.session);
    assert.is((await client.closed).code, 4003);
    const fresh = await subject.attach(again);
    await fresh.end();
  },
);

own(
  'U14 the absolute time warns once and then ends an attached session with 4001',
  { absoluteTtlMs: 5_000, detachedIdleMs: 5_000, attachTokenMs: 5_000 },
  async (subject) => {
    // The warning is sent once, to those who are attached at that moment. With times this short it is due at once, and a
    // session may start between two ticks and its client after them: that one is not told, the next one is.
    let warnings: TextFrame[] = [];
    let ended = 0;
    for (; warnings.length === 0 && ended < 4; ended++) {
      const startedAt = performance.now();
      const { client } = await subject.shell();
      assert.equal(await client.closed, { code: 4001, reason: 'session expired' });
      assert.ok(performance.now() - startedAt < 9_000);
      warnings = client.texts.filter((frame) => frame.type === 'ttl-warning');
    }
    assert.is(warnings.length, 1);
    const left = warnings[0]?.seconds_remaining as number;
    assert.is(warnings[0]?.absolute, true);
    assert.ok(Number.isInteger(left) && left >= 0 && left <= 5, `${left}`);
    assert.is((await subject.list()).metrics.ttl_expired, ended);
    await eventually('the rows to go', async () => (await subject.list()).sessions.length === 0 || undefined);
  },
);

own('U14 the idle time runs only while detached', { detachedIdleMs: 2_000 }, async (subject) => {
  const attached = await subject.shell();
  const idle = await subject.create();
  await eventually(
    'the idle session to expire',
    async () => (await subject.row(idle.session)) === undefined || undefined,
  );
  assert.is((await subject.row(attached.session.session))?.alive, true);
  assert.is(attached.client.isClosed, false);
  await attached.client.end();
  await eventually(
    'the other one to expire once detached',
    async () => (await subject.row(attached.session.session)) === undefined || undefined,
  );
  assert.is((await subject.list()).metrics.ttl_expired, 2);
});

own('U14 a detached session that keeps printing is not idle', { detachedIdleMs: 2_000 }, async (subject) => {
  const { session, client } = await subject.shell();
  client.send('while :; do echo tick; sleep 0.3; done\r');
  await client.until('tick');
  await client.end();
  const quiet = await subject.create();
  await eventually(
    'the quiet one to expire',
    async () => (await subject.row(quiet.session)) === undefined || undefined,
  );
  assert.is((await subject.row(session.session))?.alive, true);
});

own(
  "D16 a slow kill of one session does not delay another's end",
  { absoluteTtlMs: 5_000, detachedIdleMs: 5_000, attachTokenMs: 5_000 },
  async (subject) => {
    const start = async () => ({ createdAt: performance.now(), ...(await subject.shell()) });
    const [stubborn, plain] = [await start(), await start()];
    await stubborn.client.run(
      `for n in 1 2 3; do sh -c 'trap "" TERM HUP; while :; do sleep 0.2; done' & done`,
    );
    const lateMs = async ({ client, createdAt }: typeof plain) => {
      assert.is((await client.closed).code, 4001);
      return performance.now() - createdAt - 5_000;
    };
    for (const late of await Promise.all([lateMs(stubborn), lateMs(plain)])) {
      assert.ok(late > -100 && late < 3_000, `${late} ms late`);
    }
  },
);

test.run();
