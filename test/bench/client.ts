// The bench's handle on a client process: every operation of client-process.ts as a method, and connections as objects.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Operations, Received } from './client-process.js';
import type { Endpoint } from './server.js';

export interface Connection {
  echo(count: number): Promise<number[]>;
  startEcho(pauseMs: number): Promise<void>;
  stopEcho(): Promise<number[]>;
  bulk(text: string, bytes: number): Promise<number>;
  send(text: string, repeat?: number): Promise<void>;
  stall(): Promise<void>;
  unstall(): Promise<void>;
  expectPattern(offset: number): Promise<void>;
  received(): Promise<Received>;
  until(bytes: number): Promise<Received>;
  untilClosed(): Promise<Received>;
  close(): Promise<void>;
}

export interface Client {
  open(endpoint: Endpoint): Promise<Connection>;
  firstPaint(endpoint: Endpoint): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export function startClient(): Client {
  const child: ChildProcess = fork(fileURLToPath(new URL('./client-process.js', import.meta.url)), {
    serialization: 'advanced',
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastCall = 0;
  let lastConnection = 0;
  child.on('message', ({ id, value, error }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  const call = <K extends keyof Operations>(operation: K, ...args: Parameters<Operations[K]>) =>
    new Promise((resolve, reject) => {
      const id = ++lastCall;
      waiting.set(id, { resolve, reject });
      child.send({ id, operation, args });
    }) as ReturnType<Operations[K]>;
  return {
    async open(endpoint) {
      const id = ++lastConnection;
      await call('open', id, endpoint);
      return {
        echo: (count) => call('echo', id, count),
        startEcho: (pauseMs) => call('startEcho', id, pauseMs),
        stopEcho: () => call('stopEcho', id),
        bulk: (text, bytes) => call('bulk', id, text, bytes),
        send: (text, repeat = 1) => call('send', id, text, repeat),
        stall: () => call('stall', id),
        unstall: () => call('unstall', id),
        expectPattern: (offset) => call('expectPattern', id, offset),
        received: () => call('received', id),
        until: (bytes) => call('until', id, bytes),
        untilClosed: () => call('untilClosed', id),
        close: () => call('close', id),
      };
    },
    firstPaint: (endpoint) => call('firstPaint', endpoint),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(force);
    },
  };
}
