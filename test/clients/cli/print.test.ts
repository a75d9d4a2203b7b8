// What people see: tables that line up, colours only where wanted, and nothing that could act on a terminal.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CliError, failureOf, formatFailure } from '../../../clients/cli/failure.js';
import { age, paint, printable, table, wantsColour } from '../../../clients/cli/print.js';
import { SdkError } from '../../../clients/sdk/index.js';

const test = suite('print');
const PLAIN = { colour: false };
const COLOUR = { colour: true };

test('columns line up, numbers to the right, without trailing blanks', () => {
  const text = table(
    PLAIN,
    [{ title: 'SEAT' }, { title: 'N', align: 'right' }, { title: 'COMMAND' }],
    [
      ['bash', '1', 'bash'],
      ['a-longer-name', '12', ''],
    ],
  );
  assert.equal(text.split('\n'), [
    'SEAT            N  COMMAND',
    'bash            1  bash',
    'a-longer-name  12',
    '',
  ]);
});

test('colours change nothing in the width of a column', () => {
  const rows = [[{ text: 'ab', style: 'green' } as const, 'x']];
  const coloured = table(COLOUR, [{ title: 'A' }, { title: 'B' }], rows);
  const plain = table(PLAIN, [{ title: 'A' }, { title: 'B' }], rows);
  assert.match(coloured, /\x1b\[32mab\x1b\[0m/);
  assert.is(coloured.replace(/\x1b\[\d+m/g, ''), plain);
});

test('cells from outside can not act on the terminal', () => {
  const text = table(PLAIN, [{ title: 'A' }], [['\x1b]0;owned\x07\u009b31m\u202e\u200b\n']]);
  assert.is(text, 'A\n\\x1b]0;owned\\x07\\x9b31m\\u202e\\u200b\\x0a\n');
  assert.is(printable('grüße 漢字 🙂'), 'grüße 漢字 🙂');
});

test('NO_COLOR wins over everything, a pipe is never coloured by itself', () => {
  const tty = { isTTY: true };
  assert.ok(wantsColour(tty, {}));
  assert.not(wantsColour({}, {}));
  assert.not(wantsColour(tty, { TERM: 'dumb' }));
  assert.not(wantsColour(tty, { NO_COLOR: '1', FORCE_COLOR: '1' }));
  assert.ok(wantsColour(tty, { NO_COLOR: '' }));
  assert.ok(wantsColour({}, { FORCE_COLOR: '1' }));
  assert.not(wantsColour(tty, { FORCE_COLOR: '0' }));
  assert.is(paint(PLAIN, 'red', 'x'), 'x');
});

test('ages are short', () => {
  assert.equal([0, 59_999, 60_000, 7_200_000, 200_000_000, -5].map(age), [
    '0s',
    '59s',
    '1m',
    '2h',
    '2d',
    '0s',
  ]);
});

test('a failure is a sentence, its reason and the next step; programs get the same as JSON', () => {
  const failure = failureOf(new CliError('no_profile', 'there is no profile x\x1b[2J', 'Create it.'));
  assert.is(
    formatFailure(failure, false, PLAIN),
    'openfloor: there is no profile x\\x1b[2J (no_profile)\n  next: Create it.\n',
  );
  assert.equal(JSON.parse(formatFailure(failure, true, PLAIN)), {
    error: 'there is no profile x\x1b[2J',
    reason: 'no_profile',
    next: 'Create it.',
  });
});

test('the exit status says whose side a failure is on', () => {
  const status = (reason: string, http?: number) =>
    failureOf(new SdkError({ reason, message: 'm', ...(http === undefined ? {} : { status: http }) }))
      .exitCode;
  assert.is(failureOf(new CliError('usage', 'm')).exitCode, 1);
  assert.is(failureOf(new CliError('start_failed', 'm', '', 2)).exitCode, 2);
  assert.is(status('unreachable'), 2);
  assert.is(status('connection_lost'), 2);
  assert.is(status('some_server_reason', 500), 2);
  assert.is(status('session_exists', 409), 1);
  assert.is(status('unauthorized', 401), 1);
  assert.is(failureOf(new Error('bug')).exitCode, 2);
});

test.run();
