// The colours a program sees when it asks: xterm's palette and the configured foreground, background and cursor, until
// the program sets others. Always true: at most 256 palette entries and ten dynamic ones; a colour name is kept as it
// came, since the same terminal reads it back. It draws nothing.
import type { ColorText } from './port.js';

export interface BaseColors {
  readonly foreground: ColorText;
  readonly background: ColorText;
  readonly cursor: ColorText;
}

/** Light grey on near black: what the reference client of the attach contract shows. */
export const DEFAULT_COLORS: BaseColors = {
  foreground: 'c7c7/c7c7/c7c7',
  background: '1e1e/1e1e/1e1e',
  cursor: 'c7c7/c7c7/c7c7',
};

const SYSTEM = [
  '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5',
  '7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff',
]
  .join(' ')
  .split(' ');

const pair = (value: number) => value.toString(16).padStart(2, '0').repeat(2);
const triple = (r: number, g: number, b: number) => `${pair(r)}/${pair(g)}/${pair(b)}`;

/** xterm's 256 colours: 16 system ones, a cube of six steps, 24 greys. */
function paletteColor(index: number): ColorText {
  if (index < 16) {
    const hex = SYSTEM[index] as string;
    return triple(
      ...([0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]),
    );
  }
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return triple(grey, grey, grey);
  }
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return triple(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6));
}

/** `rgb:h/h/h` to `rgb:hhhh/hhhh/hhhh` and `#rgb` to `#rrrrggggbbbb`, as four digits each; undefined for names. */
export function readColor(text: string): ColorText | undefined {
  const parts =
    /^rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})$/i.exec(text)?.slice(1) ??
    (/^#([\da-f]{3}|[\da-f]{6}|[\da-f]{9}|[\da-f]{12})$/i.test(text) ? thirds(text.slice(1)) : undefined);
  return parts?.map((part) => part.toLowerCase().repeat(4).slice(0, 4)).join('/');
}

function thirds(digits: string): string[] {
  const size = digits.length / 3;
  return [0, 1, 2].map((at) => digits.slice(at * size, (at + 1) * size));
}

export class Colors {
  readonly #base: BaseColors;
  readonly #palette = new Map<number, ColorText>();
  readonly #dynamic = new Map<number, ColorText>();

  constructor(base: BaseColors = DEFAULT_COLORS) {
    this.#base = base;
  }

  /** A dark background: what `CSI ? 996 n` reports. */
  get dark(): boolean {
    const [r, g, b] = this.dynamic(11)
      .split('/')
      .map((part) => parseInt(part.slice(0, 2), 16)) as [number, number, number];
    // Rec. 601 weights; a background is light from the middle on.
    return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }

  palette(index: number): ColorText {
    return this.#palette.get(index) ?? paletteColor(index);
  }

  /** OSC 10..19; what has no value of its own follows foreground or background as in xterm. */
  dynamic(code: number): ColorText {
    const own = this.#dynamic.get(code);
    if (own !== undefined) return own;
    if (code === 12 || code === 18) return this.#base.cursor;
    const ground = code === 11 || code === 14 || code === 16 || code === 19;
    if (code === 10 || code === 11) return ground ? this.#base.background : this.#base.foreground;
    return this.dynamic(ground ? 11 : 10);
  }

  setPalette(index: number, text: string): void {
    const color = readColor(text);
    if (color !== undefined && index >= 0 && index < 256) this.#palette.set(index, color);
  }

  setDynamic(code: number, text: string): void {
    const color = readColor(text);
    if (color !== undefined && code >= 10 && code <= 19) this.#dynamic.set(code, color);
  }

  /** OSC 104 (`body` lists entries, empty for all) and 110 to 119. */
  resetColor(code: number, body: string): void {
    if (code !== 104) this.#dynamic.delete(code - 100);
    else if (body === '') this.#palette.clear();
    else for (const index of body.split(';')) this.#palette.delete(Number(index));
  }

  reset(): void {
    this.#palette.clear();
    this.#dynamic.clear();
  }
}
