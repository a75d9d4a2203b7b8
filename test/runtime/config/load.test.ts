// The configuration: refusals as the vectors say, defaults as the spec's table says, overrides, and times that fit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Config, Profile } from '../../../runtime/config/config.js';
import { DEFAULTS } from '../../../runtime/config/defaults.js';
import { loadConfig, parseConfig } from '../../../runtime/config/load.js';
import { AGENT, keysOf, SECTIONS, type Section } from '../../../runtime/config/schema.js';

const test = suite('load');
const spec = new URL('../../../../spec/', import.meta.url);
const VERIFIER = `sha256:${'ab'.repeat(32)}`;

interface Refusal {
  readonly description: string;
  readonly profile: Profile;
  readonly toml: string;
  readonly env: Record<string, string>;
  readonly error: string;
  readonly next: string;
  readonly source: string;
  readonly line: number | null;
  readonly reason: string;
}
const FIELDS = ['description', 'env', 'error', 'line', 'next', 'profile', 'reason', 'source', 'toml'];
const refusals = JSON.parse(readFileSync(new URL('vectors/wire/config.json', spec), 'utf8')) as Refusal[];

function config(toml: string, profile: Profile = 'up', env: Record<string, string> = {}): Config {
  return parseConfig({ file: 'openfloor.toml', text: toml }, { profile, env });
}

for (const given of refusals) {
  test(given.description, () => {
    assert.equal(Object.keys(given).sort(), FIELDS, 'the case has exactly the fields this test understands');
    let thrown: Partial<Refusal> & { message?: string } = {};
    try {
      config(given.toml, given.profile, given.env);
    } catch (error) {
      thrown = error as typeof thrown;
    }
    const { message, next, source, line, reason } = thrown;
    assert.equal(
      { message, next, source, line, reason },
      {
        message: given.error,
        next: given.next,
        source: given.source,
        line: given.line,
        reason: given.reason,
      },
    );
  });
}

