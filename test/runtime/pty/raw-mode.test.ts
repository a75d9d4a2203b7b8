// Line modes of real terminals, through the starter and through `stty`: their age, and that readings are few.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPtyRoom } from '../../../runtime/pty/host.js';
import { createLineModes, readWithStty } from '../../../runtime/pty/raw-mode.js';
import { start } from './start.js';

const test = suite('pty raw mode');
const { host, lineModes } = createPtyRoom();

for (const [way, modes] of [
  ['starter', lineModes],
  ['stty', createLineModes()],
] as const) {
  test(`${way}: a terminal is canonical until its program makes it raw`, async () => {
    const child = await start(host, ['sh', '-c', 'read line; stty raw -echo; echo now; sleep 60']);
    assert.is(modes.current(child.pty.ttyPath), undefined);
    const before = await modes.renew(child.pty.ttyPath);
    assert.equal([before?.icanon, before?.echo], [true, true]);
    assert.is(modes.current(child.pty.ttyPath), before);
    child.pty.write(Buffer.from('\r'));
    await child.until(/now/);
    const after = await modes.renew(child.pty.ttyPath);
    assert.equal([after?.icanon, after?.echo], [false, false]);
    modes.forget(child.pty.ttyPath);
    assert.is(modes.current(child.pty.ttyPath), undefined);
    await child.pty.kill();
  });

  test(`${way}: a terminal that is gone, or none, is unknown`, async () => {
    assert.is(await modes.renew('/dev/pts/999999'), undefined);
    assert.is(await modes.renew('/dev/null'), undefined);
    assert.is(await modes.renew(''), undefined);
    assert.is(modes.current(''), undefined);
  });
}

test('a renewal asked for during a reading follows it, and all who ask get the same one', async () => {
  const modes = createLineModes();
  const child = await start(host, ['sleep', '60']);
  const first = modes.renew(child.pty.ttyPath);
  const second = modes.renew(child.pty.ttyPath);
  const third = modes.renew(child.pty.ttyPath);
  assert.is(second, third);
  const [one, two] = await Promise.all([first, second]);
  assert.ok((two?.readAtMs ?? 0) > (one?.readAtMs ?? 0));
  await child.pty.kill();
});

test('many terminals are read a few at a time, and all are read', async () => {
  const modes = createLineModes();
  const children = await Promise.all(Array.from({ length: 9 }, () => start(host, ['sleep', '60'])));
  const read = await Promise.all(children.map((child) => modes.renew(child.pty.ttyPath)));
  assert.ok(read.every((mode) => mode?.icanon === true));
  await Promise.all(children.map((child) => child.pty.kill()));
});

test('an stty that cannot run leaves the mode unknown', async () => {
  const modes = createLineModes(readWithStty('/no/such/stty'));
  assert.is(await modes.renew('/dev/null'), undefined);
});

test.run();
