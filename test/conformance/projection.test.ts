// `openfloor serve --validate-projection FILE`: the configuration of the attach contract, checked before anything starts.
// Cases E14 to E16, U6, U9 and U20. The command is started for one case of each kind, since a start costs seconds of a
// processor; its other verdicts are asked of the function that it prints.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeProjection } from '../../runtime/config/projection.js';
import { external } from '../support/subject.js';

const program = fileURLToPath(new URL('../../clients/cli/main.js', import.meta.url));
const test = suite('conformance: projection');
const own = external ? test.skip : test;
const folder = mkdtempSync(join(tmpdir(), 'projection-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A placeholder of the configuration, not of this language. */
const placeholder = (name: string) => `"$\{${name}}"`;
const HASH = `sha256:${'ab'.repeat(32)}`;
const good = (keys: Record<string, string> = {}): string => {
  const all: Record<string, string> = {
    enabled: 'true',
    listen: '"127.0.0.1:8090"',
    tls_terminated_upstream: 'false',
    admin_credential_hash: `"${HASH}"`,
    ...keys,
  };
  return `[pty]\n${Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} = ${value}\n`)
    .join('')}`;
};

interface Verdict {
  readonly code: number | null;
  readonly output: string;
}

function command(...args: readonly string[]): Verdict {
  const run = spawnSync(process.execPath, [program, 'serve', ...args], { encoding: 'utf8', timeout: 30_000 });
  return { code: run.status, output: run.stdout + run.stderr };
}

function written(text: string): string {
  const file = join(folder, 'config.toml');
  writeFileSync(file, text);
  return file;
}

const byCommand = (text: string): Verdict => command('--validate-projection', written(text));

function validate(text: string): Verdict {
  const verdict = judgeProjection({ file: 'config.toml', text }, process.env);
  return { code: verdict.state === 'ok' ? 0 : 1, output: verdict.text };
}

own('E14 a good file is accepted, with the tier and the best-effort label', () => {
  const { code, output } = byCommand(good());
  assert.is(code, 0, output);
  assert.match(output, 'OK');
  assert.match(output, 'tier1');
  assert.match(output, /best[- ]effort/i);
});

const rejected: ReadonlyArray<readonly [string, string]> = [
  ['E15 tier2-required', good({ kill_domain_tier: '"tier2-required"' })],
  ['E16 a secrets interpolation', good({ command: placeholder('secrets.shell') })],
  ['E16 a malformed hash', good({ admin_credential_hash: '"sha256:abc"' })],
  ['E16 a secrets table', `${good()}\n[secrets]\na = "b"\n`],
  ['E16 an extra section', `${good()}\n[server]\norigins = []\n`],
  ['E16 a cloud URI', good({ seed_dir: '"s3://bucket/seed"' })],
  ['E16 an empty hash', good({ admin_credential_hash: '""' })],
  ['U9 a missing hash', good({ admin_credential_hash: '' })],
  ['U9 a hash in upper case', good({ admin_credential_hash: `"sha256:${'AB'.repeat(32)}"` })],
  ['U9 a hash from the environment', good({ admin_credential_hash: placeholder('HASH') })],
  ['U20 an unknown key', good({ ping_interval: '"20s"' })],
  ['U20 a wrong type', good({ max_sessions: '"4"' })],
  ['U20 no sessions', good({ max_sessions: '0' })],
  ['U20 a relative command', good({ command: '"bash"' })],
  ['U20 a token that outlives its session', good({ attach_token_ttl: '"13h"' })],
  ['U20 an idle time beyond the absolute one', good({ detached_idle_ttl: '"13h"' })],
  ['U20 an idle time within the pings', good({ detached_idle_ttl: '"60s"' })],
  ['U20 a duration without a unit', good({ absolute_session_ttl: '"12"' })],
  ['U20 a compound duration', good({ absolute_session_ttl: '"1h30m"' })],
  ['U20 a duration of zero', good({ absolute_session_ttl: '"0s"' })],
  ['invalid TOML', '[pty\n'],
];
for (const [name, text] of rejected) {
  own(`${name} is REJECTED`, () => {
    const { code, output } = /^E15/.test(name) || name === 'invalid TOML' ? byCommand(text) : validate(text);
    assert.is(code, 1, output);
    assert.match(output, 'REJECTED');
    assert.not.match(output, HASH);
  });
}

for (const listen of ['0.0.0.0:0', 'example.org:0']) {
  own(`U6 a server that would listen on ${listen} without TLS upstream does not start, and says why`, () => {
    const { code, output } = command('--data', folder, '--config', written(good({ listen: `"${listen}"` })));
    assert.is(code, 1, output);
    assert.match(output, /tls_terminated_upstream/);
  });
}

own('U20 every key of the contract is known', () => {
  const { code, output } = validate(
    good({
      command: '"/bin/bash"',
      max_sessions: '4',
      absolute_session_ttl: '"12h"',
      attach_token_ttl: '"15m"',
      detached_idle_ttl: '"30m"',
      scrollback_kib: '1024',
      scrollback_replay: 'false',
      kill_domain_tier: '"tier1"',
    }),
  );
  assert.is(code, 0, output);
});

test.run();
