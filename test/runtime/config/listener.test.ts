// Where the server may listen, as a truth table, and which hosts are loopback.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLoopback, listenerGuard, parseListen } from '../../../runtime/config/listener.js';

const test = suite('listener');

test('loopback is always allowed; elsewhere needs a credential and TLS in front; nonsense is refused', () => {
  const verdict = (listen: string, hasAdminCredential: boolean, tlsTerminatedUpstream: boolean) =>
    listenerGuard({ listen, hasAdminCredential, tlsTerminatedUpstream }).state;
  for (const credential of [false, true]) {
    for (const tls of [false, true]) {
      for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '[::1]']) {
        assert.is(verdict(`${host}:8090`, credential, tls), 'allowed', host);
      }
      for (const host of [
        '0.0.0.0',
        '10.0.0.1',
        '[::]',
        'box.example',
        'localhost.example',
        '127.0.0.1.example',
      ]) {
        assert.is(verdict(`${host}:8090`, credential, tls), credential && tls ? 'allowed' : 'refused', host);
      }
      for (const text of [
        '',
        '8090',
        'box',
        '127.0.0.1:',
        '127.0.0.1:65536',
        '::1:8090',
        '[127.0.0.1]:1',
        'a b:1',
      ]) {
        assert.is(verdict(text, credential, tls), 'refused', text);
      }
    }
  }
});

test('an address comes apart into host and port', () => {
  assert.equal(parseListen('[::1]:0'), { host: '::1', port: 0 });
  assert.equal(parseListen('box.example:65535'), { host: 'box.example', port: 65_535 });
  assert.is(parseListen('[box]:1'), undefined);
});

test('loopback is 127/8, ::1 in any spelling, and localhost', () => {
  for (const host of [
    '127.0.0.1',
    '127.255.0.1',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'LOCALHOST',
  ]) {
    assert.ok(isLoopback(host), host);
  }
  for (const host of [
    '128.0.0.1',
    '127.0.0.256',
    '::',
    '::2',
    '1::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '',
    'localhost.',
  ]) {
    assert.not.ok(isLoopback(host), host);
  }
});

test.run();
