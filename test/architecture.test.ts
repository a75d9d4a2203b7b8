// The house holds: imports point one way, packages enter by their doors, names mean something, files stay short, and
// the pure rooms are pure. Each rule has a planted violation, so that a guard that stops biting fails here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PURE_ROOMS, problemsOf, type Source } from './support/house.js';

const test = suite('architecture');
const root = execFileSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' }).trim();
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts'], {
  cwd: root,
  encoding: 'utf8',
});
const sources: Source[] = listed
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('test/fixtures/'))
  .flatMap((path) => {
    try {
      return [{ path, text: readFileSync(`${root}/${path}`, 'utf8') }];
    } catch {
      return []; // deleted and not yet committed
    }
  });

test('every source file keeps the rules of the house', () => {
  const problems = sources.flatMap((source) =>
    problemsOf(source).map((problem) => `${source.path} ${problem}`),
  );
  assert.equal(problems, []);
});

const twin = (path: string) => `test/${path.replace(/\.ts$/, '.test.ts')}`;
test('every file of a pure room with code in it has a test room', () => {
  const tested = new Set(sources.map((source) => source.path.slice(0, source.path.lastIndexOf('/'))));
  const missing = PURE_ROOMS.filter((room) => room !== 'protocol')
    .filter((room) =>
      sources.some((source) => source.path.startsWith(`${room}/`) && !source.path.endsWith('port.ts')),
    )
    .filter((room) => !tested.has(twin(`${room}/x.ts`).slice(0, -'/x.test.ts'.length)));
  assert.equal(missing, []);
});

const planted: ReadonlyArray<readonly [string, string, string, RegExp]> = [
  [
    'a pure room that reads the clock',
    'runtime/floor/decide.ts',
    '// x\nexport const t = Date.now();\n',
    /clock/,
  ],
  [
    'a pure room that imports Node',
    'runtime/status/fold.ts',
    "// x\nimport 'node:fs';\n",
    /pure and imports/,
  ],
  [
    'a room that imports upwards',
    'runtime/floor/a.ts',
    "// x\nimport { a } from '../session/a.js';\n",
    /may not import/,
  ],
  [
    'the runtime that imports Shepherd',
    'runtime/main.ts',
    "// x\nimport '../shepherd/main.js';\n",
    /may not import/,
  ],
  [
    'Shepherd that imports the SDK elsewhere',
    'shepherd/wake/w.ts',
    "// x\nimport '../../clients/sdk/a.js';\n",
    /may not/,
  ],
  [
    'a package past its door',
    'runtime/session/a.ts',
    "// x\nimport * as pty from 'node-pty';\n",
    /past its door/,
  ],
  [
    'a package nobody decided on',
    'runtime/server/a.ts',
    "// x\nimport express from 'express';\n",
    /without a door/,
  ],
  ['a drawer', 'runtime/server/utils.ts', '// x\n', /says nothing/],
  ['a long file', 'runtime/server/a.ts', `// x\n${'\n'.repeat(400)}`, /401 lines/],
  [
    'a file without its first comment',
    'runtime/server/a.ts',
    'export const a = 1;\n',
    /begin with a comment/,
  ],
  ['a test that forgot to run', 'test/runtime/a.test.ts', "// x\ntest('a', () => {});\n", /without \.run/],
];
for (const [name, path, text, expected] of planted) {
  test(`a planted violation fails: ${name}`, () => {
    assert.match(problemsOf({ path, text }).join('; '), expected);
  });
}

test.run();
