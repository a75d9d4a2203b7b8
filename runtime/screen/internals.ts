// The parts of @xterm/headless 6.0.0 that its typings hide and the model needs: synchronous parsing, the pen, saved
// cursors, margins, charsets, raw cells. Always true: `internalsOf` has checked that each part is there, so a changed
// package fails when the first terminal is made, not in the middle of a session. It reads and decides nothing.
import type { Terminal } from '@xterm/headless';

/** Underline style, underline colour and link of a cell or of the pen. */
export interface CoreExtended {
  readonly underlineStyle: number;
  readonly underlineColor: number;
  urlId: number;
  clone(): CoreExtended;
}

/** The pen, or a saved pen. `fg` and `bg` carry colour, colour mode and flags as cells do. */
export interface CoreAttributes {
  fg: number;
  bg: number;
  extended: CoreExtended;
  updateExtended(): void;
}

/** One row: three words a cell (content, fg, bg), and what doesn't fit into them. */
export interface CoreLine {
  isWrapped: boolean;
  readonly length: number;
  readonly _data: Uint32Array;
  _combined: Record<number, string>;
  _extendedAttrs: Record<number, CoreExtended | undefined>;
  translateToString(trimRight: boolean, start: number, end: number): string;
}

export interface CoreBuffer {
  readonly lines: {
    readonly length: number;
    readonly isFull: boolean;
    get(index: number): CoreLine | undefined;
    /** Moves the oldest line to the end and returns it, its content as it was. */
    recycle(): CoreLine;
  };
  x: number;
  y: number;
  readonly ybase: number;
  ydisp: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: CoreAttributes;
  readonly savedCharset: object | undefined;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
}

export interface CoreModes {
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly bracketedPasteMode: boolean;
  readonly cursorBlink: boolean | undefined;
  readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined;
  readonly origin: boolean;
  readonly reverseWraparound: boolean;
  readonly sendFocus: boolean;
  readonly synchronizedOutput: boolean;
  readonly wraparound: boolean;
}

/** True when the sequence is dealt with; false asks the handler registered before. */
export type CsiHandler = (params: { readonly params: Int32Array | number[] }) => boolean | Promise<boolean>;
export type EscHandler = () => boolean | Promise<boolean>;
export type ExecuteHandler = () => boolean | Promise<boolean>;

export type PrintHandler = (codePoints: Uint32Array, start: number, end: number) => void;

export interface CoreParser {
  readonly currentState: number;
  /** Keyed by the sequence's intermediate and final bytes, eight bits each. */
  readonly _csiHandlers: Record<string, CsiHandler[]>;
  _escHandlers: Record<string, EscHandler[]>;
  /** Gets the identifier of a sequence that no handler took. */
  _escHandlerFb: (identifier: number) => void;
  readonly _executeHandlers: Record<number, ExecuteHandler>;
  _printHandler: PrintHandler;
  /** Width and joining of the character just printed, 0 after anything else. */
  precedingJoinState: number;
}

export interface Internals {
  readonly _inputHandler: {
    /** Undefined when done; a promise only if an asynchronous handler was registered, and none is. */
    parse(bytes: Uint8Array): Promise<boolean> | undefined;
    _parseBuffer: Uint32Array;
    readonly _parser: CoreParser;
    readonly _curAttrData: CoreAttributes;
    readonly _activeBuffer: CoreBuffer;
    /** The pen of erased cells: its background alone. */
    _eraseAttrData(): CoreAttributes;
    /** Designator and final, as in `(0`. */
    selectCharset(designation: string): boolean;
  };
  readonly _bufferService: {
    readonly rows: number;
    readonly cols: number;
    scroll(eraseAttributes: CoreAttributes, isWrapped?: boolean): void;
    readonly buffers: {
      readonly active: CoreBuffer;
      readonly normal: CoreBuffer;
      readonly alt: CoreBuffer;
    };
  };
  readonly _charsetService: {
    readonly charset: object | undefined;
    readonly glevel: number;
    readonly _charsets: ReadonlyArray<object | undefined>;
  };
  readonly coreService: {
    readonly decPrivateModes: CoreModes;
    readonly modes: { readonly insertMode: boolean };
    isCursorHidden: boolean;
  };
  readonly unicodeService: { wcwidth(codePoint: number): number };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly optionsService: {
    readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean };
    /** The same with an accessor for each option. */
    options: object;
  };
}

