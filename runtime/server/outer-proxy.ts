// Serves the routes of an outer layer (Shepherd) under the runtime's own address. Always true: the gate has seen the caller's
// credential before anything is passed on, and the credential goes along, so that the outer layer can ask whose it is; where
// the outer layer isn't up, the answer says so. The runtime knows a prefix and an address, and nothing of what is behind.
import httpProxy from '@fastify/http-proxy';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { HttpError } from './error.js';

export interface OuterPort {
  /** For example /api/queue. */
  readonly prefixes: readonly string[];
  /** Its address on loopback; undefined when it isn't up and won't be soon. A restart is waited out for a moment. */
  address(): Promise<string | undefined>;
}

export const outerProxy =
  ({ prefixes, address }: OuterPort): FastifyPluginAsync =>
  async (app) => {
    const upstreams = new WeakMap<object, string>();
    for (const prefix of prefixes) {
      await app.register(httpProxy, {
        upstream: '',
        prefix,
        rewritePrefix: prefix,
        // A body is passed on as it comes; the outer layer has its bound.
        proxyPayloads: true,
        preHandler: async (request) => {
          const upstream = await address();
          if (upstream === undefined) throw new HttpError('shepherd_unavailable');
          upstreams.set(request, upstream);
        },
        replyOptions: {
          getUpstream: (request) => upstreams.get(request as FastifyRequest) ?? '',
          onError: (reply) => {
            const error = new HttpError('shepherd_unavailable');
            void reply.code(error.statusCode).send(error.body());
          },
        },
      });
    }
  };
