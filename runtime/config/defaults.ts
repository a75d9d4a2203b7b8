// What is true when the file says nothing, for each profile, in the file's own words. The attach contract's defaults
// apply under `serve`, but for its listener: binding every interface and promising TLS at once is not a default.

import type { Profile } from './config.js';
import type { RawConfig } from './schema.js';

export type Defaults = {
  readonly [S in Exclude<keyof RawConfig, 'agents'>]: Readonly<Required<RawConfig[S]>>;
};

const SERVE: Defaults = {
  pty: {
    enabled: false,
    listen: '127.0.0.1:8090',
    tls_terminated_upstream: false,
    command: '/bin/bash',
    max_sessions: 4,
    absolute_session_ttl: '12h',
    attach_token_ttl: '15m',
    detached_idle_ttl: '30m',
    scrollback_kib: 1_024,
    scrollback_replay: false,
    filter_terminal_responses: true,
    admin_credential_hash: '',
    kill_domain_tier: 'tier1',
    seed_dir: '',
    // Attach contract 2.6.
    env: ['TERM', 'LANG', 'PATH', 'HOME', 'USER', 'SHELL', 'LC_*'],
  },
  server: { origins: [], hosts: [], allow_client_command: false },
  floor: { human_quiet_ms: 3_000, confirm_ms: 5_000, audit_message: 'full', audit_sync: 'normal' },
  shepherd: { enabled: false, listen: '127.0.0.1:0', credential_file: '' },
  alerts: { webhook: '', webhook_file: '' },
};

const UP: Defaults = {
  ...SERVE,
  pty: {
    ...SERVE.pty,
    enabled: true,
    max_sessions: 256,
    absolute_session_ttl: 'never',
    attach_token_ttl: 'never',
    detached_idle_ttl: 'never',
    env: 'caller',
  },
  server: { ...SERVE.server, allow_client_command: true },
  shepherd: { ...SERVE.shepherd, enabled: true },
};

export const DEFAULTS: Readonly<Record<Profile, Defaults>> = { up: UP, run: UP, serve: SERVE };
