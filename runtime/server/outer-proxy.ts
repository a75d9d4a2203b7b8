// Serves the routes of an outer layer (Shepherd) under the runtime's own address. Always true: the gate has seen the caller's
// credential before anything is passed on, and the credential goes along, so that the outer layer can ask whose it is; where
// the outer layer isn't up, the answer says so. The runtime knows a prefix and an address, and nothing of what is behind.
import httpProxy from '@fastify/http-proxy';
import type { FastifyPluginAsync } from 'fastify';
import { HttpError } from './error.js';

export interface OuterPort {
  /** For example /api/queue. */
  readonly prefixes: readonly string[];
  /** Its address on loopback; undefined while it isn't up. */
  address(): string | undefined;
}

export const outerProxy =
  ({ prefixes, address }: OuterPort): FastifyPluginAsync =>
  async (app) => {
    for (const prefix of prefixes) {
      await app.register(httpProxy, {
        upstream: '',
        prefix,
        rewritePrefix: prefix,
        proxyPayloads: true,
        // A body is passed on as it comes; the outer layer has its bound.
        preHandler: async () => {
          if (address() === undefined) throw unavailable();
        },
        replyOptions: {
          getUpstream: () => address() ?? 'http://127.0.0.1:9',
          onError: (reply) => {
            void reply.code(503).send(unavailable().body());
          },
        },
      });
    }
  };

function unavailable(): HttpError {
  return new HttpError('shepherd_unavailable');
}
