// A stand-in for a runtime on loopback, for tests of the SDK alone: one tape of bytes served as an attach stream, with
// `since`, cuts and scripted refusals, and an admin plane of scripted answers. It knows no PTY.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Attached {
  readonly socket: WebSocket;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Text frames of the client, parsed; binary ones as strings. */
  readonly received: Array<Record<string, unknown> | string>;
  send(frame: Record<string, unknown>): void;
}

export interface TapeServer {
  readonly url: string;
  readonly attached: Attached[];
  readonly requests: Array<{ method: string; path: string; authorization: string | undefined; body: string }>;
  /** Statuses that the next upgrades are answered with. */
  readonly refusals: number[];
  /** What the admin plane answers. */
  answer: (path: string) => { status: number; body: string };
  /** Called instead of the usual notice and replay. */
  script: ((client: Attached) => void) | undefined;
  generation: number;
  /** Oldest byte that is still held. */
  start: number;
  append(bytes: Uint8Array): void;
  nextAttach(): Promise<Attached>;
  close(): Promise<void>;
}

export async function startTapeServer(): Promise<TapeServer> {
  const tape: number[] = [];
  const waiting: Array<(client: Attached) => void> = [];
  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      server.requests.push({ method, path: url, authorization: headers.authorization, body });
      const answer = server.answer(url);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => 'openab.pty.v1' });
  http.on('upgrade', (request, socket, head) => {
    const refusal = server.refusals.shift();
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    upgrades.handleUpgrade(request, socket, head, (webSocket) => welcome(webSocket, request));
  });

  function welcome(socket: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '/', 'http://x');
    const client: Attached = {
      socket,
      query: url.searchParams,
      path: url.pathname,
      headers: request.headers,
      received: [],
      send: (frame) => socket.send(JSON.stringify({ v: 1, ...frame })),
    };
    socket.on('message', (data: Buffer, binary) => {
      const text = data.toString('utf8');
      client.received.push(binary ? text : (JSON.parse(text) as Record<string, unknown>));
      if (!binary && text.includes('"detach"')) socket.close(1000);
      if (!binary && text.includes('"ping"')) client.send({ type: 'pong' });
    });
    socket.on('error', () => {});
    server.attached.push(client);
    if (server.script) server.script(client);
    else replay(client);
    waiting.shift()?.(client);
  }

  function replay(client: Attached): void {
    const since = client.query.get('since');
    const from = since === null ? tape.length : Math.max(Number(since), server.start);
    client.send(noticeFrame(tape.length, from, server.generation));
    if (since !== null && from > Number(since)) {
      client.send({ type: 'gap', bytes_dropped: from - Number(since) });
    }
    if (from < tape.length) client.socket.send(Uint8Array.from(tape.slice(from)));
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TapeServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    attached: [],
    requests: [],
    refusals: [],
    answer: (path) => ({
      status: 200,
      body: path.endsWith('/tokens')
        ? JSON.stringify({
            session: 'bash',
            generation: server.generation,
            token: `minted-${server.requests.length}`,
            token_expires_in_secs: null,
          })
        : '{}',
    }),
    script: undefined,
    generation: 1,
    start: 0,
    append: (bytes) => {
      tape.push(...bytes);
      for (const { socket } of server.attached) if (socket.readyState === socket.OPEN) socket.send(bytes);
    },
    nextAttach: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      for (const { socket } of server.attached) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

export function noticeFrame(end: number, from: number, generation = 1): Record<string, unknown> {
  return {
    type: 'attach-notice',
    stream_offset: end,
    replay_from: from,
    replay_bytes: end - from,
    ephemeral_workspace: true,
    teardown_best_effort: true,
    externalise_with: 'git push',
    mode: 'join',
    rows: 24,
    cols: 80,
    generation,
    seat: 'bash',
  };
}
