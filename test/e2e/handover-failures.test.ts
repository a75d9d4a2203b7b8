// Handovers that fail, each failure for real: a program that is gone, a child that outlives TERM, a store that is full when
// the record is due, a runtime killed between detach and record. Numbers are those of the scenarios.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SeatRig } from '../support/seat-rig.js';
import { startServer, verifierOf } from '../support/server.js';
import {
  type Faults,
  faultyRig,
  frames,
  handover,
  lineage,
  outcomes,
  phases,
  recover,
  type Wrapped,
  wrappedSeat,
} from './handover-rig.js';

interface Context {
  rig: SeatRig;
  faults: Faults;
  /** The runtime's own connection to its database: real faults of SQLite are asked of it. */
  own: Database.Database;
  wrapped: Wrapped[];
}

const test = suite<Context>('handovers that fail');
test.before(async (context) => {
  const { pragma } = Database.prototype;
  Database.prototype.pragma = function (this: Database.Database, ...args) {
    if (this.name.endsWith('openfloor.db')) context.own ??= this;
    return pragma.apply(this, args);
  };
  Object.assign(context, await faultyRig(), { wrapped: [] });
  Database.prototype.pragma = pragma;
});
test.after(async ({ rig, wrapped }) => {
  await rig.close();
  for (const one of wrapped) one.close();
});

const OUTLIVES_TERM = ['trap "" HUP TERM', 'while :; do sleep 1; done'] as const;

test('67 a candidate that cannot be started leaves the seat alone: failed and unchanged, on record, and the old occupant is typed to', async ({
  rig,
  wrapped,
}) => {
  const one = await wrappedSeat(rig, 'ho-67', '');
  wrapped.push(one);
  await rm(one.wrapper);
  const answer = await handover(rig, 'ho-67', { mode: 'fresh' });
  assert.equal([answer.status, answer.body.reason], [502, 'candidate_failed'], JSON.stringify(answer.body));
  assert.equal(outcomes(answer), ['failed', 'unchanged']);
  assert.is(answer.body.failure.step, 'candidate');
  const told = await lineage(rig, 'ho-67');
  assert.is(told.state, 'stable');
  assert.equal(
    told.handovers.map((row: { step: string; seatBindingOutcome: string }) => [
      row.step,
      row.seatBindingOutcome,
    ]),
    [['candidate', 'unchanged']],
  );
  const sent = await rig.send('ho-67', 'still you', { wait_ms: 10_000 });
  assert.is(sent.body.outcome, 'delivered', JSON.stringify(sent.body));
  assert.ok((await one.agent.submitted()).some((text) => text.includes('still you')));
});

test('67 a candidate that ends before it is ready is the same, and nothing of it is left', async ({
  rig,
  wrapped,
}) => {
  const one = await wrappedSeat(rig, 'ho-67-ends', '');
  wrapped.push(one);
  writeFileSync(one.wrapper, '#!/bin/sh\nexit 3\n');
  const answer = await handover(rig, 'ho-67-ends', { mode: 'fresh' });
  assert.equal(
    [answer.status, answer.body.reason, answer.body.failure.step],
    [502, 'candidate_failed', 'ready'],
  );
  assert.equal(outcomes(answer), ['failed', 'unchanged']);
  const { body } = await rig.call('GET', '/api/seat/candidate/ho-67-ends');
  assert.equal(body.candidates, []);
});

test('a child that ignores HUP and TERM is ended by KILL, and the handover goes through', async ({
  rig,
  wrapped,
}) => {
  const one = await wrappedSeat(rig, 'ho-kill', ...OUTLIVES_TERM);
  wrapped.push(one);
  const answer = await handover(rig, 'ho-kill', { mode: 'fresh' });
  assert.equal(
    [answer.status, ...outcomes(answer)],
    [200, 'fresh', 'handed_over'],
    JSON.stringify(answer.body),
  );
});

test('68 an old occupant that outlives TERM while KILL fails halts the binding: locked, alert, nobody re-attached; as unchanged it goes on', async ({
  rig,
  faults,
  wrapped,
}) => {
  const one = await wrappedSeat(rig, 'ho-68', ...OUTLIVES_TERM);
  wrapped.push(one);
  const operator = await rig.operator('ho-68');
  const before = (await rig.call('GET', '/api/seat/status/ho-68')).body;
  faults.killStopsAtTerm = true;
  const answer = await handover(rig, 'ho-68', { mode: 'fresh' });
  assert.equal([answer.status, answer.body.reason], [502, 'detach_failed'], JSON.stringify(answer.body));
  assert.equal([answer.body.state, ...outcomes(answer)], ['halted', 'fresh', 'partial']);
  assert.ok(answer.body.error.includes(String(before.pid)), answer.body.error);
  await operator.until(() => phases(operator).includes('halted'));
  assert.is(frames(operator, 'attach-notice').length, 1, 'the operator stays where he is');
  const again = await handover(rig, 'ho-68', { mode: 'fresh' });
  assert.equal([again.status, again.body.reason], [409, 'handover_halted']);
  assert.ok(again.body.error.includes(answer.body.handover));
  const sent = await rig.send('ho-68', 'nobody gets this');
  assert.equal([sent.body.sent, sent.body.reason], [false, 'runtime_switch_in_progress']);
  const kinds = (await rig.audit('ho-68')).map(({ kind }) => kind);
  assert.ok(kinds.includes('alert.handover_halted') && kinds.includes('handover.halted'), kinds.join(' '));
  const { body: status } = await rig.call('GET', '/api/seat/status/ho-68');
  assert.equal([status.lineage.seat, status.lineage.step, status.pid], ['halted', 'detach', before.pid]);
  faults.killStopsAtTerm = false;
  const settled = await recover(rig, 'ho-68', 'unchanged');
  assert.equal([settled.status, settled.body.state], [200, 'unchanged'], JSON.stringify(settled.body));
  assert.is(settled.body.settles, answer.body.handover);
  const told = await lineage(rig, 'ho-68');
  assert.equal([told.state, told.handovers.length], ['stable', 2]);
  assert.is((await recover(rig, 'ho-68', 'unchanged')).body.reason, 'handover_not_halted');
  assert.is((await handover(rig, 'ho-68', { mode: 'fresh' })).body.seatBindingOutcome, 'handed_over');
});

