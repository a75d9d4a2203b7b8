// Hooks and signals of agents on real PTYs: through the terminal, through an ancestor's terminal, and posted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';
import { Home, MAIN } from './home.js';

const node = process.execPath;
const test = suite<{ rig: SeatRig; folder: string }>('hooks on real PTYs');
test.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'openfloor-hooks-'));
  context.rig = await SeatRig.start();
});
test.after(({ rig }) => rig.close());

/** A seat whose program is an agent of no known kind: it shows its token, then runs what it is told in hooks of two sorts. */
async function agent(rig: SeatRig, folder: string, name: string) {
  const script = join(folder, `${name}.mjs`);
  writeFileSync(
    script,
    `import { spawn, spawnSync } from 'node:child_process';
    console.log('token=' + process.env.OPENFLOOR_TOKEN + ';');
    process.stdin.on('data', (data) => {
      const [how, ...args] = data.toString().trim().split(' ');
      if (how === 'detached') spawn(${JSON.stringify(node)}, [${JSON.stringify(MAIN)}, ...args], { detached: true, stdio: 'ignore' });
      else spawnSync(${JSON.stringify(node)}, [${JSON.stringify(MAIN)}, ...args], { stdio: 'ignore' });
    });`,
  );
  const { status, body } = await rig.call('POST', '/admin/sessions', {
    name,
    command: [node, script],
    agent: 'osc7501',
  });
  assert.is(status, 200, JSON.stringify(body));
  const operator = await rig.operator(name);
  const token = await operator.until(() => /token=([0-9a-f]+);/.exec(operator.screen)?.[1]);
  return { operator, token };
}

test('signal writes to the terminal; from a hook without one, to its nearest ancestor’s', async ({
  rig,
  folder,
}) => {
  const { operator } = await agent(rig, folder, 'signals');
  operator.type('attached signal working\n');
  const working = await rig.status('signals', ({ state }) => state === 'working');
  assert.is(working.status.source, 'program_status');
  operator.type('detached signal blocked --kind permission --msg asks\n');
  const blocked = await rig.status('signals', ({ state }) => state === 'blocked');
  assert.is(blocked.status.kind, 'permission');
  assert.is(blocked.status.source, 'program_status');
  assert.is(blocked.status.detail, 'asks');
});

/** The command in a session of its own, where it finds no terminal and no ps. */
async function away(args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(node, [MAIN, ...args], { detached: true, env: { PATH: '', ...env }, stdio: 'pipe' });
  let err = '';
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, err };
}

test('signal is posted where there is no terminal, and says so when there is no seat either', async ({
  rig,
  folder,
}) => {
  const { token } = await agent(rig, folder, 'posted');
  const env = { OPENFLOOR_URL: rig.server.url, OPENFLOOR_TOKEN: token };
  assert.equal(await away(['signal', 'working'], env), { code: 0, err: '' });
  const { status } = await rig.status('posted', ({ state }) => state === 'working');
  assert.is(status.source, 'hook');
  const alone = await away(['signal', 'working'], {});
  assert.is(alone.code, 1);
  assert.match(alone.err, /no terminal and no seat.*no_terminal/);
  const wrong = await away(['signal', 'dancing'], env);
  assert.is(wrong.code, 1);
  assert.match(wrong.err, /Expected one of working/);
});

