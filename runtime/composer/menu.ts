// Menus that no recogniser of the pack knows: whether one has the keyboard, and what it shows. Always true: it is asked
// only where no composer holds the cursor, so numbered text in a draft or the transcript of an agent at rest is never a
// menu. Its options have no class and no keys: nothing can be answered here.
import type { DialogReading } from './dialog.js';
import { type DialogRow, dialogRows } from './dialog-rows.js';
import { readOptions } from './option.js';
import type { Plan } from './plan.js';
import { lastRow, type ScreenSnapshot } from './snapshot.js';

/** Rows that show something, from the bottom: a tall footer pushes a menu up. */
const MENU_ROWS = 12;
/** Rows above a selected option in which its list begins. */
const LIST_ROWS = 24;
const NUMBER = /^\s*\d+[.)]/;

/** Whether something else than the composer has the keyboard, as far as the screen tells. */
export function showsMenu(snapshot: ScreenSnapshot, plan: Plan): boolean {
  return cursorIsOnMenu(snapshot, plan) || numberedRow(snapshot, plan) !== undefined;
}

/** A numbered menu with its selected option, as a picker; undefined where there is none or it isn't sure. */
export function readMenu(snapshot: ScreenSnapshot, plan: Plan): DialogReading | undefined {
  const place = plan.pack.composer?.cursor.dialog;
  if (snapshot.cursor.visible && place !== 'any') return undefined;
  const found = numberedRow(snapshot, plan);
  if (found === undefined) return undefined;
  if (place === 'hidden_on_option' && snapshot.cursor.y !== found.y) return undefined;
  const rows = dialogRows(snapshot);
  const first = firstOption(rows, found.y);
  if (first === undefined) return undefined;
  const options = readOptions(snapshot, rows, first, {
    layout: 'numbered',
    option_glyph: found.glyph,
    choices: [],
  });
  if (!options.some((option) => option.selected)) return undefined;
  let question = first - 1;
  while (question >= 0 && rows[question]!.text === '') question--;
  const asked = rows[question]?.text ?? '';
  return {
    id: 'menu',
    kind: 'picker',
    question: asked,
    options: options.map(({ label, selected }) => ({ label, selected, class: 'other' })),
    keys: {},
    truncated: false,
    stableRows: [asked, ...options.map((option) => option.label)].filter(Boolean),
  };
}

/** The lowest row near the bottom that begins with a glyph of this agent and a number. */
function numberedRow(snapshot: ScreenSnapshot, plan: Plan): { y: number; glyph: string } | undefined {
  let shown = 0;
  for (let y = lastRow(snapshot); y >= 0 && shown < MENU_ROWS; y--) {
    const text = snapshot.line(y).text.replace(/^[\s│┃]+/, '');
    if (text === '') continue;
    shown++;
    const glyph = plan.glyphs.find((one) => text.startsWith(one) && NUMBER.test(text.slice(one.length)));
    if (glyph !== undefined) return { y, glyph };
  }
  return undefined;
}

/** The row of option 1 of the list that has its selected option at `selected`. */
function firstOption(rows: readonly DialogRow[], selected: number): number | undefined {
  for (let y = selected; y >= Math.max(0, selected - LIST_ROWS); y--)
    if (/^(\S+ )?1[.)] /.test(rows[y]!.text)) return y;
  return undefined;
}

/** The cursor is hidden where this agent hides it in dialogs. */
function cursorIsOnMenu(snapshot: ScreenSnapshot, plan: Plan): boolean {
  const { cursor, cols, rows } = snapshot;
  const places = plan.pack.composer?.cursor;
  if (cursor.visible || places === undefined) return false;
  if (places.composer === 'visible') return true;
  switch (places.dialog) {
    case 'hidden_on_option':
      return plan.glyphs.includes(snapshot.line(cursor.y).chars[cursor.x] ?? '');
    case 'hidden_in_corner':
      return cursor.y === rows - 1 && (cursor.x === 0 || cursor.x === cols - 1);
    default:
      return false;
  }
}
