// The one thing that the SDK needs of a WebSocket, and the browser's as an implementation. Always true: a dialled socket
// ends with exactly one `refused` or `close`; nothing is delivered after it. A token is never part of a URL.
import { BEARER_PROTOCOL_PREFIX } from '../../protocol/plane.js';

export interface SocketEvents {
  open(): void;
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** The peer shows life below the frames; only Node can see its pings. */
  alive(): void;
  /** The upgrade was refused or the address not reached; a browser doesn't tell the status. */
  refused(refusal: Refusal): void;
  close(code: number, reason: string): void;
}

export interface Refusal {
  readonly status: number | undefined;
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

export interface Socket {
  sendText(text: string): void;
  sendBytes(bytes: Uint8Array): void;
  /** Bytes handed to `send` that the network hasn't taken. */
  readonly bufferedBytes: number;
  close(code: number): void;
  /** Ends the connection without waiting for the peer. */
  terminate(): void;
  /** Stops and restarts reading where the platform can; a browser can't and goes on delivering. */
  pause(): void;
  resume(): void;
}

export interface DialRequest {
  /** ws: or wss:, without a credential. */
  readonly url: string;
  readonly token: string;
  readonly protocol: string;
}

export type Dial = (request: DialRequest, events: SocketEvents) => Socket;

/** What the SDK uses of a browser's WebSocket class. */
export interface BrowserSocket {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
}
export type BrowserSocketClass = new (url: string, protocols: string[]) => BrowserSocket;

const OPEN = 1;

/** Dials with a browser's WebSocket class: the token goes as a subprotocol, since a browser sets no headers. */
export function browserDial(WebSocketClass: BrowserSocketClass): Dial {
  return (request, events) => {
    const socket = new WebSocketClass(request.url, [
      `${BEARER_PROTOCOL_PREFIX}${request.token}`,
      request.protocol,
    ]);
    socket.binaryType = 'arraybuffer';
    let state: 'dialling' | 'open' | 'over' = 'dialling';
    const end = (code: number, reason: string) => {
      const before = state;
      state = 'over';
      if (before === 'open') events.close(code, reason);
      else if (before === 'dialling') {
        events.refused({
          status: undefined,
          message: 'the connection was refused or lost',
          retryAfterMs: undefined,
        });
      }
    };
    socket.onopen = () => {
      if (state !== 'dialling') return;
      state = 'open';
      events.open();
    };
    socket.onmessage = ({ data }) => {
      if (state !== 'open') return;
      if (typeof data === 'string') events.text(data);
      else if (data instanceof ArrayBuffer) events.bytes(new Uint8Array(data));
    };
    socket.onclose = ({ code, reason }) => end(code, reason);
    socket.onerror = () => {};
    return {
      sendText: (text) => {
        if (socket.readyState === OPEN) socket.send(text);
      },
      sendBytes: (bytes) => {
        if (socket.readyState === OPEN) socket.send(bytes);
      },
      get bufferedBytes() {
        return socket.bufferedAmount;
      },
      close: (code) => socket.close(code),
      terminate: () => {
        socket.close();
        end(1006, '');
      },
      pause: () => {},
      resume: () => {},
    };
  };
}
