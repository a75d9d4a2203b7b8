// The composer reader by the vectors: what each agent's composer looks like, and the hazards that a reader must not fall
// for, each a screen with its name.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readingPackOf } from '../../../runtime/agents/reading.js';
import { planOf } from '../../../runtime/composer/plan.js';
import { readScreen } from '../../../runtime/composer/read.js';
import { readVectors } from '../../support/byte-vector.js';
import { CANVAS_FIELDS, type CanvasCase, paintCase } from '../../support/canvas.js';
import { builtinPack } from '../../support/replay.js';
import { shortComposer } from '../../support/short-reading.js';

const test = suite('the composer reader');

interface Case extends CanvasCase {
  readonly description: string;
  readonly pack: string;
  readonly composer: string;
  readonly vetoes?: readonly string[];
  readonly working?: string;
  readonly background?: string;
  readonly labels?: number;
  /** Id of the dialog. */
  readonly dialog?: string;
}
const FIELDS = [...CANVAS_FIELDS, 'pack', 'composer', 'vetoes', 'working', 'background', 'labels', 'dialog'];

for (const file of ['composer/composer.json', 'composer/hazard.json']) {
  for (const item of readVectors<Case>(file, FIELDS)) {
    test(item.description, () => {
      const plan = planOf(readingPackOf(builtinPack(item.pack)));
      const reading = readScreen(paintCase(item).snapshot(), plan);
      assert.equal(
        {
          composer: shortComposer(reading.composer),
          vetoes: reading.vetoes,
          working: reading.working?.detail,
          background: reading.background,
          labels: reading.pasteLabels,
          dialog: reading.dialog?.id,
        },
        {
          composer: item.composer,
          vetoes: item.vetoes ?? [],
          working: item.working,
          background: item.background,
          labels: item.labels ?? 0,
          dialog: item.dialog,
        },
      );
    });
  }
}

test.run();
