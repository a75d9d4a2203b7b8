// What the runtime knows of the screen model, which lives in a worker. Always true: every answer carries the offset
// (end of the filtered bytes it has parsed), so a reader can tell whether it is current. Nothing here blocks the loop.

import type { ScreenReading } from '../composer/read.js';
import type { ReadingPack } from '../composer/reading-pack.js';

export interface CursorReading {
  /** Zero-based cell, always inside the screen. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

/**
 * What the model saw once it had parsed everything up to `offset`, with what the pack in force makes of it: composer,
 * vetoes, dialog, live rows (spec/composer.md, spec/dialogs.md).
 */
export interface Reading extends ScreenReading {
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
  /**
   * Where the live stream goes on: everything written so far, less an escape sequence or code point that was
   * unfinished then. Bytes from here on, after `bytes`, give the screen that the program sees.
   */
  readonly offset: number;
  readonly rows: number;
  readonly cols: number;
  /**
   * Bytes that recreate modes, history, screen, margins, cursor and its visibility on a fresh terminal. They leave the
   * snapshot's screen (main or alternate) active, so that what only the caller knows (kitty keyboard flags, mouse
   * encodings 1005 and 1015) can be set by bytes after them.
   */
  readonly bytes: Uint8Array;
}

export interface ScreenSize {
  readonly rows: number;
  readonly cols: number;
}

/** Cursor cell, 1-based row and column, as CPR reports it: relative to the margins in origin mode. */
export interface CursorPosition {
  readonly row: number;
  readonly col: number;
  readonly offset: number;
}

/** The model of one session. Promises reject with ScreenGone; nothing else throws. */
export interface Screen {
  /** Filtered bytes that end at `endOffset`. Copied: the caller may reuse its buffer. */
  write(bytes: Uint8Array, endOffset: number): void;
  /** Takes effect between the bytes written before and after it. */
  resize(size: ScreenSize): void;
  /**
   * How the screen is read from here on: the reading part of the agent's pack (`readingPackOf`), or undefined for none.
   * Takes effect between the bytes written before and after it, and is published as a new reading.
   */
  setPack(pack: ReadingPack | undefined): void;
  /** After everything written so far. */
  cursorPosition(): Promise<CursorPosition>;
  /** A snapshot after everything written so far, with at most `scrollbackLines` of history. */
  snapshot(scrollbackLines: number): Promise<Snapshot>;
  /** A reading after everything written so far; it is published as well. */
  read(): Promise<Reading>;
  /** Bytes written and not yet parsed. The writer pauses its PTY when they pass SCREEN_BACKLOG_BYTES. */
  readonly backlogBytes: number;
  /** The last published reading; undefined before the first and after the model is lost. */
  readonly reading: Reading | undefined;
  close(): void;
}

export interface ScreenOptions extends ScreenSize {
  /** History that the model keeps. */
  readonly scrollbackLines: number;
  /** Each published reading: soon after output settles, every 20 ms at most while it flows. */
  onReading(reading: Reading): void;
  /** The backlog has fallen to half of SCREEN_BACKLOG_BYTES after it had passed it. */
  onDrain?(): void;
  /**
   * The model failed and is gone for good, with the cause for a log. The session goes on without readings: its backlog
   * is 0, `reading` is undefined, promises reject.
   */
  onLost?(cause: string): void;
}

export interface ScreenHost {
  open(options: ScreenOptions): Screen;
  /** Ends the worker; open screens are closed. */
  close(): Promise<void>;
}

export class ScreenGone extends Error {
  constructor(
    readonly reason: 'screen_closed' | 'screen_lost',
    message: string,
  ) {
    super(message);
  }
}
