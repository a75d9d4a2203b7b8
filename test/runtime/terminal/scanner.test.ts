// The scanner as a filter: nothing is lost, chunking changes nothing, little is held, memory is bounded.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';
import { OSC_BYTES, QUERY_BYTES } from '../../../runtime/terminal/sequence.js';
import { byteByByte, bytes, collecting, cut, outcome, replyText } from './collect.js';

const test = suite('output scanner');

const MIXED =
  'a\x1b[31mb\x1b]0;t\x1b\\\x1b[c\x07\x1b[?2004h\x1bP+q4d73\x1b\\c\x1b]8;;http://x\x07d\x1b]8;;\x07\x1b[6n\x1b_Gi=1,a=q;\x1b\\e\r\n';

test('the same bytes one at a time say the same', () => {
  assert.equal(outcome(byteByByte(bytes(MIXED))), outcome([bytes(MIXED)]));
});

test('the same bytes cut at any two places say the same', () => {
  const whole = bytes(MIXED);
  const expected = outcome([whole]);
  for (let i = 1; i < whole.length; i++) {
    for (let j = i; j < whole.length; j++) assert.equal(outcome(cut(whole, [i, j])), expected);
  }
});

test('plain text passes as the very chunk that came', () => {
  const given: Uint8Array[] = [];
  const nothing = () => {};
  const scanner = createOutputScanner({
    pass: (chunk) => given.push(chunk),
    reply: nothing,
    osc: nothing,
    modesChanged: nothing,
    bell: nothing,
    reset: nothing,
  });
  const chunk = bytes('plain text\r\n');
  scanner.push(chunk);
  assert.ok(given.length === 1 && given[0] === chunk);
});

test('a sequence that only draws and is cut in two is held until it is whole', () => {
  const { scanner, seen } = collecting();
  scanner.push(bytes('x\x1b[38;2;1'));
  assert.is(seen.passed, 'x');
  assert.is(scanner.heldBytes, 8);
  scanner.push(bytes(';2;3my'));
  assert.is(seen.passed, 'x\x1b[38;2;1;2;3my');
  assert.is(scanner.heldBytes, 0);
});

const streams: ReadonlyArray<readonly [string, string]> = [
  ['a clipboard write', '\x1b]52;c;aGVsbG8'],
  ['a hyperlink', '\x1b]8;;https://example'],
  ['a title', '\x1b]0;work'],
  ['a status report', '\x1b]7501;state=wor'],
  ['a sixel image', '\x1bP0;1q#0;2;0'],
  ['a kitty image', '\x1b_Ga=T,f=24;AAAA'],
  ['a privacy message', '\x1b^secret'],
  ['a start of string', '\x1bXtext'],
  ['a charset', '\x1b('],
  ['an iTerm2 image', '\x1b]1337;File=name=x'],
  ['a notification', '\x1b]99;i=1:p=title;he'],
  ['a control sequence with a control in it', '\x1b[3\n1'],
];
for (const [what, head] of streams) {
  test(`${what} can't become a query and is not held`, () => {
    const { scanner, seen } = collecting();
    scanner.push(bytes(head));
    assert.is(seen.passed, head);
    assert.is(scanner.heldBytes, 0);
  });
}

const heads = [
  '\x1b',
  '\x1b[',
  '\x1b[?',
  '\x1b[6',
  '\x1b]',
  '\x1b]1',
  '\x1b]11;',
  '\x1b]7501;',
  '\x1b]7501;?',
  '\x1b]52;c;?',
];
heads.push(
  '\x1bP',
  '\x1bP+',
  '\x1bP+q4d',
  '\x1bP$q',
  '\x1b_',
  '\x1b_G',
  '\x1b_Gi=1,a=q;AAA',
  '\x1b]1337;Cap',
  '\x1b]99;i=1:p=?',
);
for (const head of heads) {
  test(`${JSON.stringify(head)} can still become a query and is held`, () => {
    const { scanner, seen } = collecting();
    scanner.push(bytes(head));
    assert.is(seen.passed, '');
    assert.is(scanner.heldBytes, head.length);
    scanner.release();
    assert.is(seen.passed, head);
    assert.is(scanner.heldBytes, 0);
  });
}

