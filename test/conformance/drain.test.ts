// The runtime's own end: everybody is told, nothing new is taken, and all sessions end together. Case D15 and section 2.9
// of the attach contract.
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { external, openSubject } from '../support/subject.js';

const test = suite('conformance: drain');
const own = external ? test.skip : test;

own(
  'D15 several interactive shells with jobs are told, closed with 4006, and gone within the grace and two seconds',
  async () => {
    const subject = await openSubject();
    const shells = [await subject.shell(), await subject.shell(), await subject.shell()];
    const leaders: string[] = [];
    for (const { client } of shells) {
      const printed = await client.run('sleep 3010 & printf "[%s]" $$');
      leaders.push(/\[(\d+)\]<42/.exec(printed.replace(/\s/g, ''))?.[1] ?? '');
    }
    assert.ok(
      leaders.every((leader) => leader !== ''),
      leaders.join(),
    );
    const startedAt = performance.now();
    const stopped = subject.server?.stop();
    for (const { client } of shells) {
      const told = await client.text('shutting-down');
      assert.is(told.seconds_remaining, 3);
      assert.is(told.ephemeral_workspace_reset, true);
    }
    const first = shells[0]?.session;
    if (first === undefined) throw new Error('no shell');
    const refusal = await subject.refused(first.session, { token: first.token });
    assert.is(refusal.status, 503);
    assert.is(refusal.text, 'runtime is draining for shutdown');
    const create = await subject.admin('POST', '/admin/sessions', { name: 'late' });
    assert.is(create.status, 503);
    assert.match(create.text, 'runtime is draining for shutdown');
    assert.is((await subject.list()).draining, true);
    // Sessions go on until the grace is over.
    assert.match(await (shells[1] as (typeof shells)[number]).client.run('echo "still-$((1+1))"'), 'still-2');
    for (const { client } of shells) {
      assert.equal(await client.closed, {
        code: 4006,
        reason: 'runtime replaced; ephemeral workspace was reset',
      });
    }
    await stopped;
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs < 5_000, `took ${elapsedMs} ms`);
    const table = execFileSync('ps', ['-e', '-o', 'sid=,stat='], { encoding: 'utf8' }).split('\n');
    for (const leader of leaders) {
      assert.not.ok(
        table.some((line) => line.trim().split(/\s+/)[0] === leader && !/Z/.test(line)),
        `${leader} lives`,
      );
    }
  },
);

test.run();