test('the table of the spec lists every key with its defaults, and no other', () => {
  const rows = readFileSync(new URL('config.md', spec), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `['))
    .map((line) =>
      line
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim().replace(/^`|`$/g, '')),
    );
  const expected = (Object.keys(SECTIONS) as Section[]).flatMap((section) =>
    keysOf(SECTIONS[section]).map((key) => {
      const value = (profile: Profile) =>
        JSON.stringify((DEFAULTS[profile][section] as Record<string, unknown>)[key]);
      return [`[${section}] ${key}`, value('up'), value('serve')];
    }),
  );
  const agents = keysOf(AGENT).map((key) => [`[agents.NAME] ${key}`, '', '']);
  assert.equal(rows.sort(), [...expected, ...agents].sort());
});

test('under up nothing needs to be written', () => {
  const { pty, server, shepherd, file } = config('');
  assert.is(file, 'openfloor.toml');
  assert.equal(pty.listen, { host: '127.0.0.1', port: 8090 });
  assert.equal(
    [pty.absoluteSessionTtlMs, pty.attachTokenTtlMs, pty.detachedIdleTtlMs, pty.maxSessions, pty.env],
    [null, null, null, 256, 'caller'],
  );
  assert.equal([pty.command, pty.scrollbackBytes, pty.adminCredentialHash], ['/bin/bash', 1_048_576, null]);
  assert.is(server.allowClientCommand, true);
  assert.is(shepherd.enabled, true);
  assert.equal(config('', 'run').pty, pty);
  assert.is(config('', 'up', { SHELL: '/bin/zsh' }).pty.command, '/bin/zsh');
  assert.is(config('[pty]\ncommand = "/bin/sh"', 'up', { SHELL: '/bin/zsh' }).pty.command, '/bin/sh');
});

test('under serve the contract speaks', () => {
  const { pty, server } = config(`[pty]\nadmin_credential_hash = "${VERIFIER}"\n`, 'serve', {
    SHELL: '/bin/zsh',
  });
  assert.equal(
    [pty.enabled, pty.absoluteSessionTtlMs, pty.attachTokenTtlMs, pty.detachedIdleTtlMs, pty.maxSessions],
    [false, 43_200_000, 900_000, 1_800_000, 4],
  );
  assert.equal(pty.env, ['TERM', 'LANG', 'PATH', 'HOME', 'USER', 'SHELL', 'LC_*']);
  assert.equal([pty.command, pty.adminCredentialHash], ['/bin/bash', VERIFIER]);
  assert.is(server.allowClientCommand, false);
});

test('under up an absolute time bounds the times that nobody wrote', () => {
  const { pty } = config('[pty]\nabsolute_session_ttl = "2h"\ndetached_idle_ttl = "90m"\n');
  assert.equal(
    [pty.absoluteSessionTtlMs, pty.attachTokenTtlMs, pty.detachedIdleTtlMs],
    [7_200_000, 7_200_000, 5_400_000],
  );
});

test('beyond loopback a client says what runs only where the file says so', () => {
  const open = '[pty]\nlisten = "0.0.0.0:8090"\ntls_terminated_upstream = true\n';
  assert.is(config(open).server.allowClientCommand, false);
  assert.is(config(`${open}[server]\nallow_client_command = true\n`).server.allowClientCommand, true);
});

test('variables override the file, each in the type of its key', () => {
  const { pty, server, floor, alerts } = config('[floor]\nconfirm_ms = 200\n[pty]\nenv = "caller"\n', 'up', {
    OPENFLOOR_FLOOR_CONFIRM_MS: '700',
    OPENFLOOR_PTY_ENABLED: 'false',
    OPENFLOOR_PTY_LISTEN: '[::1]:0',
    OPENFLOOR_PTY_ENV: 'PATH, LC_*',
    OPENFLOOR_SERVER_ORIGINS: 'https://a.example',
    OPENFLOOR_ALERTS_WEBHOOK: 'https://b.example/hook',
    OPENFLOOR_TOKEN: 'not a key of the configuration',
    OPENFLOOR_SEAT: 'dev1',
  });
  assert.is(floor.confirmMs, 700);
  assert.is(pty.enabled, false);
  assert.equal(pty.listen, { host: '::1', port: 0 });
  assert.equal(pty.env, ['PATH', 'LC_*']);
  assert.equal(server.origins, ['https://a.example']);
  assert.is(alerts.webhook, 'https://b.example/hook');
});

test('agents have a pack and a command', () => {
  const { agents } = config(
    '[agents.claude]\npack = "claude-code"\n[agents.mine]\ncommand = ["/opt/a", "--x"]\n',
  );
  assert.equal(agents, {
    claude: { pack: 'claude-code', command: null },
    mine: { pack: null, command: ['/opt/a', '--x'] },
  });
});

test('the prototype is no key', () => {
  assert.throws(() => config('[pty]\n__proto__ = 1\n'), /openfloor\.toml line 2/);
  assert.throws(() => config('[pty]\nconstructor = 1\n'), /openfloor\.toml line 2/);
  assert.throws(() => config('[toString]\n'), /openfloor\.toml line 1/);
});

test('a file is read where it lies; one that is named must exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-config-'));
  try {
    const env = { HOME: folder };
    const none = loadConfig({ profile: 'up', env });
    assert.is(none.file, null);
    const file = join(folder, 'mine.toml');
    assert.throws(() => loadConfig({ profile: 'up', env, file }), /can't be read \(ENOENT\)/);
    assert.throws(() => loadConfig({ profile: 'up', env: { OPENFLOOR_CONFIG: file } }), /ENOENT/);
    writeFileSync(file, '[floor]\nconfirm_ms = 900\n');
    assert.is(loadConfig({ profile: 'up', env, file }).floor.confirmMs, 900);
    assert.is(loadConfig({ profile: 'up', env: { OPENFLOOR_CONFIG: file } }).file, file);
    assert.throws(() => loadConfig({ profile: 'up', env, file: folder }), /EISDIR/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
