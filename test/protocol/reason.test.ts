// The list of reasons in the code and the one in spec/reasons.md are the same, line by line, in both directions.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALIASES, httpStatus, isReason, parseReason, REASONS, sentence } from '../../protocol/reason.js';

const test = suite('reason');
const root = new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url);
const spec = readFileSync(new URL('spec/reasons.md', root), 'utf8');
const rows = spec
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
const bare = (cell = '') => cell.replace(/^`|`$/g, '');

test('the spec lists every reason of the code, with the same status, effect and sentences', () => {
  const listed = Object.fromEntries(
    rows
      .filter((row) => row.length === 5)
      .map(([code, status, effect, text, next]) => [
        bare(code),
        { status: Number(status), effect, text, next },
      ]),
  );
  assert.equal(listed, { ...REASONS });
});

test('the spec lists every alias of the code', () => {
  const listed = Object.fromEntries(
    rows.filter((row) => row.length === 2).map(([alias, code]) => [bare(alias), bare(code)]),
  );
  assert.equal(listed, { ...ALIASES });
});

test('no code stands twice in the spec', () => {
  const codes = rows.map((row) => bare(row[0]));
  assert.equal(codes.length, new Set(codes).size);
  assert.ok(rows.every((row) => row.length === 5 || row.length === 2));
});

test('an alias is no code, and every sentence ends', () => {
  for (const alias of Object.keys(ALIASES)) assert.not.ok(isReason(alias), alias);
  for (const [code, entry] of Object.entries(REASONS)) {
    assert.match(code, /^[a-z]+(_[a-z0-9]+)*$/);
    assert.match(entry.text, /^[A-Z].*\.$/);
    assert.match(entry.next, /^[A-Z].*\.$/);
  }
});

test('a code parses to itself, an alias to what replaced it, anything else to nothing', () => {
  assert.is(parseReason('bare_shell'), 'bare_shell');
  assert.is(parseReason('target_runtime_not_running'), 'bare_shell');
  assert.is(parseReason('toString'), undefined);
  assert.is(parseReason(''), undefined);
});

test('retained is 200, indeterminate 502, and a refusal is never below 400', () => {
  assert.is(httpStatus('draft_input_busy', 'retained'), 200);
  assert.is(httpStatus('target_needs_input', 'indeterminate'), 502);
  assert.is(httpStatus('typing_guard_enabled', 'refused'), 409);
  assert.is(httpStatus('body_too_large', 'refused'), 413);
  assert.is(httpStatus('turn_started', 'done'), 200);
  for (const code of Object.keys(REASONS)) {
    if (isReason(code)) assert.ok(httpStatus(code, 'refused') >= 400, code);
  }
});

test('the sentence for people has the case and the next step', () => {
  assert.match(sentence('human_active'), /^A person is typing\. Wait/);
});

test.run();
