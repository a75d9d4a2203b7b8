// What a reading says, taken from the emulator: the rows as text, the cursor, which screen, whether a frame is half
// drawn. Always true: it is cheap enough for every settled frame (30 rows of 100 columns: see spec/screen.md) and
// changes nothing. Whoever recognises composers and dialogs does it here, on the same emulator, before the next byte.
import type { Emulator } from './emulator.js';
import type { CursorPosition, Reading } from './port.js';

export function readScreen(emulator: Emulator, offset: number): Reading {
  const { rows, cols, buffer, core, alternate } = emulator;
  const text: string[] = new Array(rows);
  for (let y = 0; y < rows; y++) text[y] = rowText(emulator, y);
  return {
    offset,
    rows,
    cols,
    cursor: { x: Math.min(buffer.x, cols - 1), y: buffer.y, visible: !core.coreService.isCursorHidden },
    screen: alternate ? 'alternate' : 'main',
    syncOpen: core.coreService.decPrivateModes.synchronizedOutput,
    text,
  };
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
