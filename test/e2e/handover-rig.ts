// For handovers that go wrong for real: wrappers around the demo agent that ignore signals or fail to start, a runtime whose
// kills stop at TERM, and, as a process of its own, one that dies when a handover's record is about to be written
// (arguments: data folder, verifier).
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../runtime/journal/journal.js';
import type { Journal } from '../../runtime/journal/port.js';
import { composeRuntime } from '../../runtime/main.js';
import { createPtyRoom, type PtyRoom } from '../../runtime/pty/host.js';
import { type DemoAgent, demoAgent } from '../support/demo-agent.js';
import { type Answer, type Operator, SeatRig } from '../support/seat-rig.js';
import { testConfig, verifierOf } from '../support/server.js';

export const handover = (rig: SeatRig, seat: string, body: object, token?: string): Promise<Answer> =>
  rig.call('POST', `/api/seat/handover/${seat}`, { reason: 'a test', ...body }, token);
export const recover = (rig: SeatRig, seat: string, as: string): Promise<Answer> =>
  rig.call('POST', `/api/seat/recover/${seat}`, { as, reason: 'somebody looked' });
export const lineage = async (rig: SeatRig, seat: string) =>
  (await rig.call('GET', `/api/seat/lineage/${seat}`)).body;
export const outcomes = ({ body }: Answer) => [body.continuityOutcome, body.seatBindingOutcome];
export const frames = (operator: Operator, type: string) =>
  operator.frames.filter((frame) => frame.type === type);
export const phases = (operator: Operator) => frames(operator, 'handover').map(({ phase }) => phase);

export interface Wrapped {
  readonly agent: DemoAgent;
  /** The program that starts it, which a test may change or take away. */
  readonly wrapper: string;
  close(): void;
}

/** A demo agent behind a program of its own: `before` and `after` are lines of shell around it. */
export async function wrappedSeat(rig: SeatRig, seat: string, before: string, after = ''): Promise<Wrapped> {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-wrapper-'));
  const wrapper = join(folder, 'wrapped-agent');
  writeFileSync(wrapper, `#!/bin/sh\n${before}\n"$@"\n${after}\n`);
  chmodSync(wrapper, 0o700);
  const agent = demoAgent();
  const command = [wrapper, ...agent.command];
  const { status, body } = await rig.call('POST', '/admin/sessions', {
    name: seat,
    command,
    rows: 30,
    cols: 100,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await rig.status(seat, ({ state }) => state === 'idle');
  await rig.composerEmpty(seat);
  const close = () => {
    agent.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { agent, wrapper, close };
}

export interface Faults {
  /** Kills send HUP and TERM to the leader alone and give up: KILL fails. */
  killStopsAtTerm: boolean;
}

const ALIVE_MS = 300;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function faultyPtys(ptys: PtyRoom, faults: Faults): PtyRoom {
  const spawn: PtyRoom['host']['spawn'] = async (spec, events) => {
    const pty = await ptys.host.spawn(spec, events);
    return {
      ...pty,
      kill: async (graceMs) => {
        if (!faults.killStopsAtTerm) return pty.kill(graceMs);
        for (const signal of ['SIGHUP', 'SIGTERM'] as const) process.kill(pty.pid, signal);
        await new Promise((resolve) => setTimeout(resolve, ALIVE_MS));
        return { survivors: alive(pty.pid) ? [pty.pid] : [], elapsedMs: ALIVE_MS };
      },
    };
  };
  return { ...ptys, host: { spawn } };
}

/** The product's own composition over PTYs that can be told to fail. */
export async function faultyRig(): Promise<{ rig: SeatRig; faults: Faults }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openfloor-test-'));
  const credential = randomBytes(32).toString('hex');
  const faults: Faults = { killStopsAtTerm: false };
  const runtime = await composeRuntime(
    { config: testConfig({ env: 'caller' }), dataDir, log: 'silent', adminVerifier: verifierOf(credential) },
    {
      journal: openJournal({ file: join(dataDir, 'openfloor.db') }),
      ptys: faultyPtys(createPtyRoom(), faults),
    },
  );
  const rig = SeatRig.over({
    url: runtime.address,
    credential,
    dataDir,
    mintTicket: () => runtime.mintTicket(),
    stop: async () => {
      await runtime.drain();
      rmSync(dataDir, { recursive: true, force: true });
    },
  });
  return { rig, faults };
}

/** Dies in the commit that would write a handover's record; the rest of the journal is the product's. */
function dyingJournal(journal: Journal): Journal {
  const commit: Journal['commit'] = (changes) => {
    if (changes.some(({ type }) => type === 'handover')) process.kill(process.pid, 'SIGKILL');
    return journal.commit(changes);
  };
  return new Proxy(journal, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

if (process.argv[1]?.endsWith('handover-rig.js')) {
  const [dataDir, adminVerifier] = process.argv.slice(2) as [string, string];
  const runtime = await composeRuntime(
    { config: testConfig({ env: 'caller' }), dataDir, log: 'silent', adminVerifier },
    { journal: dyingJournal(openJournal({ file: join(dataDir, 'openfloor.db') })), ptys: createPtyRoom() },
  );
  process.stdout.write(`${JSON.stringify({ url: runtime.address })}\n`);
}
