// The emulator's cells as the composer room takes them: characters, widths, colours, styles, the cursor; and a reading that
// the worker makes by a pack.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readingPackOf } from '../../../runtime/agents/reading.js';
import {
  BOLD,
  colorOf,
  DEFAULT_COLOR,
  DIM,
  INVERSE,
  PALETTE,
  type ScreenSnapshot,
} from '../../../runtime/composer/snapshot.js';
import { cellsOf } from '../../../runtime/screen/cells.js';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { createScreenHost } from '../../../runtime/screen/host.js';
import type { Reading } from '../../../runtime/screen/port.js';
import { rowsOf } from '../../../runtime/screen/read.js';
import { builtinPack } from '../../support/replay.js';

const host = createScreenHost();
const test = suite('runtime/screen/cells');
test.after(() => host.close());

function screenOf(text: string, size = { rows: 3, cols: 12, scrollbackLines: 0 }): ScreenSnapshot {
  const emulator = new Emulator(size);
  emulator.parse(new Uint8Array(Buffer.from(text, 'utf8')));
  return cellsOf(emulator, rowsOf(emulator));
}

test('a wide character takes two cells, an empty cell is a blank, a joined mark stays with its character', () => {
  const line = screenOf('a漢e\u0301\x1b[1;8Hz').line(0);
  assert.equal(line.chars, ['a', '漢', '', 'e\u0301', ' ', ' ', ' ', 'z', ' ', ' ', ' ', ' ']);
  assert.is(line.text, 'a漢e\u0301   z');
});

test('both palettes are one, and a colour that came before leaves nothing behind', () => {
  const line = screenOf(
    '\x1b[38;2;1;2;3ma\x1b[31mb\x1b[38;5;1mc\x1b[91md\x1b[38;5;9me\x1b[39mf\x1b[48;2;255;0;16mg',
  ).line(0);
  assert.equal(Array.from(line.fg).slice(0, 7), [
    colorOf('#010203'),
    PALETTE | 1,
    PALETTE | 1,
    PALETTE | 9,
    PALETTE | 9,
    DEFAULT_COLOR,
    DEFAULT_COLOR,
  ]);
  assert.equal([line.bg[0], line.bg[6]], [DEFAULT_COLOR, colorOf('#ff0010')]);
});

test('dim, bold and inverse are told apart, other attributes are left out', () => {
  const line = screenOf('\x1b[2ma\x1b[22;1mb\x1b[7mc\x1b[0;3;4;5;9md').line(0);
  assert.equal(Array.from(line.flags).slice(0, 5), [DIM, BOLD, BOLD | INVERSE, 0, 0]);
});

test('a cell erased with a background keeps it', () => {
  const line = screenOf('\x1b[44m\x1b[K').line(0);
  assert.equal([line.chars[11], line.bg[11]], [' ', PALETTE | 4]);
});

test('the viewport is read, not the history, and rows outside it are empty', () => {
  const screen = screenOf('1\r\n2\r\n3\r\n4', { rows: 3, cols: 12, scrollbackLines: 10 });
  assert.equal(
    [0, 1, 2, 3, -1].map((y) => screen.line(y).text),
    ['2', '3', '4', '', ''],
  );
  assert.equal(screen.cursor, { x: 1, y: 2, visible: true });
});

const RULE = '\x1b[38;5;8m' + '─'.repeat(40) + '\x1b[0m';
const composer = (text: string) =>
  `\x1b[2J\x1b[H${RULE}\r\n❯ ${text}\r\n${RULE}\r\n  mode\x1b[2;${3 + text.length}H`;

test('a pack takes effect between the bytes around it, and its reading is published', async () => {
  const published: Reading[] = [];
  const screen = host.open({
    rows: 6,
    cols: 40,
    scrollbackLines: 0,
    onReading: (reading) => void published.push(reading),
  });
  let offset = 0;
  const write = (text: string) => {
    const bytes = new Uint8Array(Buffer.from(text, 'utf8'));
    offset += bytes.length;
    screen.write(bytes, offset);
  };
  write(composer('half'));
  const unread = await screen.read();
  assert.equal([unread.composer, unread.vetoes], [{ kind: 'unknown', cause: 'composer_unread' }, []]);
  screen.setPack(readingPackOf(builtinPack('claude-code')));
  const draft = await screen.read();
  assert.is(draft.composer.kind, 'draft');
  assert.is(draft.offset, unread.offset);
  write(composer(''));
  const empty = await screen.read();
  assert.is(empty.composer.kind, 'empty');
  assert.is(empty.offset, offset);
  screen.setPack(undefined);
  assert.equal((await screen.read()).composer, unread.composer);
  assert.equal(
    published.map((reading) => reading.composer.kind),
    ['unknown', 'draft', 'empty', 'unknown'],
  );
  screen.close();
});

test('a pack that is set while nothing is written is published by itself', async () => {
  const seen = new Promise<Reading>((resolve) => {
    const screen = host.open({
      rows: 6,
      cols: 40,
      scrollbackLines: 0,
      onReading(reading) {
        if (reading.composer.kind === 'empty') resolve(reading);
      },
    });
    const bytes = new Uint8Array(Buffer.from(composer(''), 'utf8'));
    screen.write(bytes, bytes.length);
    void screen.read().then(() => screen.setPack(readingPackOf(builtinPack('claude-code'))));
  });
  // A published reading keeps no process up; this one is waited for.
  const alive = setInterval(() => {}, 1000);
  assert.is((await seen).composer.kind, 'empty');
  clearInterval(alive);
});

test.run();
