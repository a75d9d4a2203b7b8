// Recorded agents through the scanner, the packs and the machine: the statuses of spec/vectors/status/recording.json, for
// every way of cutting the stream; and what a stream must not say when its printer isn't the agent.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveStatus } from '../../../runtime/status/derive.js';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';
import { readVectors } from '../../support/byte-vector.js';
import { type RecordedChunk, recordingNames } from '../../support/recording.js';
import { agentChunks, builtinPack, replay } from '../../support/replay.js';

const test = suite('recorded statuses');

interface Case {
  readonly description: string;
  readonly agent: string;
  readonly pack: string;
  readonly statuses: readonly string[];
  readonly turns: number;
}
const cases = readVectors<Case>('status/recording.json', ['agent', 'pack', 'statuses', 'turns']);

/** Cuts at pseudo-random places, the same in every run. */
function scattered(seed: number) {
  let next = seed;
  return (bytes: Buffer) => {
    const parts: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      next = (Math.imul(next, 1_103_515_245) + 12_345) & 0x7fffffff;
      const to = from + 1 + (next % 40);
      parts.push(bytes.subarray(from, to));
      from = to;
    }
    return parts;
  };
}

function bodies(parts: readonly Uint8Array[]): readonly string[] {
  const seen: string[] = [];
  const scanner = createOutputScanner({
    pass() {},
    reply() {},
    osc: (code, body) => void seen.push(`${code};${body}`),
    modesChanged() {},
    bell() {},
    reset: () => void seen.push('reset'),
  });
  for (const part of parts) scanner.push(part);
  return seen;
}

for (const item of cases) {
  const chunks = agentChunks(item.agent);
  const pack = builtinPack(item.pack);

  test(`${item.agent}: ${item.description}`, () => {
    const { statuses, state } = replay(pack, chunks);
    assert.equal(statuses, item.statuses);
    assert.is(state.turns, item.turns);
  });

  test(`${item.agent}: the same bytes one at a time, and cut anywhere, give the same statuses`, () => {
    const byByte = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.of(byte));
    for (const cut of [byByte, scattered(1), scattered(7), scattered(99)]) {
      const { statuses, state } = replay(pack, chunks, { cut });
      assert.equal(statuses, item.statuses);
      assert.is(state.turns, item.turns);
    }
  });

  test(`${item.agent}: every single cut inside and around a sequence that counts finds the same sequence`, () => {
    const stream = Buffer.concat(
      chunks.filter((chunk: RecordedChunk) => chunk.from === 'program').map((chunk) => chunk.bytes),
    );
    const distinct = new Set<string>();
    const pattern = /.{0,8}\x1b\](?:0|2|9|777|99|133|7501);[^\x07\x1b]*(?:\x07|\x1b\\).{0,8}/gs;
    for (const match of stream.toString('latin1').matchAll(pattern)) distinct.add(match[0]);
    let found = 0;
    for (const text of distinct) {
      const window = Buffer.from(text, 'latin1');
      const whole = bodies([window]);
      found += whole.length;
      for (let at = 1; at < window.length; at++)
        assert.equal(bodies([window.subarray(0, at), window.subarray(at)]), whole);
    }
    assert.ok(found > 0);
  });

  test(`${item.agent}: cat of the recording while something else is in front changes nothing (C-41)`, () => {
    for (const front of ['other', 'shell'] as const) {
      const { statuses, changes } = replay(pack, chunks, { front });
      assert.equal(statuses, ['unknown:starting process']);
      assert.equal(changes, []);
    }
  });
}

test('every recording belongs to a case', () => {
  const agents = cases.map((item) => item.agent);
  const stray = recordingNames().filter((name) => !agents.some((agent) => name.startsWith(`${agent}-`)));
  assert.equal(stray, []);
});

test('C-34 a turn that Esc ended is idle by what the channel says, within the recording', () => {
  for (const [agent, pack] of [
    ['claude-7501', 'claude-code'],
    ['pi-7501', 'pi'],
    ['codex-7501', 'codex'],
    ['gemini', 'gemini-cli'],
  ] as const) {
    const chunks = agentChunks(agent);
    const pressed = chunks.findIndex(
      (chunk) => chunk.from === 'operator' && chunk.bytes.equals(Buffer.of(0x1b)),
    );
    const at = chunks[pressed]?.atMs ?? 0;
    const until = (ms: number) =>
      replay(
        builtinPack(pack),
        chunks.filter((chunk) => chunk.atMs <= at + ms),
      ).state;
    assert.is(deriveStatus(until(0)).state, 'working', agent);
    assert.is(deriveStatus(until(3000)).state, 'idle', agent);
  }
});

test.run();
