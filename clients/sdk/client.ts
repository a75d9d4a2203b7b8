// A client of one runtime: sessions, tokens, tickets and attachments behind one address and one credential. Always true:
// the credential stays in headers or subprotocols, never in a URL or an error. It holds no connection of its own.
import type {
  CreateSession,
  KillAnswer,
  LoginAnswer,
  MintedToken,
  MintToken,
  SessionList,
  SessionToken,
  TicketAnswer,
  TokenEntry,
  Whoami,
} from '../../protocol/admin.js';
import type { AttachMode } from '../../protocol/frame.js';
import { invalidNameText, parseAddress } from '../../protocol/name.js';
import type { AttachOptions } from './attach-options.js';
import { Attachment } from './attachment.js';
import { AuditFollow } from './audit-follow.js';
import { SdkError } from './error.js';
import { FloorConnection } from './floor-connection.js';
import { type AnswerOptions, type FetchLike, type Method, request } from './http.js';
import type { PlaneOptions } from './plane.js';
import { queueCalls } from './queue.js';
import { type Ask, auditCalls, packCalls, seatCalls } from './seats.js';
import { type BrowserSocketClass, browserDial, type Dial } from './socket.js';
import { routineCalls } from './watchdog.js';

export interface ConnectOptions {
  /** http: or https: address of the runtime; a path before the routes is kept. */
  readonly url: string;
  /** Admin credential. */
  readonly credential?: string;
  /** Attach token, for a client that only attaches. */
  readonly token?: string;
  readonly fetch?: FetchLike;
  /** How to open WebSockets; by default the browser's class, or the `ws` package in Node. */
  readonly webSocket?: Dial;
}

/** The address without a trailing slash, or SdkError `bad_url`. */
export function parseServerUrl(text: string): string {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // told below
  }
  const web = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !web || url.username !== '' || url.search !== '') {
    throw new SdkError({
      reason: 'bad_url',
      message: 'the address of a server is http:// or https:// without user or query',
      next: 'For example http://127.0.0.1:8090',
    });
  }
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

async function defaultDial(): Promise<Dial> {
  const scope = globalThis as { process?: { versions?: { node?: string } }; WebSocket?: unknown };
  if (scope.process?.versions?.node === undefined && scope.WebSocket !== undefined) {
    return browserDial(scope.WebSocket as BrowserSocketClass);
  }
  return (await import('./socket-node.js')).nodeDial;
}

const seatPath = (seat: string): string => {
  if (parseAddress(seat) === undefined) {
    throw new SdkError({
      reason: 'bad_options',
      message: invalidNameText(seat),
      next: 'Use the name of a seat, or name@rig.',
    });
  }
  return encodeURIComponent(seat);
};

export class Client {
  readonly url: string;
  readonly #options: ConnectOptions;
  readonly #fetch: FetchLike;

