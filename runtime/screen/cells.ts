// The emulator's screen as the composer room takes it. Always true: it is a view of this instant, made row by row as it is
// asked for, and must not be kept beyond the next byte. It judges nothing.
import {
  BOLD,
  type Color,
  DIM as DIM_BIT,
  INVERSE as INVERSE_BIT,
  type Line,
  PALETTE,
  RGB,
  type ScreenSnapshot,
} from '../composer/snapshot.js';
import type { Emulator } from './emulator.js';
import {
  CELL_WORDS,
  CODE_POINT,
  COLOR_MODE,
  BOLD as CORE_BOLD,
  type CoreLine,
  DIM,
  HAS_CONTENT,
  INVERSE,
  IS_COMBINED,
  WIDTH_SHIFT,
} from './internals.js';

const NO_LINE: Line = { text: '', chars: [], fg: [], bg: [], flags: [] };

/** The screen now. `text` holds the rows as the reading has them. */
export function cellsOf(emulator: Emulator, text: readonly string[]): ScreenSnapshot {
  const { rows, cols, buffer, core, alternate } = emulator;
  const lines: Array<Line | undefined> = new Array(rows);
  return {
    rows,
    cols,
    cursor: { x: Math.min(buffer.x, cols - 1), y: buffer.y, visible: !core.coreService.isCursorHidden },
    screen: alternate ? 'alternate' : 'main',
    syncOpen: core.coreService.decPrivateModes.synchronizedOutput,
    line(y) {
      if (y < 0 || y >= rows) return NO_LINE;
      lines[y] ??= new Cells(emulator.row(y), cols, text[y] ?? '');
      return lines[y];
    },
  };
}

/** One row. Its cells are decoded when the first one is asked for: most rows are only asked for their text. */
class Cells implements Line {
  readonly #line: CoreLine | undefined;
  readonly #cols: number;
  #chars: string[] | undefined;
  readonly #fg: Color[] = [];
  readonly #bg: Color[] = [];
  readonly #flags: number[] = [];

  constructor(
    line: CoreLine | undefined,
    cols: number,
    readonly text: string,
  ) {
    this.#line = line;
    this.#cols = cols;
  }

  get chars(): readonly string[] {
    return this.#chars ?? this.#decode();
  }

  get fg(): readonly Color[] {
    if (this.#chars === undefined) this.#decode();
    return this.#fg;
  }

  get bg(): readonly Color[] {
    if (this.#chars === undefined) this.#decode();
    return this.#bg;
  }

  get flags(): readonly number[] {
    if (this.#chars === undefined) this.#decode();
    return this.#flags;
  }

  #decode(): string[] {
    const chars: string[] = [];
    this.#chars = chars;
    const line = this.#line;
    if (line === undefined) return chars;
    for (let x = 0, at = 0; x < this.#cols; x++, at += CELL_WORDS) {
      const content = line._data[at]!;
      const fg = line._data[at + 1]!;
      const bg = line._data[at + 2]!;
      chars.push(charOf(line, content, x));
      this.#fg.push(color(fg));
      this.#bg.push(color(bg));
      this.#flags.push(
        (bg & DIM ? DIM_BIT : 0) | (fg & INVERSE ? INVERSE_BIT : 0) | (fg & CORE_BOLD ? BOLD : 0),
      );
    }
    return chars;
  }
}

function charOf(line: CoreLine, content: number, x: number): string {
  if (!(content & HAS_CONTENT)) return content >>> WIDTH_SHIFT === 0 ? '' : ' ';
  if (content & IS_COMBINED) return line._combined[x] ?? ' ';
  return String.fromCodePoint(content & CODE_POINT);
}

/** Both palettes of the package (16 and 256 colours) are one. */
function color(word: number): Color {
  const mode = word & COLOR_MODE;
  if (mode === 0) return 0;
  return mode === COLOR_MODE ? RGB | (word & 0xffffff) : PALETTE | (word & 0xff);
}
