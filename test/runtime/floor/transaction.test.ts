// Every step of the transaction, driven by vectors: what is written, when, and how it ends.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Request } from '../../../runtime/floor/request.js';
import { isNew, markOf, sight } from '../../../runtime/floor/staged.js';
import {
  begin,
  nextDeadline,
  step,
  type TransactionEffect,
  type TransactionEnd,
  type TransactionEvent,
} from '../../../runtime/floor/transaction.js';
import type { ReadingView, View } from '../../../runtime/floor/view.js';
import { cases, NOW, requestOf, viewOf } from './vector.js';

const test = suite('floor/transaction');
const fence = { generation: 7, epoch: 1 };

interface StepCase {
  readonly at: number;
  readonly event?: TransactionEvent;
  readonly view?: Partial<View>;
  readonly effects: readonly string[];
  readonly phase?: string;
}
interface TransactionCase {
  readonly view: Partial<View>;
  readonly request: Partial<Request>;
  readonly steps: readonly StepCase[];
  readonly end?: TransactionEnd;
}
const STEP_FIELDS = ['at', 'event', 'view', 'effects', 'phase'];

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const show = (effect: TransactionEffect) =>
  'bytes' in effect ? `${effect.kind} ${text(effect.bytes)}` : effect.kind;

for (const one of cases<TransactionCase>('floor/transaction.json', ['view', 'request', 'steps', 'end'])) {
  test(`floor/transaction.json: ${one.description}`, () => {
    let view = viewOf(one.view);
    let running = begin(requestOf(one.request), view, fence);
    assert.is(running.bytesWritten, 0);
    for (const [index, stepCase] of one.steps.entries()) {
      for (const field of Object.keys(stepCase)) assert.ok(STEP_FIELDS.includes(field), field);
      view = { ...view, ...stepCase.view };
      const done = step(running, stepCase.event ?? { kind: 'changed' }, view, stepCase.at);
      running = done.next;
      assert.equal(done.effects.map(show), stepCase.effects, `step ${index}`);
      if (stepCase.phase !== undefined) {
        assert.is(running.end, undefined, `step ${index} has ended: ${JSON.stringify(running.end)}`);
        assert.is(running.phase.kind, stepCase.phase, `step ${index}`);
      }
    }
    assert.equal(running.end, one.end);
  });
}

interface StagedCase {
  readonly text: string;
  readonly before: Pick<ReadingView, 'rows' | 'cursorRow' | 'pasteLabels'>;
  readonly after: Pick<ReadingView, 'rows' | 'cursorRow' | 'pasteLabels'>;
  readonly new: boolean;
}
for (const one of cases<StagedCase>('floor/staged.json', ['text', 'before', 'after', 'new'])) {
  test(`floor/staged.json: ${one.description}`, () => {
    const reading = (part: StagedCase['before']): ReadingView => ({
      offset: 0,
      composer: { kind: 'unknown', cause: 'composer_unread' },
      vetoes: [],
      dialog: undefined,
      ...part,
    });
    const mark = markOf(one.text);
    assert.is(isNew(sight(reading(one.before), mark), sight(reading(one.after), mark)), one.new);
  });
}

test('the deadline of a transaction is when it would move by itself', () => {
  const view = viewOf();
  const granted = begin(requestOf(), view, fence);
  assert.is(nextDeadline(granted, view, NOW), undefined);
  const pasting = step(granted, { kind: 'recorded' }, view, NOW).next;
  assert.is(nextDeadline(pasting, view, NOW), NOW + 5_000);
  const written = { kind: 'paste_written', bytes: 32, complete: true } as const;
  const settling = step(pasting, written, view, NOW + 10).next;
  assert.is(nextDeadline(settling, view, NOW + 10), NOW + 5_010);
  const shown = viewOf({
    receivedOffset: 9_100,
    reading: { ...view.reading!, offset: 9_100, rows: ['', '', '> please run the tests', ''] },
  });
  const seen = step(settling, { kind: 'changed' }, shown, NOW + 20).next;
  assert.is(nextDeadline(seen, shown, NOW + 20), NOW + 310);
  const entering = step(seen, { kind: 'changed' }, shown, NOW + 310).next;
  assert.is(nextDeadline(entering, shown, NOW + 310), undefined);
  const watching = step(entering, { kind: 'enter_written', taken: true }, shown, NOW + 311).next;
  assert.is(nextDeadline(watching, shown, NOW + 311), NOW + 5_311);
});

test('the end of a large text is found without looking at all of it', () => {
  const mark = markOf(`${'word '.repeat(200_000)}${' '.repeat(10_000)}the very end of it all`);
  assert.is(mark.tail, 'everyendofitall'.padStart(16, 'h'));
});

test.run();
