// The admin plane of the attach contract (1.3), with our additions: sessions, their tokens, credentials, login tickets.
// Thin: each route checks its input, calls the registry or the credentials, and shapes the answer.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  CreateSession,
  KILL_DOMAIN_TIER,
  KillAnswer,
  MintedToken,
  MintSessionToken,
  MintToken,
  SessionList,
  SessionToken,
  TicketAnswer,
  type TokenEntry,
} from '../../protocol/admin.js';
import type { AttachMode } from '../../protocol/frame.js';
import { ADMIN_BODY_BYTES, DEFAULT_COLS, DEFAULT_ROWS, TICKET_MS } from '../../protocol/limit.js';
import { formatAddress, invalidNameText, parseAddress } from '../../protocol/name.js';
import { httpStatus, type Reason } from '../../protocol/reason.js';
import type { Credential, Credentials } from '../journal/port.js';
import type { LeaderSpec, Registry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { HttpError } from './error.js';
import type { LeaderDefaults } from './leader.js';
import { leaderOf } from './leader.js';
import { listSessions } from './session-list.js';
import type { Tickets } from './tickets.js';

export interface AdminPort {
  readonly registry: Registry;
  readonly credentials: Credentials;
  readonly tickets: Tickets;
  readonly defaults: LeaderDefaults;
  /** Life of an attach token in milliseconds; undefined: as long as its generation. */
  readonly attachTokenMs: number | undefined;
  readonly abuse: Readonly<Record<string, number>>;
  /** A session is about to start in this seat. */
  openSeat(address: string, wish: { kind?: 'agent' | 'terminal'; agent?: string }): void;
  /** Why what runs in this seat may not be ended or replaced now (guard contract 1); undefined: it may. */
  lifecycleRefused(address: string): Reason | undefined;
  /** The leader with the help of its agent's pack. */
  launch(leader: LeaderSpec): LeaderSpec;
  minted(credential: Credential, by: Credential | undefined): void;
  revoked(id: string, by: Credential | undefined): void;
}

/** Room for the caller's environment and an argv; the other admin bodies keep the contract's 4096 bytes. */
const CREATE_BODY_BYTES = 1_048_576;
const NameParams = Type.Object({ name: Type.String() });

function addressOf(name: string): string {
  const address = parseAddress(name);
  if (address === undefined) {
    throw new HttpError('invalid_name', invalidNameText(name));
  }
  return formatAddress(address);
}

export const adminRoutes =
  (port: AdminPort): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { registry, credentials } = port;

    const tokenFor = (session: Session, mode: AttachMode) => {
      const { name } = session.spec;
      const { secret, credential } = credentials.mint(
        {
          kind: 'attach',
          name: `attach ${name}`,
          session: name,
          generation: session.generation,
          mode,
          ttlMs: port.attachTokenMs ?? null,
        },
        Date.now(),
      );
      const { expiresAt } = credential;
      return {
        session: name,
        generation: session.generation,
        token: secret,
        token_expires_in_secs:
          expiresAt === null ? null : Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000) - 1),
      };
    };

    /** The address, if the typing guard lets its process be ended or replaced. Asked before any effect. */
    const unguarded = (name: string): string => {
      const address = addressOf(name);
      const refused = port.lifecycleRefused(address);
      if (refused === undefined) return address;
      const text = 'The typing guard of the seat protects its agent from being ended, restarted or renewed.';
      const next = `Switch it off first: openfloor seat set-typing-guard ${address} off --reason "..."`;
      throw new HttpError(refused, text, httpStatus(refused, 'refused'), next);
    };

    app.get('/admin/sessions', { schema: { response: { 200: SessionList } } }, async () =>
      listSessions(registry, port.abuse),
    );

    app.post(
      '/admin/sessions',
      { bodyLimit: CREATE_BODY_BYTES, schema: { body: CreateSession, response: { 200: SessionToken } } },
      async (request) => {
        const name = addressOf(request.body.name);
        const { kind, agent } = request.body;
        const leader = leaderOf({ ...request.body, name }, port.defaults);
        port.openSeat(name, { ...(kind ? { kind } : {}), ...(agent ? { agent } : {}) });
        const wish = { ...leader, rows: leader.rows ?? DEFAULT_ROWS, cols: leader.cols ?? DEFAULT_COLS };
        const session = await registry.create(request.body.launch_hooks === false ? wish : port.launch(wish));
        return tokenFor(session, 'take');
      },
    );

    app.post(
      '/admin/sessions/:name/renew',
      { bodyLimit: ADMIN_BODY_BYTES, schema: { params: NameParams, response: { 200: SessionToken } } },
      async ({ params }) => tokenFor(registry.renew(unguarded(params.name)), 'take'),
    );

    app.post(
      '/admin/sessions/:name/restart',
      { bodyLimit: ADMIN_BODY_BYTES, schema: { params: NameParams, response: { 200: SessionToken } } },
      async ({ params }) => tokenFor(await registry.restart(unguarded(params.name)), 'take'),
    );

    app.post(
      '/admin/sessions/:name/tokens',
      {
        bodyLimit: ADMIN_BODY_BYTES,
        schema: { params: NameParams, body: MintSessionToken, response: { 201: SessionToken } },
      },
      async ({ params, body }, reply) => {
        const name = addressOf(params.name);
        const session = registry.find(name);
        if (session === undefined) throw new HttpError('session_missing', `no such session: ${name}`);
        return reply.code(201).send(tokenFor(session, body.mode ?? 'take'));
      },
    );

    app.delete(
      '/admin/sessions/:name',
      { bodyLimit: ADMIN_BODY_BYTES, schema: { params: NameParams, response: { 200: KillAnswer } } },
      async ({ params }) => {
        const { session, report } = await registry.kill(unguarded(params.name));
        return {
          session: session.spec.name,
          generation: session.generation,
          class: 'admin_kill',
          close_code: 4008,
          kill_domain: {
            tier: KILL_DOMAIN_TIER,
            survivors: [...report.survivors],
            elapsed_ms: Math.round(report.elapsedMs),
          },
        };
      },
    );

    app.post(
      '/admin/tokens',
      { bodyLimit: 65_536, schema: { body: MintToken, response: { 201: MintedToken } } },
      async ({ body, credential: by }, reply) => {
        const seats = body.seats?.map(addressOf);
        const { credential, secret } = credentials.mint(
          {
            kind: body.kind,
            name: body.name,
            ...(seats ? { seats } : {}),
            ...(body.scopes ? { scopes: body.scopes } : {}),
            ttlMs: body.ttl_secs === undefined ? null : body.ttl_secs * 1000,
          },
          Date.now(),
        );
        port.minted(credential, by);
        return reply.code(201).send({ ...entryOf(credential), token: secret });
      },
    );

    app.get('/admin/tokens', async () => ({ tokens: credentials.list(Date.now()).map(entryOf) }));

    app.delete(
      '/admin/tokens/:id',
      { schema: { params: Type.Object({ id: Type.String() }) } },
      async ({ params, credential }, reply) => {
        if (!credentials.revoke(params.id, Date.now())) {
          throw new HttpError('unknown_credential');
        }
        port.revoked(params.id, credential);
        return reply.code(204).send();
      },
    );

    app.post('/admin/tickets', { schema: { response: { 201: TicketAnswer } } }, async (_request, reply) =>
      reply.code(201).send({ ticket: port.tickets.issue(Date.now()), expires_in_secs: TICKET_MS / 1000 }),
    );
  };

function entryOf(credential: Credential): TokenEntry {
  const { id, kind, name, seats, scopes, createdAt, expiresAt } = credential;
  return {
    id,
    kind,
    name,
    seats: [...(seats ?? [])],
    scopes: [...scopes],
    created_at: new Date(createdAt).toISOString(),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    revoked_at: null,
  };
}
