// What the relay forwards, and what an installation does to a file.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { install } from '../../../clients/cli/hooks/install.js';
import { RECIPES, recipeOf } from '../../../clients/cli/hooks/recipe.js';
import { relayed } from '../../../clients/cli/hooks/relay.js';

const now = new Date(0);
const test = suite<{ folder: string; file: string }>('hooks');
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'openfloor-hooks-'));
  context.file = join(context.folder, 'below/settings.json');
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

test('a permission request is forwarded without its arguments and reasons', () => {
  const post = relayed(
    {
      session_id: 's1',
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf /secret' },
      reason: 'x'.repeat(300),
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
          behavior: 'allow',
          destination: 'session',
        },
      ],
    },
    now,
  );
  assert.is(post?.event, 'PermissionRequest');
  assert.equal(post?.fields, { session_id: 's1' });
  assert.is(post?.permission?.tool, 'Bash');
  assert.is((post?.permission?.suggested_rules as { state: string } | undefined)?.state, 'present');
  assert.not.match(JSON.stringify(post), /secret|xxx/);
});

test('a request without suggestions says that there were none', () => {
  const post = relayed({ hook_event_name: 'PermissionRequest', tool_name: 'Edit' }, now);
  assert.is((post?.permission?.suggested_rules as { state: string } | undefined)?.state, 'absent');
});

test('a malformed agent id drops the permission part, and the event stays', () => {
  const post = relayed({ hook_event_name: 'PermissionRequest', tool_name: 'Edit', agent_id: 7 }, now);
  assert.is(post?.event, 'PermissionRequest');
  assert.is(post?.permission, undefined);
});

test('how many tasks run in the background is told, not which', () => {
  const post = relayed({ hook_event_name: 'Stop', background_tasks: ['secret', 'secret'] }, now);
  assert.equal(post?.fields?.background_tasks, [null, null]);
});

test('what is no event is not forwarded', () => {
  for (const input of [null, 7, 'x', [], {}, { hook_event_name: '' }, { hook_event_name: 'x'.repeat(129) }])
    assert.is(relayed(input, now), undefined);
});

test('a new file is written, and a second installation changes nothing', ({ file }) => {
  const recipe = recipeOf('claude-code');
  assert.equal(install(recipe, 'claude-code', file), { did: 'wrote' });
  const before = readFileSync(file, 'utf8');
  assert.ok(Object.keys((JSON.parse(before) as { hooks: object }).hooks).includes('PermissionRequest'));
  assert.equal(install(recipe, 'claude-code', file), { did: 'nothing' });
  assert.is(readFileSync(file, 'utf8'), before);
});

test('settings that exist keep all they hold, with a copy beside', ({ folder }) => {
  const file = join(folder, 'settings.json');
  const own = { model: 'm', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } };
  writeFileSync(file, JSON.stringify(own));
  const installed = install(recipeOf('claude-code'), 'claude-code', file);
  assert.is(installed.did, 'merged');
  const merged = JSON.parse(readFileSync(file, 'utf8')) as {
    model: string;
    hooks: Record<string, unknown[]>;
  };
  assert.is(merged.model, 'm');
  assert.equal(merged.hooks.Stop?.[0], own.hooks.Stop[0]);
  assert.is(merged.hooks.Stop?.length, 2);
  assert.equal(JSON.parse(readFileSync(`${file}.before-openfloor`, 'utf8')), own);
});

test('what cannot be merged is refused untouched', ({ folder }) => {
  const cases = [
    ['claude-code', '{ // comment\n}'],
    ['claude-code', '{"hooks": []}'],
    ['codex', '{"hooks": {"Stop": {}}}'],
    ['opencode', 'something else'],
  ] as const;
  for (const [name, text] of cases) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    assert.throws(() => install(recipeOf(name), name, file), /exists|JSON|shape/);
    assert.is(readFileSync(file, 'utf8'), text);
    assert.not.ok(existsSync(`${file}.before-openfloor`));
  }
});

test('shell marks are added once at the end of a start-up file', ({ folder }) => {
  const file = join(folder, 'rc');
  writeFileSync(file, 'alias a=b');
  assert.is(install(recipeOf('bash'), 'bash', file).did, 'merged');
  assert.ok(readFileSync(file, 'utf8').startsWith('alias a=b\n# openfloor'));
  assert.is(install(recipeOf('bash'), 'bash', file).did, 'nothing');
});

test('every recipe has a text, and a strange name is refused with those that exist', () => {
  for (const [name, { text }] of Object.entries(RECIPES)) assert.ok(text().length > 50, name);
  assert.throws(() => recipeOf('toString'), /no hooks for/);
});

test.run();
