// A client's socket over ws: frames without compression, close sentences from the closed list. It keeps no state.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { CLOSE_CODES, type CloseCode } from '../../protocol/close-code.js';
import type { ClientSocket } from '../session/client.js';

const BINARY = { binary: true, compress: false } as const;
const TEXT = { binary: false, compress: false } as const;

export class WsSocket implements ClientSocket {
  /** `raw` is the connection that the WebSocket speaks over. */
  constructor(
    readonly socket: WebSocket,
    readonly raw: Duplex,
  ) {}

  cork(): void {
    this.raw.cork();
  }

  uncork(): void {
    this.raw.uncork();
  }

  sendText(text: string): void {
    this.socket.send(text, TEXT, ignore);
  }

  sendBytes(bytes: Uint8Array, done: () => void): void {
    this.socket.send(bytes, BINARY, done);
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  ping(): void {
    this.socket.ping(undefined, undefined, ignore);
  }

  close(code: CloseCode, reason: string = CLOSE_CODES[code].text): void {
    this.socket.close(code, reason);
  }
}

/** A send that fails ends in the socket's own close event. */
function ignore(): void {}
