// The runtime's replies to a program's queries, kept in query order. Always true: each query yields one reply or none;
// a reply that needs the screen model holds back only later replies, never keys, and at most CURSOR_REPLY_MS: then the
// last position known is reported, since a program that waits for ever is worse off than one that is a cell off.
import { CURSOR_REPLY_MS } from '../../protocol/limit.js';
import type { Reply } from '../terminal/port.js';

export interface CursorCell {
  /** One-based, as CPR reports it. */
  readonly row: number;
  readonly col: number;
}

export interface ReplyOrderPort {
  send(bytes: Uint8Array): void;
  /** The cursor after everything the program wrote so far. */
  cursor(): Promise<CursorCell>;
  /** The last position known, for when `cursor` takes too long. */
  lastCursor(): CursorCell;
  after(ms: number, run: () => void): () => void;
}

interface Entry {
  bytes: Uint8Array | undefined;
}

/** Replies of one session that may wait at once; a program that asks more without reading is not answered. */
const WAITING_REPLIES = 1024;

export class ReplyOrder {
  readonly #waiting: Entry[] = [];

  constructor(readonly port: ReplyOrderPort) {}

  add(reply: Reply): void {
    if (reply.kind === 'eaten' || this.#waiting.length >= WAITING_REPLIES) return;
    if (reply.kind === 'fixed') {
      if (this.#waiting.length === 0) this.port.send(reply.bytes);
      else this.#waiting.push({ bytes: reply.bytes });
      return;
    }
    const entry: Entry = { bytes: undefined };
    this.#waiting.push(entry);
    const settle = (cell: CursorCell) => {
      if (entry.bytes !== undefined) return;
      entry.bytes = encodeCursor(reply.form, cell);
      this.#flush();
    };
    const cancel = this.port.after(CURSOR_REPLY_MS, () => settle(this.port.lastCursor()));
    const answered = (cell: CursorCell) => {
      cancel();
      settle(cell);
    };
    this.port.cursor().then(answered, () => answered(this.port.lastCursor()));
  }

  #flush(): void {
    while (this.#waiting[0]?.bytes !== undefined) {
      const entry = this.#waiting.shift();
      if (entry?.bytes) this.port.send(entry.bytes);
    }
  }
}

/** CPR `CSI r ; c R`, DECXCPR `CSI ? r ; c ; 1 R` (page 1). */
export function encodeCursor(form: 'cpr' | 'decxcpr', cell: CursorCell): Uint8Array {
  return new TextEncoder().encode(
    form === 'cpr' ? `\x1b[${cell.row};${cell.col}R` : `\x1b[?${cell.row};${cell.col};1R`,
  );
}
