// One WebSocket of the floor or audit plane: MessagePack or JSON messages out, bounded. Always true: a reader that falls
// behind is closed 4005 rather than skipped or buffered without end.
import type { WebSocket } from 'ws';
import { CLOSE_CODES, type CloseCode } from '../../protocol/close-code.js';
import { encodeFrame, type PlainMap } from '../../protocol/codec.js';
import { PLANE_BACKLOG_BYTES } from '../../protocol/limit.js';

export class MessageSocket {
  #held: object[] | undefined;

  constructor(
    readonly socket: WebSocket,
    readonly format: 'msgpack' | 'json',
  ) {
    socket.on('error', () => {});
  }

  get open(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** The message as it goes over the wire. */
  encode(message: object): Encoded {
    return encodeAs(this.format, message);
  }

  /** False when the reader has fallen behind and was closed. */
  send(message: object): boolean {
    if (this.#held) {
      this.#held.push(message);
      return true;
    }
    return this.sendEncoded(this.encode(message));
  }

  /** As `send`, of what several sockets are told alike. */
  sendEncoded(data: Encoded): boolean {
    if (!this.open) return false;
    if (this.socket.bufferedAmount > PLANE_BACKLOG_BYTES) {
      this.close(4005);
      return false;
    }
    this.socket.send(data, { binary: this.format === 'msgpack', compress: false }, () => {});
    return true;
  }

  /** What is said during `work` leaves after it: nothing is said of a request before the store has it. */
  after(work: () => void): void {
    this.#held = [];
    try {
      work();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const message of held) this.send(message);
    }
  }

  close(code: CloseCode): void {
    this.socket.close(code, CLOSE_CODES[code].text);
  }
}

export type Encoded = string | Uint8Array;

export function encodeAs(format: 'msgpack' | 'json', message: object): Encoded {
  return format === 'json' ? JSON.stringify(message) : encodeFrame(message as PlainMap);
}
