// The attach upgrade: its checks in the contract's order (spec/attach.md, attach contract 1.4). Always true: every refusal
// for the caller's identity looks the same to the byte; a right token is verified before any ban is asked; the token never
// comes back in the answer. It knows nothing of what happens after the attach.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ATTACH_REFUSED, type CloseCode } from '../../protocol/close-code.js';
import type { AttachMode } from '../../protocol/frame.js';
import { ATTACH_TOKEN_BYTES, MESSAGE_BYTES } from '../../protocol/limit.js';
import { formatAddress, parseAddress } from '../../protocol/name.js';
import { ATTACH_PROTOCOL } from '../../protocol/plane.js';
import type { Reason } from '../../protocol/reason.js';
import type { Credential, Credentials } from '../journal/port.js';
import { attach } from '../session/attach.js';
import type { Registry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { type AbuseCounters, serveClient } from './attach-plane.js';
import { parseAttachQuery, querySize } from './attach-query.js';
import { presentedBearer } from './bearer.js';
import { hostAllowed, type OriginRules, originAllowed } from './origin.js';
import type { UpgradeThrottle } from './throttle.js';
import { WsSocket } from './ws-socket.js';

export interface UpgradePort {
  readonly registry: Registry;
  readonly credentials: Credentials;
  readonly throttle: UpgradeThrottle;
  readonly origins: OriginRules;
  readonly replayAll: boolean;
  readonly abuse: AbuseCounters & { upgrade_failures: number; upgrade_bans: number };
  now(): number;
  /** An attach happened, took over, or was refused. */
  record(event: UpgradeEvent): void;
}

export type UpgradeEvent =
  | {
      readonly kind: 'attached';
      readonly session: Session;
      readonly credential: Credential;
      readonly source: string;
      readonly mode: AttachMode;
      readonly preempted: boolean;
    }
  | { readonly kind: 'auth_failure'; readonly session: Session; readonly source: string }
  /** Refused for where it came from or what it asked, or a viewer that typed: once a connection. */
  | { readonly kind: 'refused'; readonly reason: Reason; readonly name: string; readonly source: string }
  | { readonly kind: 'takeover_limited'; readonly session: Session; readonly source: string };

type Refusal = { readonly status: number; readonly text?: string; readonly retryAfterMs?: number };

const RANK: Readonly<Record<AttachMode, number>> = { view: 0, join: 1, take: 2 };
const STATUS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Which of the offered subprotocols is answered: the attach protocol or none, never an entry that holds a token. */
export function chooseProtocol(offered: Set<string>): string | false {
  return offered.has(ATTACH_PROTOCOL) ? ATTACH_PROTOCOL : false;
}

export class AttachUpgrade {
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  #clients = 0;

  constructor(readonly port: UpgradePort) {}

  /** Handles an upgrade of `/pty/{session}`; `name` is the path's last part, still percent-encoded. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, name: string, queryText: string): void {
    const checked = this.#check(request, name, queryText);
    if ('status' in checked) return refuse(socket, checked);
    const { session, credential, mode, size, query } = checked;
    this.#sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const source = `${request.socket.remoteAddress ?? ''}:${request.socket.remotePort ?? ''}`;
      const result = attach(
        session,
        {
          identity: { id: ++this.#clients, mode, source, fingerprint: credential.id },
          generation: credential.generation ?? 0,
          since: query.since,
          size,
          snapshotLines: query.snapshotLines,
          replayAll: this.port.replayAll,
        },
        new WsSocket(ws, socket),
      );
      if (result.kind === 'refused') return this.#turnAway(ws, session, source, result.code);
      if (result.preempted) this.port.registry.counters.takeovers++;
      serveClient(ws, session, result.client, this.port.abuse, () =>
        this.port.record({ kind: 'refused', reason: 'viewer_input', name, source }),
      );
      this.port.record({ kind: 'attached', session, credential, source, mode, preempted: result.preempted });
    });
  }

  #turnAway(ws: WebSocket, session: Session, source: string, code: CloseCode): void {
    if (code === 4007) {
      this.port.registry.counters.takeovers_rate_limited++;
      this.port.record({ kind: 'takeover_limited', session, source });
    }
    ws.on('error', () => {});
    ws.close(code, ATTACH_REFUSED);
  }

  #check(request: IncomingMessage, name: string, queryText: string) {
    const { headers } = request;
    const source = request.socket.remoteAddress ?? '';
    if (!hostAllowed(headers.host, this.port.origins)) {
      this.port.record({ kind: 'refused', reason: 'unknown_host', name, source });
      return { status: 403, text: 'unknown host' };
    }
    if (!originAllowed(headers.origin, headers.host, this.port.origins)) {
      this.port.record({ kind: 'refused', reason: 'foreign_origin', name, source });
      return { status: 403, text: 'foreign origin' };
    }
    const query = parseAttachQuery(queryText);
    if ('refused' in query) return { status: 400, text: query.refused };
    if (this.port.registry.draining) return { status: 503, text: 'runtime is draining for shutdown' };
    const found = this.#authenticate(request, name, source);
    if (found === undefined) return this.#failed(source);
    this.port.throttle.succeeded(source);
    const size = querySize(query);
    if (size === 'bad') return { status: 400, text: 'rows/cols out of range' };
    const granted = found.credential.mode ?? 'take';
    const mode = query.mode ?? granted;
    if (RANK[mode] > RANK[granted]) {
      this.port.record({ kind: 'refused', reason: 'mode_not_allowed', name, source });
      return { status: 403, text: `this token can only ${granted}` };
    }
    return { ...found, mode, size, query };
  }

  #authenticate(request: IncomingMessage, encoded: string, source: string) {
    const token = presentedBearer({
      authorization: request.headers.authorization,
      protocols: request.headers['sec-websocket-protocol'],
    });
    if (token === undefined || token.length === 0 || Buffer.byteLength(token) > ATTACH_TOKEN_BYTES)
      return undefined;
    const address = parseAddress(decode(encoded));
    const session = address && this.port.registry.find(formatAddress(address));
    const check = this.port.credentials.check(token, Date.now());
    if (session === undefined) return undefined;
    if (
      check.state !== 'valid' ||
      check.credential.kind !== 'attach' ||
      check.credential.session !== session.spec.name ||
      check.credential.generation !== session.generation
    ) {
      this.port.record({ kind: 'auth_failure', session, source });
      return undefined;
    }
    return { session, credential: check.credential };
  }

  #failed(source: string): Refusal {
    const { abuse, throttle } = this.port;
    const blocked = throttle.blockedMs(source, this.port.now());
    if (blocked > 0) {
      abuse.upgrade_bans++;
      return { status: 429, retryAfterMs: blocked };
    }
    abuse.upgrade_failures++;
    throttle.failed(source, this.port.now());
    if (throttle.blockedMs(source, this.port.now()) > 0) abuse.upgrade_bans++;
    return { status: 401 };
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Answers an upgrade with a plain HTTP response and closes. Only fixed sentences come here, so nothing is echoed. */
export function refuse(socket: Duplex, { status, text = '', retryAfterMs }: Refusal): void {
  const retry =
    retryAfterMs === undefined ? '' : `retry-after: ${Math.max(1, Math.floor(retryAfterMs / 1000))}\r\n`;
  const type = text === '' ? '' : 'content-type: text/plain; charset=utf-8\r\n';
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${status} ${STATUS[status] ?? ''}\r\n${type}${retry}content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
