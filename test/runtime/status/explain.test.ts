// What `status --explain` says, and two properties that no vector can hold: idle needs a hard idle signal, and ticks in
// between change nothing.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { baseOf, deriveStatus } from '../../../runtime/status/derive.js';
import { explainStatus } from '../../../runtime/status/explain.js';
import { foldStatus } from '../../../runtime/status/fold.js';
import { matchText } from '../../../runtime/status/rule.js';
import { initialStatus, type StatusState } from '../../../runtime/status/state.js';
import type { StatusEvent, StatusPack } from '../../../runtime/status/status.js';
import { bodyOf, readVectors } from '../../support/byte-vector.js';

const test = suite('explain');
const [packCase] = readVectors<{ description: string; pack: StatusPack }>('status/fold-pack.json', ['pack']);
const pack = packCase?.pack as StatusPack;

const started: StatusEvent = {
  type: 'tenure_started',
  at: 0,
  offset: 0,
  tenure: { pid: 1, startTime: '1', exe: '/bin/vector' },
  pack,
};
const osc = (at: number, code: number, body: string, front: 'tenure' | 'other' = 'tenure'): StatusEvent => ({
  type: 'sequence',
  front,
  sequence: { code, body: bodyOf(body), at, offset: at },
});
const run = (events: readonly StatusEvent[]): StatusState =>
  events.reduce((state, event) => foldStatus(state, event).state, initialStatus(0));

test('explain names every rule that was tried on the last title, and what it saw', () => {
  const explanation = explainStatus(run([started, osc(5, 0, 'busy')]));
  const title = explanation.seen.find((seen) => seen.concept === 'title');
  assert.is(title?.detail, 'busy');
  assert.is(title?.result, 'counted');
  assert.equal(
    title?.tried.map((tried) => `${tried.rule} ${tried.result}`),
    [
      'spin other_text',
      'rest other_text',
      'ready other_text',
      'busy matched',
      'ask not_reached',
      'gone not_reached',
      'bar not_reached',
      'over not_reached',
    ],
  );
});

test('explain says why a sequence did not count', () => {
  const explanation = explainStatus(
    run([started, osc(1, 7501, 'state=idle', 'other'), osc(2, 0, 'nobody knows'), osc(3, 133, 'Z')]),
  );
  const results = explanation.seen.map((seen) =>
    `${seen.concept} ${seen.result} ${seen.reason ?? ''}`.trim(),
  );
  assert.equal(results, [
    'program_status not_in_front other',
    'title no_rule',
    'prompt refused mark_unknown',
  ]);
});

test('explain says which channel decides, vetoes, is overruled and is silent', () => {
  const explanation = explainStatus(
    run([started, osc(1, 0, 'ready'), osc(2, 7501, 'state=idle:msg=aGk='), osc(3, 0, 'busy')]),
  );
  assert.equal(
    explanation.channels.map(({ channel, role }) => `${channel} ${role}`),
    ['program_status decides', 'sequence vetoes', 'hook silent'],
  );
  assert.is(explanation.channels[0]?.signal?.detail, 'hi');
  assert.is(explanation.status.veto, 'sequence');
});

test('a match without a field takes any text but the empty one; with fields all must hold', () => {
  assert.ok(matchText(undefined, 'x'));
  assert.not(matchText(undefined, ''));
  assert.not(matchText({}, ''));
  assert.ok(matchText({ equals: [''] }, ''));
  assert.ok(matchText({ starts_with: ['a', 'b'], contains: ['z'] }, 'bz'));
  assert.not(matchText({ starts_with: ['a'], contains: ['z'] }, 'ay'));
  assert.ok(matchText({ first_between: ['⠁', '⣿'] }, '⠙ work'));
  assert.ok(matchText({ first_between: ['⠁', '⣿'] }, '⠙'));
  assert.not(matchText({ first_between: ['⠁', '⣿'] }, '⠙work'));
  assert.not(matchText({ first_between: ['⠁', '⣿'] }, ''));
});

const TITLES = ['* x', '= x', 'ready', 'busy', 'Action Required', '', 'zzz'];
const BODIES = [
  'state=idle',
  'state=working',
  'state=done',
  'state=blocked',
  'state=clear',
  'state=working:id=a',
  '?',
];
type Drawn = (at: number) => StatusEvent;
const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  fc.constantFrom(...TITLES).map((title) => (at: number) => osc(at, 0, title)),
  fc.constantFrom(...BODIES).map((body) => (at: number) => osc(at, 7501, body)),
  fc.constantFrom('Prompt', 'Stop', 'Strange').map(
    (event): Drawn =>
      (at) => ({ type: 'hook', at, offset: at, hook: { event, fields: {} } }),
  ),
  fc.constantFrom<Drawn>(
    (at) => ({ ...started, at, offset: at }) as StatusEvent,
    (at) => ({ type: 'tenure_ended', at, offset: at }),
    (at) => ({ type: 'interrupt', at, key: 'escape' }),
    (at) => ({ type: 'enter', at }),
    (at) => ({ type: 'reset', at, offset: at, front: 'tenure' }),
    (at) => ({
      type: 'reading',
      reading: { at, offset: at, composer: false, dialog: { kind: 'picker', detail: '' } },
    }),
    (at) => ({ type: 'reading', reading: { at, offset: at, composer: true } }),
  ),
);
const schedule = fc.array(fc.tuple(drawn, fc.integer({ min: 0, max: 6000 })), { maxLength: 30 });

test('whatever happens, idle has a live tenure and a hard idle signal of the deciding channel', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      let at = 1;
      let state = initialStatus(0);
      for (const [make, wait] of steps) {
        at += wait;
        state = foldStatus(state, make(at)).state;
        const status = deriveStatus(state);
        if (status.state !== 'idle') continue;
        const base = baseOf(state);
        assert.ok(status.hard && state.tenure.is === 'live' && status.tenure !== undefined);
        assert.ok(base?.signal.means === 'idle' || base?.signal.means === 'idle_or_blocked');
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever happens, ticks in between change no status and no count of turns', () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      let at = 1;
      let plain = initialStatus(0);
      let ticked = initialStatus(0);
      for (const [make, wait] of steps) {
        for (let tick = at; tick < at + wait; tick += 700)
          ticked = foldStatus(ticked, { type: 'tick', at: tick }).state;
        at += wait;
        plain = foldStatus(plain, make(at)).state;
        ticked = foldStatus(ticked, make(at)).state;
        assert.equal(deriveStatus(ticked), deriveStatus(plain));
      }
    }),
    { numRuns: 500 },
  );
});

test.run();