test('scenarios 62 to 65: a relayed permission request is shown as evidence and changes no status', async ({
  rig,
  folder,
}) => {
  const { token } = await agent(rig, folder, 'asks');
  const env = { OPENFLOOR_URL: rig.server.url, OPENFLOOR_TOKEN: token };
  const before = await rig.call('GET', '/api/seat/status/asks');
  assert.is(before.body.permission_stop.state, 'unavailable');
  const rule = (ruleContent?: string) => ({
    toolName: 'Bash',
    ...(ruleContent === undefined ? {} : { ruleContent }),
  });
  const entry = (rules: object[]) => ({ type: 'addRules', rules, behavior: 'allow', destination: 'session' });
  const event = {
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'secret-argument' },
    permission_suggestions: [
      entry([rule(), rule('')]),
      entry(Array(17).fill(rule('x'))),
      entry([rule('y'.repeat(2_049))]),
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      entry([rule('\u001b[31m\u202e')]),
    ],
  };
  assert.equal(await away(['hooks', 'relay', 'claude-code'], env, JSON.stringify(event)), {
    code: 0,
    err: '',
  });
  const { body } = await rig.call('GET', '/api/seat/status/asks');
  const stop = body.permission_stop;
  assert.is(stop.state, 'request_observed');
  assert.is(stop.actor, 'main');
  assert.equal(stop.suggestedRules.entries, [entry([rule(), rule('')]), entry([rule('\u001b[31m\u202e')])]);
  assert.is(stop.suggestedRules.sizeCut, true);
  assert.is(stop.suggestedRules.unsupported, true);
  assert.is(body.status.state, before.body.status.state);
  assert.not.match(JSON.stringify(body), /secret-argument/);
  const audit = await rig.call('GET', '/api/audit?seat=asks&limit=100');
  assert.not.match(JSON.stringify(audit.body), /PermissionRequest|suggest/);

  const home = new Home();
  Object.assign(home.env, { OPENFLOOR_URL: rig.server.url, OPENFLOOR_TOKEN: rig.server.credential });
  const shown = await home.run('status', 'asks');
  assert.match(shown.out, /permission\s+Bash by main/);
  assert.match(shown.out, /Bash\(\\x1b\[31m\\u202e\)/);
  assert.not.match(shown.out, /\u001b\[31m|\u202e/);

  const post = (agent_id?: unknown) =>
    rig.call(
      'POST',
      '/api/activity/hooks',
      { event: 'PostToolUse', permission: { tool: 'Bash', agent_id } },
      token,
    );
  assert.is((await post('a1')).status, 202);
  assert.is((await rig.call('GET', '/api/seat/status/asks')).body.permission_stop.state, 'request_observed');
  assert.is((await post(null)).status, 202);
  assert.is((await rig.call('GET', '/api/seat/status/asks')).body.permission_stop.state, 'completed');
  await home.close();
});

test('scenario 62: a hook without a token, with nobody’s, and with a body that is no JSON', async ({
  rig,
  folder,
}) => {
  const { token } = await agent(rig, folder, 'gate');
  const path = '/api/activity/hooks';
  assert.is((await rig.call('POST', path, { event: 'Stop' }, 'f'.repeat(64))).status, 401);
  const operator = await rig.call('POST', path, { event: 'Stop' });
  assert.is(operator.status, 400);
  assert.is(operator.body.reason, 'missing_session_identity');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const broken = await fetch(rig.server.url + path, { method: 'POST', headers, body: '{' });
  assert.is(broken.status, 400);
  assert.is((await rig.call('POST', path, { event: '' }, token)).status, 400);
  assert.is((await rig.call('DELETE', '/admin/sessions/gate')).status < 300, true);
  assert.is((await rig.call('POST', path, { event: 'Stop' }, token)).status, 401);
});

test('agents list, check and reload', async ({ rig, folder }) => {
  const home = new Home();
  Object.assign(home.env, { OPENFLOOR_URL: rig.server.url, OPENFLOOR_TOKEN: rig.server.credential });
  const listed = await home.run('agents', 'list');
  assert.match(listed.out, /claude-code/);
  assert.match((await home.run('agents', 'reload')).out, /claude-code/);
  const bad = join(folder, 'bad.json');
  writeFileSync(bad, '{\n  "name": 7\n}');
  const refused = await home.run('agents', 'check', bad);
  assert.is(refused.code, 1);
  assert.match(refused.err, /bad\.json:\d+: .*pack_invalid/s);
  await home.close();
});

test.run();
