// Composers painted cell by cell at several sizes: whatever text is wrapped into the box reads back as that text and as
// ours; an empty box reads empty; no cell that loses its style turns a draft into an empty composer.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readingPackOf } from '../../../runtime/agents/reading.js';
import { ownershipOf } from '../../../runtime/composer/ownership.js';
import { planOf } from '../../../runtime/composer/plan.js';
import { readScreen } from '../../../runtime/composer/read.js';
import { Canvas, styleOf } from '../../support/canvas.js';
import { PAINTED, type Painted, paintComposer } from '../../support/composer-screen.js';
import { builtinPack } from '../../support/replay.js';

const test = suite('painted composers');

const SIZES = [
  { cols: 40, rows: 24 },
  { cols: 60, rows: 20 },
  { cols: 80, rows: 24 },
  { cols: 100, rows: 30 },
  { cols: 200, rows: 60 },
];
const plans = new Map(PAINTED.map((agent) => [agent, planOf(readingPackOf(builtinPack(agent)))]));
const read = (agent: Painted, canvas: Canvas) => readScreen(canvas.snapshot(), plans.get(agent)!);

function frameOf(agent: Painted, size: { cols: number; rows: number }): string {
  const { composer } = read(agent, paintComposer(agent, { ...size, text: '' })!);
  assert.is(composer.kind, 'empty', `${agent} ${size.cols}`);
  return composer.kind === 'empty' ? composer.frame : '';
}

const word = fc.stringMatching(/^[a-zA-Z0-9.,:;?'"()[\]`~@#$%^&*_=+\\|/<>!äöü宽字符─❯›│┃▀-]{1,14}$/);
const longWord = fc.stringMatching(/^[a-z0-9/_-]{30,90}$/);
const line = fc
  .array(fc.oneof({ weight: 12, arbitrary: word }, { weight: 1, arbitrary: longWord }), {
    minLength: 1,
    maxLength: 24,
  })
  .map((words) => words.join(' '));
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: fc.constant('') }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) => lines.join('\n').replace(/^\n+|\n+$/g, ''))
  .filter((value) => value !== '');

for (const agent of PAINTED) {
  for (const size of SIZES) {
    test(`${agent} at ${size.cols} columns: an empty box reads empty, with a suggestion and below a transcript`, () => {
      const transcript = ['> an older prompt', '', '  ❯ 1. Yes', '  an answer (esc to cancel, 3s)', ''];
      frameOf(agent, size);
      const hint = 'Type your message';
      for (const extra of [{}, { hint }, { transcript }, { hint, transcript }]) {
        const reading = read(agent, paintComposer(agent, { ...size, text: '', ...extra })!);
        assert.is(reading.composer.kind, 'empty');
        assert.equal(reading.vetoes, []);
        assert.is(reading.working, undefined);
        assert.is(reading.dialog, undefined);
      }
    });

    test(`${agent} at ${size.cols} columns: the hint's words in the draft's style are a draft, wherever the caret is`, () => {
      for (const caretAtStart of [true, false]) {
        const canvas = paintComposer(agent, { ...size, text: 'Type your message', caretAtStart })!;
        const { composer } = read(agent, canvas);
        assert.is(composer.kind, 'draft');
        if (composer.kind === 'draft')
          assert.equal(
            composer.rows.map((row) => row.text),
            ['Type your message'],
          );
      }
    });
  }

  test(`${agent}: any text reads back as itself, and as ours at its end only`, () => {
    const frames = SIZES.map((size) => frameOf(agent, size));
    fc.assert(
      fc.property(text, fc.nat(SIZES.length - 1), (own, index) => {
        const size = SIZES[index]!;
        const canvas = paintComposer(agent, { ...size, text: own });
        if (canvas === undefined) return;
        const { composer } = read(agent, canvas);
        if (composer.kind !== 'draft') throw new Error(`${composer.kind} for ${JSON.stringify(own)}`);
        const staged = undefined;
        const frame = frames[index];
        const claims = (claimed: string) => ownershipOf(composer, { text: claimed, frame, staged });
        if (composer.labels.length > 0) return;
        assert.is(claims(own), 'ours', JSON.stringify(own));
        assert.is(claims(`${own} `), 'other');
        assert.is(claims(`${own}x`), 'other');
        assert.is(claims(own.slice(0, -1)), 'other');
        assert.is(claims(`x${own}`), 'other');
        assert.is(ownershipOf(composer, { text: own, frame: 'another', staged }), 'unknown');
      }),
      { numRuns: 150 },
    );
  });

  test(`${agent}: a draft whose cell has lost its style is never empty`, () => {
    const size = { cols: 60, rows: 20 };
    const drafts = [
      { text: 'a draft' },
      { text: 'a draft', caretAtStart: true },
      { text: 'two\nlines' },
      { text: '─'.repeat(60 - 8) },
      { text: 'typed', hint: ' and suggested' },
    ];
    for (const draft of drafts) {
      const canvas = paintComposer(agent, { ...size, ...draft })!;
      for (const [y, cells] of canvas.cells.entries()) {
        for (const [x, cell] of cells.entries()) {
          const { fg, bg, flags } = cell;
          if (fg + bg + flags === 0) continue;
          Object.assign(cell, { fg: 0, bg: 0, flags: 0 });
          assert.is.not(read(agent, canvas).composer.kind, 'empty', `${draft.text} ${x},${y}`);
          Object.assign(cell, { fg, bg, flags });
        }
      }
    }
  });
}

