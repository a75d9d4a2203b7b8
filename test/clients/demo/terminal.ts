// The demo agent on a real PTY with the runtime's own scanner, status machine, screen model and composer reader behind it.
// Always true: queries are answered in order as the runtime answers them; who stands in front is asked of the kernel. It
// has no server and no floor.

import { autoPacks, builtinPackFolder, loadPacks, type Pack } from '../../../runtime/agents/load.js';
import { readingPackOf } from '../../../runtime/agents/reading.js';
import { planOf } from '../../../runtime/composer/plan.js';
import { createPtyRoom } from '../../../runtime/pty/host.js';
import type { Pty, PtyExit } from '../../../runtime/pty/port.js';
import { Emulator } from '../../../runtime/screen/emulator.js';
import type { Reading } from '../../../runtime/screen/port.js';
import { readScreen } from '../../../runtime/screen/read.js';
import { AgentWatch } from '../../../runtime/session/agent-watch.js';
import { systemClock } from '../../../runtime/session/clock.js';
import type { TerminalModes } from '../../../runtime/terminal/port.js';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';
import { type DemoAgent, demoAgent } from '../../support/demo-agent.js';

export interface DemoTerminal {
  readonly agent: DemoAgent;
  readonly pty: Pty;
  readonly watch: AgentWatch<Pack>;
  /** States in order, each change once: `idle`, `idle done`, `idle?`, `working`, `blocked permission`, `unknown starting`. */
  readonly statuses: readonly string[];
  readonly modes: TerminalModes;
  readonly output: () => string;
  readonly exit: () => PtyExit | undefined;
  type(text: string): void;
  resize(rows: number, cols: number): void;
  /** The screen now, by the demo pack. */
  reading(): Reading;
  /** Settles when `ready` gives something, judged after every output, exit and every 20 ms. */
  until<T>(what: string, ready: () => T | undefined | false): Promise<T>;
  /** Ends the agent if it is still there. */
  close(): Promise<void>;
}

const LIMIT_MS = 15_000;
const LOOK_MS = 20;

export interface TerminalOptions {
  /** False: the terminal doesn't know OSC 7501. */
  readonly supports?: boolean;
  readonly rows?: number;
  readonly cols?: number;
}

export async function startDemo(
  switches: readonly string[] = [],
  { supports = true, rows = 24, cols = 80 }: TerminalOptions = {},
): Promise<DemoTerminal> {
  const agent = demoAgent(switches);
  const room = createPtyRoom();
  const { packs } = loadPacks([builtinPackFolder()]);
  const demo = packs.find((pack) => pack.name === 'demo');
  if (demo === undefined) throw new Error('the demo pack is missing');
  const plan = planOf(readingPackOf(demo));
  const emulator = new Emulator({ rows, cols, scrollbackLines: 1000 });
  const statuses: string[] = [];
  const lookers = new Set<() => void>();
  let output = '';
  let exit: PtyExit | undefined;
  let pty: Pty | undefined;
  const clock = systemClock();
  const watch = new AgentWatch<Pack>({
    facts: room.facts,
    now: Date.now,
    after: clock.after,
    later: clock.later,
    leaderPid: () => pty?.pid ?? 0,
    offset: () => scanner.offset,
    packs: () => autoPacks(packs),
    carriers: () => [],
    changed: (changes) => {
      for (const change of changes) if (change.type === 'status') statuses.push(short(change.status));
    },
  });
  const early: Uint8Array[] = [];
  const write = (bytes: Uint8Array) => {
    if (pty === undefined) return void early.push(bytes);
    if (pty.write(bytes) !== bytes.length) throw new Error('the PTY took only a part');
  };
  const scanner = createOutputScanner({
    pass: (bytes) => emulator.parse(bytes),
    reply(reply) {
      if (reply.kind !== 'fixed') return;
      if (supports || !Buffer.from(reply.bytes).includes('7501')) write(reply.bytes);
    },
    osc: (code, body) => watch.sequence(code, body),
    modesChanged() {},
    bell() {},
    reset: () => watch.reset(),
  });
  const look = () => {
    for (const looker of lookers) looker();
  };
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
  pty = await room.host.spawn(
    { command: agent.command, cwd: '/', env, rows, cols },
    {
      data(chunk) {
        output += Buffer.from(chunk).toString('latin1');
        scanner.push(chunk);
        look();
      },
      exit(ended) {
        exit = ended;
        watch.end();
        look();
      },
    },
  );
  for (const bytes of early.splice(0)) write(bytes);
  const child = pty;
  return {
    agent,
    pty: child,
    watch,
    statuses,
    modes: scanner.modes,
    output: () => output,
    exit: () => exit,
    type: (text) => write(Buffer.from(text, 'utf8')),
    resize(toRows, toCols) {
      emulator.resize(toRows, toCols);
      scanner.resized(toRows, toCols);
      child.resize(toRows, toCols);
    },
    reading: () => readScreen(emulator, scanner.offset, plan),
    until: <T>(what: string, ready: () => T | undefined | false) =>
      new Promise<T>((resolve, reject) => {
        const stop = () => {
          lookers.delete(check);
          clearInterval(timer);
          clearTimeout(limit);
        };
        const check = () => {
          const found = ready();
          if (found === undefined || found === false) return;
          stop();
          resolve(found);
        };
        const timer = setInterval(check, LOOK_MS);
        const limit = setTimeout(() => {
          stop();
          const { text } = readScreen(emulator, scanner.offset, plan);
          reject(new Error(`never: ${what}; ${statuses.join(', ')}\n${text.join('\n')}`));
        }, LIMIT_MS);
        lookers.add(check);
        check();
      }),
    async close() {
      if (exit === undefined) await child.kill(100);
      watch.end();
      agent.close();
    },
  };
}

function short(status: AgentWatch<Pack>['status']): string {
  const { state, kind, done, needsComposer, cause, background } = status;
  const words = [state, kind, done && 'done', state === 'idle' && needsComposer && 'needs composer', cause];
  return [...words, background && `with ${background}`].filter((word) => word).join(' ');
}
