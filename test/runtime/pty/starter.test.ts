// The starter and the pool of masters: what happens to sessions when the starter dies, and who has which descriptor.
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadAddon } from '../../../runtime/pty/addon.js';
import { createProcFacts } from '../../../runtime/pty/facts.js';
import { launch } from '../../../runtime/pty/launch.js';
import { findExecutable } from '../../../runtime/pty/lookup.js';
import { MasterPool } from '../../../runtime/pty/master-pool.js';
import { PtySpawnError } from '../../../runtime/pty/port.js';
import { Starter } from '../../../runtime/pty/starter.js';
import { ENV, eventually } from './start.js';

const test = suite('pty starter');
const perl = findExecutable('perl', process.env.PATH, '/') ?? '';
const facts = createProcFacts();
const spec = (...argv: [string, ...string[]]) => ({ command: argv, cwd: '/', env: ENV, rows: 24, cols: 80 });
const masters = () => readdirSync('/proc/self/fd').filter((fd) => isMaster(`/proc/self/fd/${fd}`)).length;

function isMaster(path: string): boolean {
  try {
    return /ptmx$/.test(readlinkSync(path));
  } catch {
    return false;
  }
}

test('masters are opened in batches, given out once, and inherited by no child', async () => {
  const pool = new MasterPool(perl);
  assert.is(masters(), 0);
  const taken = await Promise.all(Array.from({ length: 12 }, () => pool.take()));
  assert.is(new Set(taken.map((master) => master.fd)).size, 12);
  assert.is(new Set(taken.map((master) => master.ttyPath)).size, 12);
  const listed = execFileSync('sh', ['-c', 'ls -l /proc/$$/fd'], { encoding: 'utf8' });
  assert.not.match(listed, /ptmx/);
  for (const master of taken) {
    const { pid, exited } = await startOn(master.ttyPath, 'true');
    assert.ok(pid > 0);
    assert.equal(await exited, { code: 0, signal: null });
  }
  // The batch beside the loop may still be under way.
  await pool.take();
});

let shared: Starter | undefined;
function startOn(ttyPath: string, name: string) {
  shared ??= new Starter(perl, facts);
  return shared.start(ttyPath, findExecutable(name, ENV.PATH, '/') ?? '', spec(name));
}

test('a pool without perl refuses, and closes what it opened', async () => {
  const before = masters();
  const pool = new MasterPool('/no/such/perl');
  try {
    await pool.take();
    assert.unreachable('it gave one out');
  } catch (error) {
    assert.match((error as Error).message, /ENOENT/);
  }
  assert.is(masters(), before);
});

test('a failed start is told with its step, and the master is closed', async () => {
  const pool = new MasterPool(perl);
  const launching = { pool, starter: new Starter(perl, facts), addon: loadAddon().addon };
  await pool.take();
  const before = masters();
  for (const [program, cwd, sentence] of [
    ['/etc/passwd', '/', /"x" could not be started: exec EACCES/],
    ['/bin/true', '/no/such', /"x" could not be started: chdir ENOENT/],
  ] as const) {
    try {
      await launch(launching, program, { ...spec('x'), cwd });
      assert.unreachable('it was started');
    } catch (error) {
      assert.instance(error, PtySpawnError);
      assert.match((error as Error).message, sentence);
    }
  }
  await eventually(() => masters() <= before);
  launching.starter.close();
});

test('when the starter dies its leaders live on, their end is told, and the next start begins a new one', async () => {
  const pool = new MasterPool(perl);
  const launching = { pool, starter: new Starter(perl, facts), addon: loadAddon().addon };
  const long = await launch(launching, '/bin/sleep', spec('sleep', '60'));
  const first = launching.starter.pid as number;
  process.kill(first, 'SIGKILL');
  await eventually(() => launching.starter.pid !== first);
  assert.is(facts.process(long.pid)?.argv.join(' '), 'sleep 60');
  const next = await launch(launching, '/bin/sh', spec('sh', '-c', 'exit 7'));
  assert.equal(await next.exited, { code: 7, signal: null });
  process.kill(long.pid, 'SIGKILL');
  assert.equal(await long.exited, { code: null, signal: null });
  launching.starter.close();
  await eventually(() => launching.starter.pid === undefined);
});

test('a start that waits when the starter dies is refused', async () => {
  const pool = new MasterPool(perl);
  const { ttyPath } = await pool.take();
  const starter = new Starter('/bin/false', facts);
  try {
    await starter.start(ttyPath, '/bin/true', spec('true'));
    assert.unreachable('it was started');
  } catch (error) {
    assert.match((error as Error).message, /the starter process ended/);
  }
});

test('the starter has no terminal, no secret in its environment, and no signal ignored for its children', async () => {
  const pool = new MasterPool(perl);
  const starter = new Starter(perl, facts);
  const { ttyPath } = await pool.take();
  const leader = await starter.start(ttyPath, '/bin/sleep', spec('sleep', '60'));
  const environment = execFileSync('cat', [`/proc/${starter.pid}/environ`], { encoding: 'utf8' });
  assert.is(environment, '');
  assert.is(facts.process(starter.pid ?? 0)?.sid, starter.pid);
  assert.not.ok(
    readdirSync(`/proc/${starter.pid}/fd`).some((fd) => isMaster(`/proc/${starter.pid}/fd/${fd}`)),
  );
  const status = execFileSync('cat', [`/proc/${leader.pid}/status`], { encoding: 'utf8' });
  assert.match(status, /SigIgn:\s0000000000000000/);
  assert.match(status, /SigBlk:\s0000000000000000/);
  process.kill(leader.pid, 'SIGTERM');
  assert.equal(await leader.exited, { code: null, signal: 'SIGTERM' });
  starter.close();
});

test('large requests and awkward texts arrive whole', async () => {
  const pool = new MasterPool(perl);
  const starter = new Starter(perl, facts);
  const { ttyPath } = await pool.take();
  const argv = [
    'sh',
    '-c',
    'test "$#" = 3 && test "$3" = "$BIG" && test "$1" = "" && exit 9',
    'x',
    '',
    'a\nb "c" é',
  ];
  const big = '\u00e9"$(x)\n'.repeat(10_000);
  const env = { ...ENV, BIG: big };
  const leader = await starter.start(ttyPath, '/bin/sh', {
    ...spec('sh'),
    command: [...argv, big] as never,
    env,
  });
  assert.equal(await leader.exited, { code: 9, signal: null });
  starter.close();
});

test.run();
