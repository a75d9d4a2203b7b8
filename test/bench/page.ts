// What an operator feels in the page: from a key to its painted glyph, against a bare WebSocket echo of the same page; and how
// long the page is deaf while 20 MB run through its terminal. Without Chromium there is nothing to measure, and it says so.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { SeatRig } from '../support/seat-rig.js';
import type { Bar } from './bar.js';
import { atMost, percentile, type Row } from './figure.js';

const CHROMIUM = process.env.OPENFLOOR_CHROMIUM ?? '/usr/bin/chromium';
const FLOOD_BYTES = 20 * 1_048_576;
const LIMIT_MS = 120_000;

/** The seat's element, as far as a measurement needs it. */
interface Seat extends Element {
  readonly screenText: string;
  readonly terminal: { onRender(listener: () => void): { dispose(): void } };
}

async function open(browser: Browser, rig: SeatRig, name: string, script: string): Promise<Page> {
  const body = { name, kind: 'terminal', command: ['/bin/sh', '-c', script], rows: 30, cols: 100 };
  const { status } = await rig.call('POST', '/admin/sessions', body);
  if (status !== 200) throw new Error(`the session was answered with ${status}`);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${rig.server.url}/#ticket=${rig.server.mintTicket()}`);
  await page.click(`a.seat[href="#seat=${name}"]`);
  await page.waitForFunction(() =>
    (document.querySelector('openfloor-seat') as Seat | null)?.screenText.includes('READY'),
  );
  await page.focus('.terminal textarea');
  return page;
}

/** Milliseconds from the key's own time stamp until the frame with its glyph has been painted. */
async function painted(page: Page, keys: number): Promise<number[]> {
  const samples: number[] = [];
  for (let key = 0; key < keys; key++) {
    const letter = String.fromCharCode(97 + (key % 26));
    await page.evaluate((wanted) => {
      const seat = document.querySelector('openfloor-seat') as Seat;
      const count = (text: string) => text.split(wanted).length;
      const before = count(seat.screenText);
      (window as unknown as { sample: Promise<number> }).sample = new Promise((resolve) => {
        let pressed = 0;
        document.addEventListener('keydown', (event) => (pressed = event.timeStamp), {
          capture: true,
          once: true,
        });
        const render = seat.terminal.onRender(() => {
          if (count(seat.screenText) === before) return;
          render.dispose();
          // A message comes after the frame that is being drawn.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - pressed);
          port2.postMessage(0);
        });
      });
    }, letter);
    await page.keyboard.press(letter);
    samples.push(await page.evaluate(() => (window as unknown as { sample: Promise<number> }).sample));
  }
  return samples;
}

/** Milliseconds of a byte there and back over a WebSocket of the same page, without a terminal. */
async function bare(page: Page, token: string, seat: string, count: number): Promise<number[]> {
  return page.evaluate(
    async ([secret, name, times]) => {
      const url = `${location.origin.replace('http', 'ws')}/pty/${name}?mode=join`;
      const socket = new WebSocket(url, [`openab.bearer.${secret}`, 'openab.pty.v1']);
      socket.binaryType = 'arraybuffer';
      let heard = (_at: number) => {};
      await new Promise((resolve) => {
        socket.onmessage = ({ data }) => {
          if (typeof data === 'string') resolve(undefined);
          else heard(performance.now());
        };
      });
      const samples: number[] = [];
      for (let n = 0; n < times; n++) {
        const answer = new Promise<number>((resolve) => (heard = resolve));
        const sent = performance.now();
        socket.send(new TextEncoder().encode('x'));
        samples.push((await answer) - sent);
      }
      socket.close();
      return samples;
    },
    [token, seat, count] as const,
  );
}

interface Flood {
  /** The longest task, and the longest without the time that xterm parsed in it. Milliseconds. */
  readonly worstMs: number;
  readonly oursMs: number;
  readonly tookMs: number;
}

interface Watch {
  readonly tasks: { startTime: number; duration: number }[];
  readonly parses: { from: number; to: number }[];
  started: number;
}

