// Dialogs by the vectors, at 40 columns and more: kind, question, options with class and selection, keys, whether what is
// asked about is shown whole, and the rows that an instance is told by.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readingPackOf } from '../../../runtime/agents/reading.js';
import type { DialogReading } from '../../../runtime/composer/dialog.js';
import { planOf } from '../../../runtime/composer/plan.js';
import { readScreen } from '../../../runtime/composer/read.js';
import type { DialogRule } from '../../../runtime/composer/reading-pack.js';
import { readVectors } from '../../support/byte-vector.js';
import { CANVAS_FIELDS, type CanvasCase, paintCase } from '../../support/canvas.js';
import { builtinPack } from '../../support/replay.js';

const test = suite('dialogs');

interface Expected extends Omit<DialogReading, 'options' | 'stableRows'> {
  /** `> label = class`, `>` before the selected one. */
  readonly options: readonly string[];
  readonly stableRows?: readonly string[];
}
interface Case extends CanvasCase {
  readonly description: string;
  readonly pack: string;
  readonly dialog: Expected | null;
}

function shortened({ options, ...rest }: DialogReading): Expected {
  return {
    ...rest,
    options: options.map((one) => `${one.selected ? '> ' : ''}${one.label} = ${one.class}`),
  };
}

const cases = readVectors<Case>('composer/dialog.json', [...CANVAS_FIELDS, 'pack', 'dialog']);
for (const item of cases) {
  test(item.description, () => {
    const plan = planOf(readingPackOf(builtinPack(item.pack)));
    const { dialog, composer } = readScreen(paintCase(item).snapshot(), plan);
    if (item.dialog === null) {
      assert.is(dialog, undefined);
      return;
    }
    assert.ok(dialog);
    const { stableRows, ...rest } = shortened(dialog);
    const { stableRows: wanted, ...expected } = item.dialog;
    assert.equal(rest, expected);
    if (wanted !== undefined) assert.equal(stableRows, wanted);
    assert.is(composer.kind, 'unknown');
  });
}

const permission = cases[0]!;
const pack = readingPackOf(builtinPack('claude-code'));
const read = (change: (rule: DialogRule) => DialogRule) =>
  readScreen(
    paintCase(permission).snapshot(),
    planOf({ ...pack, dialogs: pack.dialogs.map((rule) => change(rule)) }),
  ).dialog;

test('two options of one class have no keys: nobody can say which is meant', () => {
  const dialog = read((rule) => ({
    ...rule,
    choices: [{ label: { starts_with: ['Yes'] }, class: 'allow_once', keys: '\r' }],
  }));
  assert.equal(dialog?.keys, {});
});

test('only a permission has keys, whatever its choices say', () => {
  assert.equal(read((rule) => ({ ...rule, kind: 'question' }))?.keys, {});
  assert.equal(read((rule) => rule)?.keys, { allow_once: '\r', deny_once: '\x1b' });
});

test('a footer that is not there means that it is only a picker', () => {
  const dialog = read((rule) => ({ ...rule, footer: { contains: ['Press any key'] } }));
  assert.equal([dialog?.id, dialog?.kind, dialog?.keys], ['menu', 'picker', {}]);
});

test.run();
