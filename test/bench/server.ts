// The servers under measure, each in a child process of its own below the bench: `bare`, ttyd and Openfloor. A server
// is started, asked for endpoints that a client process can open, sampled through /proc and ended with its sessions.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChildName, Children, Command } from './child.js';

/** What a client process needs to open one session. Plain data: it crosses a process boundary. */
export interface Endpoint {
  readonly url: string;
  readonly protocols: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** How terminal bytes are framed: as they are, or behind ttyd's one-letter command. */
  readonly dialect: 'binary' | 'ttyd';
}

export interface Server {
  readonly name: string;
  readonly pid: number;
  /** A new session running `child`. `size` only where the server takes one. */
  open(child: ChildName, options?: OpenOptions): Promise<Endpoint>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  readonly query?: string;
  readonly rows?: number;
  readonly cols?: number;
  /** Name of the pack of its agent. */
  readonly agent?: string;
}

/** Openfloor also has an admin plane, which some bars measure. */
export interface OpenfloorServer extends Server {
  readonly url: string;
  readonly credential: string;
  /** Creates a session without attaching; answers its name and token. */
  create(command: Command, options?: OpenOptions): Promise<{ name: string; token: string }>;
  endpoint(session: { name: string; token: string }, query?: string): Endpoint;
  kill(name: string): Promise<void>;
}

/** Openfloor with what the bars about the floor and the audit feed ask of it (floor-process.ts). */
export interface FloorServer extends OpenfloorServer {
  /** Ms from a request's frame to its paste, of all since the last call. */
  pastes(): Promise<number[]>;
  /** Puts so many grants on record, so many in a turn of the loop; ms that it took. */
  append(count: number, eachTurn: number): Promise<number>;
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function launch(command: Command): ChildProcess {
  return spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`server ended with ${code} before it told its address`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  lines.close();
  return line;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(force);
}

export async function startBare(children: Children, name = 'bare'): Promise<Server> {
  const child = launch([process.execPath, here('./bare.js'), JSON.stringify(children)]);
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  return {
    name,
    pid: child.pid as number,
    open: async (session) => ({
      url: `${url.replace('http', 'ws')}/${session}`,
      protocols: [],
      headers: {},
      dialect: 'binary',
    }),
    stop: () => stop(child),
  };
}

export function hasTtyd(): boolean {
  try {
    execFileSync('ttyd', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** ttyd runs one command per server. */
export async function startTtyd(children: Children, session: ChildName): Promise<Server> {
  const options = ['-W', '-d', '7', '-p', '0', '-i', '127.0.0.1'];
  const child = spawn('ttyd', [...options, ...children[session]], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = createInterface({ input: child.stderr });
  const port = await new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      const match = /Listening on port: (\d+)/.exec(line);
      if (match) resolve(Number(match[1]));
    });
    child.once('exit', (code) => reject(new Error(`ttyd ended with ${code}`)));
  });
  return {
    name: 'ttyd',
    pid: child.pid as number,
    open: async () => ({
      url: `ws://127.0.0.1:${port}/ws`,
      protocols: ['tty'],
      headers: {},
      dialect: 'ttyd',
    }),
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function startOpenfloor(children: Children): Promise<OpenfloorServer> {
  return openfloorOf(launch([process.execPath, here('./openfloor.js')]), children);
}

export async function startFloor(children: Children): Promise<FloorServer> {
  const child = launch([process.execPath, here('./floor-process.js')]);
  const server = await openfloorOf(child, children);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const ask = async (command: string): Promise<unknown> => {
    child.stdin?.write(`${command}\n`);
    const [answer] = (await once(lines, 'line')) as [string];
    return JSON.parse(answer);
  };
  return {
    ...server,
    pastes: async () => (await ask('pastes')) as number[],
    append: async (count, eachTurn) => (await ask(`append ${count} ${eachTurn}`)) as number,
  };
}

async function openfloorOf(child: ChildProcess, children: Children): Promise<OpenfloorServer> {
  const { url, credential } = JSON.parse(await firstLine(child)) as { url: string; credential: string };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { token: string };
  };
  let count = 0;
  const endpoint = (session: { name: string; token: string }, query = 'since=0'): Endpoint => ({
    url: `${url.replace('http', 'ws')}/pty/${session.name}?${query}`,
    protocols: ['openab.pty.v1'],
    headers: { authorization: `Bearer ${session.token}` },
    dialect: 'binary',
  });
  const create = async (command: Command, options: OpenOptions = {}) => {
    const name = `bench-${++count}`;
    const { rows = 24, cols = 80, agent } = options;
    const size = { rows, cols };
    const { token } = await call('POST', '/admin/sessions', {
      name,
      command,
      ...size,
      ...(agent ? { agent } : {}),
    });
    return { name, token };
  };
  return {
    name: 'openfloor',
    pid: child.pid as number,
    url,
    credential,
    create,
    endpoint,
    open: async (session, options = {}) =>
      endpoint(await create(children[session], options), options.query ?? 'since=0'),
    kill: async (name) => {
      await call('DELETE', `/admin/sessions/${name}`);
    },
    stop: () => stop(child),
  };
}

/** Resident bytes of one process. */
export function residentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) * 1024;
}

/** Processor time of one process so far, in ms; a clock tick is 10 ms on every Linux that matters here. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
