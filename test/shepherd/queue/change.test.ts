// Every change of a row, by its vectors, and what a new row may be.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REASONS } from '../../../protocol/reason.js';
import { actorOf, maySee } from '../../../shepherd/queue/actor.js';
import { type Command, change } from '../../../shepherd/queue/change.js';
import { newRow, reuse } from '../../../shepherd/queue/create.js';
import { CLOSURE_REASONS, type Row } from '../../../shepherd/queue/row.js';
import { cases } from '../vector.js';

const test = suite('queue/change');
const NOW = 1_000_000;
const SOURCE = { seat: 'b', operator: false, text: 'b' };

function rowOf(parts: Partial<Row>): Row {
  const made = newRow({ destination: 'a', summary: 's', body: 'long' }, SOURCE, 'q-1', 1);
  assert.ok(made.ok);
  return { ...(made as { row: Row }).row, ...parts };
}

interface ChangeCase {
  readonly row: Partial<Row>;
  readonly command: Command;
  readonly actor: { readonly seat?: string; readonly operator: boolean };
  readonly expect: {
    readonly refused?: string;
    readonly to?: string;
    readonly changes?: Partial<Row>;
    readonly timer?: unknown;
    readonly wake?: string;
    readonly successor?: Partial<Row>;
  };
}
const FIELDS = ['refused', 'to', 'changes', 'timer', 'wake', 'successor'];
for (const one of cases<ChangeCase>('change.json', ['row', 'command', 'actor', 'expect'])) {
  test(`change.json: ${one.description}`, () => {
    assert.ok(Object.keys(one.expect).every((field) => FIELDS.includes(field)));
    const { refused, to, successor, ...rest } = one.expect;
    const actor = { seat: one.actor.seat, operator: one.actor.operator, text: 'x' };
    const result = change(rowOf(one.row), one.command, actor, NOW);
    if (!result.ok) return assert.is(result.reason, refused);
    assert.is(refused, undefined);
    assert.is(result.to, to);
    assert.equal({ changes: result.changes, timer: result.timer, wake: result.wake }, rest as never);
    assert.is(result.successor === undefined, successor === undefined);
    if (successor) assert.equal({ ...result.successor, ...successor }, result.successor);
  });
}

test('54 done without a closure reason is refused with 400, and the sentence names them all', () => {
  const refused = change(
    rowOf({ state: 'in-progress' }),
    { kind: 'close' },
    { seat: 'a', operator: false, text: 'a' },
    NOW,
  );
  assert.not.ok(refused.ok);
  if (refused.ok) return;
  assert.is(REASONS[refused.reason].status, 400);
  for (const reason of CLOSURE_REASONS) assert.ok(refused.message.includes(reason), reason);
});

test('a new row has an address, one line of summary and an id that hides no route', () => {
  const reasonOf = (wish: Parameters<typeof newRow>[0]) => {
    const made = newRow(wish, SOURCE, 'q-1', NOW);
    return made.ok ? undefined : made.reason;
  };
  const good = { destination: 'a@rig', summary: 's' };
  assert.is(reasonOf(good), undefined);
  assert.is(reasonOf({ ...good, destination: 'A b' }), 'invalid_name');
  assert.is(reasonOf({ ...good, summary: '' }), 'invalid_body');
  assert.is(reasonOf({ ...good, summary: 'x\x1b[2J' }), 'invalid_body');
  assert.is(reasonOf({ ...good, summary: 'x'.repeat(201) }), 'invalid_body');
  assert.is(reasonOf({ ...good, body: 'x'.repeat(1_048_577) }), 'invalid_body');
  assert.is(reasonOf({ ...good, tags: [''] }), 'invalid_body');
  assert.is(reasonOf({ ...good, id: 'list' }), 'invalid_body');
  assert.is(reasonOf({ ...good, id: 'a/b' }), 'invalid_body');
  assert.is(reasonOf({ ...good, id: 'ticket-12' }), undefined);
});

test('53 the same id between the same parties is the same row, between others it is refused', () => {
  const stored = rowOf({});
  assert.equal(reuse(stored, rowOf({ summary: 'other words' })), { ok: true, row: stored });
  for (const other of [rowOf({ destination: 'c' }), rowOf({ source: 'c' })]) {
    const result = reuse(stored, other);
    assert.is(!result.ok && result.reason, 'qitem_id_reuse');
  }
  assert.is(REASONS.qitem_id_reuse.status, 409);
});

test('who acts is what the credential says; only an operator names another seat', () => {
  const agent = { kind: 'agent', name: 'agent a', seat: 'a' } as const;
  const admin = { kind: 'admin', name: 'operator' } as const;
  const acting = (caller: Parameters<typeof actorOf>[0], as?: string, write = true) => {
    const result = actorOf(caller, as, write);
    return result.ok ? `${result.actor.seat} ${result.actor.operator} ${result.actor.text}` : result.reason;
  };
  assert.is(acting(agent), 'a false a');
  assert.is(acting(agent, 'a@default'), 'a false a');
  assert.is(acting(agent, 'b'), 'credential_kind');
  assert.is(acting(admin), 'undefined true operator');
  assert.is(acting(admin, 'b@x'), 'b@x true b@x (by operator)');
  assert.is(acting(admin, 'No Seat'), 'invalid_name');
  assert.is(acting({ kind: 'auditor', name: 'x' }), 'credential_kind');
  assert.is(acting({ kind: 'auditor', name: 'x' }, undefined, false), 'undefined true operator x');
  assert.is(acting({ kind: 'shepherd', name: 'x' }), 'credential_kind');
  assert.is(acting({ kind: 'agent', name: 'x' }), 'credential_kind');
});

test('an agent sees the rows that it is a party of, an operator sees all', () => {
  const row = { source: 'b', destination: 'a' };
  const seen = (seat: string | undefined, operator: boolean) => maySee({ seat, operator, text: '' }, row);
  assert.ok(seen('a', false) && seen('b', false) && seen(undefined, true));
  assert.not.ok(seen('c', false));
});

test.run();
