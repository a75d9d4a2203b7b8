// The HTTP side of the server: Fastify with the contract's error shapes, the gate before every body, and the routes that
// need no credential. Always true: an unknown path is an empty 404, a wrong method an empty 405; nothing is logged that
// holds a secret. Upgrades are not its business.
import fastifyHelmet from '@fastify/helmet';
import fastifySwagger from '@fastify/swagger';
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import Type from 'typebox';
import { Login, LoginAnswer } from '../../protocol/admin.js';
import { ADMIN_BODY_BYTES } from '../../protocol/limit.js';
import type { AuditEntry, AuditFeed } from '../journal/port.js';
import { type AdminPort, adminRoutes } from './admin-routes.js';
import { answerRoutes } from './answer-routes.js';
import { auditRoutes } from './audit-routes.js';
import { HttpError, httpError } from './error.js';
import { checkOrigin, type GatePort, requireCredential } from './gate.js';
import { type GuardPort, guardRoutes } from './guard-routes.js';
import { type HandoverRoutesPort, handoverRoutes, lineageRoutes } from './handover-routes.js';
import { type HookPort, hookRoutes } from './hook-routes.js';
import type { Metrics } from './metrics.js';
import { type OuterPort, outerProxy } from './outer-proxy.js';
import { alertRoutes, whoamiRoutes } from './outer-routes.js';
import { PAGE_POLICY, pageRoutes } from './page.js';
import { compactRoutes, policyRoutes } from './policy-routes.js';
import { type SeatPort, seatAdminRoutes, seatRoutes, seatSettingRoutes } from './seat-routes.js';
import { seatReadRoutes, seatSettleRoutes, sendRoutes, type TransportPort } from './transport-routes.js';

export interface HttpPort {
  readonly gate: GatePort;
  readonly admin: AdminPort;
  readonly seats: SeatPort & HookPort;
  readonly transport: TransportPort;
  readonly guard: GuardPort;
  readonly handover: HandoverRoutesPort;
  readonly audit: AuditFeed;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly version: string;
  /** Takes an alert of an outer layer. */
  note(entry: AuditEntry): void;
  /** The outer layer whose routes are served under this address. */
  readonly outer: OuterPort | undefined;
  /** The built page. */
  readonly pageFolder: string;
}

const WEB_CREDENTIAL = 'web';
/** Life of the credential that a browser gets for its ticket: a working day, kept in session storage. */
const WEB_CREDENTIAL_MS = 12 * 3_600_000;

export async function createHttp(port: HttpPort): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: port.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: ADMIN_BODY_BYTES,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: true,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.decorateRequest('credential', undefined);
  app.addHook('onRequest', async (request) => checkOrigin(request, port.gate.origins));

  app.setErrorHandler(
    async (error: Error & { statusCode?: number; code?: string; validation?: unknown }, request, reply) => {
      const known = clientError(error, request.url) ?? httpError(error);
      if (known.statusCode === 500) request.log.error({ err: error }, 'request failed');
      // The contract's sentence for a runtime that ends is plain text (1.3).
      if (known.reason === 'draining') return reply.code(503).type('text/plain').send(known.message);
      await reply.code(known.statusCode).send(known.body());
    },
  );
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set<string>();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const wrong = [...methods.keys()].some((url) => matches(url, path));
    await reply.code(wrong ? 405 : 404).send();
  });

  await app.register(fastifyHelmet, {
    contentSecurityPolicy: PAGE_POLICY,
    hsts: false,
  });
  await app.register(fastifySwagger, {
    openapi: {
      info: { title: 'Openfloor', version: port.version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  });

  await app.register(pageRoutes(port.pageFolder));
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/pty/:session', async (_request, reply) =>
    reply.code(426).header('upgrade', 'websocket').type('text/plain').send('This is a WebSocket endpoint.'),
  );
  app.post('/api/login', { schema: { body: Login, response: { 200: LoginAnswer } } }, async ({ body }) => {
    if (!port.admin.tickets.redeem(body.ticket, Date.now())) {
      throw new HttpError('ticket_invalid');
    }
    const draft = { kind: 'admin', name: WEB_CREDENTIAL, ttlMs: WEB_CREDENTIAL_MS } as const;
    const { secret, credential } = port.admin.credentials.mint(draft, Date.now());
    port.admin.minted(credential, undefined);
    return { token: secret, expires_in_secs: WEB_CREDENTIAL_MS / 1000 };
  });

  await app.register(async (scope) => {
    scope.addHook('onRequest', requireCredential(port.gate, ['admin']));
    await scope.register(adminRoutes(port.admin));
    await scope.register(seatAdminRoutes(port.seats));
    await scope.register(seatSettleRoutes(port.transport));
    await scope.register(guardRoutes(port.guard));
    scope.post('/api/logout', async ({ credential }, reply) => {
      // Only what a browser got for its ticket: an operator's own credential is not ended by a page.
      if (credential?.name === WEB_CREDENTIAL && port.admin.credentials.revoke(credential.id, Date.now())) {
        port.admin.revoked(credential.id, credential);
      }
      return reply.code(204).send();
    });
    await scope.register(handoverRoutes(port.handover));
    await scope.register(policyRoutes(port.transport));
    scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireCredential(port.gate, ['admin', 'auditor']));
    scope.get('/metrics', { schema: { response: { 200: Type.String() } } }, async (_request, reply) =>
      reply.type(port.metrics.contentType).send(await port.metrics.text()),
    );
    await scope.register(auditRoutes(port.audit));
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireCredential(port.gate, ['admin', 'agent', 'shepherd', 'auditor']));
    await scope.register(seatRoutes(port.seats));
    await scope.register(seatReadRoutes(port.transport));
    await scope.register(whoamiRoutes);
    if (port.outer) await scope.register(outerProxy(port.outer));
    await scope.register(lineageRoutes(port.handover));
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireCredential(port.gate, ['admin', 'agent', 'shepherd']));
    await scope.register(sendRoutes(port.transport));
    await scope.register(answerRoutes(port.transport));
    await scope.register(compactRoutes(port.transport));
    await scope.register(seatSettingRoutes(port.seats));
    await scope.register(hookRoutes(port.seats));
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireCredential(port.gate, ['admin', 'shepherd']));
    await scope.register(alertRoutes(port.note, Date.now));
  });
  await app.ready();
  return app as unknown as FastifyInstance;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  return (
    wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}

/** What Fastify itself refused, in the contract's statuses; undefined when the error is not the client's. */
function clientError(
  error: Error & { statusCode?: number; code?: string; validation?: unknown },
  url: string,
): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (error.validation) {
    // Sizes out of range are the client's plain mistake; other shapes keep the attach contract's 422 on its own routes.
    const plain = url.startsWith('/api/') || /\/(rows|cols)/.test(error.message);
    const status = plain ? 400 : 422;
    return new HttpError('invalid_body', error.message, status);
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpError('body_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError('not_json');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new HttpError('invalid_json');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new HttpError('bad_request', error.message, error.statusCode);
  }
  return undefined;
}
