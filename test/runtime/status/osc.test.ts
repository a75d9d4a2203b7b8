// One OSC concept a vector file: program status, title, progress, prompt marks, notifications. The vectors hold the limits
// and one over; here are only what can't be said in them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assemble, NO_OPEN_NOTIFICATIONS, NOTIFY_OPEN, parseNotify } from '../../../runtime/status/notify.js';
import { parseProgramStatus } from '../../../runtime/status/program-status.js';
import { isProgress, parseProgressReport } from '../../../runtime/status/progress.js';
import { foldPrompt, type PromptState, parsePromptMark } from '../../../runtime/status/prompt-mark.js';
import { escapeText } from '../../../runtime/status/sequence.js';
import { parseTitle } from '../../../runtime/status/title.js';
import { type Body, bodyOf, readVectors } from '../../support/byte-vector.js';

const test = suite('osc concepts');

interface BodyCase {
  readonly description: string;
  readonly body: Body;
  readonly expect: unknown;
}

const PARSERS: readonly (readonly [string, (body: string) => unknown])[] = [
  ['program-status', parseProgramStatus],
  ['title', parseTitle],
  ['progress', parseProgressReport],
  ['prompt-mark', parsePromptMark],
];

for (const [concept, parse] of PARSERS) {
  for (const item of readVectors<BodyCase>(`status/${concept}.json`, ['body', 'expect'])) {
    test(`${concept}: ${item.description}`, () => {
      assert.equal(parse(bodyOf(item.body)), item.expect);
    });
  }
}

interface NotifyCase {
  readonly description: string;
  readonly sequences: readonly { readonly code: number; readonly body: Body }[];
  readonly expect: readonly unknown[];
}

for (const item of readVectors<NotifyCase>('status/notify.json', ['sequences', 'expect'])) {
  test(`notify: ${item.description}`, () => {
    let open = NO_OPEN_NOTIFICATIONS;
    const seen = item.sequences.map(({ code, body }) => {
      const parsed = parseNotify(code, bodyOf(body));
      if (parsed.type !== 'part') return parsed;
      const after = assemble(open, parsed.part);
      open = after.open;
      assert.ok(open.size <= NOTIFY_OPEN);
      return after.complete ? { type: 'notification', notification: after.complete } : { type: 'open' };
    });
    assert.equal(seen, item.expect);
  });
}

test('a progress report and a notification share OSC 9 and are told apart by the 4', () => {
  assert.equal(['4', '4;1;2', '41', '5;4', 'text'].map(isProgress), [true, true, false, false, false]);
});

test('prompt marks: input stands only from a B to the next mark', () => {
  let state: PromptState = { at: 'unmarked' };
  const states = ['A', 'B', 'A', 'B', 'C', 'D;0', 'zz', 'A', 'B'].map((body, index) => {
    state = foldPrompt(state, parsePromptMark(body), index);
    return state.at;
  });
  assert.equal(states, [
    'prompt',
    'at_input',
    'prompt',
    'at_input',
    'running',
    'finished',
    'finished',
    'prompt',
    'at_input',
  ]);
  assert.equal(state, { at: 'at_input', offset: 8 });
});

test('escaped text has no control, format or bidirectional characters', () => {
  assert.is(escapeText('a\u001b[31m\u202eb\ufeff'), 'a\\u{1b}[31m\\u{202e}b\\u{feff}');
});

test('escaped text at the limit is whole, one over ends with an ellipsis inside the limit', () => {
  assert.is(escapeText('x'.repeat(240)), 'x'.repeat(240));
  assert.is(escapeText('x'.repeat(241)), `${'x'.repeat(239)}…`);
  assert.is(escapeText(`${'x'.repeat(238)}\u0007y`), `${'x'.repeat(238)}…`);
  assert.is([...escapeText('😀'.repeat(300))].length, 240);
});

test.run();
