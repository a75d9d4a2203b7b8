// What `doctor` asks the server: does it answer, does it know the credential, can it start a process in a PTY. The trial
// session is named after this process and killed again.
import { connect as connectTcp } from 'node:net';
import type { Client } from '../../sdk/index.js';
import { openClient } from '../client.js';
import type { Context } from '../context.js';
import type { Check } from '../doctor.js';
import { failureOf } from '../failure.js';

const TRIAL_LIMIT_MS = 10_000;

const check = (name: string, result: Check['result'], detail: string, next = ''): Check => ({
  name,
  result,
  detail,
  next,
  side: 'server',
});

function somethingListens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return new Promise((resolve) => {
    const socket = connectTcp({ host: hostname.replace(/^\[|\]$/g, ''), port: number, timeout: 2_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

async function trySession(client: Client): Promise<Check> {
  const name = `doctor-${process.pid}`;
  const word = `floor-${process.pid}`;
  await client.sessions.create({ name, command: ['/bin/sh', '-c', `echo ${word}; read _`], cwd: '/' });
  try {
    const { token } = await client.sessions.mintToken(name, { mode: 'view' });
    const attachment = client.attach(name, { mode: 'view', token, since: 0, resume: false });
    const decoder = new TextDecoder();
    let seen = '';
    const found = await new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), TRIAL_LIMIT_MS);
      const settle = (answer: boolean) => {
        clearTimeout(limit);
        resolve(answer);
      };
      attachment.on('bytes', ({ bytes }) => {
        seen += decoder.decode(bytes, { stream: true });
        if (seen.includes(word)) settle(true);
      });
      attachment.on('close', () => settle(seen.includes(word)));
    });
    await attachment.detach();
    return found
      ? check('session', 'ok', 'a process in a PTY starts and its output arrives')
      : check(
          'session',
          'fail',
          'a process started, but its output did not arrive',
          'Read the log of the server.',
        );
  } finally {
    await client.sessions.kill(name).catch(() => {});
  }
}

export async function checkServer(context: Context): Promise<Check[]> {
  const { url, local } = context.target();
  const client = await openClient(context);
  const start = 'Start it: openfloor up --background';
  if (!(await client.healthy())) {
    if (await somethingListens(url)) {
      return [
        check('server', 'fail', `something else answers at ${url}`, 'Free the port, or set [pty] listen.'),
      ];
    }
    const absent = local ? 'skip' : 'fail';
    return [
      check('server', absent, `nothing listens at ${url}`, local ? start : 'Check --url and the network.'),
    ];
  }
  const checks = [check('server', 'ok', `answers at ${url}`)];
  try {
    const { sessions, draining } = await client.sessions.list();
    checks.push(check('credential', 'ok', `accepted; ${sessions.length} sessions`));
    if (draining) return [...checks, check('session', 'skip', 'the server is shutting down')];
  } catch (error) {
    const { error: detail, next } = failureOf(error);
    return [...checks, check('credential', 'fail', detail, next)];
  }
  try {
    checks.push(await trySession(client));
  } catch (error) {
    const { error: detail, next } = failureOf(error);
    checks.push(check('session', 'fail', detail, next));
  }
  return checks;
}
