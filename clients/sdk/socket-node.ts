// Dials with the `ws` package: the token goes in the Authorization header. The door of that package in this room.
import { WebSocket } from 'ws';
import type { Dial, SocketEvents } from './socket.js';

const HANDSHAKE_LIMIT_MS = 10_000;
/** A snapshot with a long scrollback is the largest message; more than this is no runtime of ours. */
const MESSAGE_LIMIT_BYTES = 64 * 1_048_576;

function secondsToMs(header: string | undefined): number | undefined {
  const seconds = header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

function once(events: SocketEvents) {
  let over = false;
  return {
    refused: (status: number | undefined, message: string, retryAfterMs?: number) => {
      if (over) return;
      over = true;
      events.refused({ status, message, retryAfterMs });
    },
    close: (code: number, reason: string) => {
      if (over) return;
      over = true;
      events.close(code, reason);
    },
    get over() {
      return over;
    },
  };
}

export const nodeDial: Dial = (request, events) => {
  const socket = new WebSocket(request.url, [request.protocol], {
    headers: { authorization: `Bearer ${request.token}` },
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_LIMIT_MS,
    maxPayload: MESSAGE_LIMIT_BYTES,
    followRedirects: false,
  });
  socket.binaryType = 'nodebuffer';
  const end = once(events);
  let opened = false;
  socket.on('open', () => {
    opened = true;
    events.open();
  });
  socket.on('message', (data, binary) => {
    if (end.over) return;
    const bytes = data as Buffer;
    if (binary) events.bytes(bytes);
    else events.text(bytes.toString('utf8'));
  });
  socket.on('ping', () => events.alive());
  socket.on('unexpected-response', (upgrade, response) => {
    const status = response.statusCode;
    end.refused(
      status,
      `the upgrade was answered with status ${status}`,
      secondsToMs(response.headers['retry-after']),
    );
    response.resume();
    upgrade.destroy();
  });
  socket.on('error', (error) => {
    if (!opened) end.refused(undefined, error.message);
  });
  socket.on('close', (code, reason) => {
    if (opened) end.close(code, reason.toString('utf8'));
    else end.refused(undefined, 'the connection was lost before it was open');
  });
  return {
    sendText: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    sendBytes: (bytes) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    pause: () => {
      if (socket.readyState === WebSocket.OPEN) socket.pause();
    },
    resume: () => {
      if (socket.readyState === WebSocket.OPEN) socket.resume();
    },
  };
};
