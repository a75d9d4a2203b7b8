// A person with a browser, for tests: Chromium against a real server with demo agents. Always true: every violation of the
// page's policy and every error in it is kept, and `close` fails if there was one. Waits are for events, with a limit.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { SeatRig } from '../support/seat-rig.js';

const CHROMIUM = process.env.OPENFLOOR_CHROMIUM ?? '/usr/bin/chromium';
export const LIMIT_MS = 20_000;

export async function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `there is no Chromium at ${CHROMIUM}: install it (apt-get install chromium) or set OPENFLOOR_CHROMIUM`,
    );
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

export class Visitor {
  readonly faults: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(
    browser: Browser,
    url: string,
    options: { width?: number; height?: number; dark?: boolean; reducedMotion?: boolean } = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.dark ? 'dark' : 'light',
      reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    const visitor = new Visitor(context, page);
    page.on('pageerror', (error) => visitor.faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) visitor.faults.push(message.text());
    });
    await page.goto(url);
    return visitor;
  }

  /** In by a one-time link, and attached to this seat; `base` where the page is not at the server's own address. */
  static async enter(browser: Browser, rig: SeatRig, seat: string, base = rig.server.url): Promise<Visitor> {
    const visitor = await Visitor.open(browser, `${base}/#ticket=${rig.server.mintTicket()}`);
    await visitor.page.click(`a.seat[href="#seat=${seat}"]`);
    await visitor.attached();
    return visitor;
  }

  /** What the terminal shows. */
  screen(): Promise<string> {
    return this.page.evaluate(
      () =>
        (document.querySelector('openfloor-seat') as unknown as { screenText: string } | null)?.screenText ??
        '',
    );
  }

  /** Waits until the terminal shows this. */
  async sees(text: string | RegExp): Promise<void> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const screen = await this.screen();
      if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return;
      if (Date.now() > deadline) throw new Error(`the terminal never showed ${text}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async attached(): Promise<void> {
    await this.page.waitForSelector('.terminal[data-state="attached"]');
  }

  async type(text: string): Promise<void> {
    await this.page.focus('.terminal textarea');
    await this.page.keyboard.type(text);
  }

  /** Pastes as the browser does, through its clipboard event. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => {
      const data = new DataTransfer();
      data.setData('text/plain', value);
      const target = document.querySelector('.terminal textarea');
      target?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, text);
  }

  async close(): Promise<void> {
    await this.context.close();
    if (this.faults.length > 0) throw new Error(`the page had faults: ${this.faults.join('\n')}`);
  }
}
