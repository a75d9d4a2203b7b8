// Where a credential may stand in a request: the Authorization header, else the WebSocket subprotocol list. Never in a
// query string, never in a cookie. Pure; it verifies nothing.
import { BEARER_PROTOCOL_PREFIX } from '../../protocol/plane.js';

const PREFIX = 'Bearer ';

export interface BearerHeaders {
  readonly authorization: string | undefined;
  readonly protocols: string | undefined;
}

/**
 * The presented secret, or undefined when there is none (attach contract 1.4): an exact `Bearer ` header counts, also
 * empty; any other header falls through to the first `openab.bearer.` entry of the subprotocols.
 */
export function presentedBearer(headers: BearerHeaders): string | undefined {
  if (headers.authorization?.startsWith(PREFIX)) return headers.authorization.slice(PREFIX.length);
  for (const entry of (headers.protocols ?? '').split(',')) {
    const name = entry.trim();
    if (name.startsWith(BEARER_PROTOCOL_PREFIX)) return name.slice(BEARER_PROTOCOL_PREFIX.length);
  }
  return undefined;
}

/** The secret of an admin request: the header alone, 1 to `maxBytes` bytes; anything else is none (1.2). */
export function adminBearer(authorization: string | undefined, maxBytes: number): string | undefined {
  if (!authorization?.startsWith(PREFIX)) return undefined;
  const secret = authorization.slice(PREFIX.length);
  return secret.length > 0 && Buffer.byteLength(secret) <= maxBytes ? secret : undefined;
}
