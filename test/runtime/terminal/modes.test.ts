// The mode tracker against xterm.js, which is the screen model: after any mixture of mode sequences both say the same,
// so that what a program is told is what a snapshot restores.
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programBytes, readRecording, recordingNames } from '../../support/recording.js';
import { bytes, collecting } from './collect.js';

const test = suite('modes');

/** Mouse encodings 1005 and 1015 are missing: xterm.js has neither. */
const MODES = [1, 6, 7, 9, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1049, 2004, 2026];
const SEQUENCES = [
  ...MODES.flatMap((mode) => [`\x1b[?${mode}h`, `\x1b[?${mode}l`]),
  '\x1b[?1000;1006h',
  '\x1b[?1000;1006l',
  '\x1b=',
  '\x1b>',
  '\x1b[4h',
  '\x1b[4l',
  '\x1bc',
  '\x1b[!p',
  '\x1b[31mtext',
];
/** Reported alike by both; 1016 is ours to refuse, and of the alternate screen xterm.js knows more. */
const ASKED = [1, 6, 7, 9, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1048, 1049, 2004, 2026];

function written(terminal: xterm.Terminal, data: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => terminal.write(data, resolve));
}

async function compare(text: string): Promise<void> {
  const terminal = new xterm.Terminal({ allowProposedApi: true });
  // xterm.js leaves a hidden cursor hidden at a full reset, which shows it: the screen model mends that in the same way.
  terminal.parser.registerEscHandler({ final: 'c' }, () => {
    const { _core } = terminal as unknown as { _core: { coreService: { isCursorHidden: boolean } } };
    _core.coreService.isCursorHidden = false;
    return false;
  });
  const theirs: string[] = [];
  terminal.onData((data) => theirs.push(data));
  await written(terminal, bytes(text));
  const { scanner, seen } = collecting();
  scanner.push(bytes(text));
  theirs.length = 0;
  seen.replies.length = 0;
  const queries = ASKED.map((mode) => `\x1b[?${mode}$p`).join('') + '\x1b[4$p';
  await written(terminal, queries);
  scanner.push(bytes(queries));
  const ours = seen.replies.map((reply) =>
    reply.kind === 'fixed' ? Buffer.from(reply.bytes).toString('latin1') : reply.kind,
  );
  assert.equal(ours, theirs);
  const { modes } = terminal;
  assert.is(scanner.modes.bracketedPaste, modes.bracketedPasteMode);
  assert.is(scanner.modes.focusReports, modes.sendFocusMode);
  assert.is(scanner.modes.syncOpen, modes.synchronizedOutputMode);
  assert.is(scanner.modes.applicationCursorKeys, modes.applicationCursorKeysMode);
  assert.is(scanner.modes.applicationKeypad, modes.applicationKeypadMode);
  assert.is(scanner.modes.screen === 'alternate', terminal.buffer.active.type === 'alternate');
  const mouse = { off: 'none', x10: 'x10', normal: 'vt200', button: 'drag', any: 'any' }[scanner.modes.mouse];
  assert.is(mouse, modes.mouseTrackingMode);
  terminal.dispose();
}

for (const sequence of SEQUENCES) {
  test(`xterm.js agrees after ${JSON.stringify(sequence)}`, () => compare(sequence));
}

test('a full reset shows a hidden cursor', () => compare('\x1b[?25l\x1bc'));

test('xterm.js agrees after any mixture of mode sequences', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...SEQUENCES), { maxLength: 12 }), (list) =>
      compare(list.join('')),
    ),
    { numRuns: 150 },
  );
});

for (const name of recordingNames()) {
  test(`xterm.js agrees after ${name}`, () => compare(programBytes(readRecording(name)).toString('latin1')));
}

test('the live view changes under its reader', () => {
  const { scanner } = collecting();
  const { modes } = scanner;
  assert.not(modes.bracketedPaste);
  scanner.push(bytes('\x1b[?2004h'));
  assert.ok(modes.bracketedPaste);
});

test('what the screen model does not know is given for a new client', () => {
  const { scanner } = collecting();
  const given = () => Buffer.from(scanner.beyondScreen()).toString('latin1');
  assert.is(given(), '');
  scanner.push(bytes('\x1b[>1u\x1b[?1049h\x1b[>7u\x1b[>8u\x1b[?1000;1015h\x1b[>4;1m'));
  assert.is(given(), '\x1b[?1015h\x1b[>4;1m\x1b[>7u\x1b[>8u');
  scanner.push(bytes('\x1b[?1049l'));
  assert.is(given(), '\x1b[?1015h\x1b[>4;1m\x1b[>1u');
});

test('sixteen pushes are kept, the seventeenth evicts the oldest', () => {
  const { scanner } = collecting();
  scanner.push(bytes(Array.from({ length: 17 }, (_, at) => `\x1b[>${at}u`).join('')));
  assert.is(scanner.modes.kittyFlags, 16);
  scanner.push(bytes('\x1b[<15u'));
  assert.is(scanner.modes.kittyFlags, 1);
  scanner.push(bytes('\x1b[<u'));
  assert.is(scanner.modes.kittyFlags, 0);
});

test.run();
