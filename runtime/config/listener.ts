// Where the server may listen (attach contract 2.3): always on loopback; elsewhere only with an admin credential and the
// promise that something in front terminates TLS, because the runtime never does. It binds nothing.

import { isIP } from 'node:net';
import type { Listen } from './config.js';

/** The address, or undefined when the text is none. IPv6 stands in brackets. */
export function parseListen(text: string): Listen | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})$/.exec(text);
  if (match === null) return undefined;
  const host = match[1] ?? match[2]!;
  const port = Number(match[3]);
  if (port > 65_535 || (match[1] !== undefined && isIP(host) !== 6)) return undefined;
  return { host, port };
}

/** 127/8, ::1 and localhost. Any other name may resolve to anything, so it is not loopback. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  if (isIP(bare) === 4) return bare.startsWith('127.');
  return isIP(bare) === 6 && (/^(0{0,4}:){2,7}0{0,3}1$/.test(bare) || bare.startsWith('::ffff:127.'));
}

export type ListenerVerdict =
  | { readonly state: 'allowed'; readonly listen: Listen; readonly loopback: boolean }
  | { readonly state: 'refused'; readonly text: string; readonly next: string };

export interface ListenerFacts {
  /** As the configuration writes it. */
  readonly listen: string;
  /** An admin credential exists: its verifier is configured or stored. */
  readonly hasAdminCredential: boolean;
  readonly tlsTerminatedUpstream: boolean;
}

/** Whether the server may listen there, and where that is. */
export function listenerGuard(facts: ListenerFacts): ListenerVerdict {
  const listen = parseListen(facts.listen);
  if (listen === undefined) {
    return {
      state: 'refused',
      text: `${JSON.stringify(facts.listen)} is no address to listen on.`,
      next: 'Write a host and a port such as "127.0.0.1:8090".',
    };
  }
  const loopback = isLoopback(listen.host);
  if (loopback || (facts.hasAdminCredential && facts.tlsTerminatedUpstream)) {
    return { state: 'allowed', listen, loopback };
  }
  const refused = `The runtime does not listen on ${facts.listen}: it is not loopback, and`;
  return facts.hasAdminCredential
    ? {
        state: 'refused',
        text: `${refused} nothing is said to terminate TLS in front of it.`,
        next: 'Listen on 127.0.0.1, or set tls_terminated_upstream = true once a proxy in front terminates TLS.',
      }
    : {
        state: 'refused',
        text: `${refused} there is no admin credential.`,
        next: 'Set admin_credential_hash, or listen on 127.0.0.1.',
      };
}
