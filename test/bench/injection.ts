// P4 and P5: what an injection costs. From a request's frame to its paste, beside one tmux send-keys of the same run; and
// an operator's echo with 1000 requests waiting on the same seat while 25 other seats are typed into 50 times a second.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { type Bar, type Bench, settle } from './bar.js';
import type { Connection } from './client.js';
import { atLeast, atMost, median, micros, percentile, type Row, spread } from './figure.js';
import { FloorPlane } from './floor-plane.js';
import type { FloorServer } from './server.js';

const run = promisify(execFile);
const MESSAGE = 'look at row 17 of the queue and answer its sender';
/** What is typed must have been drawn and read before the floor is open for the next one. */
const REST_MS = 150;
/** One at a time, as the peer's: the last one's agent has drawn by then. */
const PAUSE_MS = 20;
const WAITING = 1_000;
const SEATS = 25;
const PER_SECOND = 50;

async function seats(server: FloorServer, bench: Bench, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < count; n++) {
    const { name } = await server.create(bench.children.agent, { agent: 'bench' });
    names.push(name);
  }
  await settle(1_000);
  return names;
}

/** A tmux server of its own with one pane that reads; undefined where tmux is missing. */
async function tmux(): Promise<{ sendKeys(): Promise<number>; stop(): void } | undefined> {
  const socket = `openfloor-bench-${process.pid}`;
  try {
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', 'new-session', '-d', '-s', 'b', 'cat']);
  } catch {
    return undefined;
  }
  return {
    async sendKeys() {
      const startedAt = performance.now();
      await run('tmux', ['-L', socket, 'send-keys', '-t', 'b', '-l', MESSAGE]);
      return performance.now() - startedAt;
    },
    stop: () => void execFileSync('tmux', ['-L', socket, 'kill-server']),
  };
}

export const injectionBar: Bar = {
  id: 'P4',
  title: 'from a request to its paste',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.floor();
    const names = await seats(server, bench, SEATS);
    const plane = await FloorPlane.open(server);
    const peer = await tmux();
    const keys: number[] = [];
    const pastes: number[] = [];
    try {
      for (let round = 0; round < (bench.quick ? 3 : 20); round++) {
        const asked = [];
        for (const seat of names) {
          asked.push(plane.ask({ seat, body: `${MESSAGE} ${round}`, waitMs: 0 }));
          await settle(PAUSE_MS);
        }
        for (const one of asked) {
          const { state, reason } = await (await one).outcome;
          if (state !== 'complete') throw new Error(`an injection ended ${state}: ${reason}`);
        }
        const took = await server.pastes();
        await settle(REST_MS);
        // The first rounds warm up: a server has typed before.
        if (round >= (bench.quick ? 1 : 5)) pastes.push(...took);
        for (let n = 0; peer && n < 3; n++) keys.push(await peer.sendKeys());
      }
    } finally {
      peer?.stop();
      plane.close();
    }
    const ours = percentile(pastes, 0.5);
    const theirs = percentile(keys, 0.5);
    const rows: Row[] = [
      {
        bar: 'P4',
        what: 'request frame received to paste written, p50',
        figure: ours,
        unit: 'ms',
        limit: atMost(0.4),
        note: `p99 ${percentile(pastes, 0.99).toFixed(2)} ms of ${pastes.length}, recorded with every check first`,
      },
    ];
    if (!peer) return rows;
    rows.push({
      bar: 'P4',
      what: 'one tmux send-keys / request to paste',
      figure: theirs / ours,
      unit: 'x',
      limit: atLeast(15),
      note: `tmux ${theirs.toFixed(1)} ms (${spread(keys, 1)}), ${micros(ours)}`,
    });
    return rows;
  },
};

interface Load {
  /** Settles with how many were typed once the last one is over. */
  stop(): Promise<{ typed: number; asked: number; elapsedMs: number }>;
}

/** Asks for one injection every 20 ms, seat after seat. */
function inject(plane: FloorPlane, names: readonly string[]): Load {
  const startedAt = performance.now();
  const open: Array<Promise<void>> = [];
  let asked = 0;
  let typed = 0;
  const timer = setInterval(() => {
    const seat = names[asked++ % names.length] as string;
    const one = plane.ask({ seat, body: MESSAGE, waitMs: 10_000 }).then(async ({ outcome }) => {
      if ((await outcome).state === 'complete') typed++;
    });
    open.push(one);
  }, 1_000 / PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      const elapsedMs = performance.now() - startedAt;
      await Promise.all(open);
      return { typed, asked, elapsedMs };
    },
  };
}