test('a released query is answered once when it completes and its rest passes', () => {
  const { scanner, seen } = collecting();
  scanner.push(bytes('\x1b]75'));
  scanner.release();
  scanner.push(bytes('01;?'));
  assert.is(scanner.heldBytes, 0);
  scanner.push(bytes('\x1b'));
  assert.is(scanner.heldBytes, 1);
  scanner.push(bytes('\\x'));
  assert.is(seen.passed, '\x1b]7501;?\x1b\\x');
  assert.equal(seen.replies.map(replyText), ['\x1b]7501;?\x1b\\']);
});

test('the ESC at the end of a streaming string is held alone: it may begin a query', () => {
  const { scanner, seen } = collecting();
  scanner.push(bytes('\x1b]0;title\x1b'));
  assert.is(seen.passed, '\x1b]0;title');
  assert.is(scanner.heldBytes, 1);
  scanner.push(bytes('[c'));
  assert.is(seen.passed, '\x1b]0;title');
  assert.is(seen.replies.length, 1);
  assert.equal(seen.osc, []);
});

test('a status string of the longest kept length is reported, one byte more is not and is counted', () => {
  const frame = '\x1b]0;\x1b\\'.length;
  for (const [length, reports] of [
    [OSC_BYTES, 1],
    [OSC_BYTES + 1, 0],
  ] as const) {
    const whole = bytes(`\x1b]0;${'x'.repeat(length - frame)}\x1b\\`);
    for (const chunks of [[whole], cut(whole, [3, 5_000]), cut(whole, [2]), byteByByte(whole)]) {
      const { scanner, seen } = collecting();
      for (const chunk of chunks) scanner.push(chunk);
      assert.is(seen.osc.length, reports);
      assert.is(scanner.overlongStrings, 1 - reports);
      assert.is(seen.passed.length, length);
    }
  }
});

test('a query of the longest held length is removed, one byte more passes and is answered', () => {
  const frame = '\x1b]4;\x07'.length;
  for (const [length, passes] of [
    [QUERY_BYTES, false],
    [QUERY_BYTES + 1, true],
  ] as const) {
    const body = '0;?;'.repeat(300).slice(0, length - frame - 2) + ';?';
    const whole = bytes(`\x1b]4;${body}\x07`);
    assert.is(whole.length, length);
    for (const chunks of [[whole], cut(whole, [1_000]), byteByByte(whole)]) {
      const { scanner, seen } = collecting();
      for (const chunk of chunks) scanner.push(chunk);
      assert.is(seen.passed.length, passes ? length : 0);
      assert.is(seen.replies.length, 1);
    }
  }
});

test('an endless string passes and nothing is kept of it', () => {
  const { scanner } = collecting({});
  scanner.push(bytes('\x1b]11;'));
  const chunk = Buffer.alloc(65_536, 'x');
  for (let i = 0; i < 64; i++) {
    scanner.push(chunk);
    assert.is(scanner.heldBytes, 0);
  }
  assert.is(scanner.offset, 5 + 64 * chunk.length);
});

test('an event comes after the bytes that caused it, at their offset', () => {
  const { scanner, seen } = collecting();
  scanner.push(bytes('ab\x1b]0;t\x07cd\x07\x1b[cef\x1bcg'));
  assert.equal(seen.events, ['osc 0;t@8', 'bell@11', 'reply \x1b[?62;6;22c@11', 'reset@15']);
  assert.is(scanner.offset, 16);
});

test('modes are told once a push and only when one has changed', () => {
  const { scanner, seen } = collecting();
  scanner.push(bytes('\x1b[?2004h\x1b[?1004h\x1b[?25l'));
  assert.is(seen.modeChanges, 1);
  scanner.push(bytes('\x1b[?2004h\x1b[?7l'));
  assert.is(seen.modeChanges, 1);
  scanner.push(bytes('\x1b[?2004l'));
  assert.is(seen.modeChanges, 2);
});

test('only the OSC numbers asked for are reported', () => {
  const { scanner, seen } = collecting({ reportOsc: new Set([8]) });
  scanner.push(bytes('\x1b]8;;x\x07\x1b]0;t\x07'));
  assert.equal(seen.osc, [[8, ';x']]);
});

test.run();
