// kill -9 of a real runtime at each point of a transaction, one run after the other over the same store: no byte is typed
// again, every state is true, every grant has one end, and the chain verifies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../clients/sdk/index.js';
import type { DemoAgent } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';
import { startServer, verifierOf } from '../support/server.js';
import { POINTS, type Point } from './cut-runtime.js';

const CREDENTIAL = 'c'.repeat(64);
const SCRIPT = fileURLToPath(new URL('./cut-runtime.js', import.meta.url));
/** A paste with a middle takes more than one write. */
const text = (point: Point) =>
  `killed ${point} ${'and so on '.repeat(point === 'in the middle of the paste' ? 600 : 1)}end`;
const frame = (point: Point) => `\x1b[200~${text(point)}\x1b[201~`;

/** What is true of the request after the restart, and what its agent may have read. */
const EXPECTED: Record<Point, { state: string; reason: string; read: RegExp }> = {
  'before the grant is on record': { state: 'error', reason: 'request_not_found', read: /^$/ },
  'after the grant is on record': { state: 'indeterminate', reason: 'runtime_restarted', read: /^$/ },
  'in the middle of the paste': { state: 'indeterminate', reason: 'runtime_restarted', read: /^[^\r]*$/ },
  'after the paste, before Enter': { state: 'indeterminate', reason: 'runtime_restarted', read: /201~$/ },
  'after Enter': { state: 'indeterminate', reason: 'runtime_restarted', read: /201~\r?$/ },
  'before the end is on record': { state: 'indeterminate', reason: 'runtime_restarted', read: /201~\r$/ },
  'after the end is on record': { state: 'complete', reason: 'turn_started', read: /201~\r$/ },
};

/** A runtime that dies at `point`. Settles with its agent, once the process is dead; the agent dies a little later. */
async function killedAt(dataDir: string, point: Point): Promise<DemoAgent> {
  const child = spawn(process.execPath, [SCRIPT, dataDir, point, verifierOf(CREDENTIAL)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const dead = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const rig = SeatRig.over({
    url,
    credential: CREDENTIAL,
    dataDir,
    mintTicket: () => '',
    stop: async () => {},
  });
  const client = connect({ url, credential: CREDENTIAL });
  const floor = client.floor();
  try {
    const agent = await rig.seat('killed');
    await rig.call('POST', '/admin/sessions', { name: 'quiet', command: ['cat'], rows: 24, cols: 80 });
    const waits = { seat: 'quiet', origin: 'wake', body: 'waits', wait_ms: 600_000 } as const;
    await floor.request({ ...waits, idempotency_key: `waits ${point}` }).once('accepted');
    rig.send('killed', text(point), { idempotency_key: point }).catch(() => {}); // its answer is the death
    const [, signal] = (await dead) as [number | null, string];
    assert.is(signal, 'SIGKILL', point);
    return agent;
  } finally {
    floor.close();
    child.kill('SIGKILL');
  }
}

/** All that the agent has read: once its terminal is gone the agent goes, and then its journal is whole. */
async function readBy(agent: DemoAgent): Promise<string> {
  const { pid } = await agent.until((entries) => entries.find((entry) => entry.type === 'start'));
  await agent.until(() => (alive(pid) ? undefined : true));
  const text = await agent.received();
  agent.close();
  return text;
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const test = suite<{ rig: SeatRig; reads: Map<Point, string> }>('kill -9');
test.before(async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'openfloor-killed-'));
  context.reads = new Map();
  const agents = new Map<Point, DemoAgent>();
  for (const point of POINTS) agents.set(point, await killedAt(dataDir, point));
  for (const [point, agent] of agents) context.reads.set(point, await readBy(agent));
  context.rig = SeatRig.over(await startServer({ env: 'caller', dataDir }));
});
test.after(({ rig }) => rig.close());

for (const point of POINTS) {
  test(`R4 31 killed ${point}: nothing is typed again and the state is true`, async ({ rig, reads }) => {
    const { state, reason, read } = EXPECTED[point];
    const got = reads.get(point) ?? '';
    // Nothing of an earlier run, nothing but the frame and one Enter.
    assert.ok(`${frame(point)}\r`.startsWith(got), JSON.stringify(got.slice(0, 200)));
    assert.match(got, read);
    const answer = await rig.told('killed', point);
    // A request that had to wait for a reading first was stored as waiting: it has failed, with no byte.
    const waitedFirst = state === 'error' && answer.state === 'failed' && answer.bytes_written === 0;
    const expected = waitedFirst ? ['failed', 'runtime_restarted'] : [state, reason];
    assert.equal([answer.state ?? answer.type, answer.reason], expected, JSON.stringify(answer));
    const waited = await rig.told('quiet', `waits ${point}`);
    assert.is(waited.state, 'failed');
    assert.is(waited.reason, 'runtime_restarted');
    assert.is(waited.bytes_written, 0);
  });
}

test('R4 every grant has exactly one end, and the chain verifies across all the deaths', async ({ rig }) => {
  const records = await rig.audit('killed');
  const of = (kind: string) => records.filter((one) => one.kind === kind).map(({ request }) => request);
  assert.is(of('injection.granted').length, POINTS.length - 1);
  assert.equal(of('injection.finished'), of('injection.granted'));
  const { body } = await rig.call('GET', '/api/audit/verify');
  assert.is(body.ok, true);
});

test('R4 after all that a send is typed once and nothing else', async ({ rig }) => {
  const agent = await rig.seat('killed');
  const { body } = await rig.send('killed', 'still here');
  assert.is(body.outcome, 'delivered', JSON.stringify(body));
  assert.is(await agent.received(), '\x1b[200~still here\x1b[201~\r');
});

test.run();