async function queue(plane: FloorPlane, seat: string): Promise<string[]> {
  const asked = Array.from({ length: WAITING }, (_, n) =>
    plane.ask({ seat, body: `${MESSAGE} ${n}`, waitMs: 3_600_000 }),
  );
  return (await Promise.all(asked)).map(({ id }) => id);
}

/** What the same typing costs an echo of `bare`, which records nothing, checks nothing and has nothing waiting. */
async function bareRounds(bench: Bench, count: number, rounds: number): Promise<number[]> {
  const server = await bench.bare();
  const typist = bench.client();
  const hand = bench.client();
  const operator = await typist.open(await server.open('busyAgent'));
  const others: Connection[] = [];
  for (let n = 0; n < SEATS; n++) others.push(await hand.open(await server.open('agent')));
  await operator.echo(count / 2);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const quiet = percentile(await operator.echo(count), 0.99);
    let at = 0;
    const timer = setInterval(() => {
      const other = others[at++ % SEATS] as Connection;
      void other.send(`\x1b[200~${MESSAGE}\x1b[201~`);
      setTimeout(() => void other.send('\r'), 100);
    }, 1_000 / PER_SECOND);
    await settle(300);
    const loaded = percentile(await operator.echo(count), 0.99);
    clearInterval(timer);
    await settle(500);
    ratios.push(loaded / quiet);
    bench.say(`P5 bare round ${round + 1}: quiet p99 ${micros(quiet)}, loaded p99 ${micros(loaded)}`);
  }
  return ratios;
}

export const waitingBar: Bar = {
  id: 'P5',
  title: 'echo while automation waits and types elsewhere',
  async measure(bench) {
    if (bench.bareOnly) return [];
    const server = await bench.floor();
    const names = await seats(server, bench, SEATS);
    const typist = bench.client();
    const session = await server.create(bench.children.busyAgent, { agent: 'bench' });
    const operator = await typist.open(server.endpoint(session));
    const plane = await FloorPlane.open(server);
    const count = bench.quick ? 500 : 4_000;
    const quiet: number[] = [];
    const loaded: number[] = [];
    const rates: number[] = [];
    await operator.echo(count / 2);
    const rounds = bench.quick ? 2 : 9;
    for (let round = 0; round < rounds; round++) {
      quiet.push(percentile(await operator.echo(count), 0.99));
      const ids = await queue(plane, session.name);
      const load = inject(plane, names);
      await settle(300);
      loaded.push(percentile(await operator.echo(count), 0.99));
      const { typed, asked, elapsedMs } = await load.stop();
      if (typed < asked) throw new Error(`${asked - typed} of ${asked} injections were not typed`);
      rates.push(typed / (elapsedMs / 1_000));
      for (const id of ids) plane.withdraw(session.name, id);
      await settle(500);
      bench.say(
        `P5 round ${round + 1}: quiet p99 ${micros(quiet.at(-1) ?? 0)}, loaded p99 ${micros(loaded.at(-1) ?? 0)}`,
      );
    }
    plane.close();
    await server.stop();
    const bare = await bareRounds(bench, count, rounds);
    const ratios = loaded.map((p99, round) => p99 / (quiet[round] ?? Number.NaN));
    return [
      {
        bar: 'P5',
        what: `echo p99 with ${WAITING} waiting and ${PER_SECOND} injections/s / quiet`,
        figure: median(ratios),
        unit: 'x',
        limit: atMost(1.25),
        note: `${micros(median(loaded))} / ${micros(median(quiet))}, rounds ${spread(ratios)}; ${median(rates).toFixed(0)} typed a second`,
      },
      {
        bar: 'P5',
        what: `the same typing into ${SEATS} PTYs of bare, nothing waiting / quiet`,
        figure: median(bare),
        unit: 'x',
        note: `rounds ${spread(bare)}: what two cores can't give anybody`,
      },
    ];
  },
};
