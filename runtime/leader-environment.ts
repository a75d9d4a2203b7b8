// The environment that a session's first process gets, by the rule of the config. Always true: nothing of the runtime's own
// environment passes but what the rule names.
import { homedir } from 'node:os';
import type { Config } from './config/config.js';
import { buildEnvironment } from './pty/env.js';

/** A leader's environment. With `caller` what the client sent is the base; otherwise it may only add what is listed. */
export function environmentOf(
  rule: Config['pty']['env'],
  client: Readonly<Record<string, string>> | undefined,
) {
  const home = homedir();
  if (rule === 'caller') {
    return { env: buildEnvironment({ mode: 'caller', base: client ?? process.env, home }).env };
  }
  const listed = (name: string) =>
    rule.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
  const refused = Object.keys(client ?? {}).find((name) => !listed(name));
  if (refused !== undefined) return { refused };
  return {
    env: buildEnvironment({ mode: 'contract', base: process.env, home, ...(client ? { asked: client } : {}) })
      .env,
  };
}
