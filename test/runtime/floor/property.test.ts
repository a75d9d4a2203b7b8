// Random schedules of keys, output, requests, mode changes, late readings, full buffers, failing audits, restarts and
// crashes keep the floor's invariants. Few in an ordinary run; FLOOR_SCHEDULES=100000 runs the whole bar.
import fc from 'fast-check';
import { suite } from 'uvu';
import { GUARD_MODES } from '../../../runtime/floor/mode.js';
import { Rig, type RigOptions } from './rig.js';

const test = suite('floor/property');
const SCHEDULES = Number(process.env.FLOOR_SCHEDULES ?? 600);

type Action = (rig: Rig) => void;
interface Named {
  readonly name: string;
  readonly run: Action;
}

const named = (name: string, run: Action): fc.Arbitrary<Named> => fc.constant({ name, run });
const admin = { kind: 'admin', name: 'root', scopes: [] } as const;

const submit = fc
  .record({
    origin: fc.constantFrom('send', 'send', 'wake', 'notice'),
    urgent: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, 4_000, 60_000),
    key: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
    supersede: fc.constantFrom(undefined, undefined, 'row:1'),
  })
  .map(({ origin, urgent, waitMs, key, supersede }): Named => {
    const rank = urgent ? 'urgent' : origin === 'notice' ? 'notice' : 'normal';
    const keys = {
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(supersede === undefined ? {} : { supersede }),
    };
    return {
      name: `submit ${origin} ${urgent} ${waitMs} ${key} ${supersede}`,
      run: (rig) => rig.submit({ origin: origin as 'send', urgent, rank, ...keys }, waitMs),
    };
  });

/** The agent behaves: it shows what it has, and the runtime reads it. */
const catchUp: Action = (rig) => {
  rig.draw();
  rig.deliver(100);
  rig.read();
};

const quietIdle: Action = (rig) => {
  rig.advance(3_000);
  rig.report('idle');
  catchUp(rig);
  rig.advance(300);
};

/** Long enough for a paste to settle after it was drawn. */
const stage: Action = (rig) => {
  catchUp(rig);
  rig.advance(400);
};

const turn: Action = (rig) => {
  rig.report('working');
  catchUp(rig);
  rig.report('idle');
  catchUp(rig);
};

const ask: Action = (rig) => {
  rig.openDialog('permission');
  rig.report('blocked');
  catchUp(rig);
};

const answer = fc.constantFrom<Named>(
  {
    name: 'answer the dialog',
    run: (rig) => {
      if (rig.dialog === undefined) ask(rig);
      const instance = rig.dialog?.instance ?? 'd0';
      rig.submit(
        { origin: 'answer', body: '', identity: admin, dialog: { instance, choice: 'allow_once' } },
        0,
      );
    },
  },
  {
    name: 'answer another dialog',
    run: (rig) =>
      rig.submit(
        { origin: 'answer', body: '', identity: admin, dialog: { instance: 'd0', choice: 'deny_once' } },
        0,
      ),
  },
);

