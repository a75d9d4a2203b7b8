// The HTTP side of Shepherd: Fastify with one shape of error, the gate before every body, and the rooms' routes. Always true:
// who calls is what the runtime says of the credential; an error is `{error, reason, next}`; nothing is logged that holds a
// secret.
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import { API_BODY_BYTES, CREDENTIAL_BYTES } from '../protocol/limit.js';
import { REASONS, type Reason } from '../protocol/reason.js';
import { type Caller, type Runtime, ShepherdError } from './port.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate; a route behind it has one. */
    caller: Caller | undefined;
  }
}

export interface HttpPort {
  readonly runtime: Pick<Runtime, 'caller'>;
  /** Each room's routes. */
  readonly routes: readonly FastifyPluginAsync[];
  failed(error: unknown): void;
}

const fault = (reason: Reason, message: string = REASONS[reason].text, status?: number) =>
  new ShepherdError(reason, status ?? REASONS[reason].status, message, REASONS[reason].next);

async function callerOf({ headers }: FastifyRequest, runtime: HttpPort['runtime']): Promise<Caller> {
  const secret = headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : '';
  if (secret === '' || Buffer.byteLength(secret) > CREDENTIAL_BYTES) throw fault('credential_missing');
  let caller: Caller | undefined;
  try {
    caller = await runtime.caller(secret);
  } catch {
    throw fault('runtime_unavailable');
  }
  if (caller === undefined) throw fault('credential_missing');
  return caller;
}

/** The caller of a request that has passed the gate. */
export function callerIn(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw fault('credential_missing');
  return request.caller;
}

export async function createHttp(port: HttpPort): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: API_BODY_BYTES,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: true,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  app.decorateRequest('caller', undefined);
  app.get('/healthz', async () => ({ ok: true }));
  app.setErrorHandler(
    async (error: Error & { statusCode?: number; code?: string; validation?: unknown }, _, reply) => {
      const known = shepherdError(error);
      if (known.status === 500) port.failed(error);
      const { message, reason, next } = known;
      await reply.code(known.status).send({ error: message, reason, next });
    },
  );
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send());
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      request.caller = await callerOf(request, port.runtime);
    });
    for (const routes of port.routes) await scope.register(routes);
  });
  await app.ready();
  return app as unknown as FastifyInstance;
}

function shepherdError(
  error: Error & { statusCode?: number; code?: string; validation?: unknown },
): ShepherdError {
  if (error instanceof ShepherdError) return error;
  if (error.validation) return fault('invalid_body', error.message, 400);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return fault('body_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return fault('not_json');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return fault('invalid_json');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return fault('bad_request', error.message, error.statusCode);
  }
  return fault('internal', 'internal error');
}
