// What a program did to the terminal and what undoes it: the same for any chunking, and nothing for a quiet program.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModeScan } from '../../../../clients/cli/terminal/mode-scan.js';

const test = suite('mode-scan');

function undoOf(text: string, chunkBytes = text.length): string {
  const scan = new ModeScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) scan.push(bytes.subarray(at, at + chunkBytes));
  return scan.undo();
}

const CASES: ReadonlyArray<readonly [string, string, string]> = [
  ['plain output leaves nothing to undo', 'hello\r\n\x1b[31mred\x1b[0m é', ''],
  ['a query of a mode sets none', '\x1b[?2004$p\x1b[c\x1b[6n', ''],
  ['what a program undoes itself needs no undoing', '\x1b[?1049h\x1b[?25l\x1b[?25h\x1b[?1049l', ''],
  ['the alternate screen is left', '\x1b[?1049h', '\x1b[?1049l'],
  ['the alternate screen is left as it was entered', '\x1b[?47h', '\x1b[?47l'],
  ['a hidden cursor is shown', '\x1b[?25l', '\x1b[?25h'],
  ['bracketed paste and focus reports end', '\x1b[?2004h\x1b[?1004h', '\x1b[?1004l\x1b[?2004l'],
  ['several modes of one sequence count', '\x1b[?1002;1006h', '\x1b[?1002l\x1b[?1006l'],
  ['an open synchronized update ends first', '\x1b[?2004h\x1b[?2026h', '\x1b[?2026l\x1b[?2004l'],
  ['kitty flags are popped as often as pushed', '\x1b[>1u\x1b[>5u', '\x1b[<2u'],
  ['a pop takes away what was pushed', '\x1b[>1u\x1b[<u', ''],
  ['kitty flags that were set are cleared', '\x1b[=5;1u', '\x1b[=0u'],
  [
    'kitty flags of the alternate screen are popped there',
    '\x1b[>1u\x1b[?1049h\x1b[>3u',
    '\x1b[<1u\x1b[?1049l\x1b[<1u',
  ],
  ['modifyOtherKeys ends', '\x1b[>4;2m', '\x1b[>4;0m'],
  ['modifyOtherKeys that ended needs nothing', '\x1b[>4;2m\x1b[>4;0m', ''],
  ['a scroll region ends without moving the cursor', '\x1b[5;20r', '\x1b7\x1b[r\x1b8'],
  ['a scroll region that ended needs nothing', '\x1b[5;20r\x1b[r', ''],
  ['application cursor keys and keypad end', '\x1b[?1h\x1b=', '\x1b[?1l\x1b>'],
  ['wrapping comes back', '\x1b[?7l', '\x1b[?7h'],
  ['insert mode ends', '\x1b[4h', '\x1b[4l'],
  ['line drawing characters end', '\x1b(0', '\x1b(B\x0f'],
  ['a cursor style ends', '\x1b[5 q', '\x1b[0 q'],
  ['a full reset undoes everything', '\x1b[?1049h\x1b[?2004h\x1b[>1u\x1bc', ''],
  ['a soft reset shows the cursor and keeps the mouse', '\x1b[?25l\x1b[?1000h\x1b[!p', '\x1b[?1000l'],
  ['an escape inside a control string ends it and counts', '\x1b]0;\x1b[?1049h\x07', '\x1b[?1049l'],
  ['a control string that never ended is closed', '\x1bPq', '\x1b\\'],
];
for (const [name, text, expected] of CASES) {
  test(name, () => {
    assert.is(undoOf(text), expected);
    assert.is(undoOf(text, 1), expected);
  });
}

test('after the undoing nothing counts as set', () => {
  const scan = new ModeScan();
  scan.push(Buffer.from('\x1b[?1049h\x1b[?2004h'));
  assert.ok(scan.alternateScreen);
  scan.undo();
  assert.not(scan.alternateScreen);
  assert.is(scan.undo(), '');
});

test('the title is what the program set last, decoded, for any chunking', () => {
  const scan = new ModeScan();
  for (const byte of Buffer.from('\x1b]0;first\x07\x1b]2;zweiter Täg\x1b\\\x1b]9;note\x07'))
    scan.push(Uint8Array.of(byte));
  assert.is(scan.title, 'zweiter Täg');
});

test('strings and parameters without end cost nothing but their limit', () => {
  const scan = new ModeScan();
  scan.push(Buffer.from(`\x1b]0;${'x'.repeat(1_000_000)}\x07\x1b[?${'1;'.repeat(500_000)}h`));
  assert.ok((scan.title?.length ?? 0) <= 256);
  assert.is(scan.undo(), '');
});

test.run();
