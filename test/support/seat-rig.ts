// A real server with demo agents in its seats, an HTTP caller and operators on real WebSockets, for end-to-end tests of
// status, floor and guard. What it started is ended by `close`.
import { WebSocket } from 'ws';
import { decodeFrame, encodeFrame, type PlainMap } from '../../protocol/codec.js';
import { FLOOR_PROTOCOL } from '../../protocol/plane.js';
import { type DemoAgent, demoAgent } from './demo-agent.js';
import { type ServerOptions, startServer, type TestServer } from './server.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field in the tests
  readonly body: any;
}

const LIMIT_MS = 20_000;

/** An operator who attaches, types and reads frames. */
export class Operator {
  readonly frames: Array<Record<string, unknown>> = [];
  screen = '';
  #wake = () => {};

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) this.screen += data.toString('utf8');
      else this.frames.push(JSON.parse(data.toString()) as Record<string, unknown>);
      this.#wake();
    });
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text, 'utf8'));
  }

  async until<T>(find: () => T | undefined | false): Promise<T> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`it never came; frames: ${JSON.stringify(this.frames.slice(-4))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, 100));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.socket.terminate();
  }
}

export class SeatRig {
  readonly #operators: Operator[] = [];
  readonly #agents: DemoAgent[] = [];

  private constructor(readonly server: TestServer) {}

  static async start(options: ServerOptions = {}): Promise<SeatRig> {
    return new SeatRig(await startServer({ env: 'caller', ...options }));
  }

  /** Over a server that somebody else has started; `close` stops it, too. */
  static over(server: TestServer): SeatRig {
    return new SeatRig(server);
  }

  async call(method: string, path: string, body?: object, token = this.server.credential): Promise<Answer> {
    const response = await fetch(this.server.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** A seat with a demo agent that has said that it is idle (or, with `ready` false, that has only been started). */
  async seat(name: string, switches: readonly string[] = [], ready = true): Promise<DemoAgent> {
    const agent = demoAgent(switches);
    this.#agents.push(agent);
    const { status, body } = await this.call('POST', '/admin/sessions', {
      name,
      command: agent.command,
      rows: 30,
      cols: 100,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    if (ready) {
      await this.status(name, (value) => value.state === 'idle');
      // An agent says that it is idle before it has drawn its composer, and a decision needs both.
      await this.composerEmpty(name);
    }
    return agent;
  }

  /** Waits, for a while, until a current reading says that the composer is empty; some agents never show one. */
  async composerEmpty(name: string): Promise<void> {
    for (let looks = 0; looks < 100; looks++) {
      await this.call('POST', '/api/transport/capture', { seat: name });
      const { body } = await this.call('GET', `/api/seat/status/${name}`);
      if (body.composer.state === 'empty') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Waits until the seat's status is as wanted; the answer is the whole seat status. */
  async status(
    seat: string,
    wanted: (status: { state: string; kind?: string; turns: number; cause?: string }) => boolean,
  ) {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const { body } = await this.call('GET', `/api/seat/status/${seat}`);
      if (body?.status && wanted(body.status)) return body;
      if (Date.now() > deadline)
        throw new Error(`status never came: ${JSON.stringify(body?.status ?? body)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  send(seat: string, text: string, more: object = {}): Promise<Answer> {
    return this.call('POST', '/api/transport/send', { seat, text, ...more });
  }

  async operator(seat: string, mode: 'take' | 'join' | 'view' = 'join'): Promise<Operator> {
    const { body } = await this.call('POST', `/admin/sessions/${seat}/tokens`, { mode });
    const url = `${this.server.url.replace('http', 'ws')}/pty/${seat}?since=0&rows=30&cols=100`;
    const operator = new Operator(new WebSocket(url, { headers: { authorization: `Bearer ${body.token}` } }));
    this.#operators.push(operator);
    await operator.until(() => operator.frames.find((frame) => frame.type === 'presence'));
    return operator;
  }

  /** A credential of another kind than the operator's. */
  async token(kind: 'agent' | 'shepherd' | 'auditor', scopes: readonly string[] = []): Promise<string> {
    const { status, body } = await this.call('POST', '/admin/tokens', { kind, name: `${kind}-test`, scopes });
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body.token;
  }

  /** One request on the floor plane, as automation makes it: its outcome, or the error that refused it. */
  ask(token: string, request: PlainMap): Promise<PlainMap> {
    return this.#floor(token, { type: 'request', ...request }, ['outcome', 'error']);
  }

  /** What the floor says to taking a request back. */
  async withdraw(seat: string, id: string): Promise<unknown> {
    const { answer } = await this.#floor(this.server.credential, { type: 'withdraw', seat, id }, [
      'withdrawn',
    ]);
    return answer;
  }

  /** What the floor plane says of the request with this key: that it is open, its outcome, or that there is none. */
  told(seat: string, idempotency_key: string): Promise<PlainMap> {
    const message = { type: 'watch', requests: [{ seat, idempotency_key }] };
    return this.#floor(this.server.credential, message, ['accepted', 'outcome', 'error']);
  }

  /** One message on the floor plane and the first answer of these types. */
  async #floor(token: string, message: PlainMap, types: readonly string[]): Promise<PlainMap> {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${this.server.url.replace('http', 'ws')}/floor`;
    const socket = new WebSocket(url, FLOOR_PROTOCOL, { headers });
    try {
      return await new Promise<PlainMap>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('close', () => reject(new Error('the floor plane closed')));
        socket.on('open', () => socket.send(encodeFrame(message)));
        socket.on('message', (data: Buffer) => {
          const decoded = decodeFrame(data);
          if (decoded.ok && types.includes(String(decoded.value.type))) resolve(decoded.value);
        });
      });
    } finally {
      socket.terminate();
    }
  }

  guard(seat: string, mode: string): Promise<Answer> {
    return this.call('POST', `/api/seat/set-typing-guard/${seat}`, { mode, reason: 'a test' });
  }

  /** Kinds, reasons and outcomes of a seat's audit records, oldest first. */
  async audit(
    seat: string,
  ): Promise<Array<{ kind: string; reason?: string; outcome?: string; request?: string }>> {
    const { body } = await this.call('GET', `/api/audit?seat=${seat}&limit=1000`);
    return body.records;
  }

  async close(): Promise<void> {
    for (const operator of this.#operators) operator.close();
    await this.server.stop();
    for (const agent of this.#agents) agent.close();
  }
}