async function flood(page: Page): Promise<Flood> {
  await page.evaluate(() => {
    const watch: Watch = { tasks: [], parses: [], started: performance.now() };
    (window as unknown as { watch: Watch }).watch = watch;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) watch.tasks.push({ startTime, duration });
    }).observe({ entryTypes: ['longtask'] });
    const { terminal } = document.querySelector('openfloor-seat') as unknown as {
      terminal: { _core: { _writeBuffer: { _innerWrite(...given: unknown[]): unknown } } };
    };
    const buffer = terminal._core._writeBuffer;
    const parse = buffer._innerWrite.bind(buffer);
    buffer._innerWrite = (...given) => {
      const from = performance.now();
      const answer = parse(...given);
      watch.parses.push({ from, to: performance.now() });
      return answer;
    };
  });
  await page.keyboard.press('g');
  await page.waitForFunction(
    () => (document.querySelector('openfloor-seat') as Seat).screenText.includes('DONE'),
    undefined,
    { timeout: LIMIT_MS, polling: 200 },
  );
  return page.evaluate(() => {
    const { tasks, parses, started } = (window as unknown as { watch: Watch }).watch;
    if (parses.length === 0) throw new Error('xterm parsed nothing that was watched');
    const parsed = (from: number, to: number) =>
      parses.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);
    const ours = tasks.map(({ startTime, duration }) => duration - parsed(startTime, startTime + duration));
    return {
      worstMs: Math.max(0, ...tasks.map(({ duration }) => duration)),
      oursMs: Math.max(0, ...ours),
      tookMs: performance.now() - started,
    };
  });
}

export const pageBar: Bar = {
  id: 'PAGE',
  title: 'the operator’s page: key to glyph, and a flood',
  async measure(bench): Promise<Row[]> {
    if (!existsSync(CHROMIUM)) {
      return [
        {
          bar: 'PAGE',
          what: 'not measured',
          figure: 0,
          unit: '',
          note: `there is no Chromium at ${CHROMIUM}`,
        },
      ];
    }
    const rig = await SeatRig.start();
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const echo = await open(browser, rig, 'echo', 'stty raw -echo; printf READY; exec cat');
      const keys = bench.quick ? 40 : 300;
      await painted(echo, 20); // warm: the glyphs are in the atlas
      const glyph = percentile(await painted(echo, keys), 0.5);
      await rig.call('POST', '/admin/sessions', {
        name: 'bare',
        kind: 'terminal',
        command: ['/bin/sh', '-c', 'stty raw -echo; exec cat'],
      });
      const { body } = await rig.call('POST', '/admin/sessions/bare/tokens', { mode: 'join' });
      await bare(echo, body.token, 'bare', 50);
      const raw = percentile(await bare(echo, body.token, 'bare', keys), 0.5);
      await echo.close();
      const line = 'x'.repeat(79);
      const script = `stty raw -echo; printf READY; head -c 1 >/dev/null; yes ${line} | head -c ${FLOOD_BYTES}; printf '\\r\\nDONE'; exec cat`;
      const page = await open(browser, rig, 'flood', script);
      const { worstMs, oursMs, tookMs } = await flood(page);
      return [
        {
          bar: 'PAGE',
          what: 'key to painted glyph p50, more than a bare echo',
          figure: glyph - raw,
          unit: 'ms',
          limit: atMost(8),
          note: `${glyph.toFixed(1)} ms / ${raw.toFixed(1)} ms, ${keys} keys`,
        },
        {
          bar: 'PAGE',
          what: 'longest task outside xterm’s parse while 20 MB are drawn',
          figure: oursMs,
          unit: 'ms',
          limit: atMost(100),
          note: `${worstMs.toFixed(0)} ms with it; drawn in ${(tookMs / 1000).toFixed(1)} s; 0 is none over 50 ms`,
        },
      ];
    } finally {
      await browser.close();
      await rig.close();
    }
  },
};
