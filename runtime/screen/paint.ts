// Rows of a buffer as bytes that draw them again, each with its cells, styles, empty cells and soft wraps. Always true:
// drawing starts at the home position of a cleared screen with the default pen and ends somewhere in the last row; rows
// above the screen scroll into history. It sets no modes and leaves the cursor to its caller.
import type { ByteWriter } from './byte-writer.js';
import {
  CELL_WORDS,
  CODE_POINT,
  COLOR,
  type CoreBuffer,
  type CoreLine,
  HAS_CONTENT,
  HAS_EXTENDED,
  INVERSE,
  IS_COMBINED,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
  WIDTH_SHIFT,
} from './internals.js';
import type { Pen } from './pen.js';

/** An empty cell with one of these still shows; it is drawn as a space. */
const SHOWS_FG = INVERSE | UNDERLINE | STRIKETHROUGH;

type CellKind = 'blank' | 'colored' | 'empty_styled' | 'content';

function kindOf(line: CoreLine, x: number): CellKind {
  const data = line._data;
  const at = x * CELL_WORDS;
  if (data[at]! & HAS_CONTENT) return 'content';
  if (data[at + 1]! & SHOWS_FG || data[at + 2]! & OVERLINE) return 'empty_styled';
  return data[at + 2]! & COLOR ? 'colored' : 'blank';
}

/** One past the last cell that shows anything. */
function endOf(line: CoreLine): number {
  let end = line.length;
  while (
    end > 0 &&
    line._data[(end - 1) * CELL_WORDS]! >>> WIDTH_SHIFT !== 0 &&
    kindOf(line, end - 1) === 'blank'
  ) {
    end--;
  }
  return end;
}

function hasSecondHalf(line: CoreLine, x: number): boolean {
  const next = line._data[(x + 1) * CELL_WORDS];
  return x + 1 < line.length && next! >>> WIDTH_SHIFT === 0 && !(next! & HAS_CONTENT);
}

export class Painter {
  /** The last thing drawn filled its row: the next character wraps. */
  #full = false;

  constructor(
    readonly out: ByteWriter,
    readonly pen: Pen,
  ) {}

  /** Rows `first` to `last` of a buffer, by their index in it. */
  rows(buffer: CoreBuffer, first: number, last: number): void {
    let previous: CoreLine | undefined;
    for (let index = first; index <= last; index++) {
      const line = buffer.lines.get(index);
      if (line === undefined) break;
      if (previous !== undefined) this.#nextRow(previous, line);
      this.#row(line);
      previous = line;
    }
  }

  /** One cell again, in its style: puts a cursor behind the last column (pending wrap). */
  cell(line: CoreLine, x: number): void {
    this.#content(line, x);
  }

  #nextRow(previous: CoreLine, line: CoreLine): void {
    if (!line.isWrapped) {
      // A row that scrolls in takes the pen's background.
      this.pen.setBackground(0);
      this.out.ascii('\r\n');
      return;
    }
    const natural = this.#full && kindOf(line, 0) === 'content' && line._data[0]! >>> WIDTH_SHIFT !== 0;
    if (natural && !(line._data[2]! & COLOR)) return;
    this.pen.reset();
    if (this.#full) {
      this.out.ascii(' \r');
    } else {
      // No program can wrap a row that isn't full, but erasing afterwards leaves such rows: wrap by force, then erase.
      const last = previous.length;
      this.out.ascii(`\x1b[${last}G  \x1b[A\x1b[${last}G`);
      this.pen.setBackground(previous._data[(last - 1) * CELL_WORDS + 2]!);
      this.out.ascii('\x1b[X\x1b[B\r');
    }
    if (kindOf(line, 0) === 'blank') {
      this.pen.setBackground(0);
      this.out.ascii('\x1b[X');
    }
  }

  #row(line: CoreLine): void {
    const end = endOf(line);
    let x = 0;
    let skip = 0;
    this.#full = false;
    while (x < end) {
      const kind = kindOf(line, x);
      if (kind === 'blank') {
        skip++;
        x++;
        continue;
      }
      if (skip > 0) this.out.ascii(skip === 1 ? '\x1b[C' : `\x1b[${skip}C`);
      skip = 0;
      if (kind === 'colored') {
        const from = x;
        const background = line._data[x * CELL_WORDS + 2]! & COLOR;
        while (
          x < end &&
          kindOf(line, x) === 'colored' &&
          (line._data[x * CELL_WORDS + 2]! & COLOR) === background
        )
          x++;
        this.pen.setBackground(background);
        this.out.ascii(`\x1b[${x - from}X`);
        skip = x - from;
        continue;
      }
      x += this.#content(line, x);
      this.#full = x >= line.length;
    }
  }

  /** Draws one cell and tells how many columns it took. */
  #content(line: CoreLine, x: number): number {
    const data = line._data;
    const at = x * CELL_WORDS;
    const content = data[at]!;
    const bg = data[at + 2]!;
    this.pen.set(data[at + 1]!, bg, bg & HAS_EXTENDED ? line._extendedAttrs[x] : undefined);
    const width = content >>> WIDTH_SHIFT;
    // Half of a wide character that was cut: a space keeps the columns of what follows.
    if (!(content & HAS_CONTENT) || (width === 2 && !hasSecondHalf(line, x))) {
      this.out.codePoint(0x20);
      return 1;
    }
    // A lone combining mark has a cell of its own only where nothing was printed just before it.
    if (width === 0) this.out.ascii(`\x1b[${x + 1}G`);
    if (content & IS_COMBINED) this.out.text(line._combined[x] ?? ' ');
    else this.out.codePoint(content & CODE_POINT);
    return Math.max(width, 1);
  }
}
