// The emulator's bounds: links, titles, sequences the package fails on; and that a reset terminal keeps them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { paintSnapshot } from '../../../runtime/screen/snapshot.js';
import { feed } from './state.js';

const test = suite('runtime/screen/emulator');
const fresh = () => new Emulator({ rows: 4, cols: 20, scrollbackLines: 2000 });
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const painted = (emulator: Emulator) => Buffer.from(paintSnapshot(emulator, 2000)).toString();

test('the newest 1024 links are kept, and a longer one than 2048 characters is text', () => {
  const emulator = fresh();
  for (let i = 0; i < 1500; i++)
    feed(emulator, bytesOf(`\x1b]8;;http://a/${i}\x1b\\l${i}\x1b]8;;\x1b\\\r\n`));
  feed(emulator, bytesOf(`\x1b]8;;http://b/${'x'.repeat(2048)}\x1b\\long\x1b]8;;\x1b\\`));
  const text = painted(emulator);
  assert.is(text.match(/\x1b\]8;;http:/g)?.length, 1024);
  assert.ok(
    text.includes('http://a/1499') && text.includes('http://a/476') && !text.includes('http://a/475\x1b'),
  );
  assert.ok(text.includes('l475') && text.includes('long') && !text.includes('http://b'));
});

test('a title is cut, and nothing in it ends its string', () => {
  const emulator = fresh();
  feed(emulator, bytesOf(`\x1b]2;${'t'.repeat(5000)}\x07`));
  assert.is(emulator.title.length, 1024);
  assert.is(/\x1b\]2;([^\x1b]*)\x1b\\/.exec(painted(emulator))?.[1]?.length, 1024);
});

test('a snapshot asks nothing and resets nothing hard', () => {
  const emulator = fresh();
  feed(
    emulator,
    bytesOf('\x1b[c\x1b[6n\x1b[?2026$p\x1b]10;?\x07\x1b[?u\x1bP+q544e\x1b\\text\x1b[?1049h\x1b[>c'),
  );
  const text = painted(emulator);
  assert.not.match(text, /\x1bc|\x1b\[[?>=]?[\d;]*[cnu]|\$p|\?\x07|\x1bP|;\?\x1b/);
});

test('a terminal that was reset hard keeps its bounds', () => {
  const emulator = fresh();
  feed(emulator, bytesOf(`old\x1bc\x1b[2147483647Snew\x1b]2;${'t'.repeat(2000)}\x07`));
  assert.is(emulator.row(0)?.translateToString(true, 0, 20), 'new');
  assert.is(emulator.title.length, 1024);
  assert.is(emulator.faults, 0);
});

test('a full reset shows a hidden cursor', () => {
  const emulator = fresh();
  feed(emulator, bytesOf('\x1b[?25l'));
  assert.is(emulator.core.coreService.isCursorHidden, true);
  feed(emulator, bytesOf('\x1bc'));
  assert.is(emulator.core.coreService.isCursorHidden, false);
});

test('a sequence the package throws on is counted, and the parse goes on', () => {
  const emulator = fresh();
  feed(emulator, bytesOf('\x1b[4;20H\x1b[1J\x1b[1;1Hgoes on'));
  assert.is(emulator.faults, 1);
  assert.is(emulator.row(0)?.translateToString(true, 0, 20), 'goes on');
});

test.run();
