// What two emulators must agree on after a snapshot, as plain data, and the recordings that feed them. Empty cells with
// a visible style count as spaces (the package has them, no sequence makes them), and what no sequence restores
// (protected cells) is left out.
import { readdirSync, readFileSync } from 'node:fs';
import type { Emulator } from '../../../runtime/screen/emulator.js';
import {
  COLOR,
  COLOR_MODE,
  type CoreBuffer,
  type CoreExtended,
  type CoreLine,
  HAS_CONTENT,
  HAS_EXTENDED,
  INVERSE,
  IS_COMBINED,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
} from '../../../runtime/screen/internals.js';

const FIXTURES = new URL('../../../../test/fixtures/recordings/', import.meta.url);
const PROTECTED = 0x20000000;

/** The package leaves bits of an RGB colour behind a palette colour. */
function clean(word: number): number {
  return (word & COLOR_MODE) === COLOR_MODE ? word >>> 0 : (word & ~0xffff00) >>> 0;
}

function style(emulator: Emulator, fg: number, bg: number, extended: CoreExtended | undefined): string {
  const plain = `${clean(fg)},${clean(bg & ~HAS_EXTENDED & ~PROTECTED)}`;
  const link = emulator.link(extended?.urlId ?? 0);
  const line = fg & UNDERLINE ? Math.max(extended?.underlineStyle ?? 1, 1) : 0;
  return `${plain},${line},${clean(extended?.underlineColor ?? 0)},${link?.id ?? ''};${link?.uri ?? ''}`;
}

/** A cell's style: its underline colour shows only with an underline. */
function cellStyle(emulator: Emulator, line: CoreLine, x: number): string {
  const [fg, bg] = [line._data[x * 3 + 1]!, line._data[x * 3 + 2]!];
  return style(emulator, fg, bg, bg & HAS_EXTENDED ? line._extendedAttrs[x] : undefined);
}

function cell(emulator: Emulator, line: CoreLine, x: number): string {
  const [content, fg, bg] = [line._data[x * 3]!, line._data[x * 3 + 1]!, line._data[x * 3 + 2]!];
  const width = content >>> 22;
  if (!(content & HAS_CONTENT)) {
    const shows = fg & (INVERSE | UNDERLINE | STRIKETHROUGH) || bg & OVERLINE;
    if (width === 0) return '';
    return shows ? ` /1 ${cellStyle(emulator, line, x)}` : `_${clean(bg & COLOR)}`;
  }
  const text = content & IS_COMBINED ? line._combined[x] : String.fromCodePoint(content & 0x1fffff);
  return `${text}/${width} ${cellStyle(emulator, line, x)}`;
}

function rows(emulator: Emulator, buffer: CoreBuffer, history: number): string[] {
  const lines: string[] = [];
  const first = Math.max(buffer.ybase - history, 0);
  for (let index = first; index < buffer.ybase + emulator.rows; index++) {
    const line = buffer.lines.get(index)!;
    const cells: string[] = [];
    for (let x = 0; x < emulator.cols; x++) cells.push(cell(emulator, line, x));
    const last = cells.findLastIndex((text) => text !== '_0');
    // The first row of a cut history has lost what it continues.
    lines.push(`${line.isWrapped && index > first ? '+' : '|'}${cells.slice(0, last + 1).join('|')}`);
  }
  return lines;
}

function saved(emulator: Emulator, buffer: CoreBuffer) {
  const { fg, bg } = buffer.savedCurAttrData;
  return {
    x: Math.min(buffer.savedX, emulator.cols - 1),
    y: Math.max(buffer.savedY - buffer.ybase, 0),
    style: style(emulator, fg, bg & ~HAS_EXTENDED, undefined),
    charset: buffer.savedCharset,
  };
}

function stops(buffer: CoreBuffer, cols: number): number[] {
  return Object.keys(buffer.tabs)
    .map(Number)
    .filter((x) => x < cols && buffer.tabs[x]);
}

/** Everything but history beyond `history` rows. */
export function stateOf(emulator: Emulator, history = 1000) {
  const { core, alternate, buffer } = emulator;
  const { normal } = core._bufferService.buffers;
  const pen = core._inputHandler._curAttrData;
  const { charset, glevel } = core._charsetService;
  return {
    alternate,
    screen: rows(emulator, buffer, history),
    behind: alternate ? rows(emulator, normal, history) : [],
    // A lone mark behind the last column moves the package's cursor one further, where it means the same.
    cursor: { x: Math.min(buffer.x, emulator.cols), y: buffer.y, hidden: core.coreService.isCursorHidden },
    margins: [buffer.scrollTop, buffer.scrollBottom],
    behindMargins: [normal.scrollTop, normal.scrollBottom],
    saved: saved(emulator, buffer),
    behindSaved: saved(emulator, normal),
    tabs: stops(buffer, emulator.cols),
    modes: { ...core.coreService.decPrivateModes, ...core.coreService.modes },
    mouse: [core.coreMouseService.activeProtocol, core.coreMouseService.activeEncoding],
    options: [core.optionsService.rawOptions.convertEol, core.optionsService.rawOptions.cursorBlink],
    pen: style(emulator, pen.fg, pen.bg, pen.extended),
    charset,
    glevel,
    title: emulator.title,
  };
}

export interface Recording {
  readonly rows: number;
  readonly cols: number;
  /** Output chunks as they were read, of all phases in order. */
  readonly chunks: readonly Uint8Array[];
}

/** The recorded output of an agent, all its phases joined. */
export function recording(agent: string): Recording {
  const phases = readdirSync(FIXTURES)
    .filter((file) => file.startsWith(`${agent}-`) && file.endsWith('.jsonl'))
    .map((file) => {
      const [head, ...lines] = readFileSync(new URL(file, FIXTURES), 'utf8').trim().split('\n');
      const header = JSON.parse(head!) as { seq: number; rows: number; cols: number };
      const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
      const chunks = events
        .filter(([, kind]) => kind === 'o')
        .map(([, , data]) => new Uint8Array(Buffer.from(data, 'base64')));
      return { header, chunks };
    })
    .sort((a, b) => a.header.seq - b.header.seq);
  const { rows: height, cols } = phases[0]!.header;
  return { rows: height, cols, chunks: phases.flatMap((phase) => phase.chunks) };
}

/** Feeds any number of bytes, whole code points or not, as long as they are complete at the end. */
export function feed(emulator: Emulator, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += 32_768) emulator.parse(bytes.subarray(from, from + 32_768));
}
