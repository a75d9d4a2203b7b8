// The screen host with its real worker: order of bytes, resizes and questions; backlog; what a failure leaves; and that
// nothing keeps a process alive.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCREEN_BACKLOG_BYTES } from '../../../protocol/limit.js';
import { createScreenHost } from '../../../runtime/screen/host.js';
import { type Reading, type Screen, ScreenGone, type ScreenOptions } from '../../../runtime/screen/port.js';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const options: ScreenOptions = { rows: 5, cols: 20, scrollbackLines: 100, onReading() {} };

const host = createScreenHost();
const test = suite('runtime/screen/host');
test.after(() => host.close());

/** A screen, and a way to write text to it at its offset. */
function opened(extra: Partial<ScreenOptions> = {}): { screen: Screen; write: (text: string) => number } {
  const screen = host.open({ ...options, ...extra });
  let offset = 0;
  return {
    screen,
    write(text) {
      const bytes = bytesOf(text);
      offset += bytes.length;
      screen.write(bytes, offset);
      bytes.fill(0);
      return offset;
    },
  };
}

async function goneBy(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, ScreenGone);
    return (error as ScreenGone).reason;
  }
  throw new Error('was answered');
}

test('a reading has everything written before it, although the buffer was reused', async () => {
  const { screen, write } = opened();
  const offset = write('one\r\n\x1b[31mtwo  ');
  const reading = await screen.read();
  assert.equal(reading.text, ['one', 'two', '', '', '']);
  assert.equal(reading.offset, offset);
  assert.equal(reading.cursor, { x: 5, y: 1, visible: true });
  assert.is(reading.screen, 'main');
  assert.is(reading.syncOpen, false);
  assert.is(screen.reading, reading);
  assert.is(screen.backlogBytes, 0);
  screen.close();
});

test('the same bytes one at a time give the same reading, also code points cut anywhere', async () => {
  const text = '\x1b]0;✳ title\x07a—b “c” 漢\x1b[2;3Hé😀\x1b[?25l\x1b[?1049h\x1b[?2026hx…';
  const whole = opened();
  whole.write(text);
  const expected = await whole.screen.read();
  const single = opened().screen;
  for (const [index, byte] of bytesOf(text).entries()) single.write(Uint8Array.of(byte), index + 1);
  assert.equal(await single.read(), expected);
  assert.is(expected.screen, 'alternate');
  assert.is(expected.syncOpen, true);
  assert.is(expected.cursor.visible, false);
});

test('an em dash that was cut after two bytes is on the screen', async () => {
  const { screen } = opened();
  screen.write(Uint8Array.of(0x61, 0xe2, 0x80), 3);
  assert.is((await screen.read()).text[0], 'a');
  screen.write(Uint8Array.of(0x94, 0x62), 5);
  assert.is((await screen.read()).text[0], 'a—b');
});

test('a resize takes effect between the bytes around it', async () => {
  const { screen, write } = opened();
  write(`${'x'.repeat(15)}\r\ny`);
  screen.resize({ rows: 6, cols: 10 });
  write('y'.repeat(10));
  const reading = await screen.read();
  assert.equal([reading.rows, reading.cols], [6, 10]);
  assert.equal(reading.text.slice(0, 5), ['x'.repeat(10), 'xxxxx', 'y'.repeat(10), 'y', '']);
});

test('the cursor is where the bytes written so far put it', async () => {
  const { screen, write } = opened();
  const places = ['\x1b[3;7H', 'abc', '\x1b[2;4r\x1b[?6h\x1b[2;2H', '\x1b[?6l\x1b[5;20Hz'].map((text) => {
    const offset = write(text);
    return screen.cursorPosition().then((position) => ({ ...position, late: position.offset - offset }));
  });
  const seen = (await Promise.all(places)).map(({ row, col, late }) => [row, col, late]);
  assert.equal(seen, [
    [3, 7, 0],
    [3, 10, 0],
    [2, 2, 0],
    [5, 20, 0],
  ]);
});

test('a snapshot draws the screen, and the stream goes on where an unfinished sequence began', async () => {
  const { screen, write } = opened();
  const whole = write('shown');
  write('\x1b[3');
  const cut = await screen.snapshot(100);
  assert.is(cut.offset, whole);
  assert.equal([cut.rows, cut.cols], [5, 20]);
  const copy = host.open(options);
  copy.write(cut.bytes, cut.bytes.length);
  assert.equal((await copy.read()).text, ['shown', '', '', '', '']);
  const offset = write('1mred');
  assert.is((await screen.snapshot(100)).offset, offset);
});

test('a snapshot keeps as much history as asked for', async () => {
  const { screen, write } = opened();
  for (let line = 0; line < 50; line++) write(`line ${line}\r\n`);
  const shown = (bytes: Uint8Array) =>
    (
      Buffer.from(bytes)
        .toString()
        .match(/line \d+/g) ?? []
    ).length;
  assert.is(shown((await screen.snapshot(0)).bytes), 4);
  assert.is(shown((await screen.snapshot(10)).bytes), 14);
  assert.is(shown((await screen.snapshot(1000)).bytes), 50);
});

