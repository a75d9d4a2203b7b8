// The demo agent's rules as vectors: bytes and times in, statuses, submissions, answers and rows out; for any cutting of
// the bytes; and what its command line refuses.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDecoder } from '../../../clients/demo/agent/decode.js';
import { parseSwitches, SWITCH_NAMES } from '../../../clients/demo/agent/switch.js';
import { viewOf } from '../../../clients/demo/agent/view.js';
import { readVectors } from '../../support/byte-vector.js';
import { specTable } from '../../support/spec-table.js';
import { type Rig, shortTold, startRig } from './rig.js';

const test = suite('clients/demo/agent/step');

type Move = readonly [number, string?] | readonly ['flush', number];
interface Case {
  readonly description: string;
  readonly switches: readonly string[];
  readonly do: readonly Move[];
  readonly submitted?: readonly string[];
  readonly composer?: string;
  readonly turn?: 'idle' | 'done' | 'working';
  readonly front?: string;
  readonly queue?: readonly string[];
  readonly told?: readonly string[];
  readonly last?: string;
  readonly answers?: readonly (readonly [string, number | null])[];
  readonly rows?: readonly string[];
  readonly caret?: readonly [number, number];
  readonly exit?: number;
}
const EXPECTED = 'submitted composer turn front queue told last answers rows caret exit'.split(' ');
const cases = readVectors<Case>('demo/step.json', ['switches', 'do', ...EXPECTED]);

function play(item: Case, cut: (bytes: string) => readonly string[]): Rig {
  const named = item.switches.some((word) => word.startsWith('--status'));
  const rig = startRig(named ? item.switches : ['--status=always', ...item.switches]);
  for (const move of item.do) {
    if (move[0] === 'flush') rig.flush(move[1]);
    else if (move[1] === undefined) rig.at(move[0]);
    else for (const part of cut(move[1])) rig.at(move[0], part);
  }
  return rig;
}

function check(item: Case, rig: Rig): void {
  const { state } = rig;
  if (item.submitted) assert.equal(rig.submitted(), item.submitted);
  if (item.composer !== undefined) assert.is(rig.composer(), item.composer);
  if (item.front) assert.is(state.front.is, item.front);
  if (item.queue) assert.equal(state.queue, item.queue);
  if (item.turn) {
    assert.is(state.turn.is === 'working' ? 'working' : state.turn.done ? 'done' : 'idle', item.turn);
  }
  const told = shortTold(rig.told);
  if (item.told) assert.equal(told, item.told);
  if (item.last) assert.is(told.at(-1), item.last);
  const answers = rig.effects.flatMap((effect) =>
    effect.type === 'answer' ? [[effect.kind, effect.choice]] : [],
  );
  if (item.answers) assert.equal(answers, item.answers);
  if (item.rows) assert.equal(rig.rows(), item.rows);
  if (item.caret) {
    const { row, column } = viewOf(state).caret;
    assert.equal([row, column], item.caret);
  }
  if (item.exit !== undefined) {
    assert.equal(rig.effects.at(-1), { type: 'exit', code: item.exit });
  }
}

for (const item of cases) {
  test(item.description, () =>
    check(
      item,
      play(item, (bytes) => [bytes]),
    ),
  );
  test(`${item.description} (the same, one character at a time)`, () =>
    check(
      item,
      play(item, (bytes) => [...bytes]),
    ));
}

test('a case without an expectation would test nothing', () => {
  for (const item of cases)
    assert.ok(
      EXPECTED.some((name) => name in item),
      item.description,
    );
});

test('an answer cut anywhere is the same answer, byte by byte', () => {
  const bytes = Buffer.from(
    'a日\x1b[200~p\x1b[20x\x1b[201~\x1b]7501;?:future=1\x07\x1b[?62;4c\x1b[1;5A\x1bOH',
    'utf8',
  );
  const whole = createDecoder(true).feed(bytes);
  assert.equal(
    whole.map((input) => input.type),
    ['text', 'text', 'paste', 'answer', 'answer', 'key', 'key'],
  );
  const decoder = createDecoder(true);
  assert.equal(Array.from(bytes, (byte) => decoder.feed(Buffer.of(byte))).flat(), whole);
});

test('rows are never wider than the terminal and never more than its height', () => {
  for (const [rows, cols] of [
    [24, 80],
    [8, 40],
    [5, 20],
  ] as const) {
    for (const message of ['x'.repeat(700), 'word '.repeat(120), 'a\n'.repeat(8)]) {
      const rig = startRig(['--footer-noise', '--popup'], rows, cols);
      rig.at(10, `\x1b[200~${message}\x1b[201~`);
      const { live, caret } = viewOf(rig.state);
      assert.ok(live.length <= rows, `${live.length} rows of ${rows}`);
      for (const row of rig.rows()) assert.ok(row.length <= cols, row);
      assert.ok(caret.row < live.length && caret.column < cols);
      rig.at(20, '\x15'.repeat(20));
    }
  }
});

test('a wrong switch is refused with one sentence that says what is right', () => {
  assert.match(parseSwitches(['--nap']) as string, /^There is no switch "--nap"; there are --journal, /);
  assert.match(parseSwitches(['now']) as string, /^There is no switch "now"/);
  assert.is(parseSwitches(['--boot']), '--boot needs a value.');
  assert.is(parseSwitches(['--boot', 'soon']), '--boot takes a whole number from 0 to 86400000.');
  assert.is(parseSwitches(['--status=loud']), '--status takes one of query, always, titles, none.');
  assert.is(parseSwitches(['--alt=1']), '--alt takes no value.');
  assert.match(parseSwitches(['--constructor']) as string, /^There is no switch/);
});

test('the spec page lists exactly the switches that there are', () => {
  const listed = specTable('demo-agent.md').flatMap(([cell = '']) =>
    [...cell.matchAll(/--([a-z-]+)/g)].map((match) => match[1]),
  );
  assert.equal(listed.sort(), [...SWITCH_NAMES].sort());
});

test.run();
