// What the conformance suite runs against. With CONFORMANCE_URL and CONFORMANCE_ADMIN any runtime that speaks the attach
// contract; otherwise our own, started in this process. A case sees names of its own and leaves no session behind.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Attached, type AttachOptions, refusedBy, upgrade } from './attached.js';
import { type ServerOptions, startServer, type TestServer } from './server.js';
import { type Answer, type Ask, ask, eventually, freshSource } from './wire.js';

/** True when the suite tests somebody else's server: cases that need a configuration of their own are skipped. */
export const external = process.env.CONFORMANCE_URL !== undefined;
/** Cases that take a minute or more run only when asked for. */
export const full = process.env.CONFORMANCE_FULL === '1';

export interface SessionToken {
  readonly session: string;
  readonly generation: number;
  readonly token: string;
  readonly token_expires_in_secs: number | null;
}

export interface SessionRow {
  readonly name: string;
  readonly generation: number;
  readonly alive: boolean;
  readonly attached: boolean;
  readonly bytes_written: number;
  readonly tier: string;
  readonly teardown_best_effort: boolean;
}

export interface Listing {
  readonly sessions: readonly SessionRow[];
  readonly draining: boolean;
  readonly kill_domain: {
    readonly tier: string;
    readonly teardown_best_effort: boolean;
    readonly leaked_processes: number;
    readonly tracked_processes: number;
  };
  readonly metrics: Readonly<Record<string, number>>;
  readonly abuse: Readonly<Record<string, number>>;
}

export interface KillReport {
  readonly session: string;
  readonly generation: number;
  readonly class: string;
  readonly close_code: number;
  readonly kill_domain: {
    readonly tier: string;
    readonly survivors: readonly number[];
    readonly elapsed_ms: number;
  };
}

export class Subject {
  #names = new Set<string>();
  readonly #clients: Attached[] = [];
  #count = 0;
  readonly #prefix = `c${randomBytes(3).toString('hex')}`;

  constructor(
    readonly url: string,
    readonly credential: string,
    /** Our own server in this process; undefined when the suite tests somebody else's. */
    readonly server: TestServer | undefined,
  ) {}

  /** A session name that nobody else uses; the session is killed at the end. */
  name(): string {
    const name = `${this.#prefix}-${++this.#count}`;
    this.#names.add(name);
    return name;
  }

  source(): string | undefined {
    return freshSource(this.url);
  }

  /** A request without any credential. */
  ask(method: string, path: string, options: Ask = {}): Promise<Answer> {
    return ask(`${this.url}${path}`, method, options);
  }

  /** A request with the admin credential. */
  admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(method, path, {
      body,
      headers: { authorization: `Bearer ${this.credential}`, ...headers },
    });
  }

  /** Creates a session, which must succeed. `rest` holds more fields of the body. */
  async create(name = this.name(), rest: Record<string, unknown> = {}): Promise<SessionToken> {
    const answer = await this.admin('POST', '/admin/sessions', { name, ...rest });
    if (answer.status !== 200) throw new Error(`create ${name}: ${answer.status} ${answer.text}`);
    return answer.json<SessionToken>();
  }

  async renew(name: string): Promise<SessionToken> {
    const answer = await this.admin('POST', `/admin/sessions/${name}/renew`);
    if (answer.status !== 200) throw new Error(`renew ${name}: ${answer.status} ${answer.text}`);
    return answer.json<SessionToken>();
  }

  async restart(name: string): Promise<SessionToken> {
    const answer = await this.admin('POST', `/admin/sessions/${name}/restart`);
    if (answer.status !== 200) throw new Error(`restart ${name}: ${answer.status} ${answer.text}`);
    return answer.json<SessionToken>();
  }

  async kill(name: string): Promise<KillReport> {
    const answer = await this.admin('DELETE', `/admin/sessions/${name}`);
    if (answer.status !== 200) throw new Error(`kill ${name}: ${answer.status} ${answer.text}`);
    this.#names.delete(name);
    return answer.json<KillReport>();
  }

  async list(): Promise<Listing> {
    const answer = await this.admin('GET', '/admin/sessions');
    if (answer.status !== 200) throw new Error(`list: ${answer.status} ${answer.text}`);
    return answer.json<Listing>();
  }

  async row(name: string): Promise<SessionRow | undefined> {
    return (await this.list()).sessions.find((session) => session.name === name);
  }

  path(session: string, query = ''): string {
    const url = `${this.url.replace(/^http/, 'ws')}/pty/${encodeURIComponent(session)}`;
    return query === '' ? url : `${url}?${query}`;
  }

  async attach(session: { session: string; token: string }, options: AttachOptions = {}): Promise<Attached> {
    const client = await this.upgrade(session, options);
    await client.text('attach-notice');
    return client;
  }

  /** The upgrade alone: resolves at 101, whatever frame or close follows. */
  async upgrade(session: { session: string; token: string }, options: AttachOptions = {}): Promise<Attached> {
    const client = await upgrade(this.path(session.session, options.query), {
      token: session.token,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** An attach that must be refused before the upgrade, from a source of its own unless one is given. */
  refused(session: string, options: AttachOptions): Promise<Answer> {
    return refusedBy(this.path(session, options.query), { from: this.source(), ...options });
  }

  /** A session and its first client, at a shell prompt that has been reached. */
  async shell(
    query = '',
    rest: Record<string, unknown> = {},
  ): Promise<{ session: SessionToken; client: Attached }> {
    const session = await this.create(this.name(), rest);
    const client = await this.attach(session, { query });
    await client.run('PS1="$ "; stty -echo');
    return { session, client };
  }

  /** Ends what the cases have left: clients first, since a server waits for those who are still attached. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
    if (this.server) {
      await eventually(
        'every client to be gone',
        async () => (await this.list()).sessions.every((session) => !session.attached) || undefined,
      );
    }
    if (external) {
      for (const name of this.#names) await this.admin('DELETE', `/admin/sessions/${name}`);
    }
    await this.server?.stop();
  }
}

/** The server under test with its default configuration, or one of our own with the given one. */
export async function openSubject(options: ServerOptions = {}): Promise<Subject> {
  const { CONFORMANCE_URL: url, CONFORMANCE_ADMIN: credential } = process.env;
  if (url !== undefined) {
    if (credential === undefined)
      throw new Error('CONFORMANCE_URL needs CONFORMANCE_ADMIN, the admin credential');
    return new Subject(url.replace(/\/$/, ''), credential, undefined);
  }
  // A shell without start-up files: what the person who runs the tests has in theirs must not matter, nor cost time.
  const folder = mkdtempSync(join(tmpdir(), 'conformance-shell-'));
  const command = join(folder, 'shell');
  writeFileSync(command, '#!/bin/sh\nexec /bin/bash --norc --noprofile\n', { mode: 0o755 });
  const server = await startServer({ command, ...options });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return new Subject(server.url, server.credential, { ...server, stop });
}
