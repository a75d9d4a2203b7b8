// What a reading says, taken from the emulator: the rows as text, the cursor, which screen, whether a frame is half
// drawn, and what the composer room reads from the cells by the pack in force. Always true: it is cheap enough for every
// settled frame (30 rows of 100 columns: see spec/screen.md) and changes nothing.
import type { Plan } from '../composer/plan.js';
import { readScreen as readByPack } from '../composer/read.js';
import { cellsOf } from './cells.js';
import type { Emulator } from './emulator.js';
import type { CursorPosition, Reading } from './port.js';

export function readScreen(emulator: Emulator, offset: number, plan: Plan): Reading {
  const text = rowsOf(emulator);
  const snapshot = cellsOf(emulator, text);
  const { rows, cols, cursor, screen, syncOpen } = snapshot;
  return { offset, rows, cols, cursor, screen, syncOpen, text, ...readByPack(snapshot, plan) };
}

/** Text of the viewport rows, top first, trailing blanks cut. */
export function rowsOf(emulator: Emulator): string[] {
  const text: string[] = new Array(emulator.rows);
  for (let y = 0; y < text.length; y++) text[y] = rowText(emulator, y);
  return text;
}

function rowText(emulator: Emulator, y: number): string {
  const text = emulator.row(y)?.translateToString(true, 0, emulator.cols) ?? '';
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** As a terminal reports it: 1-based, inside the screen, relative to the margins in origin mode. */
export function readCursor(emulator: Emulator, offset: number): CursorPosition {
  const { buffer, cols, core } = emulator;
  const top = core.coreService.decPrivateModes.origin ? buffer.scrollTop : 0;
  return { row: buffer.y - top + 1, col: Math.min(buffer.x, cols - 1) + 1, offset };
}
