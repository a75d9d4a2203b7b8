// Process facts of real sessions, from /proc and from `ps`: who is in front, and what they are.
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProcFacts } from '../../../runtime/pty/facts.js';
import { createPsFacts } from '../../../runtime/pty/facts-ps.js';
import { createPtyHost } from '../../../runtime/pty/host.js';
import type { Foreground, ProcessFacts } from '../../../runtime/pty/port.js';
import { ENV, eventually, type Started, start } from './start.js';

const test = suite('pty facts');
const host = createPtyHost();
const shell = async (): Promise<Started> => {
  const child = await start(host, ['/bin/bash', '--norc', '-i'], { env: { ...ENV, PS1: 'ready> ' } });
  await child.until(/ready> /);
  return child;
};
const type = (child: Started, line: string) => child.pty.write(Buffer.from(`${line}\r`));
const argvs = (front: Foreground | undefined) => front?.members.map((member) => member.argv.join(' ')).sort();

/** Both ways, each as a function that reads fresh facts. */
const ways: ReadonlyArray<readonly [string, () => Promise<ProcessFacts>]> = [
  ['/proc', async () => createProcFacts()],
  [
    'ps',
    async () => {
      const facts = createPsFacts();
      await facts.renew();
      return facts;
    },
  ],
];

for (const [name, read] of ways) {
  test(`${name}: a shell at its prompt is in front of itself`, async () => {
    const child = await shell();
    const front = (await read()).foreground(child.pty.pid);
    assert.is(front?.pgid, child.pty.pid);
    assert.equal(argvs(front), ['/bin/bash --norc -i']);
    assert.is(front?.members[0]?.sid, child.pty.pid);
    await child.pty.kill();
  });

  test(`${name}: a pipeline is in front with all its members, a background job is not`, async () => {
    const child = await shell();
    type(child, 'sleep 81 & sleep 82 | sleep 83');
    let front: Foreground | undefined;
    // A member is the shell's copy until it has become its program.
    for (let tries = 0; tries < 500 && argvs(front)?.join() !== 'sleep 82,sleep 83'; tries++) {
      front = (await read()).foreground(child.pty.pid);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(argvs(front), ['sleep 82', 'sleep 83']);
    assert.ok(front?.members.every((member) => member.pgid === front?.pgid));
    const session = (await read()).session(child.pty.pid);
    assert.is(session.length, 4);
    assert.equal((await child.pty.kill()).survivors, []);
    assert.equal((await read()).session(child.pty.pid), []);
  });

  test(`${name}: a process that is gone is nothing`, async () => {
    const child = await shell();
    const facts = await read();
    const before = facts.process(child.pty.pid);
    assert.is(before?.pid, child.pty.pid);
    assert.match(before?.exe ?? '', /bash$/);
    await child.pty.kill();
    const after = await read();
    assert.is(after.process(child.pty.pid), undefined);
    assert.is(after.foreground(child.pty.pid), undefined);
  });

  test(`${name}: a process without a terminal has no foreground`, async () => {
    assert.is((await read()).foreground(1), undefined);
  });
}

const proc = createProcFacts();

test('exec keeps pid and start time and changes what the process is', async () => {
  const child = await shell();
  const before = proc.process(child.pty.pid);
  type(child, 'exec sleep 84');
  await eventually(() => proc.process(child.pty.pid)?.argv[0] === 'sleep');
  const after = proc.process(child.pty.pid);
  assert.is(after?.startTime, before?.startTime);
  assert.equal(after?.argv, ['sleep', '84']);
  assert.match(after?.exe ?? '', /\/(sleep|coreutils)$/);
  await child.pty.kill();
});

test('a job of a shell inside a shell is found, and a child of another thread too', async () => {
  const child = await shell();
  const program =
    'new (require("worker_threads").Worker)(`require("child_process").spawn("sleep",["85"],{stdio:"inherit"})`,{eval:true})';
  type(child, `/bin/bash --norc -c '"${process.execPath}" -e "$0"; true' '${program}'`);
  await eventually(() => argvs(proc.foreground(child.pty.pid))?.includes('sleep 85') === true);
  assert.is(proc.foreground(child.pty.pid)?.members.length, 3);
  assert.equal((await child.pty.kill()).survivors, []);
});

test('members whose parents are gone are found in the whole table', async () => {
  const child = await shell();
  // The middle shell leads the group and ends; the leader waits for nobody of this group any more.
  type(child, 'set +m; sh -c "sleep 86 & exit 0"; echo do"ne"');
  await child.until(/done/);
  const members = argvs(proc.foreground(child.pty.pid));
  assert.ok(members?.some((argv) => argv.includes('bash')));
  await child.pty.kill();
});

test('a program whose file was replaced is still that program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-facts-'));
  const file = join(folder, 'agent (x) y');
  copyFileSync('/bin/sleep', file);
  chmodSync(file, 0o755);
  const child = await start(host, [file, '60']);
  rmSync(folder, { recursive: true });
  const fact = proc.process(child.pty.pid);
  assert.is(fact?.exe, file);
  assert.equal(fact?.argv, [file, '60']);
  await child.pty.kill();
});

test('a member that reads the terminal is told from one that reads a pipe or nothing', async () => {
  const child = await shell();
  type(child, 'sleep 87 | sh -c "sleep 88; true" | sleep 89 <&-');
  await eventually(() => {
    const seconds = proc.foreground(child.pty.pid)?.members.map((member) => member.argv[1]) ?? [];
    return ['87', '88', '89'].every((one) => seconds.includes(one));
  });
  const members = proc.foreground(child.pty.pid)?.members ?? [];
  const reads = new Map(members.map((member) => [member.argv[1], member.tty]));
  assert.equal([reads.get('87'), reads.get('88'), reads.get('89')], [true, false, false]);
  await child.pty.kill();
});

test('a zombie is gone', async () => {
  const script =
    'my $child = fork // die; exit if !$child; print "zombie $child\\n"; $| = 1; print "\\n"; sleep 60';
  const child = await start(host, ['perl', '-e', script]);
  const [, zombie] = await child.until(/zombie (\d+)/);
  await eventually(() => proc.process(Number(zombie)) === undefined);
  assert.equal(proc.session(child.pty.pid), [child.pty.pid]);
  assert.equal(proc.foreground(child.pty.pid)?.members.length, 1);
  assert.equal((await child.pty.kill()).survivors, []);
});

test('an old picture of ps answers nothing, and tells when a new one is there', async () => {
  let told: () => void = () => {};
  const renewed = new Promise<void>((resolve) => {
    told = resolve;
  });
  const facts = createPsFacts({ renewed: () => told() });
  assert.is(facts.process(process.pid), undefined);
  await renewed;
  assert.is(facts.process(process.pid)?.pid, process.pid);
  const stale = createPsFacts({ maxAgeMs: -1 });
  await stale.renew();
  assert.is(stale.process(process.pid), undefined);
  await stale.renew();
});

test('a ps that fails leaves facts unknown', async () => {
  const facts = createPsFacts({ ps: '/no/such/ps' });
  await facts.renew();
  assert.is(facts.process(process.pid), undefined);
  await facts.renew();
});

test.run();
