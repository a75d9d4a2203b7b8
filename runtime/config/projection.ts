// `serve --validate-projection FILE`: the attach contract's strict reading of a configuration that was put together by
// somebody else's secrets pipeline (contract 2.1, 2.2). Always true: it refuses more than our own file does, never less,
// and says OK or REJECTED in one line. It loads nothing for use and prints nothing.

import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { checkTable, isTable, parseToml, type Source, shown } from './check.js';
import { ConfigError } from './config.js';
import { parseDuration } from './duration.js';
import type { Environment } from './folders.js';
import { isLoopback, parseListen } from './listener.js';
import { IDLE_TTL_MIN_MS } from './load.js';
import { PTY, TOOLS } from './schema.js';

export type ProjectionVerdict =
  | { readonly state: 'ok'; readonly tier: 'tier1'; readonly text: string }
  | { readonly state: 'rejected'; readonly text: string };

const { env: _, ...CONTRACT } = PTY.properties;
const PROJECTION = Type.Object({ ...CONTRACT, ...TOOLS.properties });

/** What the contract takes for a key that is missing, where the checks between keys need it. */
const CONTRACT_DEFAULTS = { absolute_session_ttl: '12h', attach_token_ttl: '15m', detached_idle_ttl: '30m' };

class Rejection extends Error {}

/** Secrets are never looked up and nothing is fetched: a text that asks for either is refused wherever it stands. */
function poison(text: string): string | undefined {
  if (text.includes('${secrets.')) return 'asks for a secret';
  return text.includes('://') ? 'names an address to fetch' : undefined;
}

function eachText(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, visit);
  else if (isTable(value)) {
    for (const [key, inner] of Object.entries(value)) {
      visit(key);
      eachText(inner, visit);
    }
  }
}

/** `${VAR}` from the environment, everywhere but in the verifier. */
function expand(text: string, env: Environment): string {
  const expanded = text.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Rejection(`${shown(whole)} is no variable`);
    const value = env[name];
    if (value === undefined) throw new Rejection(`the variable ${name} is not set`);
    const bad = poison(value);
    if (bad !== undefined) throw new Rejection(`the variable ${name} ${bad}`);
    return value;
  });
  if (expanded.includes('${')) throw new Rejection(`${shown(text)} has an unfinished variable`);
  return expanded;
}

function verifierOf(pty: Record<string, unknown>): void {
  const verifier = pty.admin_credential_hash;
  if (verifier === undefined || verifier === '') throw new Rejection('admin_credential_hash is missing');
  if (typeof verifier !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(verifier)) {
    throw new Rejection('admin_credential_hash must be "sha256:" and 64 lowercase hex characters, literally');
  }
}

function fit(pty: Record<string, unknown>): void {
  const ttl = (key: keyof typeof CONTRACT_DEFAULTS): number => {
    const text = (pty[key] as string | undefined) ?? CONTRACT_DEFAULTS[key];
    const value = parseDuration(text);
    if (value === null || value === undefined) throw new Rejection(`${key} ${shown(text)} is no duration`);
    return value;
  };
  const absolute = ttl('absolute_session_ttl');
  const idle = ttl('detached_idle_ttl');
  if (idle <= IDLE_TTL_MIN_MS) throw new Rejection('detached_idle_ttl must be longer than 60s');
  if (ttl('attach_token_ttl') > absolute)
    throw new Rejection('attach_token_ttl is longer than absolute_session_ttl');
  if (absolute < idle) throw new Rejection('absolute_session_ttl is shorter than detached_idle_ttl');
  if (pty.tools_attach_ttl === 'never') throw new Rejection('tools_attach_ttl "never" is no duration');
  const tools = pty.tools_listen;
  if (typeof tools === 'string' && tools !== '' && !isLoopback(parseListen(tools)?.host ?? '')) {
    throw new Rejection('tools_listen must be on loopback');
  }
}

/** The verdict on a text. `env` serves `${VAR}` only. Never throws. */
export function judgeProjection(source: Source, env: Environment): ProjectionVerdict {
  try {
    const document = parseToml(source);
    eachText(document, (text) => {
      const bad = poison(text);
      if (bad !== undefined) throw new Rejection(`${shown(text)} ${bad}`);
    });
    for (const section of Object.keys(document)) {
      if (section === 'secrets') throw new Rejection('a [secrets] table has no place here');
      if (section !== 'pty')
        throw new Rejection(`there is no section ${shown(section)}; only [pty] is allowed`);
    }
    const pty = document.pty ?? {};
    if (!isTable(pty)) throw new Rejection('pty must be a table');
    verifierOf(pty);
    for (const [key, value] of Object.entries(pty)) {
      if (typeof value === 'string' && key !== 'admin_credential_hash') pty[key] = expand(value, env);
    }
    checkTable(source, 'pty', pty, PROJECTION);
    fit(pty);
    if (pty.kill_domain_tier === 'tier2-required') {
      throw new Rejection('kill_domain_tier "tier2-required" can not be promised by this runtime');
    }
    const text =
      'OK: kill_domain_tier = "tier1" (BEST-EFFORT: processes of the session are ended as far as they are found)';
    return { state: 'ok', tier: 'tier1', text };
  } catch (error) {
    if (error instanceof ConfigError)
      return { state: 'rejected', text: `REJECTED: ${error.message} ${error.next}` };
    if (error instanceof Rejection)
      return { state: 'rejected', text: `REJECTED: ${source.file}: ${error.message}.` };
    throw error;
  }
}

/** The verdict on a file. Exit code 0 for `ok`, 1 for `rejected`. */
export function judgeProjectionFile(file: string, env: Environment): ProjectionVerdict {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    return { state: 'rejected', text: `REJECTED: ${JSON.stringify(file)} can't be read (${code}).` };
  }
  return judgeProjection({ file, text }, env);
}