const action: fc.Arbitrary<Named> = fc.oneof(
  { weight: 6, arbitrary: submit },
  { weight: 2, arbitrary: answer },
  { weight: 6, arbitrary: named('catch up', catchUp) },
  { weight: 3, arbitrary: named('draw', (rig) => rig.draw()) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('idle' as const, 'working' as const, 'blocked' as const)
      .map((state): Named => ({ name: `report ${state}`, run: (rig) => rig.report(state) })),
  },
  { weight: 5, arbitrary: named('be idle and quiet', quietIdle) },
  { weight: 8, arbitrary: named('show what was pasted', stage) },
  { weight: 4, arbitrary: named('have a turn', turn) },
  { weight: 1, arbitrary: named('ask for permission', ask) },
  { weight: 3, arbitrary: named('deliver one', (rig) => rig.deliver(1)) },
  { weight: 3, arbitrary: named('read', (rig) => rig.read()) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(1, 50, 100, 300, 400, 1_000, 3_000, 5_000, 61_000)
      .map((ms): Named => ({ name: `wait ${ms}`, run: (rig) => rig.advance(ms) })),
  },
  { weight: 1, arbitrary: named('key', (rig) => rig.key('k')) },
  { weight: 2, arbitrary: named('enter', (rig) => rig.enter()) },
  { weight: 1, arbitrary: named('click', (rig) => rig.click()) },
  { weight: 1, arbitrary: named('settle', (rig) => rig.declareSettled()) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...GUARD_MODES, 'off' as const, 'off' as const)
      .map((mode): Named => ({ name: `mode ${mode}`, run: (rig) => rig.mode(mode) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('permission', 'question')
      .map((kind): Named => ({ name: `open ${kind}`, run: (rig) => rig.openDialog(kind) })),
  },
  { weight: 1, arbitrary: named('close dialog', (rig) => rig.closeDialog()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 1, 3, 8, 25, 1_000, 1_000, 1_000, 1_000).map(
      (room): Named => ({
        name: `room ${room}`,
        run: (rig) => {
          rig.room = room === 1_000 ? Number.POSITIVE_INFINITY : room;
          rig.drain();
        },
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (works): Named => ({
        name: `audit ${works}`,
        run: (rig) => {
          rig.auditWorks = works;
        },
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('agent' as const, 'agent' as const, 'agent' as const, 'shell' as const).map(
      (kind): Named => ({
        name: `front ${kind}`,
        run: (rig) => {
          rig.front = kind === 'agent' ? { kind, carrier: false } : { kind };
        },
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .nat(12)
      .map(
        (n): Named => ({ name: `withdraw r${n}`, run: (rig) => rig.step({ kind: 'withdraw', id: `r${n}` }) }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .boolean()
      .map((next): Named => ({ name: `tenure ends ${next}`, run: (rig) => rig.endTenure(next) })),
  },
  { weight: 1, arbitrary: named('restart session', (rig) => rig.restartSession()) },
  { weight: 1, arbitrary: named('crash', (rig) => rig.crash()) },
);

const options: fc.Arbitrary<RigOptions> = fc.record({
  reader: fc.constantFrom(true, true, false),
  means: fc.constantFrom('idle' as const, 'idle' as const, 'idle_or_blocked' as const),
  auditSync: fc.constantFrom('normal' as const, 'normal' as const, 'full' as const),
});

const reached = { granted: 0, entered: 0, confirmed: 0, indeterminate: 0, cut: 0, held: 0, answered: 0 };

test(`${SCHEDULES} schedules keep I1 to I8`, () => {
  fc.assert(
    fc.property(
      options,
      fc.array(action, { minLength: 1, maxLength: 60, size: 'max' }),
      (chosen, actions) => {
        const rig = new Rig(chosen);
        for (const one of actions) one.run(rig);
        rig.settle();
        for (const one of rig.injections) {
          reached.granted++;
          reached.entered += one.enters;
          if (one.ended?.confirmed) reached.confirmed++;
          if (one.ended?.state === 'indeterminate') reached.indeterminate++;
          if (one.ended?.reason === 'dialog_answered') reached.answered++;
          if (one.ended?.reason === 'floor_revoked_by_human' && one.ended.bytesWritten > 0) reached.cut++;
        }
        for (const state of rig.states.values()) {
          if (typeof state !== 'string' && state.state === 'held') reached.held++;
        }
      },
    ),
    {
      numRuns: SCHEDULES,
      ...(process.env.FLOOR_SEED === undefined ? {} : { seed: Number(process.env.FLOOR_SEED) }),
    },
  );
});

test('the schedules reach every kind of end', () => {
  for (const [what, count] of Object.entries(reached)) {
    if (count === 0) throw new Error(`no schedule reached: ${what} (${JSON.stringify(reached)})`);
  }
  if (process.env.FLOOR_SCHEDULES !== undefined) console.log(JSON.stringify(reached));
});

test.run();
