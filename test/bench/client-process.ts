// One client side of the bench, in a process of its own: opens raw WebSockets to any of the servers, types, reads,
// stalls, and answers samples to the bench over IPC after each measurement, never during one.
import WebSocket from 'ws';
import { READY } from './child.js';
import { isPattern } from './pattern.js';
import type { Endpoint } from './server.js';

export interface Received {
  /** Terminal bytes so far. */
  readonly bytes: number;
  /** Bytes that the server said this client will never get. */
  readonly dropped: number;
  /** Text frames by type. */
  readonly frames: Readonly<Record<string, number>>;
  readonly closeCode: number | undefined;
  /** Chunks that did not match the pattern at their offset. */
  readonly mismatches: number;
}

/** Operations of a client process; each is one IPC message and one answer. */
export interface Operations {
  open(connection: number, endpoint: Endpoint): Promise<void>;
  close(connection: number): Promise<void>;
  /** One byte out, one byte back, `count` times; answers each round trip in ms. */
  echo(connection: number, count: number): Promise<number[]>;
  /** As `echo`, until `stopEcho`; waits `pauseMs` between two keys, as a person does. */
  startEcho(connection: number, pauseMs: number): Promise<void>;
  stopEcho(connection: number): Promise<number[]>;
  /** Sends `text` and answers how many ms it took until `bytes` more bytes had come. */
  bulk(connection: number, text: string, bytes: number): Promise<number>;
  send(connection: number, text: string, repeat: number): Promise<void>;
  stall(connection: number): Promise<void>;
  unstall(connection: number): Promise<void>;
  /** From now on bytes must match the pattern, starting at pattern offset `offset`. */
  expectPattern(connection: number, offset: number): Promise<void>;
  received(connection: number): Promise<Received>;
  /** Waits until `bytes` terminal bytes and dropped ones have come, or the socket has closed. */
  until(connection: number, bytes: number): Promise<Received>;
  untilClosed(connection: number): Promise<Received>;
  /** Opens, waits for the first terminal bytes of a snapshot, closes; answers ms from open to paint. */
  firstPaint(endpoint: Endpoint): Promise<number>;
}

interface Connection {
  readonly socket: WebSocket;
  readonly dialect: Endpoint['dialect'];
  bytes: number;
  dropped: number;
  frames: Record<string, number>;
  closeCode: number | undefined;
  mismatches: number;
  patternAt: number | undefined;
  onBytes: ((bytes: Buffer) => void) | undefined;
  onChange: (() => void) | undefined;
  echoing: { stop: boolean; done: Promise<number[]> } | undefined;
}

const connections = new Map<number, Connection>();
const of = (id: number): Connection => {
  const connection = connections.get(id);
  if (connection === undefined) throw new Error(`no connection ${id}`);
  return connection;
};

function onText(connection: Connection, text: string): void {
  const frame = JSON.parse(text) as { type: string; bytes_dropped?: number };
  connection.frames[frame.type] = (connection.frames[frame.type] ?? 0) + 1;
  if (frame.type === 'gap') {
    connection.dropped += frame.bytes_dropped ?? 0;
    if (connection.patternAt !== undefined) connection.patternAt += frame.bytes_dropped ?? 0;
  }
}

function onBinary(connection: Connection, message: Buffer): void {
  const bytes = connection.dialect === 'ttyd' ? message.subarray(1) : message;
  if (connection.dialect === 'ttyd' && message[0] !== 0x30) return; // title and preferences
  connection.bytes += bytes.length;
  if (connection.patternAt !== undefined) {
    if (!isPattern(bytes, connection.patternAt)) connection.mismatches++;
    connection.patternAt += bytes.length;
  }
  connection.onBytes?.(bytes);
}

function connect(endpoint: Endpoint): Connection {
  const socket = new WebSocket(endpoint.url, [...endpoint.protocols], {
    headers: endpoint.headers,
    perMessageDeflate: false,
  });
  const connection: Connection = {
    socket,
    dialect: endpoint.dialect,
    bytes: 0,
    dropped: 0,
    frames: {},
    closeCode: undefined,
    mismatches: 0,
    patternAt: undefined,
    onBytes: undefined,
    onChange: undefined,
    echoing: undefined,
  };
  if (endpoint.dialect === 'ttyd') {
    socket.on('open', () => socket.send(Buffer.from('{"AuthToken":"","columns":80,"rows":24}')));
  }
  socket.on('message', (data: Buffer, binary) => {
    if (binary) onBinary(connection, data);
    else onText(connection, data.toString('utf8'));
    connection.onChange?.();
  });
  socket.on('close', (code) => {
    connection.closeCode = code;
    connection.onChange?.();
  });
  return connection;
}

function encode(connection: Connection, text: string): Buffer {
  return Buffer.from(connection.dialect === 'ttyd' ? `0${text}` : text, 'latin1');
}

/** Longer than any honest measurement takes: a bar that waits for bytes that never come fails instead of hanging. */
const LIMIT_MS = 90_000;

