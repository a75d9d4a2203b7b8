// The one listening server: Fastify for requests, ws for upgrades. Always true: it binds only where the listener guard
// lets it; an upgrade reaches exactly one plane by its path; closing it ends every connection.
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createHttp, type HttpPort } from './http.js';
import { PlaneUpgrade, type PlaneUpgradePort } from './plane-upgrade.js';
import { AttachUpgrade, refuse, type UpgradePort } from './upgrade.js';

export interface ServerPort extends HttpPort {
  readonly upgrade: UpgradePort;
  readonly planes: PlaneUpgradePort;
  readonly host: string;
  readonly port: number;
}

export interface Server {
  /** Base URL, for example http://127.0.0.1:8090. */
  readonly address: string;
  close(): Promise<void>;
}

/** A plane's path has exactly one part after its name. */
const ATTACH_PATH = /^\/pty\/([^/]+)$/;

export async function startServer(port: ServerPort): Promise<Server> {
  const app = await createHttp(port);
  const attachUpgrade = new AttachUpgrade(port.upgrade);
  const planeUpgrade = new PlaneUpgrade(port.planes);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Keystrokes are single bytes: Nagle would hold each one back for the answer to the last.
    if ('setNoDelay' in socket) (socket as Duplex & { setNoDelay(on: boolean): void }).setNoDelay(true);
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const name = ATTACH_PATH.exec(path)?.[1];
    if (request.method !== 'GET') refuse(socket, { status: 405 });
    else if (path === '/floor') planeUpgrade.handle('floor', request, socket, head, query);
    else if (path === '/audit') planeUpgrade.handle('audit', request, socket, head, query);
    else if (name === undefined) refuse(socket, { status: 404 });
    else attachUpgrade.handle(request, socket, head, name, query);
  });
  await app.listen({ host: port.host, port: port.port });
  const { address, port: bound, family } = app.server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
