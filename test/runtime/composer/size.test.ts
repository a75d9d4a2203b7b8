// Recorded screens cut to other sizes, from 40 columns upwards: an empty composer stays empty, a draft the same draft, a dialog
// the same dialog. What an agent draws anew when its terminal is narrower is painted by painted.test.ts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ComposerReading } from '../../../runtime/composer/composer.js';
import { readScreen } from '../../../runtime/composer/read.js';
import type { Line, ScreenSnapshot } from '../../../runtime/composer/snapshot.js';
import { cellsOf } from '../../../runtime/screen/cells.js';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { rowsOf } from '../../../runtime/screen/read.js';
import { readRecording, recordingNames } from '../../support/recording.js';
import { PHASES } from '../../support/replay.js';
import { planFor } from '../../support/screen-replay.js';
import { shortComposer } from '../../support/short-reading.js';

const test = suite('recorded screens at other sizes');

const AGENTS = {
  claude: 'claude-code',
  'claude-7501': 'claude-code',
  'codex-7501': 'codex',
  'pi-7501': 'pi',
  gemini: 'gemini-cli',
  'opencode-7501': 'opencode',
} as const;
/** Scenario by the phase whose end shows it. */
const SCENES = {
  startup: '1 8 an empty composer with its hint',
  draft: '2 a half typed draft',
  'draft-multiline': '5 a draft of three lines',
  'draft-pasted': '14 a label',
  dialog: '33 an open dialog',
} as const;
const COLS = [40, 60, 80, 100, 160];
const ROWS = [16, 24, 30];

/** Without suggestions, whose ends may be cut off. */
const shown = (composer: ComposerReading) => shortComposer(composer).split(' | ')[0];

/** The screen at the end of a phase, before the key that clears a draft. */
function screenAfter(agent: string, phase: string): ScreenSnapshot {
  const emulator = new Emulator({ rows: 30, cols: 100, scrollbackLines: 100 });
  for (const one of PHASES) {
    const names = recordingNames().filter(
      (name) => name === `${agent}-${one}` || name.startsWith(`${agent}-${one}-part`),
    );
    for (const name of names) {
      const { chunks } = readRecording(name);
      const cleared =
        one === phase ? chunks.findIndex(({ bytes }) => bytes.toString('latin1') === '\x15') : -1;
      for (const chunk of cleared < 0 ? chunks : chunks.slice(0, cleared))
        if (chunk.from === 'program') emulator.parse(new Uint8Array(chunk.bytes));
    }
    if (one === phase) break;
  }
  return cellsOf(emulator, rowsOf(emulator));
}

/** The rows down to the last that shows something, and columns from the left; more columns continue the last one. */
function cut(screen: ScreenSnapshot, cols: number, rows: number): ScreenSnapshot {
  let bottom = screen.rows;
  while (bottom > screen.cursor.y + 1 && screen.line(bottom - 1).text.trim() === '') bottom--;
  const top = Math.max(0, bottom - rows);
  const line = (y: number): Line => {
    const from = screen.line(y + top);
    const fit = <T>(list: ArrayLike<T>, blank: T) =>
      Array.from({ length: cols }, (_, x) => list[Math.min(x, screen.cols - 1)] ?? blank);
    const chars = fit(from.chars, ' ');
    return {
      text: chars.join('').trimEnd(),
      chars,
      fg: fit(from.fg, 0),
      bg: fit(from.bg, 0),
      flags: fit(from.flags, 0),
    };
  };
  const { cursor, syncOpen } = screen;
  return { rows, cols, screen: screen.screen, syncOpen, cursor: { ...cursor, y: cursor.y - top }, line };
}

for (const [agent, pack] of Object.entries(AGENTS)) {
  const plan = planFor(pack);
  for (const [phase, scene] of Object.entries(SCENES)) {
    test(`${scene}: ${agent} at ${COLS.length * ROWS.length} sizes`, () => {
      const screen = screenAfter(agent, phase);
      const whole = readScreen(screen, plan);
      for (const cols of COLS) {
        for (const rows of ROWS) {
          const reading = readScreen(cut(screen, cols, rows), plan);
          const size = `${agent} ${phase} ${cols}x${rows}`;
          if (whole.dialog === undefined) {
            assert.is(shown(reading.composer), shown(whole.composer), size);
            assert.equal(reading.vetoes, whole.vetoes, size);
          } else {
            // What a cut takes from a dialog may make it unknown, and never something to type into.
            assert.is(reading.composer.kind, 'unknown', size);
            assert.ok(reading.vetoes.length > 0, size);
            if (cols >= screen.cols && rows >= 24) assert.is(reading.dialog?.id, whole.dialog.id, size);
          }
        }
      }
    });
  }
}

test.run();