test('readings are published once output settles, the last one current', async () => {
  const readings: Reading[] = [];
  const end = 300;
  await new Promise<void>((resolve) => {
    const hold = setInterval(() => {}, 1000);
    const { write } = opened({
      onReading(reading) {
        readings.push(reading);
        if (reading.offset !== end) return;
        clearInterval(hold);
        resolve();
      },
    });
    for (let i = 0; i < end; i++) write('.');
  });
  assert.is(readings.at(-1)?.text.join(''), '.'.repeat(100));
  assert.ok(readings.length < 50);
});

test('a flood is counted as backlog and its fall is told once', async () => {
  let drained = 0;
  const { screen, write } = opened({ onDrain: () => drained++ });
  const line = `${'flood '.repeat(3)}\r\n`.repeat(50_000);
  let offset = 0;
  while (screen.backlogBytes <= SCREEN_BACKLOG_BYTES) offset = write(line);
  const reading = await screen.read();
  assert.is(reading.offset, offset);
  assert.is(screen.backlogBytes, 0);
  assert.is(drained, 1);
});

test('a flooding session does not hold up the cursor of another', async () => {
  const flood = opened();
  const quiet = opened();
  quiet.write('ok');
  flood.write('flood\r\n'.repeat(1_000_000));
  quiet.write('!');
  const position = await quiet.screen.cursorPosition();
  assert.is(position.col, 4);
  assert.ok(flood.screen.backlogBytes > 1_000_000, 'the flood is still going on');
  flood.screen.close();
});

test('repeat counts that no screen has cost what a screen costs', async () => {
  const { screen, write } = opened();
  write(
    '\x1b[2147483647S\x1b[2147483647T\x1b[2147483647L\x1b[2147483647M\x1b[2147483647@x\x1b[2147483647b\x1b[2147483647Iy',
  );
  const { text, cursor } = await screen.read();
  assert.equal([text.join('').includes('x'), cursor.y], [true, 4]);
});

test('a sequence that the package fails on loses nothing after it', async () => {
  const { screen, write } = opened();
  write('\x1b[5;20H\x1b[1Jstill here');
  const { text } = await screen.read();
  assert.equal(text.slice(-2), [`${' '.repeat(19)}s`, 'till here']);
});

test('a closed screen rejects what was asked and ignores what comes', async () => {
  const { screen, write } = opened();
  write('x');
  const pending = [screen.read(), screen.cursorPosition(), screen.snapshot(0)].map(goneBy);
  screen.close();
  assert.equal(await Promise.all(pending), ['screen_closed', 'screen_closed', 'screen_closed']);
  write('y');
  screen.resize({ rows: 3, cols: 3 });
  screen.close();
  assert.is(screen.backlogBytes, 0);
  assert.is(screen.reading, undefined);
  assert.is(await goneBy(screen.read()), 'screen_closed');
});

test('a worker that dies takes its screens along, says why, and the next screen gets a new one', async () => {
  const failing = createScreenHost(new URL('./failing-worker.js', import.meta.url));
  const causes: string[] = [];
  let drained = 0;
  const first = failing.open({ ...options, onLost: (cause) => causes.push(cause), onDrain: () => drained++ });
  first.write(new Uint8Array(SCREEN_BACKLOG_BYTES + 1), SCREEN_BACKLOG_BYTES + 1);
  first.write(bytesOf('fail'), SCREEN_BACKLOG_BYTES + 5);
  assert.is(await goneBy(first.read()), 'screen_lost');
  assert.is(causes.length, 1);
  assert.match(causes[0] ?? '', /planted/);
  assert.is(drained, 1);
  first.write(bytesOf('more'), 20);
  assert.is(first.backlogBytes, 0);
  assert.is(await goneBy(first.cursorPosition()), 'screen_lost');
  const second = failing.open(options);
  second.write(bytesOf('fail'), 4);
  assert.is(await goneBy(second.read()), 'screen_lost');
  await failing.close();
});

test('a process with an idle screen ends by itself', () => {
  const module = new URL('../../../runtime/screen/host.js', import.meta.url).href;
  const script = `
    const { createScreenHost } = await import(${JSON.stringify(module)});
    const host = createScreenHost();
    const screen = host.open({ rows: 5, cols: 20, scrollbackLines: 10, onReading() {} });
    screen.write(Buffer.from('hello'), 5);
    console.log((await screen.read()).text[0]);
    screen.write(Buffer.from('more'), 9);`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 });
  assert.is(child.signal, null);
  assert.is(child.status, 0, child.stderr.toString());
  assert.is(child.stdout.toString(), 'hello\n');
});

test.run();
