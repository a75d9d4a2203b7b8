// Which server and which credential: the order of spec/cli.md 2, and that a credential goes to its own address only.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Folders, findFolders } from '../../../clients/cli/folders.js';
import { parseLink } from '../../../clients/cli/login.js';
import { findTarget, profileNameOf } from '../../../clients/cli/target.js';

const test = suite<{ home: string; folders: Folders }>('target');
test.before.each((context) => {
  context.home = mkdtempSync(join(tmpdir(), 'openfloor-target-'));
  context.folders = findFolders({ HOME: context.home }, {});
  const { folders } = context;
  write(folders.credentialFile, 'local-secret\n');
  write(folders.record, JSON.stringify({ pid: 1, address: 'http://127.0.0.1:4711', started_at: 'x' }));
  write(join(folders.profiles, 'work.json'), JSON.stringify({ url: 'https://work', token: 'work-token' }));
});
test.after.each(({ home }) => rmSync(home, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const LOCAL = { url: 'http://127.0.0.1:4711', credential: 'local-secret', local: true };

test('without options it is the local server at the address it told, with its credential', ({ folders }) => {
  assert.equal(findTarget({ env: {}, folders }), LOCAL);
  rmSync(folders.record);
  assert.is(findTarget({ env: {}, folders }).url, 'http://127.0.0.1:8090');
});

test('--url comes before --profile, which comes before OPENFLOOR_URL', ({ folders }) => {
  const env = { OPENFLOOR_URL: 'http://seat', OPENFLOOR_TOKEN: 'seat-token' };
  assert.is(findTarget({ url: 'http://x', profile: 'work', env, folders }).url, 'http://x');
  assert.is(findTarget({ profile: 'work', env, folders }).url, 'https://work');
  assert.equal(findTarget({ env, folders }), { url: 'http://seat', credential: 'seat-token', local: false });
});

test('the local credential goes to the local address only, however it is spelled', ({ folders }) => {
  assert.equal(findTarget({ url: 'http://127.0.0.1:4711/', env: {}, folders }), LOCAL);
  for (const url of [
    'http://127.0.0.1:4712',
    'http://evil',
    'https://127.0.0.1:4711',
    'http://127.0.0.1:4711.evil',
  ]) {
    assert.is(findTarget({ url, env: {}, folders }).credential, undefined, url);
  }
});

test("a seat's token is not sent to an address that the seat did not name", ({ folders }) => {
  const env = { OPENFLOOR_URL: 'http://seat', OPENFLOOR_TOKEN: 'seat-token' };
  assert.is(findTarget({ url: 'http://other', env, folders }).credential, undefined);
  assert.is(findTarget({ env: { OPENFLOOR_TOKEN: 'seat-token' }, folders }).credential, 'local-secret');
});

test('an address that was logged in to finds its profile by its host, and only that very address', ({
  folders,
}) => {
  write(join(folders.profiles, 'host_8090.json'), JSON.stringify({ url: 'http://host:8090', token: 't' }));
  assert.is(profileNameOf('http://host:8090'), 'host_8090');
  assert.is(findTarget({ url: 'http://host:8090/', env: {}, folders }).credential, 't');
  assert.is(findTarget({ url: 'https://host:8090', env: {}, folders }).credential, undefined);
});

test('a profile that is missing, unreadable or badly named is refused with its name', ({ folders }) => {
  write(join(folders.profiles, 'bad.json'), '{');
  for (const [profile, reason] of [
    ['none', 'no_profile'],
    ['bad', 'bad_profile'],
    ['../credential', 'bad_profile'],
  ]) {
    assert.throws(
      () => findTarget({ profile: profile!, env: {}, folders }),
      (error: { reason: string }) => error.reason === reason,
    );
  }
});

test('folders follow the XDG variables, and --data keeps state next to its database', ({ home }) => {
  const env = { HOME: home, XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: 'relative' };
  const folders = findFolders(env, {});
  assert.is(folders.credentialFile, '/c/openfloor/credential');
  assert.is(folders.data, '/d/openfloor');
  assert.is(folders.state, join(home, '.local/state/openfloor'));
  assert.is(findFolders(env, { data: '/x' }).lock, '/x/state/server.lock');
  assert.is(findFolders(env, { config: '/y/o.toml' }).configFile, '/y/o.toml');
});

test('a login link is an address and a ticket, and nothing else is one', () => {
  assert.equal(parseLink('http://h:1/#ticket=abc-_1'), { url: 'http://h:1', ticket: 'abc-_1' });
  for (const link of ['http://h', 'http://h/#ticket=', 'http://h/#ticket=a b', 'ticket=x']) {
    assert.throws(
      () => parseLink(link),
      (error: { reason: string }) => error.reason === 'bad_link',
    );
  }
});

test.run();
