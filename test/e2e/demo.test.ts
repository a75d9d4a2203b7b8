// The demo plays its whole scenario against a server of its own, and exits 0 only if everything happened as told.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('demo');
const DEMO = fileURLToPath(new URL('../../clients/demo/main.js', import.meta.url));

test('the scenario runs once, tells its reasons, and leaves nothing behind', async () => {
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(
      process.execPath,
      [DEMO, '--once'],
      { encoding: 'utf8', timeout: 120_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, out: stdout + stderr }),
    );
  });
  assert.is(code, 0, out);
  for (const told of [
    'draft has no timeout',
    'delivered',
    'target_needs_input',
    'allow_once answers',
    'chain verified',
  ]) {
    assert.ok(out.includes(told), `${told}\n${out}`);
  }
});

test.run();
