// What the status room says becomes facts of the view; a signal is counted once. Types of the status room fit as they are.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  countSignal,
  foregroundView,
  NO_SIGNALS,
  type StatusLike,
  statusFacts,
} from '../../../runtime/floor/adopt.js';
import { endingAtStart, OUTBOX_STATES } from '../../../runtime/floor/restart.js';
import type { ForegroundVerdict } from '../../../runtime/status/foreground.js';
import type { Status } from '../../../runtime/status/status.js';

const test = suite('floor/adopt');
const status = (change: Partial<StatusLike> = {}): StatusLike => ({
  state: 'idle',
  source: 'program_status',
  at: 10,
  offset: 100,
  hard: true,
  needsComposer: false,
  ...change,
});

test('a signal is counted when its evidence is newer, and a soft veto is none', () => {
  let count = countSignal(NO_SIGNALS, status());
  assert.is(count.signal, 1);
  count = countSignal(count, status({ state: 'blocked', hard: false, offset: 130 }));
  count = countSignal(count, status());
  assert.is(count.signal, 1);
  count = countSignal(count, status({ offset: 140 }));
  assert.is(count.signal, 2);
  count = countSignal(count, status({ offset: 140, at: 11 }));
  assert.is(count.signal, 3);
});

test('a status becomes its facts', () => {
  const facts = (change: Partial<StatusLike>) => statusFacts(status(change), NO_SIGNALS).status;
  assert.equal(facts({}), { state: 'idle', means: 'idle' });
  assert.equal(facts({ needsComposer: true }), { state: 'idle', means: 'idle_or_blocked' });
  assert.equal(facts({ state: 'working' }), { state: 'working' });
  assert.equal(facts({ state: 'blocked', kind: 'permission' }), {
    state: 'blocked',
    kind: 'permission',
    hard: true,
  });
  const unknown = (cause: string) => facts({ state: 'unknown', hard: false, cause });
  assert.equal(unknown('starting'), { state: 'unknown', cause: 'starting' });
  assert.equal(unknown('interrupt_unsettled'), { state: 'unknown', cause: 'interrupt_unsettled' });
  assert.equal(unknown('stale'), { state: 'unknown', cause: 'status_unknown' });
});

test('a foreground verdict becomes its view', () => {
  const members = [
    { pid: 1, name: 'bash', role: 'wrapper' },
    { pid: 2, name: 'vim', role: 'foreign' },
  ] as const;
  const verdict = (change: Partial<ForegroundVerdict>): ForegroundVerdict => ({
    class: 'agent',
    front: 'tenure',
    members,
    ...change,
  });
  assert.equal(foregroundView(verdict({})), { kind: 'agent', carrier: false });
  assert.equal(foregroundView(verdict({ class: 'carrier' })), { kind: 'agent', carrier: true });
  assert.equal(foregroundView(verdict({ class: 'shell' })), { kind: 'shell' });
  const other = verdict({ class: 'foreground_other', cause: 'foreign_member' });
  assert.equal(foregroundView(other), { kind: 'other', program: 'vim' });
  assert.equal(foregroundView({ ...other, cause: 'not_known' }), { kind: 'unavailable' });
});

test('a status of the status room fits', () => {
  const real: Status = {
    ...status(),
    detail: '',
    turns: 0,
    state: 'idle',
    source: 'program_status',
  } as Status;
  assert.is(statusFacts(real, NO_SIGNALS).source, 'program_status');
});

test('at start what waited has failed, what was being typed is indeterminate, the rest had ended', () => {
  const endings = OUTBOX_STATES.map((state) => endingAtStart(state, 7));
  assert.equal(
    endings.map((ending) => ending?.state),
    ['failed', 'indeterminate', ...Array(4)],
  );
  assert.is(endings[0]?.bytesWritten, 0);
  assert.is(endings[1]?.bytesWritten, 7);
  assert.is(endings[1]?.reason, 'runtime_restarted');
});

test.run();
