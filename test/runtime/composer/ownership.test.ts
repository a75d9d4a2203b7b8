// Ownership by the vectors: a text painted into a composer, and whose it is when another text was written.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DraftComposer, readComposer } from '../../../runtime/composer/composer.js';
import { ownershipOf } from '../../../runtime/composer/ownership.js';
import { readScreen } from '../../../runtime/composer/read.js';
import { readVectors } from '../../support/byte-vector.js';
import { type Painted, paintComposer } from '../../support/composer-screen.js';
import { planFor } from '../../support/screen-replay.js';

const test = suite('ownership');

interface Case {
  readonly description: string;
  readonly pack: Painted;
  readonly cols: number;
  readonly rows: number;
  /** What the composer shows, and what was written. */
  readonly shown: string;
  readonly own: string;
  /** Frame before the paste; absent: the same as now. */
  readonly frame?: string | null;
  /** The draft right after the paste: `same` as now, or another text. */
  readonly staged?: string;
  readonly ownership: string;
  readonly labels?: number;
}
const FIELDS = 'pack cols rows shown own frame staged ownership labels'.split(' ');

function draftOf({ pack, cols, rows }: Case, text: string): DraftComposer {
  const canvas = paintComposer(pack, { cols, rows, text });
  if (canvas === undefined) throw new Error('the text has no room');
  const { composer } = readComposer(canvas.snapshot(), planFor(pack));
  if (composer.kind !== 'draft') throw new Error(`it reads ${composer.kind}`);
  return composer;
}

for (const item of readVectors<Case>('composer/ownership.json', FIELDS)) {
  test(item.description, () => {
    const { pack, cols, rows, shown, own, staged } = item;
    const now = draftOf(item, shown);
    const reading = readScreen(paintComposer(pack, { cols, rows, text: shown })!.snapshot(), planFor(pack));
    assert.is(reading.pasteLabels, item.labels ?? 0);
    const ownership = ownershipOf(now, {
      text: own,
      frame: item.frame === undefined ? now.frame : (item.frame ?? undefined),
      staged: staged === undefined ? undefined : staged === 'same' ? now : draftOf(item, staged),
    });
    assert.is(ownership, item.ownership);
    assert.equal(reading.vetoes, now.numbered ? ['menu_or_picker'] : []);
  });
}

test('a cursor that was moved means that somebody has been there', () => {
  const canvas = paintComposer('demo', { cols: 60, rows: 20, text: 'hello', caretAtStart: true })!;
  const reading = readScreen(canvas.snapshot(), planFor('demo'));
  if (reading.composer.kind !== 'draft') throw new Error('no draft');
  const { frame } = reading.composer;
  assert.is(ownershipOf(reading.composer, { text: 'hello', frame, staged: undefined }), 'other');
});

test.run();
