// Takes the pictures of the page that the README shows: `node dist/test/browser/pictures.js FOLDER`. A real server, demo
// agents and the page as it is; nothing in a picture is drawn by hand.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { SeatRig } from '../support/seat-rig.js';
import { launch, Visitor } from './visitor.js';

const folder = process.argv[2] ?? 'spec/pictures';
const wanted = process.argv.slice(3);

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function shoot(visitor: Visitor, name: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  await wait(400); // a frame or two for what has just come
  await visitor.page.screenshot({ path: join(folder, `${name}.png`) });
}

async function play(browser: Browser, rig: SeatRig): Promise<void> {
  const link = () => `${rig.server.url}/#ticket=${rig.server.mintTicket()}`;
  await rig.seat('claude');
  await rig.seat('review');
  await rig.seat('docs@team');
  await rig.call('POST', '/admin/sessions', {
    name: 'build',
    kind: 'terminal',
    command: ['bash', '--noprofile', '--norc'],
  });
  const login = await Visitor.open(browser, rig.server.url, { width: 900, height: 560 });
  await shoot(login, 'login');
  await login.close();

  const visitor = await Visitor.open(browser, link(), { width: 1280, height: 760 });
  const { page } = visitor;
  await page.click('a.seat[href="#seat=claude"]');
  await visitor.attached();
  await visitor.sees('Demo agent');
  await visitor.type('work 4s\r');
  await rig.status('claude', ({ state }) => state === 'working');
  await rig.status('claude', ({ state }) => state === 'idle');
  await visitor.type('explain the te');
  const shepherd = await rig.token('shepherd');
  const wake = rig.ask(shepherd, {
    seat: 'claude',
    origin: 'wake',
    body: 'say row 7 is yours: the nightly build is red',
    wait_ms: 120_000,
    raw: true,
    routine: 'queue',
  });
  await rig.send('review', 'ask rm -rf build');
  await page.waitForSelector('.ask.outcome-waiting');
  await wait(11_000);
  await shoot(visitor, 'waiting');
  await visitor.type('sts\r');
  await wake;
  await rig.status('claude', ({ state }) => state === 'idle');
  await rig.guard('docs@team', 'hold');
  await rig.send('docs@team', 'the style guide has moved');
  await page.click('#tab-audit');
  const ask = await page.waitForSelector('.ask.outcome-delivered');
  await ask.hover({ force: true });
  await shoot(visitor, 'granted');
  await page.click('a.seat[href="#seat=review"]');
  await visitor.attached();
  await page.click('#tab-floor');
  await page.waitForSelector('.dialog');
  await shoot(visitor, 'dialog');
  await page.click('a.seat:has-text("docs@team")');
  await visitor.attached();
  await page.click('#tab-kept');
  await page.waitForSelector('.cards li');
  await shoot(visitor, 'guard');
  await visitor.close();

  const dark = await Visitor.open(browser, link(), { width: 1280, height: 760, dark: true });
  await dark.page.click('a.seat[href="#seat=review"]');
  await dark.attached();
  await dark.page.waitForSelector('.dialog');
  await shoot(dark, 'dark');
  await dark.close();

  const phone = await Visitor.open(browser, link(), { width: 390, height: 780 });
  await phone.page.waitForSelector('a.seat');
  await shoot(phone, 'phone-seats');
  await phone.page.click('a.seat[href="#seat=review"]');
  await phone.attached();
  await phone.page.waitForSelector('.dialog');
  await shoot(phone, 'phone-dialog');
  await phone.page.click('.back');
  await phone.page.click('a.seat[href="#seat=claude"]');
  await phone.attached();
  await phone.page.click('#tab-floor');
  await shoot(phone, 'phone-floor');
  await phone.close();
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
const rig = await SeatRig.start();
try {
  await play(browser, rig);
} finally {
  await browser.close();
  await rig.close();
}
process.exit(0);
