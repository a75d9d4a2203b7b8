// Launch help: an agent that the runtime starts gets its pack's plugin by a private folder, unless somebody knows better.
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';

const test = suite<{ rig: SeatRig; bin: string }>('launch');
test.before(async (context) => {
  context.bin = mkdtempSync(join(tmpdir(), 'openfloor-launch-'));
  // Stands for the agent: it shows what it was given, and stays.
  writeFileSync(join(context.bin, 'opencode'), '#!/bin/sh\necho "config=$OPENCODE_CONFIG_DIR;"\nexec cat\n');
  chmodSync(join(context.bin, 'opencode'), 0o755);
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

async function shown(rig: SeatRig, name: string): Promise<string> {
  const operator = await rig.operator(name, 'view');
  const { text } = await operator.until(() => {
    const match = /config=([^;]*);/.exec(operator.screen);
    return match === null ? undefined : { text: match[1] ?? '' };
  });
  return text;
}

test('opencode gets its plugin in a folder of the session’s own', async ({ rig, bin }) => {
  await rig.call('POST', '/admin/sessions', { name: 'helped', command: [join(bin, 'opencode')] });
  const folder = await shown(rig, 'helped');
  const plugin = join(folder, 'plugins/openfloor-status.js');
  assert.match(readFileSync(plugin, 'utf8'), /7501/);
  assert.is(statSync(plugin).mode & 0o777, 0o600);
  const { body } = await rig.call('GET', '/api/seat/status/helped');
  assert.match(body.reporting, /plugin that this session adds/);
});

test('with launch_hooks false it is started as it stands, and the status says why it is unknown', async ({
  rig,
  bin,
}) => {
  await rig.call('POST', '/admin/sessions', {
    name: 'bare',
    command: [join(bin, 'opencode')],
    launch_hooks: false,
  });
  assert.is(await shown(rig, 'bare'), '');
  const { body } = await rig.call('GET', '/api/seat/status/bare');
  assert.not.match(body.reporting, /plugin that this session adds/);
});

test('a caller’s own setting wins', async ({ rig, bin }) => {
  const env = { PATH: process.env.PATH ?? '', OPENCODE_CONFIG_DIR: '/somewhere/else' };
  await rig.call('POST', '/admin/sessions', { name: 'own', command: [join(bin, 'opencode')], env });
  assert.is(await shown(rig, 'own'), '/somewhere/else');
});

test('a restart has its plugin too', async ({ rig }) => {
  const { status } = await rig.call('POST', '/admin/sessions/helped/restart');
  assert.is(status, 200);
  assert.ok(existsSync(join(await shown(rig, 'helped'), 'plugins/openfloor-status.js')));
});

test.run();
