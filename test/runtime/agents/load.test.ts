// Packs: the built-in ones are valid and say where each fact comes from; a bad one is refused with file, line and reason
// while the rest keep working; a user's replaces a built-in one.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPack, PACK_BYTES } from '../../../runtime/agents/check.js';
import {
  autoPacks,
  builtinPackFolder,
  loadPacks,
  type Pack,
  readPack,
} from '../../../runtime/agents/load.js';
import { JsonProblem, readJson } from '../../../runtime/agents/position.js';
import { reportingOf } from '../../../runtime/agents/report.js';
import { SHELLS } from '../../../runtime/status/tenure.js';
import { packageRoot, readVectors } from '../../support/byte-vector.js';

const test = suite('packs');
const folder = mkdtempSync(join(tmpdir(), 'openfloor-packs-'));
test.after(() => {
  rmSync(folder, { recursive: true, force: true });
});

const builtin = loadPacks([builtinPackFolder()]);
const pick = (name: string) => builtin.packs.find((pack) => pack.name === name) as Pack;
const osc7501 = readFileSync(join(builtinPackFolder(), 'osc7501.json'), 'utf8');

function userFolder(files: Readonly<Record<string, string>>): string {
  const inside = mkdtempSync(join(folder, 'user-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inside, name), text);
  return inside;
}

test('the built-in packs are all valid, specific ones before those that take anything', () => {
  assert.equal(builtin.refused, []);
  assert.equal(
    builtin.packs.map((pack) => pack.name),
    ['claude-code', 'codex', 'demo', 'gemini-cli', 'opencode', 'pi', 'qwen-code', 'osc7501', 'shells'],
  );
});

test('auto tries agents that name their processes, and no shell', () => {
  const names = autoPacks(builtin.packs).map((pack) => pack.name);
  assert.not(names.includes('osc7501'));
  assert.not(names.includes('shells'));
  assert.ok(names.includes('claude-code'));
});

test('the shells of the pack are those that recognition knows', () => {
  assert.equal([...pick('shells').process.names].sort(), [...SHELLS].sort());
});

function facts(value: unknown, found: { recording: string }[] = []): { recording: string }[] {
  if (typeof value !== 'object' || value === null) return found;
  if ('recording' in value && 'versions' in value) found.push(value as { recording: string });
  for (const inner of Object.values(value)) facts(inner, found);
  return found;
}

test('every recording that a pack names is kept', () => {
  let named = 0;
  for (const pack of builtin.packs) {
    for (const { recording } of facts(pack)) {
      for (const [file] of recording.matchAll(/[\w-]+\.jsonl/g)) {
        named++;
        assert.ok(existsSync(join(packageRoot(), 'test/fixtures/recordings', file)), `${pack.name}: ${file}`);
      }
    }
  }
  assert.ok(named > 30);
});

test('opencode gets its plugin in a private folder, by environment, unless the caller has one', () => {
  const { launch, launchFiles } = pick('opencode');
  assert.equal(launch.env, { OPENCODE_CONFIG_DIR: '{files}' });
  assert.equal(launch.unless_env, ['OPENCODE_CONFIG_DIR']);
  assert.is(launchFiles[0]?.to, 'plugins/openfloor-status.js');
  assert.match(launchFiles[0]?.text ?? '', /7501/);
});

test('one line says which channel will report, or what to install', () => {
  assert.is(reportingOf(pick('claude-code'), true).channel, 'program_status');
  assert.is(reportingOf(pick('gemini-cli'), true).channel, 'sequence');
  assert.is(reportingOf(pick('opencode'), true).channel, 'program_status');
  const without = reportingOf(pick('opencode'), false);
  assert.is(without.channel, 'hook');
  assert.match(without.text, /openfloor run/);
});

test('a user pack replaces the built-in one of its name', () => {
  const mine = JSON.parse(osc7501) as Record<string, unknown>;
  const user = userFolder({ 'codex.json': JSON.stringify({ ...mine, name: 'codex', title: 'Mine' }) });
  const { packs, refused } = loadPacks([builtinPackFolder(), user]);
  assert.equal(refused, []);
  assert.is(packs.find((pack) => pack.name === 'codex')?.title, 'Mine');
  assert.is(packs.length, builtin.packs.length);
});

test('a bad user pack is refused with file, line and reason; the built-in one stays and the rest work', () => {
  const user = userFolder({
    'codex.json': '{\n  "name": "codex",\n  oops\n}\n',
    'mine.json': osc7501.replace('"osc7501"', '"mine"'),
  });
  const { packs, refused } = loadPacks([builtinPackFolder(), user]);
  assert.equal(refused, [
    { file: join(user, 'codex.json'), line: 3, reason: 'No JSON: expected a key in double quotes.' },
  ]);
  assert.is(packs.find((pack) => pack.name === 'codex')?.title, 'Codex');
  assert.ok(packs.some((pack) => pack.name === 'mine'));
});

test('a folder that does not exist is empty; one that is a file is refused', () => {
  assert.equal(loadPacks([join(folder, 'none')]), { packs: [], refused: [] });
  const file = join(userFolder({ x: '' }), 'x');
  const [refused] = loadPacks([file]).refused;
  assert.is(refused?.file, file);
  assert.match(refused?.reason ?? '', /^The folder can't be read/);
});

test('a pack that is too large, unreadable or not UTF-8 is refused', () => {
  const user = userFolder({ 'big.json': ' '.repeat(PACK_BYTES + 1) });
  writeFileSync(join(user, 'raw.json'), Buffer.of(0xff));
  mkdirSync(join(user, 'dir.json'));
  const reasons = ['big', 'raw', 'dir', 'none'].map((name) => {
    const pack = readPack(join(user, `${name}.json`));
    return 'reason' in pack ? pack.reason : 'accepted';
  });
  assert.match(reasons[0] ?? '', /larger than 262144 bytes/);
  for (const reason of reasons.slice(1)) assert.match(reason, /can't be read/);
});

test('a launch file that is missing refuses its pack', () => {
  const pack = JSON.parse(osc7501) as Record<string, unknown>;
  const text = JSON.stringify({
    ...pack,
    launch: { env: {}, args: [], files: [{ to: 'a.js', from: 'none.js' }] },
  });
  const refused = readPack(join(userFolder({ 'osc7501.json': text }), 'osc7501.json'));
  assert.match('reason' in refused ? refused.reason : '', /The launch file "none.js" can't be read/);
});

interface Mend {
  readonly description: string;
  readonly find: string;
  readonly replace: string;
  readonly line: number;
  readonly text: string;
}
const base = readFileSync(join(packageRoot(), 'test/fixtures/pack.json'), 'utf8');
for (const item of readVectors<Mend>('status/pack-problem.json', ['find', 'replace', 'line', 'text'])) {
  test(`refused: ${item.description}`, () => {
    assert.ok(base.includes(item.find), 'the vector finds nothing to replace');
    const checked = checkPack(base.replace(item.find, item.replace), 'pack');
    assert.equal('problem' in checked ? checked.problem : 'accepted', { line: item.line, text: item.text });
  });
}

test('the pack that the refusals start from is accepted', () => {
  assert.ok('pack' in checkPack(base, 'pack'));
});

test('JSON positions: a value, a key, an index, an escaped key; what is unknown is its nearest parent', () => {
  const json = readJson('{\n "a": [\n  1,\n  {"b/c": true}\n ]\n}');
  assert.equal(['', '/a', '/a/0', '/a/1/b~1c', '/a/9', '/z'].map(json.lineOf), [1, 2, 3, 4, 2, 1]);
  assert.equal(json.value, { a: [1, { 'b/c': true }] });
});

test('JSON that is cut, doubled or deeper than 32 is refused with its line', () => {
  const lineOf = (text: string) => {
    try {
      readJson(text);
      return 0;
    } catch (error) {
      return error instanceof JsonProblem ? error.line : -1;
    }
  };
  assert.equal(
    ['{"a":1,\n"a":2}', '[1,\n2', '[\n\n01]', '{}\n{}', '"\n"', '[1,]'].map(lineOf),
    [2, 2, 3, 2, 1, 1],
  );
  assert.is(lineOf(`${'['.repeat(32)}1${']'.repeat(32)}`), 0);
  assert.is(lineOf(`${'['.repeat(33)}1${']'.repeat(33)}`), 1);
});

test.run();
