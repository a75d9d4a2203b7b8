// Recorded agents on the screen model, read as their packs say: the states of spec/vectors/composer/recording.json, phase by
// phase; and what no instant may say, wherever a chunk is cut.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge } from '../../../runtime/composer/judge.js';
import { readVectors } from '../../support/byte-vector.js';
import { recordingNames } from '../../support/recording.js';
import { planFor, replayScreens, type Seen, shortState } from '../../support/screen-replay.js';
import { shortComposer } from '../../support/short-reading.js';

const test = suite('recorded screens');

interface Case {
  readonly description: string;
  readonly agent: string;
  readonly pack: string;
  readonly phase: string;
  /** Settled states in order, without repetitions. */
  readonly states: readonly string[];
  /** The longest draft. */
  readonly draft?: string;
}
const cases = readVectors<Case>('composer/recording.json', ['agent', 'pack', 'phase', 'states', 'draft']);
const agents = new Map(cases.map((item) => [item.agent, item.pack]));

/** Keys that may clear or send what is in a composer. */
const CLEARING = /[\r\x03\x15\x1b\x7f]/;

for (const [agent, pack] of agents) {
  const plan = planFor(pack);

  test(`${agent}: every phase gives its states, and its whole draft is read`, () => {
    const states = new Map<string, string[]>();
    const drafts = new Map<string, string>();
    for (const step of replayScreens(agent, plan)) {
      if (!('reading' in step) || !step.settled) continue;
      const seen = states.get(step.phase) ?? [];
      states.set(step.phase, seen);
      const state = shortState(step.reading);
      if (seen.at(-1) !== state) seen.push(state);
      if (step.reading.composer.kind !== 'draft') continue;
      const draft = shortComposer(step.reading.composer).slice('draft: '.length);
      if (draft.length > (drafts.get(step.phase)?.length ?? 0)) drafts.set(step.phase, draft);
    }
    const expected = cases.filter((item) => item.agent === agent);
    for (const item of expected) {
      assert.equal(states.get(item.phase), item.states, item.description);
      assert.is(drafts.get(item.phase), item.draft, item.description);
    }
    assert.equal(
      [...states.keys()],
      expected.map((item) => item.phase),
    );
  });

  test(`${agent}: a draft is never read as empty until a key clears or sends it, wherever a chunk is cut`, () => {
    for (const cutBytes of [Number.POSITIVE_INFINITY, 97]) {
      // A draft counts from the first screen that shows one after a key other than those; what is drawn late doesn't.
      let typed = '';
      let draft = false;
      for (const step of replayScreens(agent, plan, cutBytes)) {
        if ('keys' in step) {
          const clears = CLEARING.test(step.keys);
          typed = clears ? '' : typed + step.keys;
          if (clears) draft = false;
          continue;
        }
        const { composer } = step.reading;
        if (composer.kind === 'draft' && typed !== '')
          draft ||= typed.startsWith(composer.rows[0]!.text.trim());
        else if (draft) assert.is.not(composer.kind, 'empty', `${cutBytes} ${step.phase} ${step.atMs}`);
      }
    }
  });

  test(`${agent}: what was pasted into the empty box is ours as soon as it is seen whole, and not before`, () => {
    let frame: string | undefined;
    let own: string | undefined;
    const verdicts: string[] = [];
    let pastes = 0;
    let staged: Seen | undefined;
    for (const step of replayScreens(agent, plan)) {
      if ('keys' in step) {
        const paste = /^\x1b\[200~(.*)\x1b\[201~$/s.exec(step.keys)?.[1];
        own = paste;
        if (paste !== undefined) pastes++;
        staged = undefined;
        continue;
      }
      const { composer } = step.reading;
      if (composer.kind === 'empty') frame = composer.frame;
      if (own === undefined || composer.kind !== 'draft' || !step.settled) continue;
      staged ??= step;
      const first = staged.reading.composer;
      const judged = judge(step.reading, {
        text: own,
        frame,
        staged: first.kind === 'draft' ? first : undefined,
      });
      if (judged.composer.kind === 'draft') verdicts.push(judged.composer.ownership);
    }
    assert.equal(verdicts, new Array(pastes).fill('ours'));
  });
}

test('every recording belongs to a case', () => {
  const known = cases.map((item) => `${item.agent}-${item.phase}`);
  assert.equal(
    recordingNames().filter((name) => !known.includes(name)),
    [],
  );
});

test.run();
