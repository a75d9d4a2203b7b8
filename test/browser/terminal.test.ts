// The page's terminal in a real browser: the way in, typing, pasting, a line that is cut, a takeover, looking only.

import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CutProxy } from '../e2e/cut-proxy.js';
import { submissions } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';
import { launch, Visitor } from './visitor.js';

const test = suite<{ rig: SeatRig; browser: Browser }>('browser: terminal');
test.before(async (context) => {
  context.browser = await launch();
  context.rig = await SeatRig.start();
});
test.after(async ({ browser, rig }) => {
  await browser?.close();
  await rig?.close();
});

const link = (rig: SeatRig, fragment = '', base = rig.server.url) =>
  `${base}/#ticket=${rig.server.mintTicket()}${fragment}`;

test('a one-time link lets in once, leaves nothing in the address, and logging out forgets it', async ({
  browser,
  rig,
}) => {
  await rig.seat('way-in');
  const address = link(rig);
  const visitor = await Visitor.open(browser, address);
  await visitor.page.waitForSelector('a.seat');
  assert.not.match(visitor.page.url(), /ticket/);
  const stored = await visitor.page.evaluate(() => ({
    session: Object.values({ ...sessionStorage }).join(),
    local: localStorage.length,
    cookie: document.cookie,
  }));
  assert.match(stored.session, /"operator"/);
  assert.equal([stored.local, stored.cookie], [0, '']);
  await visitor.page.reload();
  await visitor.page.waitForSelector('a.seat');

  const second = await Visitor.open(browser, address);
  assert.match((await second.page.textContent('[role=alert]')) ?? '', /used or is too old.*openfloor login/);
  await second.page.fill('#link', link(rig));
  await second.page.keyboard.press('Enter');
  await second.page.waitForSelector('a.seat');
  await second.close();

  const token = await visitor.page.evaluate(
    () => JSON.parse(Object.values({ ...sessionStorage })[0] as string).token,
  );
  await visitor.page.click('text=Log out');
  await visitor.page.waitForSelector('#link');
  assert.is(await visitor.page.evaluate(() => sessionStorage.length), 0);
  const ended = async () => (await rig.call('GET', '/api/seats', undefined, token)).status;
  for (let looks = 0; looks < 100 && (await ended()) === 200; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // A revoked credential counts as guessing, which is soon answered 429.
  assert.ok([401, 429].includes(await ended()));
  await visitor.close();
});

test('the page holds every browser to its policy and caches what never changes', async ({ rig }) => {
  const page = await fetch(rig.server.url);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.not.match(policy, /unsafe/);
  assert.is(page.headers.get('cache-control'), 'no-cache');
  const html = await page.text();
  assert.not.match(html, /<script(?![^>]*src=)|<style|\son\w+=/);
  const script = /src="\.\/(assets\/[^"]+)"/.exec(html)?.[1];
  const asset = await fetch(`${rig.server.url}/${script}`);
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/);
  assert.match(asset.headers.get('content-type') ?? '', /javascript/);
  assert.is(asset.headers.get('content-encoding'), 'gzip');
  assert.is((await fetch(`${rig.server.url}/assets/none.js`)).status, 404);
});

test('keys reach the agent, and what it draws is seen', async ({ browser, rig }) => {
  const agent = await rig.seat('keys');
  const visitor = await Visitor.enter(browser, rig, 'keys');
  await visitor.sees('Demo agent');
  await visitor.type('say Grüße 你好\r');
  await agent.until((entries) => submissions(entries).includes('say Grüße 你好') || undefined);
  await visitor.sees(/Grüße 你好[\s\S]*Grüße 你好/);
  await visitor.close();
});

test('a paste of several lines arrives in one frame, and one that would be entered line by line is asked about', async ({
  browser,
  rig,
}) => {
  const framed = await rig.seat('framed');
  const plain = await rig.seat('plain', ['--no-paste']);
  const visitor = await Visitor.enter(browser, rig, 'framed');
  await visitor.sees('Demo agent');
  await visitor.paste('one\ntwo\x1b[201~\rthree');
  await visitor.sees('three');
  assert.match(await framed.received(), /\x1b\[200~one\rtwo\[201~\rthree\x1b\[201~/);
  assert.equal(await framed.submitted(), []);

  await visitor.page.click('a.seat[href="#seat=plain"]');
  await visitor.attached();
  await visitor.sees('Demo agent');
  await visitor.paste('one\ntwo\n');
  await visitor.page.waitForSelector('[role=alertdialog]');
  assert.match((await visitor.page.textContent('[role=alertdialog]')) ?? '', /2 lines/);
  await visitor.page.click('text=Don’t paste');
  assert.not.match(await plain.received(), /one|two/);
  await visitor.paste('one\ntwo\n');
  await visitor.page.click('[role=alertdialog] .primary');
  await plain.until((entries) => submissions(entries).includes('one') || undefined);
  await visitor.close();
});

test('after the line is cut the page says so, comes back, and misses no byte', async ({ browser, rig }) => {
  await rig.seat('cut');
  const { hostname, port } = new URL(rig.server.url);
  const proxy = new CutProxy({ host: hostname, port: Number(port) });
  await proxy.open();
  const visitor = await Visitor.enter(browser, rig, 'cut', proxy.url);
  await visitor.sees('Demo agent');
  await proxy.close();
  await visitor.page.waitForSelector('.bar.lost');
  await visitor.page.waitForSelector('.line.lost');
  await rig.send('cut', 'say typed meanwhile');
  await proxy.open();
  await visitor.attached();
  await visitor.sees(/typed meanwhile[\s\S]*typed meanwhile/);
  await visitor.page.waitForSelector('.bar', { state: 'detached' });
  await visitor.type('and on');
  await visitor.sees('> and on');
  await visitor.close();
  await proxy.close();
});

test('a takeover is told in words, and joining again is one click', async ({ browser, rig }) => {
  await rig.seat('taken');
  const visitor = await Visitor.enter(browser, rig, 'taken');
  await rig.operator('taken', 'take');
  const bar = await visitor.page.waitForSelector('.bar.ended[data-code="4002"]');
  assert.match((await bar.textContent()) ?? '', /took the keyboard over/);
  await visitor.page.click('.bar button:has-text("Join")');
  await visitor.attached();
  await visitor.type('back');
  await visitor.sees('> back');
  await visitor.close();
});

test('a view link shows and types nothing', async ({ browser, rig }) => {
  const agent = await rig.seat('looked-at');
  const { body } = await rig.call('POST', '/admin/sessions/looked-at/tokens', { mode: 'view' });
  const visitor = await Visitor.open(browser, `${rig.server.url}/#view=looked-at&token=${body.token}`);
  await visitor.attached();
  assert.not.match(visitor.page.url(), /token/);
  await visitor.sees('Demo agent');
  await visitor.type('nothing of this');
  await visitor.paste('nor this');
  await rig.send('looked-at', 'say seen');
  await visitor.sees(/seen[\s\S]*seen/);
  assert.not.match(await agent.received(), /noth|nor/);
  assert.is(await visitor.page.locator('text=Take over').count(), 0);
  await visitor.close();
});

test.run();
