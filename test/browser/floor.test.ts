// What the page shows of the floor, in a real browser: a wake that waits for a draft and is granted, on the band; a dialog
// allowed once; text composed with an input method; what hostile programs may not do.
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { submissions } from '../support/demo-agent.js';
import { SeatRig } from '../support/seat-rig.js';
import { LIMIT_MS, launch, Visitor } from './visitor.js';

const test = suite<{ rig: SeatRig; browser: Browser }>('browser: floor');
test.before(async (context) => {
  context.browser = await launch();
  context.rig = await SeatRig.start();
});
test.after(async ({ browser, rig }) => {
  await browser?.close();
  await rig?.close();
});

test('why a wake was not typed is read off the band: it waits for the draft, is granted, and leads to its record', async ({
  browser,
  rig,
}) => {
  const agent = await rig.seat('band');
  const visitor = await Visitor.enter(browser, rig, 'band');
  const { page } = visitor;
  await visitor.sees('Demo agent');
  await visitor.type('explain the te');
  await visitor.sees('explain the te');
  const shepherd = await rig.token('shepherd');
  const wake = rig.ask(shepherd, {
    seat: 'band',
    origin: 'wake',
    body: 'say look at row 7',
    wait_ms: 60_000,
    raw: true,
  });
  await page.waitForSelector('.ask.outcome-waiting');
  await page.waitForSelector('.verdict:has-text("A draft of a person is or may be in the composer")');
  assert.match((await page.textContent('a.seat[aria-current=page]')) ?? '', /1 waiting: a draft is unsent/);
  await page.waitForSelector('[data-request]:has-text("draft_input_busy")');
  await visitor.type('sts\r');
  assert.is((await wake).state, 'complete');
  const ask = await page.waitForSelector('.ask.outcome-delivered[role=button]');
  const words = (await ask.getAttribute('aria-label')) ?? '';
  assert.match(words, /^Wake of .*“say look at row 7” waited .*draft_input_busy.*Typed, and a turn began/);
  await ask.dispatchEvent('click');
  const record = await page.waitForSelector('.feed details[open]');
  assert.match((await record.textContent()) ?? '', /injection\.finished[\s\S]*"outcome": "complete"/);
  assert.ok((await page.locator('.key').count()) > 0);
  assert.equal(await agent.submitted(), ['explain the tests', 'say look at row 7']);
  await visitor.close();
});

test('a permission dialog is allowed once from the page', async ({ browser, rig }) => {
  const agent = await rig.seat('asks');
  const visitor = await Visitor.enter(browser, rig, 'asks');
  const { page } = visitor;
  await visitor.sees('Demo agent');
  await visitor.type('ask rm -rf build\r');
  const dialog = await page.waitForSelector('.dialog[data-kind=permission]');
  assert.match((await dialog.textContent()) ?? '', /asks for permission/);
  await page.waitForSelector('a.seat.need-now');
  await page.click('.dialog button:has-text("Allow once")');
  await agent.until((entries) => entries.find((entry) => entry.type === 'answer' && entry.choice === 0));
  await page.waitForSelector('.dialog', { state: 'detached' });
  await page.waitForSelector('a.seat.need-now', { state: 'detached' });
  await visitor.close();
});

test('a message is sent, kept by the guard, and retired, all from the page', async ({ browser, rig }) => {
  const agent = await rig.seat('guarded');
  const visitor = await Visitor.enter(browser, rig, 'guarded');
  const { page } = visitor;
  await page.fill('#send', 'say from the page');
  await page.click('.send button.primary');
  await agent.until((entries) => submissions(entries).includes('say from the page') || undefined);
  await page.waitForSelector('.came.good:has-text("a turn began")');
  await page.click('#tab-kept');
  await page.check('input[value=hold]');
  await page.fill('#why', 'a test');
  await page.click('.guard button');
  await page.waitForSelector('.mode.is:has-text("hold")');
  await rig.send('guarded', 'not now');
  await page.waitForSelector('.cards li:has-text("not now")');
  await page.waitForSelector('a.seat:has-text("1 held")');
  await page.click('.cards button:has-text("Retire")');
  await page.waitForSelector('.cards li', { state: 'detached' });
  assert.equal(await agent.submitted(), ['say from the page']);
  await visitor.close();
});

test('text of an input method arrives once and whole, and composing counts as a person', async ({
  browser,
  rig,
}) => {
  const agent = await rig.seat('ime');
  const visitor = await Visitor.enter(browser, rig, 'ime');
  await visitor.sees('Demo agent');
  await visitor.page.focus('.terminal textarea');
  const input = await visitor.context.newCDPSession(visitor.page);
  for (const text of ['n', 'ni', '你']) {
    await input.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  const composing = async () =>
    (await rig.call('GET', '/api/seat/status/ime')).body.presence.composing as boolean;
  const until = async (wanted: boolean) => {
    const deadline = Date.now() + LIMIT_MS;
    while ((await composing()) !== wanted) {
      if (Date.now() > deadline) throw new Error(`composing never became ${wanted}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(true);
  assert.not.match(await agent.received(), /[n你]/);
  await input.send('Input.insertText', { text: '你好' });
  await visitor.sees('> 你好');
  await until(false);
  // A composition that is given up leaves nothing.
  await input.send('Input.imeSetComposition', { text: 'x', selectionStart: 1, selectionEnd: 1 });
  await until(true);
  await input.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  await until(false);
  await visitor.type('\r');
  await agent.until((entries) => submissions(entries).includes('你好') || undefined);
  assert.equal(await agent.submitted(), ['你好']);
  await visitor.close();
});

test('a hostile program gets no clipboard, no markup, no disguise and no answer', async ({
  browser,
  rig,
}) => {
  const send = [
    String.raw`\033]2;<img src=x onerror=alert(1)>\342\200\256txt.exe\007`,
    String.raw`\033]52;c;?\007`,
    String.raw`\033]52;c;cm0gLXJmIC8K\007`,
    String.raw`\033[6n\033[c\033]10;?\007\033[?2026$p`,
    String.raw`\033[38;2;200;30;90mcoloured\033[0m`,
    String.raw`\033]8;;javascript:alert(1)\007harmless\033]8;;\007`,
  ].join('');
  const { status } = await rig.call('POST', '/admin/sessions', {
    name: 'hostile',
    kind: 'terminal',
    command: ['/bin/sh', '-c', `printf '${send}'; stty raw -echo; printf ready; exec cat`],
    rows: 30,
    cols: 100,
  });
  assert.is(status, 200);
  const visitor = await Visitor.enter(browser, rig, 'hostile');
  const { page } = visitor;
  await visitor.sees('ready');
  const before = await page.evaluate(() => navigator.clipboard.readText());
  const program = await page.waitForSelector('.program');
  assert.is(await program.textContent(), '<img src=x onerror=alert(1)>\\u{202e}txt.exe');
  assert.is(await page.locator('.program img').count(), 0);
  // The snapshot has drawn what is past; a write that comes live is only offered.
  await visitor.type('\x1b]52;c;cm0gLXJmIC8K\x07\x1b]52;c;?\x07');
  const asked = await page.waitForSelector('[role=alertdialog]');
  assert.match((await asked.textContent()) ?? '', /clipboard[\s\S]*rm -rf \//);
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), before);
  await page.click('text=Don’t copy');
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), before);
  await visitor.close();
});

test.run();
