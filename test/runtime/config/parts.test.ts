// The small parts: durations, folders, the nearest word, the line of a key.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDuration } from '../../../runtime/config/duration.js';
import { configFile, folders } from '../../../runtime/config/folders.js';
import { lineOf } from '../../../runtime/config/locate.js';
import { editDistance, nearest } from '../../../runtime/config/nearest.js';

const test = suite('parts');

test('a duration is digits and one unit, or never', () => {
  assert.equal(['45s', '15m', '12h', '2d', '007s', 'never'].map(parseDuration), [
    45_000,
    900_000,
    43_200_000,
    172_800_000,
    7_000,
    null,
  ]);
  for (const text of [
    '',
    '0s',
    '00m',
    '12',
    'h',
    '1h30m',
    '-1h',
    '+1h',
    '1 h',
    ' 1h',
    '1H',
    '1.5h',
    '1w',
    'Never',
    '1h\n',
  ]) {
    assert.is(parseDuration(text), undefined, JSON.stringify(text));
  }
});

test('folders follow the XDG variables, or HOME where these are missing or relative', () => {
  assert.equal(folders({ HOME: '/home/a/' }), {
    config: '/home/a/.config/openfloor',
    data: '/home/a/.local/share/openfloor',
    state: '/home/a/.local/state/openfloor',
  });
  const xdg = { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'relative', XDG_STATE_HOME: '' };
  assert.equal(folders(xdg), {
    config: '/c/openfloor',
    data: '/h/.local/share/openfloor',
    state: '/h/.local/state/openfloor',
  });
  assert.is(folders({ HOME: '/h', OPENFLOOR_DATA: '/d' }).data, '/d');
  assert.is(configFile({ HOME: '/h' }), '/h/.config/openfloor/openfloor.toml');
  assert.is(configFile({ OPENFLOOR_CONFIG: '/x.toml' }), '/x.toml');
  assert.throws(() => folders({}), /Neither XDG_CONFIG_HOME nor HOME/);
  assert.throws(() => folders({ HOME: 'relative' }), /Neither/);
});

test('the nearest word is the one with the fewest edits, a swap being one', () => {
  assert.is(editDistance('listen', 'listen'), 0);
  assert.is(editDistance('lsiten', 'listen'), 1);
  assert.is(editDistance('', 'abc'), 3);
  assert.is(editDistance('kitten', 'sitting'), 3);
  assert.is(nearest('MAX_SESSION', ['enabled', 'max_sessions']), 'max_sessions');
  assert.is(nearest('x'.repeat(100_000), ['enabled', 'listen']), 'enabled');
  assert.is(nearest('x', []), undefined);
});

test('a key has a line, whatever its spelling, and text that looks like a key has none', () => {
  const toml = [
    'top = 1', // 1
    '[pty] # comment',
    'listen = "x"', // 3
    'note = """',
    'command = "inside a text"', // 5
    '"""',
    "'command' = 'y'", // 7
    'a . b = 1',
    '[ agents . "my" ]', // 9
    'pack = "z"',
    '[server]', // 11
    'inline = { origins = [] }',
  ].join('\r\n');
  const lines = [
    ['top'],
    ['pty'],
    ['pty', 'listen'],
    ['pty', 'command'],
    ['pty', 'a', 'b'],
    ['agents', 'my', 'pack'],
    ['server', 'inline', 'origins'],
    ['server', 'missing'],
  ];
  assert.equal(
    lines.map((path) => lineOf(toml, path)),
    [1, 2, 3, 7, 8, 10, 12, 11],
  );
  assert.is(lineOf(toml, ['nowhere']), null);
});

test.run();
