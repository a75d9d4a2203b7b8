// The pure rules at the server's edge: bearer sources, throttles, origins, the attach query, tickets.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAttachQuery, querySize } from '../../../runtime/server/attach-query.js';
import { adminBearer, presentedBearer } from '../../../runtime/server/bearer.js';
import { hostAllowed, originAllowed } from '../../../runtime/server/origin.js';
import { AdminThrottle, UpgradeThrottle } from '../../../runtime/server/throttle.js';
import { Tickets } from '../../../runtime/server/tickets.js';
import { chooseProtocol } from '../../../runtime/server/upgrade.js';

const test = suite('server edge');

test('a bearer header wins, also when it is empty; another scheme falls through to the subprotocols', () => {
  const protocols = 'openab.pty.v1, openab.bearer.sub, openab.bearer.second';
  assert.is(presentedBearer({ authorization: 'Bearer abc', protocols }), 'abc');
  assert.is(presentedBearer({ authorization: 'Bearer ', protocols }), '');
  assert.is(presentedBearer({ authorization: 'Basic abc', protocols }), 'sub');
  assert.is(presentedBearer({ authorization: 'bearer abc', protocols: undefined }), undefined);
  assert.is(presentedBearer({ authorization: undefined, protocols: 'graphql-ws' }), undefined);
});
test('an admin credential is taken from the header alone, within its size', () => {
  assert.is(adminBearer('Bearer x', 4), 'x');
  assert.is(adminBearer('Bearer 12345', 4), undefined);
  assert.is(adminBearer('Bearer ', 4), undefined);
  assert.is(adminBearer(undefined, 4), undefined);
});
test('the answered subprotocol never holds a token', () => {
  assert.is(chooseProtocol(new Set(['openab.bearer.t', 'openab.pty.v1'])), 'openab.pty.v1');
  assert.is(chooseProtocol(new Set(['openab.bearer.t'])), false);
});

test('the admin block doubles, is not extended by refused traffic, and ends with a success', () => {
  const throttle = new AdminThrottle();
  throttle.failed('a', 0);
  assert.is(throttle.blockedMs('a', 0), 100);
  throttle.failed('a', 50);
  assert.is(throttle.blockedMs('a', 50), 50, 'inside a block nothing is added');
  throttle.failed('a', 100);
  assert.is(throttle.blockedMs('a', 100), 200);
  for (let at = 1000, n = 0; n < 10; n++, at += 6000) throttle.failed('a', at);
  assert.is(throttle.blockedMs('a', 55_000), 5_000);
  assert.is(throttle.blockedMs('b', 0), 0);
  throttle.succeeded('a');
  assert.is(throttle.blockedMs('a', 55_000), 0);
});
test('five failed upgrades in a minute ban the source for a minute, and a new window forgets', () => {
  const throttle = new UpgradeThrottle();
  for (let at = 0; at < 4; at++) throttle.failed('a', at);
  assert.is(throttle.blockedMs('a', 4), 0);
  throttle.failed('a', 4);
  assert.is(throttle.blockedMs('a', 4), 60_000);
  assert.is(throttle.blockedMs('a', 60_004), 0);
  for (let at = 0; at < 4; at++) throttle.failed('b', at);
  throttle.failed('b', 60_000);
  assert.is(throttle.blockedMs('b', 60_000), 0);
});
test('blocked sources survive any number of others', () => {
  const throttle = new UpgradeThrottle();
  for (let n = 0; n < 5; n++) throttle.failed('bad', n);
  for (let n = 0; n < 10_000; n++) throttle.failed(`other${n}`, 10);
  assert.ok(throttle.blockedMs('bad', 10) > 0);
});

const rules = { origins: ['https://ok.example'], hosts: ['box.example'] };
test('known hosts are addresses, loopback names and the list', () => {
  for (const host of [
    '127.0.0.1:8090',
    '[::1]:8090',
    'localhost',
    'localhost:1',
    'box.example',
    'BOX.example:443',
  ]) {
    assert.ok(hostAllowed(host, rules), host);
  }
  for (const host of [
    undefined,
    '',
    'evil',
    'evil.example:8090',
    'box.example.evil',
    'localhost.evil',
    'a b',
  ]) {
    assert.not.ok(hostAllowed(host, rules), String(host));
  }
});
test('an origin must be the server’s own or listed; none at all is no browser', () => {
  assert.ok(originAllowed(undefined, 'localhost:1', rules));
  assert.ok(originAllowed('http://localhost:1', 'localhost:1', rules));
  assert.ok(originAllowed('https://ok.example', 'localhost:1', rules));
  for (const origin of ['null', 'http://localhost:2', 'http://evil', 'file://', 'http://localhost:1/x', '']) {
    assert.not.ok(originAllowed(origin, 'localhost:1', rules), origin);
  }
});

test('the attach query takes the largest offset and refuses what is none', () => {
  const query = parseAttachQuery('since=18446744073709551615&rows=5&cols=7&mode=view&snapshot=1&x=y');
  assert.equal(query, {
    since: 18_446_744_073_709_551_615n,
    rows: 5,
    cols: 7,
    mode: 'view',
    snapshotLines: 1000,
  });
  const bad = [
    'since=-1',
    'since=',
    'since=1&since=2',
    'since=1.0',
    'since=18446744073709551616',
    'rows=65536',
    'cols=x',
  ];
  for (const text of [...bad, 'mode=own', 'snapshot=yes']) {
    const result = parseAttachQuery(text);
    assert.ok('refused' in result, text);
  }
});
test('a size that is not named keeps the session’s, and one out of range is told later', () => {
  const at = (text: string) => {
    const query = parseAttachQuery(text);
    assert.not.ok('refused' in query);
    return 'refused' in query ? 'bad' : querySize(query);
  };
  assert.is(at(''), undefined);
  assert.equal(at('rows=10'), { rows: 10, cols: 80 });
  assert.equal(at('rows=1000&cols=1'), { rows: 1000, cols: 1 });
  assert.is(at('rows=0'), 'bad');
  assert.is(at('cols=1001'), 'bad');
});

test('a ticket works once and for thirty seconds', () => {
  const tickets = new Tickets();
  const first = tickets.issue(0);
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.is(tickets.redeem(first, 29_999), true);
  assert.is(tickets.redeem(first, 29_999), false);
  assert.is(tickets.redeem(tickets.issue(0), 30_000), false);
  assert.is(tickets.redeem('nonsense', 0), false);
  const oldest = tickets.issue(0);
  for (let n = 0; n < 64; n++) tickets.issue(0);
  assert.is(tickets.redeem(oldest, 1), false);
});

test.run();
