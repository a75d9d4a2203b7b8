// Openfloor as the bars about the floor and the audit feed start it: the product's composition, with an eye on its PTYs
// and a hand on its journal. It prints its address as one JSON line, then answers each line of its input with another.
// Commands: `pastes` (ms from a request's frame to its paste, since the last time), `append COUNT EACH_TURN`.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openJournal } from '../../runtime/journal/journal.js';
import type { Change } from '../../runtime/journal/port.js';
import { composeRuntime } from '../../runtime/main.js';
import { createPtyRoom, type PtyRoom } from '../../runtime/pty/host.js';
import { testConfig, verifierOf } from '../support/server.js';
import { AGENT_PACK } from './agent.js';

const PASTE_START = Buffer.from('\x1b[200~');

const folder = mkdtempSync(join(tmpdir(), 'openfloor-bench-'));
const packFolder = join(folder, 'agents');
mkdirSync(packFolder);
writeFileSync(join(packFolder, `${AGENT_PACK.name}.json`), JSON.stringify(AGENT_PACK));

/** When the last frame was whole. What a floor that is open types, it types in the turn of that frame. */
let receivedAt = 0;
let pastes: number[] = [];
const { emit } = WebSocket.prototype;
WebSocket.prototype.emit = function (this: WebSocket, event: string | symbol, ...args: unknown[]): boolean {
  if (event === 'message') receivedAt = performance.now();
  return Reflect.apply(emit, this, [event, ...args]) as boolean;
};

function watched(ptys: PtyRoom): PtyRoom {
  return {
    ...ptys,
    host: {
      spawn: async (spec, events) => {
        const pty = await ptys.host.spawn(spec, events);
        const write: typeof pty.write = (bytes) => {
          const took = pty.write(bytes);
          if (PASTE_START.equals(bytes.subarray(0, 6))) pastes.push(performance.now() - receivedAt);
          return took;
        };
        return { ...pty, write };
      },
    },
  };
}

const journal = openJournal({ file: join(folder, 'openfloor.db') });
const credential = randomBytes(32).toString('hex');
const runtime = await composeRuntime(
  {
    config: testConfig({ env: 'caller' }),
    dataDir: folder,
    packFolder,
    log: 'silent',
    adminVerifier: verifierOf(credential),
  },
  { journal, ptys: watched(createPtyRoom()) },
);

/** What a grant commits: the row of the outbox and its record, with every check. */
function grant(n: number): Change[] {
  const body = `look at row ${n} and say what is wrong with it`;
  const id = `bench-${n}`;
  const who = { seat: 'bench', identity: 'shepherd bench', origin: 'wake', urgent: false } as const;
  const checks = Array.from({ length: 14 }, (_, row) => ({ row, title: 'a check', result: 'pass' }));
  const digest = createHash('sha256').update(body).digest('hex');
  return [
    { type: 'accept', row: { id, ...who, body, state: 'sending', createdAt: n } },
    {
      type: 'audit',
      entry: {
        ...{ at: n, kind: 'injection.granted', ...who, session: 'bench', generation: 1, request: id },
        ...{ message: body, message_sha256: digest, bytes: body.length, checks },
      },
    },
  ];
}

let appended = 0;
async function append(count: number, eachTurn: number): Promise<number> {
  const startedAt = performance.now();
  for (let n = 1; n <= count; n++) {
    journal.commit(grant(++appended));
    if (n % eachTurn === 0) await turn();
  }
  return performance.now() - startedAt;
}

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ url: runtime.address, credential });
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [command, count, eachTurn] = line.split(' ');
  if (command === 'append') void append(Number(count), Number(eachTurn)).then(say);
  else {
    say(pastes);
    pastes = [];
  }
});
lines.on('close', () => {
  void runtime.drain().finally(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