/** The parser's state between sequences. */
export const GROUND = 0;

/** Words of one cell in `CoreLine._data`. */
export const CELL_WORDS = 3;
export const CODE_POINT = 0x1fffff;
export const IS_COMBINED = 0x200000;
export const HAS_CONTENT = 0x3fffff;
export const WIDTH_SHIFT = 22;
/** Colour and colour mode of an fg or bg word; all zero is the default colour. */
export const COLOR = 0x3ffffff;
export const COLOR_MODE = 0x3000000;
export const MODE_16 = 0x1000000;
export const MODE_256 = 0x2000000;
/** Flags of the fg word. */
export const INVERSE = 0x4000000;
export const BOLD = 0x8000000;
export const UNDERLINE = 0x10000000;
export const BLINK = 0x20000000;
export const INVISIBLE = 0x40000000;
export const STRIKETHROUGH = 0x80000000;
/** Flags of the bg word. */
export const ITALIC = 0x4000000;
export const DIM = 0x8000000;
export const HAS_EXTENDED = 0x10000000;
export const OVERLINE = 0x40000000;

const PARTS: ReadonlyArray<readonly [string, string]> = [
  ['_inputHandler.parse', 'function'],
  ['_inputHandler._parseBuffer', 'object'],
  ['_inputHandler._parser.currentState', 'number'],
  ['_inputHandler._parser._csiHandlers', 'object'],
  ['_inputHandler._parser._escHandlers', 'object'],
  ['_inputHandler._parser._executeHandlers', 'object'],
  ['_inputHandler._parser._printHandler', 'function'],
  ['_inputHandler._parser.precedingJoinState', 'number'],
  ['_inputHandler._activeBuffer.x', 'number'],
  ['_inputHandler._eraseAttrData', 'function'],
  ['_inputHandler.selectCharset', 'function'],
  ['_inputHandler._parser._escHandlerFb', 'function'],
  ['_bufferService.scroll', 'function'],
  ['_bufferService.buffers.normal.lines.recycle', 'function'],
  ['unicodeService.wcwidth', 'function'],
  ['_inputHandler._curAttrData.fg', 'number'],
  ['_inputHandler._curAttrData.extended.urlId', 'number'],
  ['_inputHandler._curAttrData.updateExtended', 'function'],
  ['_bufferService.buffers.normal.lines.length', 'number'],
  ['_bufferService.buffers.normal.ybase', 'number'],
  ['_bufferService.buffers.alt.scrollBottom', 'number'],
  ['_bufferService.buffers.active.savedX', 'number'],
  ['_bufferService.buffers.active.savedCurAttrData.fg', 'number'],
  ['_bufferService.buffers.active.tabs', 'object'],
  ['_charsetService._charsets', 'object'],
  ['_charsetService.glevel', 'number'],
  ['coreService.decPrivateModes.wraparound', 'boolean'],
  ['coreService.modes.insertMode', 'boolean'],
  ['coreService.isCursorHidden', 'boolean'],
  ['coreMouseService.activeProtocol', 'string'],
  ['coreMouseService.activeEncoding', 'string'],
  ['optionsService.options', 'object'],
  ['optionsService.rawOptions.convertEol', 'boolean'],
];

function part(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The internals of a terminal. Throws a sentence that names the missing part when the package isn't the pinned one. */
export function internalsOf(terminal: Terminal): Internals {
  const core = (terminal as unknown as { readonly _core: unknown })._core;
  for (const [path, type] of PARTS) {
    if (typeof part(core, path) !== type) {
      throw new Error(`@xterm/headless is not the pinned version: ${path} is no ${type}`);
    }
  }
  const line = part(core, '_bufferService.buffers.normal.lines') as {
    get(index: number): CoreLine | undefined;
  };
  const first = line.get(0);
  if (!(first?._data instanceof Uint32Array) || first._data.length !== first.length * CELL_WORDS) {
    throw new Error('@xterm/headless is not the pinned version: a line is no array of three words a cell');
  }
  return core as Internals;
}
