// One server a state folder: the lock is held by a living process, and what a dead one left is nobody's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepareInstallation, verifierOf } from '../../../clients/cli/first-start.js';
import { type Folders, findFolders } from '../../../clients/cli/folders.js';
import { claimLock, lockOwner, readRecord, writeRecord } from '../../../clients/cli/record.js';

const test = suite<{ home: string; folders: Folders }>('record');
test.before.each((context) => {
  context.home = mkdtempSync(join(tmpdir(), 'openfloor-record-'));
  context.folders = findFolders({ HOME: context.home }, {});
});
test.after.each(({ home }) => rmSync(home, { recursive: true }));

test('the second claim is told who holds the lock, and after the release it is free', ({ folders }) => {
  const first = claimLock(folders);
  assert.ok('release' in first);
  assert.equal(claimLock(folders), { heldBy: process.pid });
  writeRecord(folders, { pid: process.pid, address: 'http://127.0.0.1:1', started_at: 'now' });
  assert.is(statSync(folders.record).mode & 0o777, 0o600);
  assert.is(readRecord(folders)?.address, 'http://127.0.0.1:1');
  if ('release' in first) first.release();
  assert.not(existsSync(folders.lock));
  assert.not(existsSync(folders.record));
  assert.is(lockOwner(folders), undefined);
});

test('the lock of a process that has ended is taken over', async ({ folders }) => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  claimLock(folders);
  writeFileSync(folders.lock, JSON.stringify({ pid: child.pid, began: '' }));
  assert.is(lockOwner(folders), undefined);
  assert.ok('release' in claimLock(folders));
  assert.is(lockOwner(folders), process.pid);
});

test('a process id that was used again is not the owner', ({ folders }) => {
  claimLock(folders);
  writeFileSync(folders.lock, JSON.stringify({ pid: process.pid, began: '1' }));
  assert.is(lockOwner(folders), undefined);
});

test('a damaged lock or record is none', ({ folders }) => {
  claimLock(folders);
  writeFileSync(folders.lock, '{');
  writeFileSync(folders.record, '{"pid":"1"}');
  assert.is(lockOwner(folders), undefined);
  assert.is(readRecord(folders), undefined);
  assert.ok('release' in claimLock(folders));
});

test('the first start makes a config and a credential for the owner alone, the second one changes neither', ({
  folders,
}) => {
  const first = prepareInstallation(folders, false);
  assert.equal(first.created, [folders.configFile, folders.credentialFile]);
  const credential = readFileSync(folders.credentialFile, 'utf8').trim();
  assert.match(credential, /^[0-9a-f]{64}$/);
  assert.is(first.verifier, verifierOf(credential));
  assert.is(statSync(folders.credentialFile).mode & 0o777, 0o600);
  writeFileSync(folders.configFile, '# mine\n');
  assert.equal(prepareInstallation(folders, false), { ...first, created: [] });
  assert.is(readFileSync(folders.configFile, 'utf8'), '# mine\n');
});

test('a given config must exist, and a credential file that holds none is refused with what to do', ({
  folders,
}) => {
  assert.throws(
    () => prepareInstallation({ ...folders, configFile: join(folders.data, 'absent.toml') }, true),
    (error: { reason: string }) => error.reason === 'no_config',
  );
  prepareInstallation(folders, false);
  writeFileSync(folders.credentialFile, 'short');
  assert.throws(
    () => prepareInstallation(folders, false),
    (error: { reason: string }) => error.reason === 'bad_credential_file',
  );
});

test('a verifier is sha256 over the hex text', () => {
  assert.is(
    verifierOf('0'.repeat(64)),
    'sha256:60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55',
  );
});

test.run();
