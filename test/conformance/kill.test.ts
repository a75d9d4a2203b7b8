// Ends of sessions: what a kill reaches, how long it may take, what it reports, and what comes last on the wire. Cases
// A5 to A9, U13, U24, D10, D11 of the attach contract. Processes are looked up in the kernel, so the server must run on
// this machine.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Attached } from '../support/attached.js';
import { external, openSubject, type Subject } from '../support/subject.js';
import { eventually } from '../support/wire.js';

const test = suite('conformance: kill');
const linux = platform() === 'linux' && !external ? test : test.skip;
let subject: Subject;
test.before(async () => {
  subject = await openSubject();
});
test.after(() => subject.close());

/** Process ids of a session id that are no zombies. */
function processesOf(sid: number): number[] {
  const table = execFileSync('ps', ['-e', '-o', 'pid=,sid=,stat='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, session, state]) => Number(session) === sid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
}

function alive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function number(client: Attached, command: string): Promise<number> {
  const match = /\[(\d+)\]$/m.exec((await client.run(command)).replaceAll('\r', ''));
  if (match === null) throw new Error(`${command} printed no number`);
  return Number(match[1]);
}
const leaderOf = (client: Attached) => number(client, 'printf "[%s]\\n" $$');
/** Starts a background job and answers the pid that it writes. */
const background = (client: Attached, command: string) =>
  number(client, `{ ${command} }; printf "[%s]\\n" $!`);

linux('D11 a kill of an interactive shell ends its jobs too, within a second', async () => {
  const { session, client } = await subject.shell();
  const leader = await leaderOf(client);
  const job = await background(client, 'sleep 3001 &');
  client.send('sleep 3002\r');
  await eventually('three processes', () => processesOf(leader).length === 3 || undefined);
  const startedAt = performance.now();
  const report = await subject.kill(session.session);
  assert.ok(performance.now() - startedAt < 1_000, `took ${performance.now() - startedAt} ms`);
  assert.ok(report.kill_domain.elapsed_ms < 1_000);
  assert.equal(report.kill_domain.survivors, []);
  assert.equal(processesOf(leader), []);
  assert.is(alive(job), false);
});

linux('A8 a child that ignores HUP and TERM is killed all the same', async () => {
  const { session, client } = await subject.shell();
  const leader = await leaderOf(client);
  const stubborn = await background(client, `sh -c 'trap "" TERM HUP INT; while :; do sleep 0.2; done' &`);
  const report = await subject.kill(session.session);
  assert.equal(report.kill_domain.survivors, []);
  assert.is(alive(stubborn), false);
  assert.equal(processesOf(leader), []);
});

for (const [id, command, marker] of [
  ['A6 a setsid escapee', '{ setsid sleep 3003.25 & }', '3003.25'],
  ['A7 a double-fork orphan', '( setsid sleep 3004.25 & )', '3004.25'],
] as const) {
  linux(`${id}: the kill is bounded, the leader is dead, and the report is true`, async () => {
    const { session, client } = await subject.shell();
    const leader = await leaderOf(client);
    await client.run(command);
    const escapee = await eventually('the escapee', () => findByArgument(marker));
    const before = (await subject.list()).kill_domain.leaked_processes;
    const startedAt = performance.now();
    try {
      const report = await subject.kill(session.session);
      assert.ok(performance.now() - startedAt < 10_000);
      assert.is(alive(leader), false);
      for (const survivor of report.kill_domain.survivors) assert.ok(alive(survivor), `${survivor} is dead`);
      const after = (await subject.list()).kill_domain.leaked_processes;
      assert.is(after - before, report.kill_domain.survivors.length);
    } finally {
      if (alive(escapee)) process.kill(escapee, 'SIGKILL');
    }
  });
}

/** Pid of the live process that has exactly `argument` among its arguments. */
function findByArgument(argument: string): number | undefined {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').includes(argument)) return Number(entry);
    } catch {
      // ended meanwhile
    }
  }
  return undefined;
}

linux('A9 U24 after all kills no process of a session and no zombie of ours remains', async () => {
  const leaders: number[] = [];
  for (let n = 0; n < 3; n++) {
    const { session, client } = await subject.shell();
    leaders.push(await leaderOf(client));
    await client.run('{ sleep 3005 & sleep 3006 & }');
    const report = await subject.kill(session.session);
    assert.equal(report.kill_domain.survivors, []);
  }
  for (const leader of leaders) {
    assert.equal(processesOf(leader), []);
    await eventually('the leader to be reaped', () => {
      try {
        readFileSync(`/proc/${leader}/status`);
        return undefined;
      } catch {
        return true;
      }
    });
  }
});

