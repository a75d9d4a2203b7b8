// Watches output for the modes that a program sets on the local terminal, to know what must be undone when we leave it.
// Always true: split-safe; it changes no byte; it undoes only what was set, so that a terminal that was left alone is left
// alone. Pure; a few dozen modes, not a terminal.

const ESC = 0x1b;
const BEL = 0x07;
const PARAMETER_LIMIT = 128;
const TITLE_LIMIT = 256;
const KITTY_DEPTH = 64;

/** Private modes that are off on a terminal that was left alone. 2026 first: it holds back what follows. */
const OFF_BY_DEFAULT = [
  2026, 9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016, 1004, 2004, 2031, 2048, 1, 5, 6, 66,
];
const ON_BY_DEFAULT = [7, 25];
const ALTERNATE = [47, 1047, 1049];

type Phase =
  | { readonly kind: 'ground' | 'escape' | 'charset' }
  | { readonly kind: 'csi'; body: string }
  | { readonly kind: 'osc'; body: string; escaped: boolean }
  | { readonly kind: 'string'; escaped: boolean };

interface Kitty {
  depth: number;
  set: boolean;
}

export class ModeScan {
  #phase: Phase = { kind: 'ground' };
  readonly #changed = new Set<number>();
  #alternate: number | undefined;
  #kitty: { main: Kitty; alternate: Kitty } = fresh();
  #otherKeys = false;
  #keypad = false;
  #margins = false;
  #insert = false;
  #cursorStyle = false;
  #charset = false;
  /** The last window title the program set. */
  title: string | undefined;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) this.#byte(byte);
  }

  get alternateScreen(): boolean {
    return this.#alternate !== undefined;
  }

  /** Bytes that give the terminal back as it was; afterwards nothing counts as set. */
  undo(): string {
    const parts: string[] = [];
    const off = OFF_BY_DEFAULT.filter((mode) => this.#changed.has(mode));
    const on = ON_BY_DEFAULT.filter((mode) => this.#changed.has(mode));
    // An open control string would swallow what follows.
    if (this.#phase.kind !== 'ground') parts.push('\x1b\\');
    for (const mode of off) parts.push(`\x1b[?${mode}l`);
    if (this.#otherKeys) parts.push('\x1b[>4;0m');
    if (this.#alternate !== undefined) {
      parts.push(undoKitty(this.#kitty.alternate), `\x1b[?${this.#alternate}l`);
    }
    parts.push(undoKitty(this.#kitty.main));
    if (this.#keypad) parts.push('\x1b>');
    if (this.#margins) parts.push('\x1b7\x1b[r\x1b8');
    if (this.#insert) parts.push('\x1b[4l');
    if (this.#cursorStyle) parts.push('\x1b[0 q');
    if (this.#charset) parts.push('\x1b(B\x0f');
    for (const mode of on) parts.push(`\x1b[?${mode}h`);
    this.#reset();
    return parts.join('');
  }

  #reset(): void {
    this.#phase = { kind: 'ground' };
    this.#changed.clear();
    this.#alternate = undefined;
    this.#kitty = fresh();
    this.#otherKeys = this.#keypad = this.#margins = this.#insert = this.#cursorStyle = this.#charset = false;
  }

  #byte(byte: number): void {
    const phase = this.#phase;
    switch (phase.kind) {
      case 'ground':
        if (byte === ESC) this.#phase = { kind: 'escape' };
        else if (byte === 0x0e) this.#charset = true;
        return;
      case 'escape':
        this.#escape(byte);
        return;
      case 'charset':
        if (byte !== 0x42) this.#charset = true;
        this.#phase = { kind: 'ground' };
        return;
      case 'csi':
        this.#csiByte(phase, byte);
        return;
      case 'osc':
      case 'string':
        this.#stringByte(phase, byte);
    }
  }

  #escape(byte: number): void {
    const character = String.fromCharCode(byte);
    this.#phase = { kind: 'ground' };
    if (character === '[') this.#phase = { kind: 'csi', body: '' };
    else if (character === ']') this.#phase = { kind: 'osc', body: '', escaped: false };
    else if ('PX^_'.includes(character)) this.#phase = { kind: 'string', escaped: false };
    else if ('()*+'.includes(character)) this.#phase = { kind: 'charset' };
    else if (byte === ESC) this.#phase = { kind: 'escape' };
    else if (character === '=') this.#keypad = true;
    else if (character === '>') this.#keypad = false;
    else if (character === 'c') this.#reset();
  }

  #csiByte(phase: Extract<Phase, { kind: 'csi' }>, byte: number): void {
    if (byte === ESC) this.#phase = { kind: 'escape' };
    else if (byte === 0x18 || byte === 0x1a) this.#phase = { kind: 'ground' };
    else if (byte >= 0x40 && byte <= 0x7e) {
      this.#phase = { kind: 'ground' };
      if (phase.body.length <= PARAMETER_LIMIT) this.#csi(phase.body, String.fromCharCode(byte));
    } else if (byte >= 0x20 && phase.body.length <= PARAMETER_LIMIT) phase.body += String.fromCharCode(byte);
  }

  #stringByte(phase: Extract<Phase, { kind: 'osc' | 'string' }>, byte: number): void {
    const ended = (byte === BEL && phase.kind === 'osc') || (phase.escaped && byte === 0x5c);
    if (ended) {
      this.#phase = { kind: 'ground' };
      if (phase.kind === 'osc') this.#osc(phase.body);
    } else if (phase.escaped) {
      this.#phase = { kind: 'escape' };
      this.#escape(byte);
    } else if (byte === 0x18 || byte === 0x1a) this.#phase = { kind: 'ground' };
    else if (byte === ESC) phase.escaped = true;
    else if (phase.kind === 'osc' && phase.body.length < TITLE_LIMIT * 4) {
      phase.body += String.fromCharCode(byte);
    }
  }

  #osc(body: string): void {
    if (!body.startsWith('0;') && !body.startsWith('2;')) return;
    const bytes = Uint8Array.from(body.slice(2), (character) => character.charCodeAt(0));
    this.title = new TextDecoder().decode(bytes).slice(0, TITLE_LIMIT);
  }

  #csi(body: string, final: string): void {
    if (body.startsWith('?') && (final === 'h' || final === 'l')) {
      for (const mode of body.slice(1).split(';')) this.#mode(Number(mode), final === 'h');
    } else if (final === 'u' && /^[<>=]/.test(body)) this.#kittyKeys(body);
    else if (final === 'm' && body.startsWith('>4')) this.#otherKeys = /^>4;[1-9]/.test(body);
    else if (final === 'r' && /^[0-9;]*$/.test(body)) this.#margins = /[1-9]/.test(body);
    else if ((final === 'h' || final === 'l') && body.split(';').includes('4')) this.#insert = final === 'h';
    else if (final === 'q' && body.endsWith(' ')) this.#cursorStyle = !/^0? $/.test(body);
    else if (final === 'p' && body === '!') this.#softReset();
  }

  #mode(mode: number, on: boolean): void {
    if (ALTERNATE.includes(mode)) this.#alternate = on ? mode : undefined;
    const isDefault = ON_BY_DEFAULT.includes(mode) ? on : !on;
    if (isDefault) this.#changed.delete(mode);
    else if (OFF_BY_DEFAULT.includes(mode) || ON_BY_DEFAULT.includes(mode)) this.#changed.add(mode);
  }

  #kittyKeys(body: string): void {
    const screen = this.#alternate === undefined ? this.#kitty.main : this.#kitty.alternate;
    const number = Number.parseInt(body.slice(1), 10);
    if (body[0] === '>') screen.depth = Math.min(KITTY_DEPTH, screen.depth + 1);
    else if (body[0] === '<')
      screen.depth = Math.max(0, screen.depth - (Number.isNaN(number) ? 1 : Math.max(1, number)));
    else screen.set = true;
  }

  /** DECSTR leaves mouse, paste and the screen alone. */
  #softReset(): void {
    for (const mode of [1, 6, 7, 25]) this.#changed.delete(mode);
    this.#keypad = this.#margins = this.#insert = this.#charset = false;
  }
}

function fresh(): { main: Kitty; alternate: Kitty } {
  return { main: { depth: 0, set: false }, alternate: { depth: 0, set: false } };
}

function undoKitty({ depth, set }: Kitty): string {
  return (depth > 0 ? `\x1b[<${depth}u` : '') + (set ? '\x1b[=0u' : '');
}
