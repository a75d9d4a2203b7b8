// A TCP proxy on loopback whose connections can be cut, and which can be out of reach for a while. It knows no protocol:
// what is on the way when it cuts is lost, as on a real line.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

export class CutProxy {
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  /** Connections so far. */
  connections = 0;

  constructor(readonly target: { readonly host: string; readonly port: number }) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Within reach, always at the same port. */
  async open(): Promise<void> {
    const server = createServer((near) => {
      this.connections++;
      const far = connect(this.target);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection at once, without a word to either side. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Out of reach: connections are cut and new ones refused. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    this.cut();
    await closed;
  }
}