linux('D10 a shell that exits with a background job alive ends the session with 4004 at once', async () => {
  const { session, client } = await subject.shell();
  const job = await background(client, `sh -c 'trap "" HUP; exec sleep 3007' &`);
  try {
    const startedAt = performance.now();
    client.send('exit 7\r');
    assert.equal(await client.closed, { code: 4004, reason: 'session ended' });
    assert.ok(performance.now() - startedAt < 2_500, `took ${performance.now() - startedAt} ms`);
    const exit = client.texts.find((frame) => frame.type === 'exit');
    assert.is(exit?.code, 7);
    assert.is(exit?.signal, null);
    assert.is((await subject.refused(session.session, { token: session.token })).status, 401);
    await eventually(
      'the row to go',
      async () => (await subject.row(session.session)) === undefined || undefined,
    );
  } finally {
    if (alive(job)) process.kill(job, 'SIGKILL');
  }
});

test('U13 the last output comes before the exit, which comes before 4004', async () => {
  const { client } = await subject.shell();
  const from = client.output.length;
  client.send("exec sh -c 'stty raw; seq 1 20000; printf the-very-last; exit 3'\r");
  assert.is((await client.closed).code, 4004);
  assert.ok(client.output.slice(from).endsWith('the-very-last'));
  const lines = client.output
    .slice(from)
    .split('\n')
    .map(Number)
    .filter((line) => line > 0);
  assert.is(lines.length, 20_000);
  const last = client.frames.at(-1);
  if (!external) assert.ok(last && 'text' in last && last.text.type === 'exit');
});

test('a signal that ends the leader is told by its name', async () => {
  const { client } = await subject.shell();
  client.send('kill -KILL $$\r');
  assert.is((await client.closed).code, 4004);
  if (!external) {
    const exit = client.texts.find((frame) => frame.type === 'exit');
    assert.is(exit?.signal, 'SIGKILL');
    assert.is(exit?.code, null);
  }
});

linux('U13 a client that does not read does not hold up a kill', async () => {
  const { session, client } = await subject.shell();
  const leader = await leaderOf(client);
  client.send('yes 0123456789\r');
  await client.until('0123456789');
  client.socket.pause();
  const startedAt = performance.now();
  await subject.kill(session.session);
  assert.ok(performance.now() - startedAt < 1_500, `took ${performance.now() - startedAt} ms`);
  assert.equal(processesOf(leader), []);
  client.socket.resume();
  await client.end();
});

linux('A5 a process inside a session reaches the port and gets 401', async () => {
  const { client } = await subject.shell();
  const { hostname, port, host } = new URL(subject.url);
  const printed = await client.run(
    `exec 3<>/dev/tcp/${hostname}/${port}; printf 'GET /admin/sessions HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n' >&3; head -n 1 <&3; exec 3>&-`,
  );
  assert.match(printed, 'HTTP/1.1 401');
  await client.end();
});

linux('A5 the server listens on exactly one TCP port and on no UNIX socket', async () => {
  const own = new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? ''];
      } catch {
        return [];
      }
    }),
  );
  const rows = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/));
  const tcp = [...rows('/proc/net/tcp'), ...rows('/proc/net/tcp6')].filter(
    (row) => row[3] === '0A' && own.has(row[9] ?? ''),
  );
  assert.is(tcp.length, 1);
  // Flag 0x10000 marks a listening socket.
  const unix = rows('/proc/net/unix').filter(
    (row) => (Number(`0x${row[3]}`) & 0x10000) !== 0 && own.has(row[6] ?? ''),
  );
  assert.is(unix.length, 0);
});

linux('a killed session leaves none of its descriptors in the server', async () => {
  // Slaves only: a live session holds its own, while masters may be opened ahead of need, in batches that grow.
  const count = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('/pts/');
      } catch {
        return false;
      }
    }).length;
  const before = count();
  for (let n = 0; n < 8; n++) {
    const { session } = await subject.create();
    await subject.kill(session);
  }
  await eventually('the descriptors to be closed', () => count() <= before || undefined);
});

test.run();
