// The status machine against its vectors: spec/vectors/status/fold.json, rules S1 to S10. A step is an event or a check;
// a step, a check or a field that isn't understood fails.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveStatus } from '../../../runtime/status/derive.js';
import { foldStatus, nextDeadline } from '../../../runtime/status/fold.js';
import { initialStatus, type StatusState } from '../../../runtime/status/state.js';
import type {
  Front,
  InterruptKey,
  ReadingEvidence,
  Status,
  StatusChange,
  StatusEvent,
  StatusPack,
} from '../../../runtime/status/status.js';
import { type Body, bodyOf, readVectors } from '../../support/byte-vector.js';

const test = suite('fold');
const [packCase] = readVectors<{ description: string; pack: StatusPack }>('status/fold-pack.json', ['pack']);
const pack = packCase?.pack as StatusPack;

interface Step {
  readonly at?: number;
  readonly offset?: number;
  readonly start?: { readonly pid: number; readonly carrier?: string; readonly first_rest_ms?: number };
  readonly end?: true;
  readonly osc?: number;
  readonly body?: Body;
  readonly front?: Front;
  readonly ris?: true;
  readonly hook?: string;
  readonly fields?: Record<string, unknown>;
  readonly key?: InterruptKey;
  readonly enter?: true;
  readonly reading?: Partial<ReadingEvidence>;
  readonly tick?: true;
  readonly expect?: Partial<Record<keyof Status, unknown>>;
  readonly changes?: readonly string[];
  readonly turn_started?: Record<string, unknown>;
  readonly deadline?: number | null;
}

const FIELDS = new Set(
  'at offset start end osc body front ris hook fields key enter reading tick expect changes turn_started deadline'.split(
    ' ',
  ),
);

function eventOf(step: Step, index: number): StatusEvent | undefined {
  const { at = 0, front = 'tenure' } = step;
  const offset = step.offset ?? 1000 + index;
  if (step.start) {
    const { pid, carrier, first_rest_ms } = step.start;
    const tenure = { pid, startTime: '1', exe: '/bin/vector', ...(carrier ? { carrier } : {}) };
    const rest = first_rest_ms === undefined ? {} : { first_rest_ms };
    return { type: 'tenure_started', at, offset, tenure, pack: { ...pack, ...rest } };
  }
  if (step.end) return { type: 'tenure_ended', at, offset };
  if (step.osc !== undefined)
    return {
      type: 'sequence',
      front,
      sequence: { code: step.osc, body: bodyOf(step.body ?? ''), at, offset },
    };
  if (step.ris) return { type: 'reset', at, offset, front };
  if (step.hook !== undefined)
    return { type: 'hook', at, offset, hook: { event: step.hook, fields: step.fields ?? {} } };
  if (step.key) return { type: 'interrupt', at, key: step.key };
  if (step.enter) return { type: 'enter', at };
  if (step.reading) return { type: 'reading', reading: { composer: false, at, offset, ...step.reading } };
  return step.tick ? { type: 'tick', at } : undefined;
}

function check(step: Step, state: StatusState, changes: readonly StatusChange[]): boolean {
  const status = deriveStatus(state);
  for (const [field, expected] of Object.entries(step.expect ?? {})) {
    const actual = (status as unknown as Record<string, unknown>)[field];
    assert.equal(actual ?? null, expected, `${field}: ${JSON.stringify(status)}`);
  }
  if (step.changes) {
    assert.equal(
      changes.map((change) => change.type),
      step.changes,
    );
  }
  if (step.turn_started) {
    const started = changes.find((change) => change.type === 'turn_started') as unknown as
      | Record<string, unknown>
      | undefined;
    for (const [field, expected] of Object.entries(step.turn_started)) assert.is(started?.[field], expected);
  }
  if (step.deadline !== undefined) assert.is(nextDeadline(state) ?? null, step.deadline);
  return (
    step.expect !== undefined ||
    step.changes !== undefined ||
    step.turn_started !== undefined ||
    step.deadline !== undefined
  );
}

for (const item of readVectors<{ description: string; steps: readonly Step[] }>('status/fold.json', [
  'steps',
])) {
  test(item.description, () => {
    let state = initialStatus(0);
    let changes: readonly StatusChange[] = [];
    let checks = 0;
    item.steps.forEach((step, index) => {
      for (const field of Object.keys(step)) assert.ok(FIELDS.has(field), `unknown field ${field}`);
      const event = eventOf(step, index);
      if (event === undefined) {
        assert.ok(check(step, state, changes), 'a step that is neither event nor check');
        checks++;
      } else ({ state, changes } = foldStatus(state, event));
    });
    assert.ok(checks > 0, 'the case checks nothing');
  });
}

test('every rule from S1 to S10 has a case', () => {
  const cases = readVectors<{ description: string; steps: unknown }>('status/fold.json', ['steps']);
  const named = new Set(cases.map((item) => item.description.split(' ')[0]));
  for (let rule = 1; rule <= 10; rule++) assert.ok(named.has(`S${rule}`), `S${rule}`);
});

test.run();
