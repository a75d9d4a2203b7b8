// What is read from /proc and from `ps`, and who belongs to a session, against spec/vectors/pty.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addSession,
  aliveOf,
  type ProcessRow,
  parseStat,
  pictureOf,
  sharePictures,
} from '../../../runtime/pty/process-row.js';
import { parsePs } from '../../../runtime/pty/ps-text.js';
import { parseStty } from '../../../runtime/pty/raw-mode.js';
import { readVectors } from '../../support/byte-vector.js';

const test = suite('pty process row');

interface Text<Result> {
  readonly description: string;
  readonly text: string;
  readonly expect: Result;
}
const FIELDS = ['text', 'expect'];
for (const { description, text, expect } of readVectors<Text<ProcessRow | null>>('pty/stat.json', FIELDS)) {
  test(`stat: ${description}`, () => assert.equal(parseStat(text) ?? null, expect));
}
for (const { description, text, expect } of readVectors<Text<ProcessRow[]>>('pty/ps.json', FIELDS)) {
  test(`ps: ${description}`, () =>
    assert.equal(
      parsePs(text).map(({ row }) => row),
      expect,
    ));
}
for (const { description, text, expect } of readVectors<Text<object | null>>('pty/stty.json', FIELDS)) {
  test(`stty: ${description}`, () => assert.equal(parseStty(text) ?? null, expect));
}

interface Session {
  readonly description: string;
  readonly sid: number;
  readonly known: ReadonlyArray<readonly [number, string]>;
  readonly rows: readonly ProcessRow[];
  readonly expect: readonly number[];
}
const SESSION_FIELDS = ['sid', 'known', 'rows', 'expect'];
for (const { description, sid, known, rows, expect } of readVectors<Session>(
  'pty/session.json',
  SESSION_FIELDS,
)) {
  test(`session: ${description}`, () => {
    const found = new Map(known);
    const picture = pictureOf(rows);
    addSession(found, sid, picture);
    assert.equal(
      aliveOf(found, (pid) => picture.byPid.get(pid)),
      expect,
    );
  });
}

test('a stat line that is cut anywhere is nothing or the same process', () => {
  const text = '7 (a b) c) S 1 2 3 34816 2 4194560 100 0 0 0 1 2 0 0 20 0 1 0 98765 4096000 500';
  const whole = parseStat(text);
  for (let length = 0; length < text.length; length++) {
    const row = parseStat(text.slice(0, length));
    // A cut start time is a shorter number: the kernel never gives one, it writes the line at once.
    if (row) assert.equal({ ...row, startTime: whole?.startTime }, whole);
  }
});

test('who asks during a reading shares the next one, never the one that runs', async () => {
  let readings = 0;
  const ends: Array<() => void> = [];
  const picture = sharePictures(() => {
    readings += 1;
    return new Promise((resolve) => ends.push(() => resolve([])));
  });
  const first = picture();
  const second = picture();
  const third = picture();
  assert.is(readings, 1);
  ends[0]?.();
  await first;
  while (readings < 2) await new Promise((resolve) => setImmediate(resolve));
  const fourth = picture();
  ends[1]?.();
  assert.is(await second, await third);
  while (readings < 3) await new Promise((resolve) => setImmediate(resolve));
  ends[2]?.();
  await fourth;
  assert.is(readings, 3);
});

test('a reading that fails is told to those who share it, and the next one is tried', async () => {
  let readings = 0;
  const picture = sharePictures(async () => {
    readings += 1;
    if (readings === 1) throw new Error('no ps');
    return [];
  });
  const [first, second] = await Promise.allSettled([picture(), picture()]);
  assert.is(first.status, 'rejected');
  assert.is(second.status, 'fulfilled');
});

test.run();
