// What the runtime knows of the screen model, which lives in a worker. Always true: every answer carries the offset
// (end of the filtered bytes it has parsed), so a reader can tell whether it is current. Nothing here blocks the loop.

export interface CursorReading {
  /** Zero-based cell. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

/** What the model saw once it had parsed everything up to `offset`. */
export interface Reading {
  /** Absolute offset in the session's filtered byte space. */
  readonly offset: number;
  readonly rows: number;
  readonly cols: number;
  readonly cursor: CursorReading;
  readonly screen: 'main' | 'alternate';
  /** A synchronized update (DEC 2026) is open: the rows are a half-drawn frame. */
  readonly syncOpen: boolean;
  /** Text of the viewport rows, top first, trailing blanks cut. */
  readonly text: readonly string[];
}

export interface Snapshot {
  readonly offset: number;
  readonly rows: number;
  readonly cols: number;
  /** Bytes that recreate modes, scrollback, screen, scroll region, cursor and its visibility on a fresh terminal. */
  readonly bytes: Uint8Array;
}

export interface ScreenSize {
  readonly rows: number;
  readonly cols: number;
}

/** The model of one session. */
export interface Screen {
  /** Filtered bytes that end at `endOffset`. Copied or transferred: the caller may reuse its buffer. */
  write(bytes: Uint8Array, endOffset: number): void;
  resize(size: ScreenSize): void;
  /** Cursor cell (1-based row and column, as CPR reports it) after everything written so far. */
  cursorPosition(): Promise<{ row: number; col: number; offset: number }>;
  /** A snapshot after everything written so far, with at most `scrollbackLines` of history. */
  snapshot(scrollbackLines: number): Promise<Snapshot>;
  /** A reading after everything written so far. */
  read(): Promise<Reading>;
  /** Bytes written and not yet parsed. */
  readonly backlogBytes: number;
  /** The last published reading. */
  readonly reading: Reading | undefined;
  close(): void;
}

export interface ScreenHost {
  open(
    options: ScreenSize & { scrollbackLines: number; onReading(reading: Reading): void; onDrain?(): void },
  ): Screen;
  close(): Promise<void>;
}
