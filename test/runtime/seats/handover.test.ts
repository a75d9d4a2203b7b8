// The handover machine, dispositions and start commands: the vectors of spec/vectors/seats.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reason } from '../../../protocol/reason.js';
import { PackSet } from '../../../runtime/agents/pack-set.js';
import { conversationIn, planStart } from '../../../runtime/seats/conversation.js';
import {
  advance,
  BEGIN,
  bindingOf,
  type CreationMode,
  continuityOf,
  type Disposition,
  type HandoverEvent,
  isFrozen,
  isLocked,
  judgeDisposition,
  type Plan,
  STEPS,
  stepsOf,
} from '../../../runtime/seats/handover.js';
import { readVectors } from '../../support/byte-vector.js';

const test = suite('handover');

interface Case {
  readonly description: string;
  readonly mode: CreationMode;
  readonly given?: boolean;
  readonly events: readonly string[];
  readonly state: string;
  readonly at?: string;
  readonly continuity: string;
  readonly binding: string;
  readonly locked: boolean;
  readonly frozen: boolean;
}

function eventOf(word: string): HandoverEvent {
  if (word === 'done' || word === 'restarted') return { kind: word };
  if (word.startsWith('settled ')) return { kind: 'settled', as: word.slice(8) as 'bound' | 'unchanged' };
  return { kind: 'failed', reason: word as Reason };
}

const fields = ['mode', 'given', 'events', 'state', 'at', 'continuity', 'binding', 'locked', 'frozen'];
for (const one of readVectors<Case>('seats/handover.json', fields)) {
  test(one.description, () => {
    const plan: Plan = { mode: one.mode, given: one.given ?? false };
    const state = one.events.map(eventOf).reduce((now, event) => advance(plan, now, event), BEGIN);
    const at = 'at' in state ? state.at : 'step' in state ? state.step : undefined;
    assert.equal(
      [state.kind, at, continuityOf(plan, state), bindingOf(state), isLocked(state), isFrozen(state)],
      [one.state, one.at, one.continuity, one.binding, one.locked, one.frozen],
    );
  });
}

test('nothing but a durable record is handed over: no failure at any step gives that word', () => {
  for (const mode of ['fresh', 'resume', 'fork', 'rebuild'] as const) {
    const plan: Plan = { mode, given: false };
    for (const failing of stepsOf(plan)) {
      for (const event of [
        { kind: 'failed', reason: 'internal' },
        { kind: 'restarted' },
      ] as const satisfies readonly HandoverEvent[]) {
        let state = BEGIN;
        while (state.kind === 'binding' && state.step !== failing)
          state = advance(plan, state, { kind: 'done' });
        const ended = advance(plan, state, event);
        assert.not(bindingOf(ended) === 'handed_over', `${mode} ${failing}`);
        const began = STEPS.indexOf(failing) >= STEPS.indexOf('detach');
        assert.is(isLocked(ended), began, `${mode} ${failing}`);
      }
    }
  }
});

interface DispositionCase {
  readonly description: string;
  readonly asked: Disposition;
  readonly strict: boolean;
  readonly obstacle?: string;
  readonly verdict: string;
  readonly disposition?: string;
}
const judged = ['asked', 'strict', 'obstacle', 'verdict', 'disposition'];
for (const one of readVectors<DispositionCase>('seats/disposition.json', judged)) {
  test(one.description, () => {
    const verdict = judgeDisposition(one.asked, one.strict, one.obstacle);
    assert.is(verdict.kind, one.verdict);
    assert.is('disposition' in verdict ? verdict.disposition : undefined, one.disposition);
    if (one.obstacle && one.asked !== 'retire')
      assert.ok('notice' in verdict && verdict.notice.includes(one.obstacle));
  });
}

interface StartCase {
  readonly description: string;
  readonly pack: string;
  readonly command: [string, ...string[]];
  readonly mode: CreationMode;
  readonly id?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly starts?: readonly string[];
  readonly base?: readonly string[];
  readonly conversation?: string;
  readonly refused?: string;
}
const packs = new PackSet(undefined);
const started = [
  'pack',
  'command',
  'mode',
  'id',
  'model',
  'effort',
  'starts',
  'base',
  'conversation',
  'refused',
];
for (const one of readVectors<StartCase>('seats/start.json', started)) {
  test(one.description, () => {
    const pack = packs.find(one.pack);
    assert.ok(pack, one.pack);
    const { mode, id, model, effort } = one;
    const plan = planStart(one.command, pack, { mode, id, newId: 'new', model, effort });
    if (plan.kind !== 'start') return assert.is(plan.kind, one.refused);
    assert.equal([plan.command, plan.base, plan.conversation], [one.starts, one.base, one.conversation]);
    if (plan.conversation !== undefined)
      assert.is(conversationIn(plan.command, pack.conversation), plan.conversation);
  });
}

test.run();
