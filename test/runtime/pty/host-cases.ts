// What every way of starting a child must keep, as a suite that each way runs: output before exit, exits told truly,
// bounded writes, refusals before anything starts, a real controlling terminal.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PtyHost, type PtySpawn, PtySpawnError } from '../../../runtime/pty/port.js';
import { ENV, eventually, start } from './start.js';

const sh = (script: string): PtySpawn['command'] => ['/bin/sh', '-c', script];
/** 20 480 bytes by a program that is gone at once: most often lost by node-pty's own way. */
const BURST = sh('head -c 20480 /dev/zero | tr "\\000" x');

export function hostCases(name: string, host: PtyHost) {
  const test = suite(name);

  test('200 short-lived children printing 20 480 bytes: every byte comes before exit', async () => {
    for (let round = 0; round < 50; round++) {
      const children = await Promise.all(Array.from({ length: 4 }, () => start(host, BURST)));
      for (const child of children) {
        const { bytes, exit } = await child.ended;
        assert.is(bytes, 20_480);
        assert.equal(exit, { code: 0, signal: null });
      }
    }
  });

  test('a child that ends while its output is paused loses nothing', async () => {
    for (let round = 0; round < 200; round++) {
      const child = await start(host, sh('head -c 8000 /dev/zero | tr "\\000" x'), { paused: true });
      assert.is((await child.ended).bytes, 8_000);
    }
  });

  test('more than the kernel holds, paused: all of it comes after a late resume', async () => {
    for (let round = 0; round < 20; round++) {
      const child = await start(host, sh('head -c 16000 /dev/zero | tr "\\000" x'), { paused: true });
      setTimeout(() => child.pty.resume(), 50);
      assert.is((await child.ended).bytes, 16_000);
    }
  });

  test('paused output waits in the kernel and comes after resume', async () => {
    const child = await start(host, sh('head -c 300000 /dev/zero | tr "\\000" x; echo end'), {
      paused: true,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.is(child.output().length, 0);
    child.pty.resume();
    assert.is((await child.ended).bytes, 300_000 + 'end\r\n'.length);
  });

  test('pause and resume in one turn leave the last word to the last of them', async () => {
    const child = await start(host, sh('read line; head -c 200000 /dev/zero; read line'));
    child.pty.pause();
    child.pty.resume();
    child.pty.pause();
    child.pty.write(Buffer.from('\r'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.is(child.output().length, 0);
    child.pty.resume();
    child.pty.pause();
    child.pty.resume();
    await eventually(() => child.output().length >= 200_000);
    child.pty.write(Buffer.from('\r'));
    await child.ended;
  });

  test('a background job that holds the terminal does not delay the exit', async () => {
    const child = await start(host, sh('trap "" HUP; sleep 30 & echo job $!; exit 3'));
    const { exit } = await child.ended;
    assert.equal(exit, { code: 3, signal: null });
    const [, job] = await child.until(/job (\d+)/);
    process.kill(Number(job), 'SIGKILL');
  });

  test('a background job that goes on printing does not hold the exit', async () => {
    const child = await start(host, sh('trap "" HUP; yes & echo job $!; exit 0'), { paused: true });
    assert.equal((await child.ended).exit, { code: 0, signal: null });
    // The terminal is closed: the job's next write fails and ends it.
  });

  test('a signal is told by name and a status by number', async () => {
    assert.equal((await (await start(host, sh('kill -KILL $$'))).ended).exit, {
      code: null,
      signal: 'SIGKILL',
    });
    assert.equal((await (await start(host, sh('exit 255'))).ended).exit, { code: 255, signal: null });
  });

  test('bytes pass unchanged in both directions, at most 4096 in one write', async () => {
    const child = await start(host, sh('stty raw -echo; echo ready; head -c 100000 | cksum'));
    await child.until(/ready/);
    const sent = Buffer.alloc(100_000, 'ab\u00e9\u0003\u001b');
    let most = 0;
    for (let at = 0; at < sent.length; ) {
      const took = child.pty.write(sent.subarray(at));
      if (took === 'closed') throw new Error('closed');
      if (took === 'again') await new Promise((resolve) => setTimeout(resolve, 1));
      else {
        at += took;
        most = Math.max(most, took);
      }
    }
    assert.ok(most <= 4_096);
    const file = join(mkdtempSync(join(tmpdir(), 'openfloor-pty-')), 'sent');
    writeFileSync(file, sent);
    const check = await start(host, ['cksum', file]);
    const [, sum] = await check.until(/(\d+) 100000/);
    await child.until(new RegExp(`${sum} 100000`));
    rmSync(join(file, '..'), { recursive: true });
  });

  test('a child that never reads makes a write answer again, and then closed when it is gone', async () => {
    const child = await start(host, sh('stty raw -echo; echo ready; sleep 60'));
    await child.until(/ready/);
    const kib = new Uint8Array(1024).fill(120);
    let total = 0;
    for (;;) {
      const took = child.pty.write(kib);
      if (typeof took !== 'number') {
        assert.is(took, 'again');
        break;
      }
      total += took;
      assert.ok(total < 1_048_576, 'the kernel never said that it is full');
    }
    const report = await child.pty.kill();
    assert.equal(report.survivors, []);
    assert.is(child.pty.write(kib), 'closed');
    child.pty.resize(10, 10);
    child.pty.pause();
    child.pty.resume();
  });

  test('the child leads a process session on a terminal of the asked size, and sees it change', async () => {
    const script =
      'ps -o pid=,pgid=,sid=,tpgid=,tty= -p $$; trap "stty size; exit" WINCH; stty size; read line';
    const child = await start(host, sh(script), { rows: 31, cols: 117 });
    await child.until(/31 117/);
    const [, pid, pgid, sid, tpgid, tty] = (await child.until(
      /(\d+) +(\d+) +(\d+) +(\d+) +(\S+)/,
    )) as unknown as string[];
    assert.equal([pid, pgid, sid, tpgid], Array(4).fill(String(child.pty.pid)));
    assert.is(`/dev/${tty}`, child.pty.ttyPath);
    child.pty.resize(40, 100);
    await child.until(/40 100/);
    await child.ended;
  });

  test('a child of one session has no descriptor of another', async () => {
    const other = await start(host, sh('echo ready; read line'));
    await other.until(/ready/);
    // No pipeline: a shell holds the pipes it makes.
    const child = await start(host, sh('ls -l /proc/$$/fd; echo end'));
    await child.until(/end/);
    const listed = [...child.text().matchAll(/(\d+) -> (\S+)/g)].map(([, fd, file]) => `${fd} ${file}`);
    const own = [0, 1, 2].map((fd) => `${fd} ${child.pty.ttyPath}`);
    assert.equal(listed, own);
    await child.ended;
    await other.pty.kill();
  });

  test('the child gets exactly the given environment, folder and arguments', async () => {
    const env = {
      ...ENV,
      PERL5OPT: '-Mnothing',
      BASH_ENV: '/nowhere',
      PS1: 'mine$ ',
      EMPTY: '',
      WORDS: 'a b\nc',
    };
    const script = '/usr/bin/env -0 | tr "\\000" "|"; echo; pwd; printf "<%s>" "$0" "$@"';
    const child = await start(host, ['sh', '-c', script, 'zero', '', 'two words', '-e'], {
      env,
      cwd: '/usr',
    });
    await child.ended;
    const [variables = ''] = child.text().split('|\r\n');
    const got = Object.fromEntries(
      variables
        .split('|')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    // What a shell sets by itself.
    for (const own of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete got[own];
    assert.equal(got, { ...env, WORDS: 'a b\r\nc' });
    assert.match(child.text(), /\/usr\r\n<zero><><two words><-e>$/);
  });

  const refusals: ReadonlyArray<readonly [string, Partial<PtySpawn>, string, RegExp]> = [
    [
      'a command that is nowhere',
      { command: ['no-such-program'] },
      'command_not_found',
      /"no-such-program" is not on PATH/,
    ],
    ['a path that is nowhere', { command: ['/no/such'] }, 'command_not_found', /"\/no\/such" doesn't exist/],
    ['a folder as command', { command: ['/usr'] }, 'command_not_found', /doesn't exist/],
    ['a file that is not executable', { command: ['/etc/passwd'] }, 'command_not_found', /is not executable/],
    ['an empty command', { command: [''] }, 'command_not_found', /is not on PATH/],
    [
      'a control character in the name',
      { command: ['a\u001b[2J\u009b'] },
      'command_not_found',
      /"a\\u001b\[2J\\u009b"/,
    ],
    ['a folder that is nowhere', { cwd: '/no/such' }, 'cwd_missing', /"\/no\/such" doesn't exist/],
    ['a file as folder', { cwd: '/etc/passwd' }, 'cwd_missing', /doesn't exist/],
    ['a NUL in an argument', { command: ['sh', 'a\0b'] }, 'spawn_failed', /NUL/],
  ];
  for (const [what, spec, reason, sentence] of refusals) {
    test(`${what} is refused as ${reason} before anything starts`, async () => {
      const events = { data: () => {}, exit: () => {} };
      const whole = { command: ['sh'] as const, cwd: '/', env: ENV, rows: 24, cols: 80, ...spec };
      try {
        await host.spawn(whole, events);
      } catch (error) {
        assert.instance(error, PtySpawnError);
        assert.is((error as PtySpawnError).reason, reason);
        assert.match((error as Error).message, sentence);
        return;
      }
      assert.unreachable('it was started');
    });
  }

  test('an interactive shell with a stopped, a background and a foreground job is gone in less than a second', async () => {
    const child = await start(host, ['/bin/bash', '--norc', '-i'], { env: { ...ENV, PS1: '$ ' } });
    await child.until(/\$ /);
    child.pty.write(
      Buffer.from('set +o history; sleep 71 & sh -c "kill -STOP \\$\\$; sleep 72" & sleep 73\r'),
    );
    await child.until(/Stopped|sleep 73/);
    const report = await child.pty.kill();
    assert.equal(report.survivors, []);
    assert.ok(report.elapsedMs < 1_000, `took ${report.elapsedMs} ms`);
  });

  return test;
}
