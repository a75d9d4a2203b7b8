// The pen of the terminal that a snapshot is written for: which style it has now, and the SGR and OSC 8 bytes that give
// it another. Always true: after `set` the terminal's pen is exactly the style asked for; equal styles write nothing.
// It knows no cells and no cursor.
import type { ByteWriter } from './byte-writer.js';
import type { Link } from './emulator.js';
import {
  BLINK,
  BOLD,
  COLOR,
  COLOR_MODE,
  type CoreAttributes,
  type CoreExtended,
  DIM,
  HAS_EXTENDED,
  INVERSE,
  INVISIBLE,
  ITALIC,
  MODE_16,
  MODE_256,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
} from './internals.js';

const FG_FLAGS: ReadonlyArray<readonly [number, string]> = [
  [BOLD, ';1'],
  [BLINK, ';5'],
  [INVERSE, ';7'],
  [INVISIBLE, ';8'],
  [STRIKETHROUGH, ';9'],
];
const BG_FLAGS: ReadonlyArray<readonly [number, string]> = [
  [DIM, ';2'],
  [ITALIC, ';3'],
  [OVERLINE, ';53'],
];
/** Everything of a bg word that can be written: the protection flag (DECSCA) and free bits are left out. */
const BG_WRITTEN = COLOR | HAS_EXTENDED | DIM | ITALIC | OVERLINE;

/** `;31`, `;38;5;n`, `;38;2;r;g;b`, or nothing for the default. `base` is 30 or 40. */
function color(word: number, base: 30 | 40): string {
  const mode = word & COLOR_MODE;
  const value = word & 0xffffff;
  if (mode === 0) return '';
  if (mode === MODE_16) return `;${(value & 8 ? base + 60 : base) + (value & 7)}`;
  if (mode === MODE_256) return `;${base + 8};5;${value & 0xff}`;
  return `;${base + 8};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
}

/** Underline style and colour in the sub-parameter form, which old terminals skip as one parameter. */
function underline(fg: number, extended: CoreExtended | undefined): string {
  let text = '';
  if (fg & UNDERLINE) {
    const style = extended?.underlineStyle ?? 1;
    text += style <= 1 ? ';4' : `;4:${style}`;
  }
  const word = extended?.underlineColor ?? 0;
  const mode = word & COLOR_MODE;
  if (mode === MODE_16 || mode === MODE_256) text += `;58:5:${word & 0xff}`;
  else if (mode !== 0) text += `;58:2::${(word >> 16) & 0xff}:${(word >> 8) & 0xff}:${word & 0xff}`;
  return text;
}

/** Text for a control string: nothing in it may end or break the string. */
export function plain(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
}

function sgr(fg: number, bg: number, extended: CoreExtended | undefined): string {
  let text = color(fg, 30) + color(bg, 40);
  for (const [flag, code] of FG_FLAGS) if (fg & flag) text += code;
  for (const [flag, code] of BG_FLAGS) if (bg & flag) text += code;
  return text + underline(fg, extended);
}

export class Pen {
  #fg = 0;
  #bg = 0;
  #extended: CoreExtended | undefined;
  /** What the terminal has been told, without the link. */
  #sgr = '';
  #link = 0;

  constructor(
    readonly out: ByteWriter,
    /** What is known of a link's number; an unknown one is written as no link. */
    readonly linkOf: (number: number) => Link | undefined,
  ) {}

  /** The style of a cell or of a pen: two words, and the extended part when the bg word says there is one. */
  set(fg: number, bg: number, extended: CoreExtended | undefined): void {
    if (!(bg & HAS_EXTENDED)) extended = undefined;
    bg &= BG_WRITTEN;
    if (fg === this.#fg && bg === this.#bg && extended === this.#extended) return;
    this.#fg = fg;
    this.#bg = bg;
    this.#extended = extended;
    const wanted = sgr(fg, bg, extended);
    if (wanted !== this.#sgr) {
      // A full style after a reset: a few bytes more than a difference, and never wrong.
      this.out.ascii(
        wanted === '' ? '\x1b[m' : this.#sgr === '' ? `\x1b[${wanted.slice(1)}m` : `\x1b[0${wanted}m`,
      );
      this.#sgr = wanted;
    }
    const link = extended?.urlId ?? 0;
    if (link !== this.#link) this.#setLink(link);
  }

  /** A pen that was read: its underline colour counts even while nothing is underlined. */
  restore(attributes: CoreAttributes): void {
    this.set(attributes.fg, attributes.bg | HAS_EXTENDED, attributes.extended);
  }

  /** Background alone, for erasing: other attributes don't reach erased cells. */
  setBackground(bg: number): void {
    if ((this.#bg & COLOR) !== (bg & COLOR)) this.set(0, bg & COLOR, undefined);
  }

  reset(): void {
    this.set(0, 0, undefined);
  }

  #setLink(number: number): void {
    const link = this.linkOf(number);
    if (link === undefined && this.linkOf(this.#link) === undefined) {
      this.#link = number;
      return;
    }
    this.#link = number;
    const id = link === undefined || link.id === '' ? '' : `id=${link.id}`;
    this.out.text(`\x1b]8;${plain(id)};${plain(link?.uri ?? '')}\x1b\\`);
  }
}
