// Credentials: shown once, kept as verifiers, checked without the disk, dead at once when revoked.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { faultOf, workspace } from './workspace.js';

const test = suite('credentials');
const NOW = 1_000_000;

test('a secret is 64 hex characters, good until it is revoked, and stands in no file', () =>
  workspace(async (space) => {
    const journal = space.open();
    const { credential, secret } = journal.credentials.mint({ kind: 'admin', name: 'first' }, NOW);
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(journal.credentials.check(secret, NOW), { state: 'valid', credential });
    assert.equal(journal.credentials.check(secret.toUpperCase(), NOW), { state: 'unknown' });
    assert.equal(journal.credentials.check('', NOW), { state: 'unknown' });
    await journal.close();
    assert.not.ok(readFileSync(space.file).includes(secret));
    const after = space.open();
    assert.equal(after.credentials.check(secret, NOW).state, 'valid', 'and it outlives a restart');
    assert.is(after.credentials.revoke(credential.id, NOW), true);
    assert.is(after.credentials.revoke(credential.id, NOW), false);
    assert.equal(after.credentials.check(secret, NOW), { state: 'unknown' });
    await after.close();
    assert.equal(space.open().credentials.check(secret, NOW), { state: 'unknown' });
  }));

test('seats, scopes and expiry come back as they were given', () =>
  workspace(async (space) => {
    const before = space.open();
    const { credential, secret } = before.credentials.mint(
      { kind: 'shepherd', name: 'nightly', seats: ['a', 'b@x'], scopes: ['answer'], ttlMs: 500 },
      NOW,
    );
    await before.close();
    const journal = space.open();
    assert.equal(journal.credentials.check(secret, NOW), { state: 'valid', credential });
    assert.equal(journal.credentials.check(secret, NOW + 499).state, 'valid');
    assert.equal(journal.credentials.check(secret, NOW + 500).state, 'expired');
    assert.is(journal.credentials.list(NOW).length, 1);
    assert.is(journal.credentials.list(NOW + 500).length, 0);
  }));

test('attach and agent credentials die with the process, and with their session', () =>
  workspace(async (space) => {
    const before = space.open();
    const attach = (generation: number) =>
      before.credentials.mint(
        { kind: 'attach', name: 'dev1', session: 'dev1', generation, mode: 'take' },
        NOW,
      );
    const old = attach(1);
    const renewed = attach(2);
    const agent = before.credentials.mint(
      { kind: 'agent', name: 'dev1', session: 'dev1', generation: 2 },
      NOW,
    );
    const other = before.credentials.mint(
      { kind: 'attach', name: 'dev2', session: 'dev2', generation: 1 },
      NOW,
    );
    assert.is(before.credentials.revokeSession('dev1', 2), 1);
    assert.is(before.credentials.check(old.secret, NOW).state, 'unknown');
    assert.is(before.credentials.check(renewed.secret, NOW).state, 'valid');
    assert.is(before.credentials.revokeSession('dev1'), 2);
    assert.is(before.credentials.check(agent.secret, NOW).state, 'unknown');
    assert.is(before.credentials.check(other.secret, NOW).state, 'valid');
    await before.close();
    assert.is(space.open().credentials.check(other.secret, NOW).state, 'unknown');
  }));

test('a verifier of the configuration admits its secret and can be revoked only there', () =>
  workspace((space) => {
    const journal = space.open();
    // SHA-256 of the text `hunter2`.
    const verifier = 'sha256:f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7';
    const credential = journal.credentials.admit({ kind: 'admin', name: 'config' }, verifier, NOW);
    assert.equal(journal.credentials.check('hunter2', NOW), { state: 'valid', credential });
    assert.is(journal.credentials.revoke(credential.id, NOW), false);
    assert.is(journal.credentials.check('hunter2', NOW).state, 'valid');
    assert.throws(
      () => journal.credentials.admit({ kind: 'admin', name: 'x' }, 'sha256:abc', NOW),
      TypeError,
    );
  }));

test('a fingerprint tells secrets apart and gives neither the secret nor its verifier away', () =>
  workspace((space) => {
    const { credentials } = space.open();
    const { secret } = credentials.mint({ kind: 'attach', name: 'a', session: 'a', generation: 1 }, NOW);
    assert.match(credentials.fingerprint(secret), /^h:[0-9a-f]{16}$/);
    assert.is(credentials.fingerprint(secret), credentials.fingerprint(secret));
    assert.is.not(credentials.fingerprint(secret), credentials.fingerprint(`${secret} `));
    // SHA-256 of `hunter2` begins with f52fbd32: the fingerprint must not.
    assert.not.ok(credentials.fingerprint('hunter2').includes('f52fbd32'));
  }));

test('beyond the capacity nothing is minted, and expired credentials make room', () =>
  workspace((space) => {
    const { credentials } = space.open();
    const mint = (now: number) =>
      credentials.mint({ kind: 'attach', name: 'a', session: 'a', generation: 1, ttlMs: 1_000 }, now);
    for (let n = 0; n < 10_000; n++) mint(NOW);
    assert.is(
      faultOf(() => mint(NOW)),
      'credential_capacity',
    );
    assert.ok(mint(NOW + 1_000).secret);
    assert.is(credentials.list(NOW + 1_000).length, 1);
  }));

test('while the store is away a revocation counts at once and is recorded later; a stored kind is not minted', () =>
  workspace(async (space) => {
    const journal = space.open();
    const { credential, secret } = journal.credentials.mint({ kind: 'auditor', name: 'eve' }, NOW);
    const locker = space.stranger();
    locker.exec('BEGIN IMMEDIATE');
    assert.is(journal.credentials.revoke(credential.id, NOW), true);
    assert.is(journal.credentials.check(secret, NOW).state, 'unknown');
    assert.is(
      faultOf(() => journal.credentials.mint({ kind: 'admin', name: 'x' }, NOW)),
      'audit_unavailable: locked',
    );
    assert.ok(
      journal.credentials.mint({ kind: 'attach', name: 'a', session: 'a', generation: 1 }, NOW).secret,
    );
    locker.exec('ROLLBACK');
    await journal.close();
    assert.is(space.open().credentials.check(secret, NOW).state, 'unknown');
  }));

test.run();
