// Who may use the HTTP routes. Always true: the gate stands before the body is read; a right credential is verified before
// any block is consulted, so guessing from the same address never locks anybody out (attach contract 1.2).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CREDENTIAL_BYTES } from '../../protocol/limit.js';
import type { Credential, CredentialKind, Credentials } from '../journal/port.js';
import { adminBearer } from './bearer.js';
import { HttpError } from './error.js';
import { hostAllowed, type OriginRules, originAllowed } from './origin.js';
import type { AdminThrottle } from './throttle.js';

export interface GatePort {
  readonly credentials: Credentials;
  readonly throttle: AdminThrottle;
  readonly origins: OriginRules;
  now(): number;
  /** `blocked`: the source's failures are being refused already. */
  failed(source: string, detail: string, blocked: boolean): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate; a route behind it has one. */
    credential: Credential | undefined;
  }
}

/** Every request, also those without a gate: the Host and Origin rules. */
export function checkOrigin(request: FastifyRequest, rules: OriginRules): void {
  const { host, origin } = request.headers;
  if (!hostAllowed(host, rules)) {
    throw new HttpError('unknown_host');
  }
  if (!originAllowed(origin, host, rules)) {
    throw new HttpError('foreign_origin');
  }
}

/** A hook for routes that need one of these kinds of credential. */
export function requireCredential(port: GatePort, kinds: readonly CredentialKind[]) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const source = request.ip;
    const secret = adminBearer(request.headers.authorization, CREDENTIAL_BYTES);
    const check = secret === undefined ? undefined : port.credentials.check(secret, Date.now());
    if (check?.state === 'valid' && check.credential.kind !== 'attach') {
      port.throttle.succeeded(source);
      if (!kinds.includes(check.credential.kind)) {
        throw new HttpError(
          'credential_kind',
          `A credential of kind ${check.credential.kind} may not do this.`,
        );
      }
      request.credential = check.credential;
      return;
    }
    const blocked = port.throttle.blockedMs(source, port.now());
    port.throttle.failed(source, port.now());
    port.failed(
      source,
      secret === undefined ? 'missing_or_malformed_authorization_header' : 'invalid_credential',
      blocked > 0,
    );
    if (blocked > 0) reply.header('retry-after', String(Math.max(1, Math.floor(blocked / 1000))));
    await reply.code(blocked > 0 ? 429 : 401).send();
  };
}