function changed(connection: Connection, met: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      connection.onChange = undefined;
      reject(new Error(`nothing more came for ${LIMIT_MS} ms, after ${connection.bytes} bytes`));
    }, LIMIT_MS);
    const look = () => {
      if (!met()) return;
      clearTimeout(limit);
      connection.onChange = undefined;
      resolve();
    };
    connection.onChange = look;
    look();
  });
}

/** Types one byte and waits for one to come back until `over` says so; nothing is allocated per round trip but a sample. */
function typeKeys(
  connection: Connection,
  pauseMs: number,
  over: (done: number) => boolean,
): Promise<number[]> {
  const { socket } = connection;
  const key = encode(connection, 'k');
  const samples: number[] = [];
  let sentAt = 0;
  return new Promise((resolve, reject) => {
    const end = () => {
      connection.onBytes = undefined;
      socket.off('close', closed);
    };
    const closed = (code: number) => {
      end();
      reject(new Error(`closed ${code} while echoing`));
    };
    const press = () => {
      if (over(samples.length)) {
        end();
        resolve(samples);
        return;
      }
      sentAt = performance.now();
      socket.send(key, { binary: true });
    };
    connection.onBytes = () => {
      samples.push(performance.now() - sentAt);
      if (pauseMs > 0) setTimeout(press, pauseMs);
      else press();
    };
    socket.once('close', closed);
    press();
  });
}

const summary = ({ bytes, dropped, frames, closeCode, mismatches }: Connection): Received => ({
  bytes,
  dropped,
  frames,
  closeCode,
  mismatches,
});

const operations: Operations = {
  async open(id, endpoint) {
    const connection = connect(endpoint);
    connections.set(id, connection);
    let seen = '';
    await new Promise<void>((resolve, reject) => {
      connection.socket.once('error', reject);
      connection.socket.once('close', (code) =>
        reject(new Error(`closed ${code} before the child was ready`)),
      );
      connection.onBytes = (bytes) => {
        seen += bytes.toString('latin1');
        const at = seen.indexOf(READY);
        if (at < 0) return;
        // What came behind the word in the same frame counts; frames that follow may come before this promise goes on.
        connection.bytes = seen.length - at - READY.length;
        connection.onBytes = undefined;
        resolve();
      };
    });
  },
  async close(id) {
    const { socket } = of(id);
    connections.delete(id);
    if (socket.readyState === WebSocket.CLOSED) return;
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.terminate();
    });
  },
  async echo(id, count) {
    return typeKeys(of(id), 0, (done) => done >= count);
  },
  async startEcho(id, pauseMs) {
    const connection = of(id);
    const echoing = { stop: false, done: Promise.resolve<number[]>([]) };
    echoing.done = typeKeys(connection, pauseMs, () => echoing.stop);
    echoing.done.catch(() => {}); // told by stopEcho
    connection.echoing = echoing;
  },
  async stopEcho(id) {
    const { echoing } = of(id);
    if (echoing === undefined) throw new Error('no echo is running');
    echoing.stop = true;
    return echoing.done;
  },
  async bulk(id, text, bytes) {
    const connection = of(id);
    const end = connection.bytes + bytes;
    const startedAt = performance.now();
    connection.socket.send(encode(connection, text), { binary: true });
    await changed(connection, () => connection.bytes >= end || connection.closeCode !== undefined);
    if (connection.bytes < end)
      throw new Error(`closed ${connection.closeCode} after ${connection.bytes} bytes`);
    return performance.now() - startedAt;
  },
  async send(id, text, repeat) {
    const connection = of(id);
    const bytes = encode(connection, text);
    for (let n = 0; n < repeat; n++) connection.socket.send(bytes, { binary: true });
  },
  async stall(id) {
    of(id).socket.pause();
  },
  async unstall(id) {
    of(id).socket.resume();
  },
  async expectPattern(id, offset) {
    of(id).patternAt = offset;
  },
  async received(id) {
    return summary(of(id));
  },
  async until(id, bytes) {
    const connection = of(id);
    await changed(
      connection,
      () => connection.bytes + connection.dropped >= bytes || connection.closeCode !== undefined,
    );
    return summary(connection);
  },
  async untilClosed(id) {
    const connection = of(id);
    await changed(connection, () => connection.closeCode !== undefined);
    return summary(connection);
  },
  async firstPaint(endpoint) {
    const startedAt = performance.now();
    const connection = connect(endpoint);
    await new Promise<void>((resolve, reject) => {
      connection.onBytes = () => resolve();
      connection.socket.once('error', reject);
      connection.socket.once('close', (code) => reject(new Error(`closed ${code} before the first paint`)));
    });
    const elapsedMs = performance.now() - startedAt;
    connection.socket.terminate();
    return elapsedMs;
  },
};

interface Call {
  readonly id: number;
  readonly operation: keyof Operations;
  readonly args: readonly unknown[];
}

process.on('message', ({ id, operation, args }: Call) => {
  const run = operations[operation] as (...values: readonly unknown[]) => Promise<unknown>;
  run(...args).then(
    (value) => process.send?.({ id, value }),
    (error: Error) => process.send?.({ id, error: `${operation}: ${error.message}` }),
  );
});

process.on('disconnect', () => process.exit(0));