test('no screen makes a reader throw, of whatever size and content', () => {
  const chars = [...'─❯›»>!*●→┃╹▄▀│╭╰ 1.2)Yes?△宽[Pasted text #1 +3 lines]'];
  const styles = ['', 'dim', 'inverse', 'bold', 'fg#afafaf', 'fg#808080', 'bg#363636', 'fg#363636 bg#363636'];
  const cell = fc.tuple(fc.constantFrom(...chars), fc.constantFrom(...styles));
  const row = fc.oneof(
    fc.array(cell, { maxLength: 50 }).map((cells) => ({ cells, times: 1 })),
    cell.map((one) => ({ cells: [one], times: 50 })),
  );
  const screen = fc.record({
    cols: fc.integer({ min: 1, max: 50 }),
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    cursor: fc.tuple(fc.nat(49), fc.nat(11)),
    visible: fc.boolean(),
  });
  fc.assert(
    fc.property(screen, ({ cols, rows, cursor: [x, y], visible }) => {
      for (const agent of PAINTED) {
        const canvas = new Canvas(cols, rows.length);
        canvas.screen = ['codex', 'pi', 'opencode', 'qwen-code'].includes(agent) ? 'alternate' : 'main';
        for (const [at, { cells, times }] of rows.entries()) {
          let column = 0;
          for (let time = 0; time < times; time++)
            for (const [char, style] of cells) column = canvas.put(column, at, char, styleOf(style));
        }
        canvas.cursor = { x: Math.min(x, cols - 1), y: Math.min(y, rows.length - 1), visible };
        const reading = read(agent, canvas);
        if (reading.composer.kind === 'empty') assert.equal(reading.vetoes, []);
        if (reading.dialog !== undefined) assert.is(reading.composer.kind, 'unknown');
      }
    }),
    { numRuns: 600 },
  );
});

test('a hint that loses one cell of its style is a draft', () => {
  for (const agent of PAINTED.filter((one) => one !== 'pi')) {
    const canvas = paintComposer(agent, { cols: 60, rows: 20, text: '', hint: 'Type here' })!;
    const { x, y } = canvas.cursor;
    Object.assign(canvas.cells[y]![x + 3]!, { fg: 0, flags: 0 });
    assert.is(read(agent, canvas).composer.kind, 'draft', agent);
  }
});

test('a line that fills a draft of Pi is not its frame, and hides nothing', () => {
  const canvas = paintComposer('pi', { cols: 60, rows: 20, text: `first\n${'─'.repeat(60)}\n` })!;
  const { composer } = read('pi', canvas);
  assert.is(composer.kind, 'draft');
  if (composer.kind === 'draft') assert.is(composer.rows[0]?.text, 'first');
});

test.run();
