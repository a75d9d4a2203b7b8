// The operator's page: the built files of clients/web below `/`, and the policy that a browser holds them to. Always true:
// only files that the build made are served; index.html is asked for anew each time, an asset with a hash in its name never;
// no script that isn't a file of ours runs. It needs no credential: the page has no secret in it.
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';

/** The same for every answer; `connect-src 'self'` covers the WebSockets of this origin. */
export const PAGE_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

const HASHED = 'public, max-age=31536000, immutable';
const NOT_BUILT = 'The page is not built. Build it: npm run build\n';

export const pageRoutes =
  (folder: string): FastifyPluginAsync =>
  async (app) => {
    if (!existsSync(join(folder, 'index.html'))) {
      app.get('/', async (_request, reply) => reply.code(404).type('text/plain').send(NOT_BUILT));
      return;
    }
    await app.register(fastifyStatic, {
      root: folder,
      // Each file is a route of its own: what isn't there is the same empty 404 as any other path.
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes(`${sep}assets${sep}`) ? HASHED : 'no-cache');
      },
    });
  };
