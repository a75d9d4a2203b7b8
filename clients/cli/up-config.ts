// The configuration under `up` while nothing else reads the config file: sessions live until they end, on loopback, with
// their caller's environment.
import type { RuntimeConfig } from '../../runtime/main.js';

export function upConfig(env: Readonly<Record<string, string | undefined>>, _file: string): RuntimeConfig {
  const [host = '127.0.0.1', port = '8090'] = (env.OPENFLOOR_PTY_LISTEN ?? '').split(':').filter(Boolean);
  return {
    listen: { host, port: Number(port) },
    command: [env.SHELL?.startsWith('/') ? env.SHELL : '/bin/bash'],
    maxSessions: 256,
    absoluteTtlMs: undefined,
    attachTokenMs: undefined,
    detachedIdleMs: undefined,
    scrollbackBytes: 1_048_576,
    scrollbackReplay: false,
    env: 'caller',
    clientEnv: [],
    origins: [],
    hosts: [],
    allowClientCommand: true,
  };
}
