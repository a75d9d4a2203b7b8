// What a complete sequence means to the runtime: an answer, a mode, a colour, a report. Always true: it sees each
// sequence once, whole, and says nothing of those that only draw. It does not know what was passed or held.
import { type Answer, fixed, type Terminator } from './answer.js';
import { Colors } from './colors.js';
import { mayMatter, param, readCsi } from './csi.js';
import { ModeTracker } from './modes.js';
import type { ScannerOptions } from './port.js';
import { type CsiFacts, csiQuery, DA1, isLooseModifierQuery } from './query-csi.js';
import { apcQuery, dcsQuery } from './query-dcs.js';
import { oscQuery } from './query-osc.js';
import { BEL, isColorOsc, latin1, mayAsk, oscHead, type StringKind } from './sequence.js';

const QUESTION = 0x3f;
const FINAL_H = 0x68;
const FINAL_L = 0x6c;
const DIGIT_ZERO = 0x30;
const COLON = 0x3a;
const SEMICOLON = 0x3b;

export interface Meaning {
  readonly answer?: Answer | undefined;
  readonly osc?: { readonly code: number; readonly body: string };
  readonly reset?: true;
}

export class Interpreter implements CsiFacts {
  readonly modes = new ModeTracker();
  readonly colors: Colors;
  readonly identity: string;
  rows: number;
  cols: number;

  constructor(options: ScannerOptions) {
    this.colors = new Colors(options.colors);
    this.identity = options.identity ?? 'openfloor';
    this.rows = options.rows ?? 24;
    this.cols = options.cols ?? 80;
  }

  resized(rows: number, cols: number): void {
    this.rows = rows;
    this.cols = cols;
  }

  get dark(): boolean {
    return this.colors.dark;
  }

  /** An escape sequence without intermediates, by its final byte. */
  escape(final: number): Meaning | undefined {
    switch (String.fromCharCode(final)) {
      case 'c':
        this.modes.reset();
        this.colors.reset();
        return { reset: true };
      case '=':
        this.modes.keypad(true);
        return undefined;
      case '>':
        this.modes.keypad(false);
        return undefined;
      case 'Z':
        return { answer: fixed(DA1) };
      default:
        return undefined;
    }
  }

  /** Bytes from `ESC [` to the final byte. */
  csi(bytes: Uint8Array, start: number, end: number): Meaning | undefined {
    const { modes } = this;
    const final = bytes[end - 1] as number;
    if (!mayMatter(bytes, start, final)) return undefined;
    if (bytes[start + 2] === QUESTION && (final === FINAL_H || final === FINAL_L)) {
      this.#privateModes(bytes, start + 3, end - 1, final === FINAL_H);
      return undefined;
    }
    const csi = readCsi(bytes, start, end);
    if (csi === undefined) {
      if (!isLooseModifierQuery(bytes, start, end)) return undefined;
      return { answer: fixed(`\x1b[>4;${modes.view.modifyOtherKeys}m`) };
    }
    switch (csi.prefix + csi.intermediates + csi.final) {
      case 'h':
      case 'l':
        modes.setAnsi(csi.params, csi.final === 'h');
        return undefined;
      case '?s':
        modes.save(csi.params);
        return undefined;
      case '?r':
        modes.restore(csi.params);
        return undefined;
      case '!p':
        modes.softReset();
        return undefined;
      case '>u':
      case '<u':
      case '=u':
        modes.keyboard(csi);
        return undefined;
      case '>m':
        modes.setModifierKeys(csi);
        return undefined;
      case ' q':
        modes.cursorStyle = param(csi, 0, 0);
        return undefined;
    }
    const answer = csiQuery(csi, this);
    return answer && { answer };
  }

  /** `CSI ? Pm h` and `l` come with every frame: read in place. What is no number or semicolon makes it malformed. */
  #privateModes(bytes: Uint8Array, start: number, end: number, on: boolean): void {
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte > SEMICOLON || (byte >= 0x20 && byte < DIGIT_ZERO) || byte === COLON) return;
    }
    let mode = 0;
    for (let i = start; i <= end; i++) {
      const byte = i === end ? SEMICOLON : (bytes[i] as number);
      if (byte === SEMICOLON) {
        if (mode > 0) this.modes.setPrivate(mode, on);
        mode = 0;
      } else if (byte >= DIGIT_ZERO) mode = Math.min(65_535, mode * 10 + byte - DIGIT_ZERO);
    }
  }

  /** A complete string with its introducer and terminator. */
  string(
    kind: StringKind,
    bytes: Uint8Array,
    start: number,
    end: number,
    reported: ReadonlySet<number>,
  ): Meaning | undefined {
    const bell = bytes[end - 1] === BEL;
    const last = end - (bell ? 1 : 2);
    switch (kind) {
      case 'osc':
        return this.#osc(bytes, start + 2, last, bell ? '\x07' : '\x1b\\', reported);
      case 'dcs': {
        const answer = dcsQuery(latin1(bytes, start + 2, last), this.modes);
        return answer && { answer };
      }
      case 'apc': {
        const answer = apcQuery(latin1(bytes, start + 2, last));
        return answer && { answer };
      }
      default:
        return undefined;
    }
  }

  #osc(
    bytes: Uint8Array,
    start: number,
    end: number,
    terminator: Terminator,
    reported: ReadonlySet<number>,
  ): Meaning | undefined {
    const head = oscHead(bytes, start, end);
    if (head === 'none' || start === end) return undefined;
    // A number alone reports nothing, but some resets and requests are one.
    const numberOnly = head === 'open';
    const code = numberOnly ? Number(latin1(bytes, start, end)) : head.code;
    const asks = mayAsk(code);
    const reports = !numberOnly && reported.has(code);
    if (!asks && !reports && !isColorOsc(code)) return undefined;
    const body = numberOnly ? '' : latin1(bytes, head.rest, end);
    if (code === 104 || (code >= 110 && code <= 119)) this.colors.resetColor(code, body);
    const answer = asks ? oscQuery(code, body, { colors: this.colors, terminator }) : undefined;
    if (answer) return { answer };
    return reports ? { osc: { code, body } } : undefined;
  }
}
