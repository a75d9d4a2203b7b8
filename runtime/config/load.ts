// Reads openfloor.toml, puts the environment and the profile's defaults around it, and checks what must fit together.
// Always true: a Config is returned whole, or a ConfigError says where the fault is and what to do. It binds nothing,
// creates nothing and reads no secret.

import { readFileSync } from 'node:fs';
import { MISSED_PINGS, PING_INTERVAL_MS } from '../../protocol/limit.js';
import { checkDocument, faultAt, keyName, type Source } from './check.js';
import { type Config, ConfigError, type Listen, type Profile, type TtlMs } from './config.js';
import { DEFAULTS } from './defaults.js';
import { parseDuration } from './duration.js';
import { configFile, type Environment } from './folders.js';
import { isLoopback, listenerGuard, parseListen } from './listener.js';
import { override } from './override.js';
import type { RawConfig, Section } from './schema.js';

export interface LoadOptions {
  readonly profile: Profile;
  /** Must exist when named; otherwise the user's own file is read if there is one. */
  readonly file?: string;
  readonly env: Environment;
}

/** The configuration of this process. Throws ConfigError. */
export function loadConfig(options: LoadOptions): Config {
  const file = options.file ?? configFile(options.env);
  const optional = options.file === undefined && !options.env.OPENFLOOR_CONFIG;
  let text: string | undefined;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    if (!(optional && code === 'ENOENT')) {
      throw new ConfigError(
        `The configuration file ${JSON.stringify(file)} can't be read (${code}).`,
        'Name a file that exists and that you may read.',
        file,
        null,
      );
    }
  }
  return configOf({ file, text: text ?? '' }, text === undefined ? null : file, options);
}

/** The configuration of a text, for callers that have one. Throws ConfigError. */
export function parseConfig(source: Source, options: Omit<LoadOptions, 'file'>): Config {
  return configOf(source, source.file, options);
}

/** Faults between keys, told at the line of the key that a person would change. */
class Fitting {
  readonly given: RawConfig;
  constructor(
    private readonly source: Source,
    private readonly env: Environment,
  ) {
    this.given = override(checkDocument(source), env);
  }

  fault(section: Section, key: string, text: string, next: string): ConfigError {
    const variable = `OPENFLOOR_${section}_${key}`.toUpperCase();
    if (this.env[variable] === undefined) return faultAt(this.source, [section, key], text, next);
    return new ConfigError(`${variable}: ${text}`, next, variable, null);
  }

  listen(section: Section, text: string): Listen {
    const listen = parseListen(text);
    if (listen !== undefined) return listen;
    throw this.fault(
      section,
      'listen',
      `${keyName(section, 'listen')} must be an address such as "127.0.0.1:8090", not ${JSON.stringify(text)}.`,
      'Write host and port; an IPv6 address stands in brackets.',
    );
  }
}

function configOf(source: Source, file: string | null, { profile, env }: Omit<LoadOptions, 'file'>): Config {
  const fitting = new Fitting(source, env);
  const { given } = fitting;
  const defaults = DEFAULTS[profile];
  const pty = { ...defaults.pty, ...given.pty };
  if (given.pty.command === undefined && profile !== 'serve' && env.SHELL?.startsWith('/'))
    pty.command = env.SHELL;
  const server = { ...defaults.server, ...given.server };
  const floor = { ...defaults.floor, ...given.floor };
  const shepherd = { ...defaults.shepherd, ...given.shepherd };
  const alerts = { ...defaults.alerts, ...given.alerts };

  const listen = fitting.listen('pty', pty.listen);
  checkVerifier(fitting, profile, pty.admin_credential_hash);
  checkListener(fitting, profile, pty);
  checkTier(fitting, pty.kill_domain_tier);
  const shepherdListen = fitting.listen('shepherd', shepherd.listen);
  if (!isLoopback(shepherdListen.host)) {
    throw fitting.fault(
      'shepherd',
      'listen',
      `${keyName('shepherd', 'listen')} must be on loopback: its routes are served under the runtime's address.`,
      'Listen on 127.0.0.1.',
    );
  }
  if (alerts.webhook !== '' && alerts.webhook_file !== '') {
    throw fitting.fault(
      'alerts',
      'webhook_file',
      'webhook and webhook_file exclude each other.',
      'Delete one.',
    );
  }
  // Off loopback a client could run anything on this machine: that must be asked for in as many words.
  if (given.server.allow_client_command === undefined && !isLoopback(listen.host))
    server.allow_client_command = false;

  return {
    profile,
    file,
    pty: {
      enabled: pty.enabled,
      listen,
      tlsTerminatedUpstream: pty.tls_terminated_upstream,
      command: pty.command,
      maxSessions: pty.max_sessions,
      ...times(fitting, profile, pty),
      scrollbackBytes: pty.scrollback_kib * 1_024,
      scrollbackReplay: pty.scrollback_replay,
      filterTerminalResponses: pty.filter_terminal_responses,
      adminCredentialHash: pty.admin_credential_hash || null,
      killDomainTier: 'tier1',
      seedDir: pty.seed_dir || null,
      env: pty.env,
    },
    server: {
      origins: server.origins,
      hosts: server.hosts,
      allowClientCommand: server.allow_client_command,
    },
    floor: {
      humanQuietMs: floor.human_quiet_ms,
      confirmMs: floor.confirm_ms,
      auditMessage: floor.audit_message,
      auditSync: floor.audit_sync,
    },
    agents: Object.fromEntries(
      Object.entries(given.agents).map(([name, agent]) => [
        name,
        { pack: agent.pack ?? null, command: agent.command ?? null },
      ]),
    ),
    shepherd: {
      enabled: shepherd.enabled,
      listen: shepherdListen,
      credentialFile: shepherd.credential_file || null,
    },
    alerts: { webhook: alerts.webhook || null, webhookFile: alerts.webhook_file || null },
  };
}

