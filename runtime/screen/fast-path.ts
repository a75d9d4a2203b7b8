// The package's print, line feed and scroll for what output mostly is: ASCII in a terminal that has lines to recycle.
// Always true: the buffers end as the package's own handlers would leave them (a property test compares them), and
// everything else is left to those handlers. It fires none of the package's events, which nobody here listens to, and
// it keeps a character from gathering marks without end.
import type { CoreAttributes, CoreBuffer, CoreLine, Internals, PrintHandler } from './internals.js';
import { CELL_WORDS, HAS_EXTENDED, WIDTH_SHIFT } from './internals.js';

const NARROW = 1 << WIDTH_SHIFT;
/** Width 1, joins nothing: what the package notes of a printed ASCII character. */
const ASCII_PROPERTIES = 1 << 1;
const FIRST_MARK = 0x300;
/** Marks on one character. Scripts need a few; a program could send a gigabyte. */
const MARKS = 16;

/** Takes the package's handlers over. To be called before they get their rails. */
export function takeFastPath(core: Internals): void {
  takeScroll(core);
  const parser = core._inputHandler._parser;
  parser._printHandler = printer(core, parser._printHandler);
  for (const code of [0x0a, 0x0b, 0x0c]) parser._executeHandlers[code] = () => lineFeed(core);
}

function lineFeed(core: Internals): boolean {
  const { _bufferService: service, _inputHandler: input } = core;
  const buffer = input._activeBuffer;
  if (core.optionsService.rawOptions.convertEol) buffer.x = 0;
  buffer.y++;
  if (buffer.y === buffer.scrollBottom + 1) {
    buffer.y--;
    service.scroll(input._eraseAttrData(), false);
  } else if (buffer.y >= service.rows) {
    buffer.y = service.rows - 1;
  } else {
    buffer.lines.get(buffer.ybase + buffer.y)!.isWrapped = false;
  }
  if (buffer.x >= service.cols) buffer.x--;
  return true;
}

function takeScroll(core: Internals): void {
  const service = core._bufferService;
  const scroll = service.scroll.bind(service);
  let blank = new Uint32Array(0);
  let blankBackground = 0;
  service.scroll = (eraseAttributes: CoreAttributes, isWrapped = false): void => {
    const buffer = service.buffers.active;
    const { lines } = buffer;
    const whole = buffer.scrollTop === 0 && buffer.ybase + buffer.scrollBottom === lines.length - 1;
    if (!whole || !lines.isFull || eraseAttributes.fg !== 0) {
      scroll(eraseAttributes, isWrapped);
      return;
    }
    const line = lines.recycle();
    if (blank.length !== line._data.length || blankBackground !== eraseAttributes.bg) {
      blankBackground = eraseAttributes.bg;
      blank = new Uint32Array(line._data.length);
      for (let at = 0; at < blank.length; at += CELL_WORDS) {
        blank[at] = NARROW;
        blank[at + 2] = blankBackground;
      }
    }
    line._data.set(blank);
    for (const _ in line._combined) {
      line._combined = {};
      break;
    }
    for (const _ in line._extendedAttrs) {
      line._extendedAttrs = {};
      break;
    }
    line.isWrapped = isWrapped;
    buffer.ydisp = buffer.ybase;
  };
}

function printer(core: Internals, print: PrintHandler): PrintHandler {
  const input = core._inputHandler;
  let marks = 0;

  /** Everything that isn't ASCII, by the package, without the marks beyond what a character may have. */
  const printOther = (data: Uint32Array, start: number, end: number): void => {
    if (!holdsMarks(core, data, start, end)) {
      marks = 0;
      print(data, start, end);
      return;
    }
    let from = start;
    for (let at = start; at < end; at++) {
      const isMark = data[at]! >= FIRST_MARK && core.unicodeService.wcwidth(data[at]!) === 0;
      marks = isMark ? marks + 1 : 0;
      if (marks <= MARKS) continue;
      if (at > from) print(data, from, at);
      from = at + 1;
    }
    if (end > from) print(data, from, end);
  };

  return (data, start, end) => {
    const plain =
      core._charsetService.charset === undefined &&
      !core.coreService.modes.insertMode &&
      input._curAttrData.extended.urlId === 0;
    let at = start;
    while (at < end) {
      let to = at;
      if (plain) while (to < end && data[to]! < 0x7f) to++;
      if (to > at) {
        printAscii(core, data, at, to);
        marks = 0;
        at = to;
      }
      while (to < end && !(plain && data[to]! < 0x7f)) to++;
      if (to > at) printOther(data, at, to);
      at = to;
    }
  };
}

/** Whether a run may hold many marks: one in each MARKS characters would be seen. */
function holdsMarks(core: Internals, data: Uint32Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += MARKS) {
    if (data[at]! >= FIRST_MARK && core.unicodeService.wcwidth(data[at]!) === 0) return true;
  }
  return false;
}

function printAscii(core: Internals, data: Uint32Array, start: number, end: number): void {
  const input = core._inputHandler;
  const { cols } = core._bufferService;
  const buffer = input._activeBuffer;
  const pen = input._curAttrData;
  const { fg, bg } = pen;
  const extended = bg & HAS_EXTENDED ? pen.extended : undefined;
  let line = rowOf(buffer);
  // Written into the second half of a wide character: its first half goes.
  if (buffer.x > 0 && widthAt(line, buffer.x - 1) === 2) put(line, buffer.x - 1, NARROW, pen);
  let at = start;
  while (at < end) {
    if (buffer.x + 1 > cols) {
      if (core.coreService.decPrivateModes.wraparound) {
        wrap(core, buffer);
        line = rowOf(buffer);
      } else {
        buffer.x = cols - 1;
      }
    }
    const cells = line._data;
    const x = buffer.x;
    const count = Math.min(end - at, cols - x);
    for (let i = 0, word = x * CELL_WORDS; i < count; i++, word += CELL_WORDS) {
      cells[word] = data[at + i]! | NARROW;
      cells[word + 1] = fg;
      cells[word + 2] = bg;
    }
    if (extended !== undefined) for (let i = 0; i < count; i++) line._extendedAttrs[x + i] = extended;
    buffer.x = x + count;
    at += count;
  }
  // The first half of a wide character was overwritten: its second half goes.
  if (buffer.x < cols && line._data[buffer.x * CELL_WORDS] === 0) put(line, buffer.x, NARROW, pen);
  input._parser.precedingJoinState = ASCII_PROPERTIES;
}

function wrap(core: Internals, buffer: CoreBuffer): void {
  const service = core._bufferService;
  buffer.x = 0;
  buffer.y++;
  if (buffer.y === buffer.scrollBottom + 1) {
    buffer.y--;
    service.scroll(core._inputHandler._eraseAttrData(), true);
    return;
  }
  if (buffer.y >= service.rows) buffer.y = service.rows - 1;
  rowOf(buffer).isWrapped = true;
}

function rowOf(buffer: CoreBuffer): CoreLine {
  return buffer.lines.get(buffer.ybase + buffer.y)!;
}

function widthAt(line: CoreLine, x: number): number {
  return (line._data[x * CELL_WORDS] ?? 0) >>> WIDTH_SHIFT;
}

function put(line: CoreLine, x: number, content: number, pen: CoreAttributes): void {
  if (pen.bg & HAS_EXTENDED) line._extendedAttrs[x] = pen.extended;
  line._data[x * CELL_WORDS] = content;
  line._data[x * CELL_WORDS + 1] = pen.fg;
  line._data[x * CELL_WORDS + 2] = pen.bg;
}
