// The queue of starts: order, turns, bounds, and that a failed start makes room like any other.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PtySpawnError } from '../../../runtime/pty/port.js';
import { StartQueue } from '../../../runtime/pty/start-queue.js';

const test = suite('pty start queue');

test('starts happen in order, one a turn, at most four unfinished', async () => {
  const queue = new StartQueue();
  const log: string[] = [];
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const finish: Array<() => void> = [];
  const starts = Array.from({ length: 6 }, (_, index) =>
    queue.run(() => {
      log.push(`${index}@${turn}`);
      return new Promise<number>((resolve) => finish.push(() => resolve(index)));
    }),
  );
  while (finish.length < 4) await new Promise((resolve) => setImmediate(resolve));
  for (let more = 0; more < 5; more++) await new Promise((resolve) => setImmediate(resolve));
  assert.is(log.length, 4);
  for (const done of finish.splice(0)) done();
  while (finish.length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const done of finish) done();
  assert.equal(await Promise.all(starts), [0, 1, 2, 3, 4, 5]);
  counting = false;
  assert.equal(
    log.map((entry) => entry[0]),
    ['0', '1', '2', '3', '4', '5'],
  );
  assert.is(new Set(log.map((entry) => entry.slice(2))).size, 6);
});

test('a start that fails makes room for the next', async () => {
  const queue = new StartQueue();
  const failing = Array.from({ length: 8 }, () => queue.run(() => Promise.reject(new Error('no'))));
  const results = await Promise.allSettled([...failing, queue.run(async () => 'yes')]);
  assert.is(results.filter((result) => result.status === 'rejected').length, 8);
  assert.equal(results[8], { status: 'fulfilled', value: 'yes' });
});

test('4096 starts may wait; the next is refused', async () => {
  const queue = new StartQueue();
  const waiting = Array.from({ length: 4_096 }, () => queue.run(async () => 'started'));
  try {
    await queue.run(async () => 'started');
    assert.unreachable('it was taken');
  } catch (error) {
    assert.instance(error, PtySpawnError);
    assert.match((error as Error).message, /4096 starts are waiting/);
  }
  assert.ok((await Promise.all(waiting)).every((result) => result === 'started'));
});

test.run();
