// The bench's end of the floor plane: requests from the bench's own process over one WebSocket, and what became of them.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { decodeFrame, encodeFrame, type PlainMap } from '../../protocol/codec.js';
import { FLOOR_PROTOCOL } from '../../protocol/plane.js';

export interface Ask {
  readonly seat: string;
  readonly body: string;
  readonly waitMs: number;
}

export class FloorPlane {
  readonly #accepted = new Map<number, (id: string) => void>();
  readonly #outcomes = new Map<string, (message: PlainMap) => void>();
  #ref = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const decoded = decodeFrame(data);
      if (!decoded.ok) return;
      const { type, ref, id } = decoded.value;
      if (type === 'status') this.#status(decoded.value);
      else if (type === 'decision' && decoded.value.decision === 'grant')
        this.#granted.set(String(id), Date.now());
      if (type === 'accepted') this.#accepted.get(Number(ref))?.(String(id));
      else if (type === 'outcome') this.#outcomes.get(String(id))?.(decoded.value);
    });
  }

  static async open(server: { readonly url: string; readonly credential: string }): Promise<FloorPlane> {
    const headers = { authorization: `Bearer ${server.credential}` };
    const url = `${server.url.replace('http', 'ws')}/floor`;
    const socket = new WebSocket(url, FLOOR_PROTOCOL, { headers, perMessageDeflate: false });
    await once(socket, 'open');
    return new FloorPlane(socket);
  }

  /** Settles with the id once it is accepted; `outcome` settles when it is over. */
  async ask({ seat, body, waitMs }: Ask): Promise<{ id: string; outcome: Promise<PlainMap> }> {
    const ref = ++this.#ref;
    const id = await new Promise<string>((resolve) => {
      this.#accepted.set(ref, (given) => {
        this.#accepted.delete(ref);
        // The outcome may stand in the next frame of this very read.
        this.#outcomes.set(given, (message) => this.#early.set(given, message));
        resolve(given);
      });
      this.socket.send(
        encodeFrame({ type: 'request', ref, seat, origin: 'wake', body, wait_ms: waitMs, raw: true }),
      );
    });
    const outcome = new Promise<PlainMap>((resolve) => {
      const early = this.#early.get(id);
      this.#early.delete(id);
      if (early) resolve(early);
      else this.#outcomes.set(id, resolve);
    }).finally(() => this.#outcomes.delete(id));
    return { id, outcome };
  }

  readonly #early = new Map<string, PlainMap>();
  readonly #granted = new Map<string, number>();
  readonly #idle = new Map<string, { state: unknown; at: number; wake: () => void }>();

  #status({ seat, state, at }: PlainMap): void {
    const known = this.#idle.get(String(seat));
    if (known === undefined) return;
    known.state = state;
    if (state !== 'idle') return;
    known.at = Date.parse(String(at));
    known.wake();
  }

  /** Settles when the seat is idle; watches it from the first call on. */
  async idle(seat: string): Promise<void> {
    const known = this.#idle.get(seat) ?? { state: undefined, at: 0, wake: () => {} };
    if (known.state === 'idle') return;
    const settled = new Promise<void>((resolve) => {
      known.wake = resolve;
    });
    if (!this.#idle.has(seat)) {
      this.#idle.set(seat, known);
      this.socket.send(encodeFrame({ type: 'watch', seats: [seat] }));
    }
    await settled;
  }

  /** When the seat last became idle, ms since the epoch; 0 if that was after `before`. */
  idleAt(seat: string, before: number): number {
    const at = this.#idle.get(seat)?.at ?? 0;
    return at <= before ? at : 0;
  }

  /** When the grant of this request was told, ms since the epoch. */
  grantedAt(id: string): number | undefined {
    return this.#granted.get(id);
  }

  withdraw(seat: string, id: string): void {
    this.socket.send(encodeFrame({ type: 'withdraw', seat, id }));
  }

  close(): void {
    this.socket.terminate();
  }
}
