// Upgrades of the floor and audit planes: who may open them, in the same order of checks as an attach. Always true: every
// refusal for the caller's identity is the same empty 401; a right credential is verified before a ban is asked.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { API_BODY_BYTES, CREDENTIAL_BYTES } from '../../protocol/limit.js';
import { AUDIT_PROTOCOL, FLOOR_PROTOCOL } from '../../protocol/plane.js';
import type { AuditFeed, AuditRecord, Credential, Credentials } from '../journal/port.js';
import type { Registry } from '../session/registry.js';
import { serveAudit } from './audit-plane.js';
import { presentedBearer } from './bearer.js';
import { type FloorPlanePort, serveFloor } from './floor-plane.js';
import { hostAllowed, type OriginRules, originAllowed } from './origin.js';
import type { UpgradeThrottle } from './throttle.js';
import { refuse } from './upgrade.js';

export interface PlaneUpgradePort extends FloorPlanePort {
  readonly registry: Registry;
  readonly credentials: Credentials;
  readonly audit: AuditFeed;
  readonly throttle: UpgradeThrottle;
  readonly origins: OriginRules;
  now(): number;
}

const PLANES = { floor: FLOOR_PROTOCOL, audit: AUDIT_PROTOCOL } as const;

export class PlaneUpgrade {
  readonly #sockets = {
    floor: this.#server(PLANES.floor),
    audit: this.#server(PLANES.audit),
  };

  constructor(readonly port: PlaneUpgradePort) {}

  handle(
    plane: 'floor' | 'audit',
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    query: string,
  ): void {
    const { port } = this;
    const { headers } = request;
    if (!hostAllowed(headers.host, port.origins))
      return refuse(socket, { status: 403, text: 'unknown host' });
    if (!originAllowed(headers.origin, headers.host, port.origins)) {
      return refuse(socket, { status: 403, text: 'foreign origin' });
    }
    const params = new URLSearchParams(query);
    const after = params.get('after') ?? '0';
    if (!/^\d{1,15}$/.test(after))
      return refuse(socket, { status: 400, text: 'after must be a sequence number' });
    if (port.registry.draining)
      return refuse(socket, { status: 503, text: 'runtime is draining for shutdown' });
    const source = request.socket.remoteAddress ?? '';
    const credential = this.#authenticate(request);
    if (credential === undefined || !mayOpen(plane, credential)) {
      const blocked = port.throttle.blockedMs(source, port.now());
      if (blocked > 0) return refuse(socket, { status: 429, retryAfterMs: blocked });
      port.throttle.failed(source, port.now());
      return refuse(socket, { status: 401 });
    }
    port.throttle.succeeded(source);
    this.#sockets[plane].handleUpgrade(request, socket, head, (ws) => {
      if (plane === 'floor') return serveFloor(ws, credential, port);
      const format = params.get('format') === 'json' ? 'json' : 'msgpack';
      serveAudit(ws, socket, port.audit, {
        after: Number(after),
        format,
        sees: (record) => seesRecord(credential, record),
      });
    });
  }

  #authenticate(request: IncomingMessage): Credential | undefined {
    const { authorization, 'sec-websocket-protocol': protocols } = request.headers;
    const secret = presentedBearer({ authorization, protocols });
    if (secret === undefined || secret.length === 0 || Buffer.byteLength(secret) > CREDENTIAL_BYTES)
      return undefined;
    const check = this.port.credentials.check(secret, Date.now());
    return check.state === 'valid' ? check.credential : undefined;
  }

  #server(protocol: string): WebSocketServer {
    return new WebSocketServer({
      noServer: true,
      maxPayload: API_BODY_BYTES,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    });
  }
}

function mayOpen(plane: 'floor' | 'audit', { kind }: Credential): boolean {
  return plane === 'floor' ? kind !== 'attach' : kind !== 'agent' && kind !== 'shepherd';
}

/** Operators and auditors read the whole feed or their seats; an attach token reads its own session. */
export function seesRecord(credential: Credential, record: AuditRecord): boolean {
  if (credential.kind === 'attach') return record.session === credential.session;
  return credential.seats === null || (record.seat !== undefined && credential.seats.includes(record.seat));
}
