// A screen as bytes that recreate it on a fresh terminal: history, both screens, margins, tab stops, saved cursor,
// charsets, modes, cursor and pen. Always true: they contain no query and no RIS, they draw inside one synchronized
// update, and the terminal that parsed them behaves from there on as the model does (spec/screen.md names the
// exceptions). It changes nothing in the model.
import { ByteWriter } from './byte-writer.js';
import { charsetFinal } from './charset.js';
import type { Emulator } from './emulator.js';
import { CELL_WORDS, type CoreBuffer, HAS_CONTENT, type Internals } from './internals.js';
import { Painter } from './paint.js';
import { Pen, plain } from './pen.js';

/** Everything that a terminal which isn't fresh may have set, and then a cleared screen. History is left alone. */
const START =
  '\x1b[?2026h\x1b]8;;\x1b\\\x1b[?1049l\x1b[?6l\x1b[?69l\x1b[r\x1b[m\x1b[4l\x1b[20l\x1b[?7h\x1b[?45l' +
  '\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b[?1l\x1b>\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l' +
  '\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?12l\x1b[0 q\x1b[H\x1b7\x1b[2J';
const TAB_WIDTH = 8;
const MOUSE: Readonly<Record<string, string>> = { X10: '9', VT200: '1000', DRAG: '1002', ANY: '1003' };
const ENCODING: Readonly<Record<string, string>> = { SGR: '1006', SGR_PIXELS: '1016' };
const STYLES = { block: 2, underline: 4, bar: 6 } as const;

/** Bytes that draw `emulator` again, with at most `scrollbackLines` rows of history. */
export function paintSnapshot(emulator: Emulator, scrollbackLines: number): Uint8Array<ArrayBuffer> {
  const { core, cols } = emulator;
  const { normal, alt, active } = core._bufferService.buffers;
  const out = new ByteWriter();
  const pen = new Pen(out, (number) => emulator.link(number));
  out.ascii(START);
  if (emulator.title !== '') out.text(`\x1b]2;${plain(emulator.title)}\x1b\\`);
  const painter = new Painter(out, pen);
  const history = Math.min(Math.max(scrollbackLines, 0), normal.ybase);
  painter.rows(normal, normal.ybase - history, normal.ybase + emulator.rows - 1);
  pen.reset();
  tabStops(out, normal, cols);
  if (active === alt) {
    margins(out, normal, emulator.rows);
    // 1049 saves cursor, pen and charset of the main screen: exactly what leaving it will restore.
    savedCursor(out, pen, normal);
    out.ascii('\x1b[?1049h');
    pen.reset();
    out.ascii('\x1b(B\x1b[r\x1b[H\x1b7\x1b[2J');
    painter.rows(alt, alt.ybase, alt.ybase + emulator.rows - 1);
    pen.reset();
    tabStops(out, alt, cols);
  }
  if (savedCursor(out, pen, active)) out.ascii('\x1b7');
  pen.reset();
  out.ascii('\x1b(B');
  margins(out, active, emulator.rows);
  cursor(out, painter, emulator);
  pen.restore(core._inputHandler._curAttrData);
  charsets(out, core);
  modes(out, core);
  return out.take();
}

function tabStops(out: ByteWriter, buffer: CoreBuffer, cols: number): void {
  const stops: number[] = [];
  let usual = true;
  for (let x = 0; x < cols; x++) {
    const stop = buffer.tabs[x] === true;
    if (stop) stops.push(x);
    if (stop !== (x % TAB_WIDTH === 0)) usual = false;
  }
  if (usual) return;
  out.ascii('\x1b[3g');
  for (const x of stops) out.ascii(`\x1b[${x + 1}G\x1bH`);
}

function margins(out: ByteWriter, buffer: CoreBuffer, rows: number): void {
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== rows - 1) {
    out.ascii(`\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`);
  }
}

/** Puts cursor, pen and G0 to what the buffer has saved; false when that is what a fresh terminal has saved. */
function savedCursor(out: ByteWriter, pen: Pen, buffer: CoreBuffer): boolean {
  const y = Math.max(buffer.savedY - buffer.ybase, 0);
  const { fg, bg } = buffer.savedCurAttrData;
  const final = charsetFinal(buffer.savedCharset);
  out.ascii(`\x1b[${y + 1};${buffer.savedX + 1}H`);
  pen.set(fg, bg, undefined);
  if (final !== undefined) out.ascii(`\x1b(${final}`);
  return y !== 0 || buffer.savedX !== 0 || fg !== 0 || bg !== 0 || final !== undefined;
}

function cursor(out: ByteWriter, painter: Painter, emulator: Emulator): void {
  const { buffer, core, cols } = emulator;
  const { origin } = core.coreService.decPrivateModes;
  if (origin) out.ascii('\x1b[?6h');
  const y = origin ? buffer.y - buffer.scrollTop : buffer.y;
  const pending = buffer.x >= cols;
  const line = emulator.row(buffer.y);
  if (!pending || line === undefined) {
    out.ascii(`\x1b[${y + 1};${buffer.x + 1}H`);
    return;
  }
  // Behind the last column: only printing the last cell again gets there.
  const wide =
    !(line._data[(cols - 1) * CELL_WORDS]! & HAS_CONTENT) &&
    cols >= 2 &&
    line._data[(cols - 1) * CELL_WORDS]! >>> 22 === 0;
  const x = wide ? cols - 2 : cols - 1;
  out.ascii(`\x1b[${y + 1};${x + 1}H`);
  painter.cell(line, x);
}

function charsets(out: ByteWriter, core: Internals): void {
  const { _charsets, charset, glevel } = core._charsetService;
  for (const [level, designator] of ['(', ')', '*', '+'].entries()) {
    // DECRC restores the charset in use, which need not be the designated one.
    const final = charsetFinal(level === glevel ? charset : _charsets[level]);
    if (final !== undefined) out.ascii(`\x1b${designator}${final}`);
  }
  if (glevel > 0) out.ascii(['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? '');
}

function modes(out: ByteWriter, core: Internals): void {
  const { decPrivateModes: dec, modes: ansi, isCursorHidden } = core.coreService;
  const { activeProtocol, activeEncoding } = core.coreMouseService;
  const { convertEol, cursorBlink } = core.optionsService.rawOptions;
  if (dec.applicationCursorKeys) out.ascii('\x1b[?1h');
  if (dec.applicationKeypad) out.ascii('\x1b=');
  if (dec.reverseWraparound) out.ascii('\x1b[?45h');
  if (!dec.wraparound) out.ascii('\x1b[?7l');
  if (ansi.insertMode) out.ascii('\x1b[4h');
  if (convertEol) out.ascii('\x1b[20h');
  const mouse = MOUSE[activeProtocol];
  if (mouse !== undefined) out.ascii(`\x1b[?${mouse}h`);
  const encoding = ENCODING[activeEncoding];
  if (encoding !== undefined) out.ascii(`\x1b[?${encoding}h`);
  if (dec.sendFocus) out.ascii('\x1b[?1004h');
  if (dec.bracketedPasteMode) out.ascii('\x1b[?2004h');
  if (cursorBlink) out.ascii('\x1b[?12h');
  if (dec.cursorStyle !== undefined)
    out.ascii(`\x1b[${STYLES[dec.cursorStyle] - (dec.cursorBlink ? 1 : 0)} q`);
  if (isCursorHidden) out.ascii('\x1b[?25l');
  if (!dec.synchronizedOutput) out.ascii('\x1b[?2026l');
}