test('68 as bound, the candidate takes the seat and what could not be ended goes on under -v1', async ({
  rig,
  faults,
  wrapped,
}) => {
  const one = await wrappedSeat(rig, 'ho-68b', ...OUTLIVES_TERM);
  wrapped.push(one);
  const operator = await rig.operator('ho-68b');
  faults.killStopsAtTerm = true;
  assert.is((await handover(rig, 'ho-68b', { mode: 'fresh' })).body.state, 'halted');
  faults.killStopsAtTerm = false;
  const settled = await recover(rig, 'ho-68b', 'bound');
  assert.equal(
    [settled.status, settled.body.seatBindingOutcome],
    [200, 'handed_over'],
    JSON.stringify(settled.body),
  );
  await operator.until(() => frames(operator, 'attach-notice').length === 2);
  const { occupants } = await lineage(rig, 'ho-68b');
  assert.equal(
    occupants.map((row: { name: string; state: string; running: boolean }) => [
      row.name,
      row.state,
      row.running,
    ]),
    [
      ['ho-68b', 'bound', true],
      ['ho-68b-v1', 'detached', true],
    ],
  );
  const sent = await rig.send('ho-68b', 'welcome', { wait_ms: 10_000 });
  assert.is(sent.body.outcome, 'delivered', JSON.stringify(sent.body));
});

test('69 a full store when the record is due halts it and never hands over; once there is room an operator settles it', async ({
  rig,
  own,
  wrapped,
}) => {
  // Its shell outlives the hang-up, so there is time between freeze and record.
  const one = await wrappedSeat(rig, 'ho-69', 'trap "" HUP', 'sleep 30');
  wrapped.push(one);
  const operator = await rig.operator('ho-69');
  // A record that needs a page more than there are.
  const answering = handover(rig, 'ho-69', { mode: 'fresh', reason: '\u20ac'.repeat(1000) });
  await operator.until(() => phases(operator).includes('frozen'));
  own.pragma('max_page_count = 1');
  const answer = await answering;
  assert.equal([answer.status, answer.body.reason], [500, 'provenance_failed'], JSON.stringify(answer.body));
  assert.equal([answer.body.state, ...outcomes(answer)], ['halted', 'fresh', 'partial']);
  const sent = await rig.send('ho-69', 'not yet');
  assert.is(sent.body.sent, false, JSON.stringify(sent.body));
  const early = await recover(rig, 'ho-69', 'bound');
  assert.equal([early.status, early.body.reason], [500, 'provenance_failed'], 'still no room');
  own.pragma('max_page_count = 1073741823');
  assert.is((await recover(rig, 'ho-69', 'unchanged')).body.reason, 'handover_halted', 'it is bound already');
  const settled = await recover(rig, 'ho-69', 'bound');
  assert.equal(
    [settled.status, settled.body.seatBindingOutcome],
    [200, 'handed_over'],
    JSON.stringify(settled.body),
  );
  assert.is((await rig.send('ho-69', 'now', { wait_ms: 10_000 })).body.outcome, 'delivered');
  const told = (await lineage(rig, 'ho-69')).handovers;
  const first = told.find((row: { handover: string }) => row.handover === answer.body.handover);
  assert.is(first?.seatBindingOutcome, 'partial', 'the attempt itself was never handed over');
});

test('kill -9 between detach and record: halted on the next start, with what is known, until somebody settles it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'openfloor-test-'));
  const credential = 'd'.repeat(64);
  const script = fileURLToPath(new URL('./handover-rig.js', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, verifierOf(credential)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const dead = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const none = { credential, dataDir, mintTicket: () => '', stop: async () => {} };
  const dying = SeatRig.over({ url, ...none });
  await dying.seat('ho-crash');
  handover(dying, 'ho-crash', { mode: 'fresh' }).catch(() => {}); // its answer is the death
  const [, signal] = (await dead) as [number | null, string];
  assert.is(signal, 'SIGKILL');
  const rig = SeatRig.over(await startServer({ env: 'caller', dataDir }));
  try {
    const told = await lineage(rig, 'ho-crash');
    assert.equal(
      [told.state, told.binding.step, told.binding.failure.reason],
      ['halted', 'provenance', 'runtime_restarted'],
    );
    assert.equal([told.binding.continuityOutcome, told.binding.seatBindingOutcome], ['fresh', 'partial']);
    assert.ok(told.binding.old.generation < told.binding.new.generation);
    assert.equal(told.handovers.length, 1);
    await rig.seat('ho-crash');
    assert.is(
      (await rig.send('ho-crash', 'x')).body.reason,
      'runtime_switch_in_progress',
      'also for a new session',
    );
    assert.is((await handover(rig, 'ho-crash', { mode: 'fresh' })).body.reason, 'handover_halted');
    const settled = await recover(rig, 'ho-crash', 'unchanged');
    assert.equal(
      [settled.status, settled.body.settles],
      [200, told.binding.handover],
      JSON.stringify(settled.body),
    );
    assert.is((await rig.send('ho-crash', 'x', { wait_ms: 10_000 })).body.outcome, 'delivered');
    assert.is((await lineage(rig, 'ho-crash')).state, 'stable');
  } finally {
    await rig.close();
    await dying.close();
  }
});

test.run();
