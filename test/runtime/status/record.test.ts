// The records of OSC 7501: replacement, clear, lapse, bounds.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseProgramStatus } from '../../../runtime/status/program-status.js';
import {
  applyReport,
  childrenAtWork,
  lapseEphemeral,
  NO_RECORDS,
  RECORDS,
  type Records,
  rootRecord,
} from '../../../runtime/status/record.js';

const test = suite('records');

function fold(...bodies: readonly string[]): Records {
  return bodies.reduce<Records>((records, body, index) => {
    const parsed = parseProgramStatus(body);
    if (parsed.type !== 'report') throw new Error(`not a report: ${body}`);
    return applyReport(records, { report: parsed.report, at: index, offset: index });
  }, NO_RECORDS);
}
const ids = (records: Records) => [...records.keys()];

test('a report replaces its record completely', () => {
  const records = fold('state=working:app=x:progress=4', 'state=idle');
  assert.equal(rootRecord(records)?.report, { state: 'idle', id: '' });
});

test('children stand beside the root record', () => {
  const records = fold('state=idle', 'state=working:id=a/b');
  assert.is(rootRecord(records)?.report.state, 'idle');
  assert.ok(childrenAtWork(records));
  assert.not(childrenAtWork(fold('state=working', 'state=done:id=a/b')));
});

test('clear with an id removes that record and all beneath it, and nothing that only begins alike', () => {
  const records = fold(
    'state=idle',
    'state=working:id=a',
    'state=working:id=a/b',
    'state=working:id=ab',
    'state=clear:id=a',
  );
  assert.equal(ids(records), ['', 'ab']);
});

test('clear of a parent that never reported removes its children', () => {
  assert.equal(ids(fold('state=working:id=a/b', 'state=clear:id=a')), []);
});

test('clear without an id removes every record', () => {
  assert.equal(ids(fold('state=idle', 'state=working:id=a', 'state=clear')), []);
});

test('at a shell prompt working and blocked lapse, the rest stays', () => {
  const records = fold(
    'state=done',
    'state=working:id=w',
    'state=blocked:id=b',
    'state=error:id=e',
    'state=idle:id=i',
  );
  assert.equal(ids(lapseEphemeral(records)), ['', 'e', 'i']);
});

test('at the limit every record is kept; one over, the least recently reported child leaves, never the root', () => {
  const children = Array.from({ length: RECORDS - 1 }, (_, index) => `state=working:id=c${index}`);
  const full = fold('state=idle', ...children, 'state=working:id=c0');
  assert.is(full.size, RECORDS);
  const over = fold('state=idle', ...children, 'state=working:id=c0', 'state=working:id=new');
  assert.is(over.size, RECORDS);
  assert.ok(over.has(''));
  assert.ok(over.has('c0'), 'c0 was reported again and is recent');
  assert.not(over.has('c1'));
});

test.run();
