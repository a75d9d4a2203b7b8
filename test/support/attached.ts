// A client of the attach plane for tests: plain ws, every frame kept in order, and waits that fail with a sentence. It
// does nothing on its own: no pings, no reconnects, no interpretation of bytes.
import type { IncomingMessage } from 'node:http';
import WebSocket from 'ws';
import { type Answer, answerOf, LIMIT_MS } from './wire.js';

export interface TextFrame {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type Frame = { readonly text: TextFrame } | { readonly bytes: Buffer };

export interface AttachOptions {
  readonly token?: string | undefined;
  /** Carry the token as a subprotocol, as a browser does. */
  readonly inProtocol?: boolean;
  readonly query?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string | undefined;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export class Attached {
  readonly frames: Frame[] = [];
  readonly closed: Promise<Closed>;
  /** Grows by doubling: cases read megabytes, and every wait looks at them. */
  #store: Buffer = Buffer.alloc(65_536);
  #length = 0;
  #looks = new Set<() => void>();
  #marks = 0;
  isClosed = false;

  constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.isClosed = true;
        resolve({ code, reason: reason.toString('utf8') });
        this.#look();
      });
    });
    socket.on('error', () => {}); // told by `close`
    socket.on('message', (data: Buffer, binary) => {
      if (binary) {
        this.frames.push({ bytes: data });
        this.#keep(data);
      } else this.frames.push({ text: JSON.parse(data.toString('utf8')) as TextFrame });
      this.#look();
    });
  }

  #look(): void {
    for (const look of [...this.#looks]) look();
  }

  #keep(data: Buffer): void {
    if (this.#length + data.length > this.#store.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#store.length, this.#length + data.length));
      this.#store.copy(larger, 0, 0, this.#length);
      this.#store = larger;
    }
    data.copy(this.#store, this.#length);
    this.#length += data.length;
  }

  /** All terminal bytes so far. */
  get bytes(): Buffer {
    return this.#store.subarray(0, this.#length);
  }

  /** All terminal bytes so far, one character a byte. */
  get output(): string {
    return this.bytes.toString('latin1');
  }

  get texts(): TextFrame[] {
    return this.frames.flatMap((frame) => ('text' in frame ? [frame.text] : []));
  }

  /** The attach-notice: the first text frame of a conforming server. */
  get notice(): TextFrame {
    const notice = this.texts.find((frame) => frame.type === 'attach-notice');
    if (notice === undefined) throw new Error('no attach-notice has come');
    return notice;
  }

  /** Resolves once `met` gives something; rejects after the limit, or at once when the socket closes without it. */
  wait<T>(what: string, met: () => T | undefined, limitMs = LIMIT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (run: () => void) => {
        clearTimeout(limit);
        this.#looks.delete(look);
        run();
      };
      const look = () => {
        const value = met();
        if (value !== undefined) end(() => resolve(value));
        else if (this.isClosed) end(() => reject(new Error(`closed before ${what}`)));
      };
      const limit = setTimeout(() => {
        const tail = JSON.stringify(this.output.slice(-200));
        const types = this.texts.map((frame) => frame.type).join(' ');
        end(() =>
          reject(new Error(`no ${what} within ${limitMs} ms; frames: ${types}; output ends ${tail}`)),
        );
      }, limitMs);
      this.#looks.add(look);
      look();
    });
  }

  text(type: string, limitMs = LIMIT_MS): Promise<TextFrame> {
    return this.wait(`${type} frame`, () => this.texts.find((frame) => frame.type === type), limitMs);
  }

  /** Waits until the output holds `marker` beyond `after` and answers where the marker ends. */
  until(marker: string | RegExp, after = 0, limitMs = LIMIT_MS): Promise<number> {
    // A text marker is looked for once in every byte; a pattern in everything beyond `after`, so keep that short.
    let searched = after;
    const find = () => {
      if (typeof marker === 'string') {
        const at = this.bytes.indexOf(marker, searched, 'latin1');
        if (at >= 0) return at + marker.length;
        searched = Math.max(after, this.#length - marker.length);
        return undefined;
      }
      const match = marker.exec(this.bytes.toString('latin1', after));
      return match ? after + match.index + match[0].length : undefined;
    };
    return this.wait(`output ${JSON.stringify(String(marker))}`, find, limitMs);
  }

  send(bytes: string | Uint8Array): void {
    this.socket.send(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, { binary: true });
  }

  control(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Types a command at a shell prompt and waits until the shell has run it; answers what was printed meanwhile. */
  async run(command: string, limitMs = LIMIT_MS): Promise<string> {
    const mark = ++this.#marks;
    const from = this.#length;
    // The typed line shows the sum, only the shell's answer shows its value.
    this.send(`${command}; echo "<$((41+1)):${mark}>"\r`);
    const end = await this.until(`<42:${mark}>`, from, limitMs);
    return this.bytes.toString('latin1', from, end);
  }

  /** A ping that has come back: everything sent before it has been taken in. */
  async settled(): Promise<void> {
    const before = this.texts.filter((frame) => frame.type === 'pong').length;
    this.control({ v: 1, type: 'ping' });
    await this.wait('pong', () =>
      this.texts.filter((frame) => frame.type === 'pong').length > before ? true : undefined,
    );
  }

  async end(): Promise<void> {
    if (this.isClosed) return;
    this.socket.terminate();
    await this.closed;
  }
}

function dial(url: string, options: AttachOptions): WebSocket {
  const { token, inProtocol, protocols = ['openab.pty.v1'], headers = {}, from } = options;
  const carried =
    inProtocol && token !== undefined ? [`openab.bearer.${token}`, ...protocols] : [...protocols];
  return new WebSocket(url, carried, {
    headers: {
      ...(token !== undefined && !inProtocol ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    perMessageDeflate: false,
    handshakeTimeout: LIMIT_MS,
    ...(from ? { localAddress: from } : {}),
  });
}

/** The upgrade alone: resolves at 101, whatever frame or close follows. */
export function upgrade(url: string, options: AttachOptions): Promise<Attached> {
  const socket = dial(url, options);
  const attached = new Attached(socket);
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(attached));
    socket.on('unexpected-response', (request, response: IncomingMessage) => {
      response.resume();
      request.destroy();
      reject(new Error(`attach was refused with ${response.statusCode}`));
    });
    socket.on('error', reject);
  });
}

/** Attaches in the expectation of an HTTP refusal, and answers it. An upgrade that succeeds rejects. */
export function refusedBy(url: string, options: AttachOptions): Promise<Answer> {
  const socket = dial(url, options);
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('the attach was accepted'));
    });
    socket.on('unexpected-response', (request, response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => {
        request.destroy();
        resolve(answerOf(response.statusCode ?? 0, response.headers, text));
      });
    });
    socket.on('error', reject);
  });
}