  constructor(options: ConnectOptions) {
    this.url = parseServerUrl(options.url);
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** One authorised JSON request to a route of this server. Rejects with SdkError. */
  request<Answer>(method: Method, path: string, body?: object, options?: AnswerOptions): Promise<Answer> {
    return request<Answer>(
      { base: this.url, credential: this.#credential(), fetch: this.#fetch },
      method,
      path,
      body,
      options,
    );
  }

  #credential(): string {
    const { credential } = this.#options;
    if (credential !== undefined) return credential;
    throw new SdkError({
      reason: 'no_credential',
      message: `there is no credential for ${this.url}`,
      next: `Run: openfloor login ${this.url}/#ticket=...`,
    });
  }

  readonly #ask: Ask = (method, path, body, options) => this.request(method, path, body, options);
  readonly seats = seatCalls(this.#ask, seatPath);
  /** Types a message when it is safe; a wait longer than four minutes belongs on `floor()`. */
  readonly send = this.seats.send;
  /** What is on a seat's screen. */
  readonly capture = this.seats.capture;
  readonly packs = packCalls(this.#ask);
  readonly agents = this.packs;
  /** Rows of work that are addressed to seats. */
  readonly queue = queueCalls(this.#ask);
  readonly routines = routineCalls(this.#ask);
  readonly audit = {
    ...auditCalls(this.#ask),
    /** Every record after that one, then live, over lost connections too. */
    follow: (after: number, options: PlaneOptions = {}): AuditFollow =>
      new AuditFollow(this.#plane('audit'), after, options),
  };

  /** A connection to the floor plane. Register listeners in the same turn. */
  floor(options: PlaneOptions = {}): FloorConnection {
    return new FloorConnection(this.#plane('floor'), options);
  }

  #plane(name: 'floor' | 'audit') {
    return {
      url: `${this.url.replace(/^http/, 'ws')}/${name}`,
      token: this.#credential(),
      dial: async () => this.#options.webSocket ?? (await defaultDial()),
    };
  }

  readonly sessions = {
    list: (): Promise<SessionList> => this.request('GET', '/admin/sessions'),
    create: (body: CreateSession): Promise<SessionToken> => this.request('POST', '/admin/sessions', body),
    /** A new generation and token for the same process; every older token and connection ends. */
    renew: (seat: string): Promise<SessionToken> =>
      this.request('POST', `/admin/sessions/${seatPath(seat)}/renew`),
    /** A new process under the same name. */
    restart: (seat: string): Promise<SessionToken> =>
      this.request('POST', `/admin/sessions/${seatPath(seat)}/restart`),
    kill: (seat: string): Promise<KillAnswer> => this.request('DELETE', `/admin/sessions/${seatPath(seat)}`),
    /** One more attach token; nobody is evicted. */
    mintToken: (seat: string, options: { mode?: AttachMode } = {}): Promise<SessionToken> =>
      this.request('POST', `/admin/sessions/${seatPath(seat)}/tokens`, options),
  };

  readonly tokens = {
    mint: (body: MintToken): Promise<MintedToken> => this.request('POST', '/admin/tokens', body),
    list: async (): Promise<readonly TokenEntry[]> => {
      const answer = await this.request<{ tokens: TokenEntry[] }>('GET', '/admin/tokens');
      return answer.tokens;
    },
    revoke: (id: string): Promise<void> => this.request('DELETE', `/admin/tokens/${encodeURIComponent(id)}`),
  };

  readonly tickets = {
    /** A one-time login ticket, for a browser or another machine. */
    create: (): Promise<TicketAnswer> => this.request('POST', '/admin/tickets', {}),
  };

  /** Whose the credential of this client is. */
  whoami(): Promise<Whoami> {
    return this.request('GET', '/api/whoami');
  }

  /** True when the server answers at all; needs no credential. */
  async healthy(): Promise<boolean> {
    try {
      const base = { base: this.url, credential: undefined, fetch: this.#fetch };
      return (await request<{ ok?: unknown }>(base, 'GET', '/healthz')).ok === true;
    } catch {
      return false;
    }
  }

  /** Attaches. Register listeners in the same turn: nothing is delivered before it is over. */
  attach(seat: string, options: AttachOptions = {}): Attachment {
    const path = seatPath(seat);
    const given = options.token ?? this.#options.token;
    const mode = options.mode ?? 'join';
    let kept = typeof given === 'string' ? given : undefined;
    const obtain = async (): Promise<string> =>
      typeof given === 'function' ? given() : (await this.sessions.mintToken(seat, { mode })).token;
    return new Attachment(
      {
        url: `${this.url.replace(/^http/, 'ws')}/pty/${path}`,
        dial: async () => this.#options.webSocket ?? (await defaultDial()),
        renewable: typeof given !== 'string',
        token: async (fresh) => {
          if (kept === undefined || (fresh && typeof given !== 'string')) kept = await obtain();
          return kept;
        },
      },
      options,
    );
  }
}

/** A client of the runtime at `url`. Opens nothing. */
export function connect(options: ConnectOptions): Client {
  return new Client(options);
}

/** Exchanges a one-time ticket for a credential. Rejects with SdkError; a ticket works once and lives 30 s. */
export function login(
  url: string,
  ticket: string,
  options: { fetch?: FetchLike } = {},
): Promise<LoginAnswer> {
  const fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init));
  return request({ base: parseServerUrl(url), credential: undefined, fetch }, 'POST', '/api/login', {
    ticket,
  });
}
