// Whether a menu that no recogniser knows has the keyboard. Always true: it is asked only where no composer holds the
// cursor, so numbered text in a draft or the transcript of an agent at rest is never a menu. It names none.
import type { Plan } from './plan.js';
import { lastRow, type ScreenSnapshot } from './snapshot.js';

/** Rows that show something, from the bottom: a tall footer pushes a menu up. */
const MENU_ROWS = 12;
const NUMBER = /^\s*\d+[.)]/;

export function showsMenu(snapshot: ScreenSnapshot, plan: Plan): boolean {
  return cursorIsOnMenu(snapshot, plan) || hasNumberedRow(snapshot, plan);
}

/** A row that begins with a glyph of this agent and a number, near the bottom. */
function hasNumberedRow(snapshot: ScreenSnapshot, plan: Plan): boolean {
  let shown = 0;
  for (let y = lastRow(snapshot); y >= 0 && shown < MENU_ROWS; y--) {
    const text = snapshot.line(y).text.replace(/^[\s│┃]+/, '');
    if (text === '') continue;
    shown++;
    if (plan.glyphs.some((glyph) => text.startsWith(glyph) && NUMBER.test(text.slice(glyph.length))))
      return true;
  }
  return false;
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
