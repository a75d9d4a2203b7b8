// Watches typed bytes for the keys that detach. Always true: every byte is passed on unchanged and in order, except a
// completed detach sequence; the first key of it waits for the next one, and given twice is sent once. Understands plain
// bytes, CSI-u (kitty) and modifyOtherKeys. Pure. spec/cli.md 4; vectors: spec/vectors/cli/detach-keys.json.

export interface Key {
  readonly code: number;
  readonly ctrl: boolean;
}
/** One key, or a first and a second one. */
export type DetachKeys = readonly [Key] | readonly [Key, Key];

/** `ctrl-\,d`, `ctrl-]`, `ctrl-a,ctrl-d`; undefined when the text is none. */
export function parseDetachKeys(text: string): DetachKeys | undefined {
  const keys = text.split(',').map(parseKey);
  const [first, second] = keys;
  if (first === undefined || keys.length > 2 || (keys.length === 2 && second === undefined)) return undefined;
  // A first key without Ctrl would hold back ordinary typing.
  if (!first.ctrl) return undefined;
  return second === undefined ? [first] : [first, second];
}

function parseKey(text: string): Key | undefined {
  const ctrl = /^ctrl-([a-z@\\\]^_])$/.exec(text.toLowerCase());
  if (ctrl?.[1] !== undefined) return { code: ctrl[1].charCodeAt(0), ctrl: true };
  return /^[a-z0-9]$/.test(text) ? { code: text.charCodeAt(0), ctrl: false } : undefined;
}

/** For people: `Ctrl-\ d`. */
export function describeKeys(keys: DetachKeys): string {
  const name = ({ code, ctrl }: Key) =>
    ctrl ? `Ctrl-${String.fromCharCode(code).toUpperCase()}` : String.fromCharCode(code);
  return keys.map(name).join(' ');
}

const ESC = 0x1b;
const CSI_LIMIT = 64;
const PASTE_START = '\x1b[200~';
const PASTE_END = [...'\x1b[201~'].map((character) => character.charCodeAt(0));
/** What may wait behind the first key: releases and pointer reports; more than this is passed on. */
const HELD_LIMIT = 4_096;

/** A piece of input: a pressed key, or something that neither completes nor breaks a sequence. */
type Piece = { readonly length: number; readonly key: Key | 'neutral' | 'other' };

/** Ctrl in kitty's modifier bits; caps lock (64) and num lock (128) don't count. */
const CTRL = 4;
const LOCKS = 64 | 128;

function keyOf(code: number, modifiers: number): Key | 'other' {
  const bits = (modifiers - 1) & ~LOCKS;
  if (bits === CTRL) return { code, ctrl: true };
  return bits === 0 ? { code, ctrl: false } : 'other';
}

function csiKey(body: string, final: string): Piece['key'] {
  // Focus and pointer reports come at any time.
  if (final === 'I' || final === 'O' || final === 'M' || (final === 'm' && body.startsWith('<')))
    return 'neutral';
  const [first = '', second = '', third = ''] = body.split(';');
  if (final === 'u') {
    const [modifiers = '', event = ''] = second.split(':');
    const code = Number.parseInt(first, 10);
    const modifierKey = code >= 57_358 && code <= 57_454;
    if (event === '3' || modifierKey) return 'neutral';
    return keyOf(code, modifiers === '' ? 1 : Number.parseInt(modifiers, 10));
  }
  if (final === '~' && first === '27' && third !== '') {
    return keyOf(Number.parseInt(third, 10), Number.parseInt(second, 10));
  }
  return 'other';
}

function pieceAt(bytes: Uint8Array, at: number): Piece {
  const byte = bytes[at] ?? 0;
  if (byte !== ESC) {
    const key = byte < 0x20 ? { code: lower(byte | 0x40), ctrl: true } : { code: byte, ctrl: false };
    return { length: 1, key };
  }
  if (bytes[at + 1] !== 0x5b) return { length: Math.min(2, bytes.length - at), key: 'other' };
  for (let end = at + 2; end < bytes.length && end < at + CSI_LIMIT; end++) {
    const final = bytes[end] ?? 0;
    if (final < 0x40 || final > 0x7e) continue;
    const body = String.fromCharCode(...bytes.subarray(at + 2, end));
    return { length: end + 1 - at, key: csiKey(body, String.fromCharCode(final)) };
  }
  return { length: Math.min(CSI_LIMIT, bytes.length - at), key: 'other' };
}

const lower = (code: number): number => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code);

type State =
  | { readonly kind: 'open' }
  /** The first key was pressed: it and what followed wait. */
  | { readonly kind: 'pending'; readonly held: readonly number[] }
  /** Inside a paste everything is text; `matched` bytes of its end marker have come. */
  | { readonly kind: 'paste'; readonly matched: number };

export interface Scanned {
  readonly pass: Uint8Array;
  readonly detached: boolean;
}

export class DetachScanner {
  #state: State = { kind: 'open' };

  constructor(readonly keys: DetachKeys | undefined) {}

  /** What to send of these typed bytes, and whether they detach; what follows a detach sequence is dropped. */
  push(bytes: Uint8Array): Scanned {
    const [first] = this.keys ?? [];
    if (first === undefined) return { pass: bytes, detached: false };
    const control = first.code & 0x1f;
    // Nearly all typing: no escape sequence, no first key.
    const plain = this.#state.kind === 'open' && !bytes.includes(control) && !bytes.includes(ESC);
    if (plain) return { pass: bytes, detached: false };
    const pass: number[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (this.#state.kind === 'paste') {
        pass.push(bytes[at] ?? 0);
        this.#paste(bytes[at] ?? 0, this.#state.matched);
        at++;
        continue;
      }
      const piece = pieceAt(bytes, at);
      const raw = bytes.subarray(at, at + piece.length);
      at += piece.length;
      if (this.#piece(raw, piece.key, pass)) return { pass: Uint8Array.from(pass), detached: true };
    }
    return { pass: Uint8Array.from(pass), detached: false };
  }

  #is(key: Piece['key'], wanted: Key | undefined): boolean {
    return typeof key === 'object' && key.code === wanted?.code && key.ctrl === wanted.ctrl;
  }

  /** True when the sequence is complete. */
  #piece(raw: Uint8Array, key: Piece['key'], pass: number[]): boolean {
    const [first, second] = this.keys ?? [];
    const state = this.#state;
    if (state.kind !== 'pending') {
      if (!this.#is(key, first)) {
        pass.push(...raw);
        if (String.fromCharCode(...raw) === PASTE_START) this.#state = { kind: 'paste', matched: 0 };
        return false;
      }
      if (second === undefined) return true;
      this.#state = { kind: 'pending', held: [...raw] };
      return false;
    }
    if (this.#is(key, second)) return true;
    if (key === 'neutral' && state.held.length + raw.length <= HELD_LIMIT) {
      this.#state = { kind: 'pending', held: [...state.held, ...raw] };
      return false;
    }
    this.#state = { kind: 'open' };
    // The first key twice is how it is typed itself: sent once.
    if (this.#is(key, first)) {
      pass.push(...state.held);
      return false;
    }
    pass.push(...state.held);
    return this.#piece(raw, key, pass);
  }

  #paste(byte: number, matched: number): void {
    const next = byte === PASTE_END[matched] ? matched + 1 : byte === ESC ? 1 : 0;
    this.#state = next === PASTE_END.length ? { kind: 'open' } : { kind: 'paste', matched: next };
  }
}
