// The keys of openfloor.toml with their types, as data: validation, messages, environment overrides and the check of
// spec/config.md all come from here. It knows no default (defaults.ts) and reads no file.

import Type, { type Static, type TObject } from 'typebox';

// A description completes the sentence "must be …".
function text(description: string, pattern?: string) {
  const options = { description, maxLength: 4_096 };
  return Type.Optional(Type.String(pattern === undefined ? options : { ...options, pattern }));
}
function whole(minimum: number, maximum: number, unit = '') {
  const description = `a whole number${unit} from ${minimum} to ${maximum}`;
  return Type.Optional(Type.Integer({ description, minimum, maximum }));
}
function yesNo() {
  return Type.Optional(Type.Boolean({ description: 'true or false' }));
}
function list(of: string) {
  const item = Type.String({ minLength: 1, maxLength: 4_096 });
  return Type.Optional(Type.Array(item, { description: `a list of ${of}`, maxItems: 256 }));
}
/** Digits and one unit; `never` is our own word and no part of the attach contract's grammar. */
function duration() {
  const description = 'a duration such as "30m" (digits and one of s, m, h, d), or "never"';
  return text(description, '^(0*[1-9][0-9]{0,8}[smhd]|never)$');
}
const PATH_OR_EMPTY = '^(/.*)?$';

export const PTY = Type.Object({
  enabled: yesNo(),
  listen: text('an address such as "127.0.0.1:8090"'),
  tls_terminated_upstream: yesNo(),
  command: text('an absolute path', '^/'),
  max_sessions: whole(1, 100_000),
  absolute_session_ttl: duration(),
  attach_token_ttl: duration(),
  detached_idle_ttl: duration(),
  scrollback_kib: whole(0, 1_048_576, ' of KiB'),
  scrollback_replay: yesNo(),
  filter_terminal_responses: yesNo(),
  admin_credential_hash: text('"sha256:" and 64 lowercase hex characters', '^sha256:[0-9a-f]{64}$'),
  kill_domain_tier: Type.Optional(
    Type.Union([Type.Literal('tier1'), Type.Literal('tier2-required')], {
      description: '"tier1" or "tier2-required"',
    }),
  ),
  seed_dir: text('an absolute path, or empty', PATH_OR_EMPTY),
  env: Type.Optional(
    Type.Union(
      [
        Type.Literal('caller'),
        Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*\\*?$' }), { maxItems: 256 }),
      ],
      { description: '"caller", or a list of variable names (a name may end in *)' },
    ),
  ),
});

/** Keys of the contract's projection that are understood there and that we don't offer. */
export const TOOLS = Type.Object({
  tools_listen: text('an address such as "127.0.0.1:8091", or empty'),
  tools_attach_ttl: duration(),
});

export const SERVER = Type.Object({
  origins: list('origins such as "https://floor.example"'),
  hosts: list('host names such as "floor.example"'),
  allow_client_command: yesNo(),
});

export const FLOOR = Type.Object({
  human_quiet_ms: whole(0, 600_000, ' of milliseconds'),
  confirm_ms: whole(100, 600_000, ' of milliseconds'),
  audit_message: Type.Optional(
    Type.Union([Type.Literal('full'), Type.Literal('hash')], { description: '"full" or "hash"' }),
  ),
  audit_sync: Type.Optional(
    Type.Union([Type.Literal('normal'), Type.Literal('full')], { description: '"normal" or "full"' }),
  ),
});

export const SHEPHERD = Type.Object({
  enabled: yesNo(),
  listen: text('an address such as "127.0.0.1:0"'),
  credential_file: text('an absolute path, or empty', PATH_OR_EMPTY),
});

export const ALERTS = Type.Object({
  webhook: text('an http or https address, or empty', '^(https?://[^\\s]+)?$'),
  webhook_file: text('an absolute path, or empty', PATH_OR_EMPTY),
});

export const AGENT = Type.Object({
  pack: text('the name of a pack', '^[a-z0-9][a-z0-9-]{0,63}$'),
  command: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 65_536 }), {
      description: 'a list: the program and its arguments',
      minItems: 1,
      maxItems: 1_024,
    }),
  ),
});

/** Sections with fixed keys; `agents` has one table for each name. */
export const SECTIONS = {
  pty: PTY,
  server: SERVER,
  floor: FLOOR,
  shepherd: SHEPHERD,
  alerts: ALERTS,
} as const;
export type Section = keyof typeof SECTIONS;

/** A file as written, checked key by key. */
export interface RawConfig {
  pty: Static<typeof PTY>;
  server: Static<typeof SERVER>;
  floor: Static<typeof FLOOR>;
  shepherd: Static<typeof SHEPHERD>;
  alerts: Static<typeof ALERTS>;
  agents: Record<string, Static<typeof AGENT>>;
}

export function keysOf(schema: TObject): string[] {
  return Object.keys(schema.properties);
}
