// Kills of real sessions: what ignores a hang-up, what traps TERM, what left with setsid, what was orphaned. The report is
// compared with the kernel's own table.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProcFacts } from '../../../runtime/pty/facts.js';
import { createPtyHost } from '../../../runtime/pty/host.js';
import { KILL_GRACE_MS, killSession } from '../../../runtime/pty/kill.js';
import { type ProcessRow, type ProcessTable, pictureOf } from '../../../runtime/pty/process-row.js';
import { eventually, start } from './start.js';

const test = suite('pty kill');
const host = createPtyHost();
const facts = createProcFacts();
const alive = (pid: number) => facts.process(pid) !== undefined;

test("the grace is the contract's", () => assert.is(KILL_GRACE_MS, 5_000));

test('a child that ignores the hang-up is terminated', async () => {
  const child = await start(host, ['sh', '-c', 'trap "" HUP; sleep 60 & echo "job $!"; wait']);
  const [, job] = await child.until(/job (\d+)/);
  const report = await child.pty.kill();
  assert.equal(report.survivors, []);
  assert.ok(report.elapsedMs >= 500 && report.elapsedMs < 1_500, `took ${report.elapsedMs} ms`);
  assert.not(alive(Number(job)));
  assert.equal((await child.ended).exit, { code: null, signal: 'SIGTERM' });
});

test('a child that traps every signal is killed at the grace', async () => {
  const child = await start(host, [
    'sh',
    '-c',
    'trap "" HUP TERM INT; echo ready; while :; do sleep 1; done',
  ]);
  await child.until(/ready/);
  const report = await child.pty.kill(300);
  assert.equal(report.survivors, []);
  assert.ok(report.elapsedMs >= 300 && report.elapsedMs < 800, `took ${report.elapsedMs} ms`);
  assert.equal((await child.ended).exit, { code: null, signal: 'SIGKILL' });
});

test('a stopped child ends too', async () => {
  const child = await start(host, ['sh', '-c', 'echo ready; kill -STOP $$; sleep 60']);
  await child.until(/ready/);
  const report = await child.pty.kill();
  assert.equal(report.survivors, []);
  assert.ok(report.elapsedMs < 500, `took ${report.elapsedMs} ms`);
});

test('a child that left with setsid is found through its parent and ended', async () => {
  const child = await start(host, [
    'sh',
    '-c',
    'setsid sleep 91 </dev/null >/dev/null 2>&1 & echo "job $!"; wait',
  ]);
  const [, job] = await child.until(/job (\d+)/);
  await eventually(() => facts.process(Number(job))?.argv[0] === 'sleep');
  assert.is(facts.process(Number(job))?.sid, Number(job));
  const report = await child.pty.kill();
  assert.equal(report.survivors, []);
  assert.not(alive(Number(job)));
});

test('an orphan that kept the session id is ended; one that left before is not claimed to be dead', async () => {
  const script =
    '(sleep 92 & echo "kept $!") ; (setsid sh -c "echo left \\$\\$; exec sleep 93" &) ; echo ready; wait; sleep 60';
  const child = await start(host, ['sh', '-c', script]);
  const [, kept] = await child.until(/kept (\d+)/);
  const [, left] = await child.until(/left (\d+)/);
  await eventually(() => facts.process(Number(left))?.argv[0] === 'sleep');
  const report = await child.pty.kill();
  assert.ok(report.elapsedMs < KILL_GRACE_MS + 500);
  assert.not(alive(child.pty.pid));
  assert.not(alive(Number(kept)));
  for (const survivor of report.survivors) assert.ok(alive(survivor));
  if (alive(Number(left))) process.kill(Number(left), 'SIGKILL');
});

test('a session that forks all the time is ended as a whole', async () => {
  const script =
    'trap "" HUP; while :; do (sleep 0.2 &) ; sleep 0.001; done & while :; do (trap "" HUP TERM; sleep 5 &) ; sleep 0.02; done';
  const child = await start(host, ['sh', '-c', `echo ready; ${script}`]);
  await child.until(/ready/);
  const report = await child.pty.kill(800);
  assert.equal(report.survivors, [...facts.session(child.pty.pid)]);
  assert.equal(report.survivors, []);
});

test('two kills at once are one, and a kill after the end sweeps the jobs that are left', async () => {
  const child = await start(host, ['sh', '-c', 'trap "" HUP; sleep 94 & echo "job $!"; exit 0']);
  await child.ended;
  const [, job] = await child.until(/job (\d+)/);
  assert.ok(alive(Number(job)));
  const [one, two] = await Promise.all([child.pty.kill(), child.pty.kill()]);
  assert.is(one, two);
  assert.equal(one.survivors, []);
  assert.not(alive(Number(job)));
});

const stranger = (pid: number, sid: number): ProcessRow => ({
  pid,
  ppid: 1,
  pgid: pid,
  sid,
  tpgid: -1,
  startTime: '1',
  zombie: false,
  name: 'stranger',
});

const tableOf = (rows: readonly ProcessRow[]): ProcessTable => ({
  picture: async () => pictureOf(rows),
  rows: async () => rows,
});

test('a stranger that got the pid of a dead leader is left alone', async () => {
  const child = await start(host, ['sleep', '95']);
  const table = tableOf([stranger(child.pty.pid, child.pty.pid)]);
  const report = await killSession(table, child.pty.pid, () => true, 100);
  assert.equal(report.survivors, []);
  assert.ok(alive(child.pty.pid));
  await child.pty.kill();
});

test('when the table cannot be read, the leader is ended all the same', async () => {
  const child = await start(host, ['sleep', '96']);
  const broken = async () => {
    throw new Error('no ps');
  };
  let gone = false;
  void child.ended.then(() => {
    gone = true;
  });
  const report = await killSession({ picture: broken, rows: broken }, child.pty.pid, () => gone, 1_000);
  assert.equal(report.survivors, []);
  assert.equal((await child.ended).exit, { code: null, signal: 'SIGHUP' });
});

test('what cannot be ended is reported, in bounded time', async () => {
  // A table that always shows one process more: no pid of this machine is above 2^22.
  const table = tableOf([stranger(5_000_001, 5_000_000)]);
  const report = await killSession(table, 5_000_000, () => false, 100);
  assert.equal(report.survivors, [5_000_001]);
  assert.ok(report.elapsedMs >= 600 && report.elapsedMs < 1_500, `took ${report.elapsedMs} ms`);
});

test.run();
