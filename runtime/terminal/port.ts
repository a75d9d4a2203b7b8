// The runtime is the terminal: what the output scanner tells its session about a child's bytes. Always true: bytes
// passed plus bytes of removed queries equal bytes pushed, in order, for any chunking. It does no I/O and has no clock.

/** Who can answer a query. `fixed`: these bytes, now. `cursor`: needs the screen model. `eaten`: no reply exists. */
export type Reply =
  | { readonly kind: 'fixed'; readonly bytes: Uint8Array }
  | { readonly kind: 'cursor'; readonly form: 'cpr' | 'decxcpr' }
  | { readonly kind: 'eaten' };

export interface OutputSink {
  /** Bytes for clients and the ring. A view that is valid during the call: copy what is kept. */
  pass(bytes: Uint8Array): void;
  /**
   * A query was removed from the stream, after everything before it was passed. In query order. A query whose head had
   * been released, that also sets something, or that is longer than QUERY_BYTES is answered too, once it has passed.
   */
  reply(reply: Reply): void;
  /** A complete OSC string: number, body as latin1-decoded bytes (one char a byte), after its bytes were passed. */
  osc(code: number, body: string): void;
  /** A mode that the runtime or its clients care for has changed; read it from `modes`. Once a push, at its end. */
  modesChanged(): void;
  /** A lone BEL in ground state, after it was passed. */
  bell(): void;
  /** RIS (ESC c): everything back to power-on. After it was passed. */
  reset(): void;
}

/** Modes the program has set, per the bytes seen so far. */
export interface TerminalModes {
  readonly bracketedPaste: boolean;
  readonly focusReports: boolean;
  readonly syncOpen: boolean;
  readonly screen: 'main' | 'alternate';
  readonly mouse: 'off' | 'x10' | 'normal' | 'button' | 'any';
  readonly mouseEncoding: 'legacy' | 'utf8' | 'sgr' | 'urxvt' | 'pixels';
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly cursorVisible: boolean;
  /** Kitty keyboard flags of the active screen, 0 when none. */
  readonly kittyFlags: number;
  /** xterm's modifyOtherKeys level. */
  readonly modifyOtherKeys: 0 | 1 | 2;
}

/** A colour as X11 writes it after `rgb:`, for example `1e1e/1e1e/1e1e`. */
export type ColorText = string;

export interface ScannerOptions {
  readonly rows?: number;
  readonly cols?: number;
  /** Text of the XTVERSION reply; printable ASCII. */
  readonly identity?: string;
  readonly colors?: {
    readonly foreground: ColorText;
    readonly background: ColorText;
    readonly cursor: ColorText;
  };
  /** OSC numbers that `sink.osc` is told of; the others only pass. Default: the ones that carry status. */
  readonly reportOsc?: ReadonlySet<number>;
}

export interface OutputScanner {
  /** A live view: always what the bytes pushed so far have set. */
  readonly modes: TerminalModes;
  /** Total bytes passed so far: the session's offset space. */
  readonly offset: number;
  /** Bytes of an unfinished sequence that are held back. */
  readonly heldBytes: number;
  /** OSC strings of a reported number that were longer than OSC_BYTES: passed and not reported. */
  readonly overlongStrings: number;
  /**
   * Bytes that set on a client, after a snapshot, what the screen model doesn't know: the active screen's kitty flags,
   * mouse encodings 1005 and 1015, modifyOtherKeys. Empty when the program has set none of them.
   */
  beyondScreen(): Uint8Array;
  push(chunk: Uint8Array): void;
  /** Passes the held bytes on (the 4 ms are over, or the child has ended); parsing goes on where it was. */
  release(): void;
  /** The PTY's size, for the queries that ask for it. */
  resized(rows: number, cols: number): void;
}
