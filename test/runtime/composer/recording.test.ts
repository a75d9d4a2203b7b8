// Recorded agents on the screen model, read as their packs say: the states of spec/vectors/composer/recording.json, phase by
// phase; and what no instant may say, wherever a chunk is cut.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownershipOf } from '../../../runtime/composer/ownership.js';
import { readScreen as readByPack } from '../../../runtime/composer/read.js';
import type { ScreenSnapshot } from '../../../runtime/composer/snapshot.js';
import { cellsOf } from '../../../runtime/screen/cells.js';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { rowsOf } from '../../../runtime/screen/read.js';
import { readVectors } from '../../support/byte-vector.js';
import { readRecording, recordingNames } from '../../support/recording.js';
import { PHASES } from '../../support/replay.js';
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

/** The screen after the first settled output of a phase that shows the whole draft. */
function draftScreen(agent: string, phase: string): ScreenSnapshot | undefined {
  const emulator = new Emulator({ rows: 30, cols: 100, scrollbackLines: 100 });
  for (const name of PHASES.map((one) => `${agent}-${one}`).filter((one) => recordingNames().includes(one))) {
    const { chunks } = readRecording(name);
    const last = name === `${agent}-${phase}`;
    const cleared = chunks.findIndex((chunk) => chunk.bytes.toString('latin1') === '\x15');
    for (const chunk of last && cleared >= 0 ? chunks.slice(0, cleared) : chunks)
      if (chunk.from === 'program') emulator.parse(new Uint8Array(chunk.bytes));
    if (last) return cellsOf(emulator, rowsOf(emulator));
  }
  return undefined;
}

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
    for (const cutBytes of [Number.POSITIVE_INFINITY, 389]) {
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
      const claim = { text: own, frame, staged: first.kind === 'draft' ? first : undefined };
      verdicts.push(ownershipOf(composer, claim));
    }
    assert.equal(verdicts, new Array(pastes).fill('ours'));
  });
}

for (const [agent, pack] of agents) {
  test(`${agent}: no cell of a recorded draft that loses its style makes it empty`, () => {
    const plan = planFor(pack);
    for (const phase of ['draft', 'draft-multiline', 'draft-pasted']) {
      const screen = draftScreen(agent, phase);
      if (screen === undefined) continue;
      assert.is(readByPack(screen, plan).composer.kind, 'draft');
      for (let y = 0; y < screen.rows; y++) {
        const { fg, bg, flags } = screen.line(y) as unknown as {
          fg: number[];
          bg: number[];
          flags: number[];
        };
        for (let x = 0; x < screen.cols; x++) {
          const style = [fg[x]!, bg[x]!, flags[x]!] as const;
          if (style.every((part) => part === 0)) continue;
          [fg[x], bg[x], flags[x]] = [0, 0, 0];
          assert.is.not(readByPack(screen, plan).composer.kind, 'empty', `${phase} ${x},${y}`);
          [fg[x], bg[x], flags[x]] = style;
        }
      }
    }
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