function checkVerifier(fitting: Fitting, profile: Profile, verifier: string): void {
  if (profile !== 'serve' || verifier !== '') return;
  throw fitting.fault(
    'pty',
    'admin_credential_hash',
    `${keyName('pty', 'admin_credential_hash')} is required under serve.`,
    'Make a credential with `openfloor serve --generate-admin-credential` and write its verifier there.',
  );
}

function checkListener(
  fitting: Fitting,
  profile: Profile,
  pty: { listen: string; tls_terminated_upstream: boolean; admin_credential_hash: string },
): void {
  const verdict = listenerGuard({
    listen: pty.listen,
    // Under `up` the first start makes one.
    hasAdminCredential: profile !== 'serve' || pty.admin_credential_hash !== '',
    tlsTerminatedUpstream: pty.tls_terminated_upstream,
  });
  if (verdict.state === 'refused') throw fitting.fault('pty', 'listen', verdict.text, verdict.next);
}

function checkTier(fitting: Fitting, tier: string): void {
  if (tier === 'tier1') return;
  throw fitting.fault(
    'pty',
    'kill_domain_tier',
    `${keyName('pty', 'kill_domain_tier')} "tier2-required" asks for more than this runtime can promise.`,
    'Write "tier1": killing is best-effort over the processes of the session.',
  );
}

type TtlKey = 'absolute_session_ttl' | 'attach_token_ttl' | 'detached_idle_ttl';

/** Idle sessions must outlive a half-open client's detection. */
export const IDLE_TTL_MIN_MS = PING_INTERVAL_MS * MISSED_PINGS;

function isLonger(a: TtlMs, b: TtlMs): boolean {
  return b !== null && (a === null || a > b);
}

/** The three times to live, fitting each other: neither a token nor an idle session outlives the absolute time. */
function times(fitting: Fitting, profile: Profile, pty: Record<TtlKey, string>) {
  const ttl = (key: TtlKey): TtlMs => parseDuration(pty[key]) ?? null;
  const absolute = ttl('absolute_session_ttl');
  const within = (key: 'attach_token_ttl' | 'detached_idle_ttl'): TtlMs => {
    const value = ttl(key);
    if (!isLonger(value, absolute)) return value;
    // Where the default is never, an absolute time that somebody sets bounds what nobody has set.
    if (profile !== 'serve' && fitting.given.pty[key] === undefined) return absolute;
    throw fitting.fault(
      'pty',
      fitting.given.pty[key] === undefined ? 'absolute_session_ttl' : key,
      `${keyName('pty', key)} (${pty[key]}) is longer than absolute_session_ttl (${pty.absolute_session_ttl}).`,
      'Shorten it, or lengthen absolute_session_ttl.',
    );
  };
  const attachTokenTtlMs = within('attach_token_ttl');
  const detachedIdleTtlMs = within('detached_idle_ttl');
  if (detachedIdleTtlMs !== null && detachedIdleTtlMs <= IDLE_TTL_MIN_MS) {
    throw fitting.fault(
      'pty',
      fitting.given.pty.detached_idle_ttl === undefined ? 'absolute_session_ttl' : 'detached_idle_ttl',
      `${keyName('pty', 'detached_idle_ttl')} must be longer than 60s: so long a client that is gone may seem attached.`,
      'Write a longer time, for example "30m".',
    );
  }
  return { absoluteSessionTtlMs: absolute, attachTokenTtlMs, detachedIdleTtlMs };
}
