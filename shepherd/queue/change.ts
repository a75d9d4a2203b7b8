// Every change of a row as a value: what it becomes, the transition to record, what happens to its timer and its wake. Always
// true: a change that is refused changes nothing; `done` and `handed-off` are never left; only the destination claims. Pure:
// ids and time are given; who may see the row at all is checked before.
import type { Priority, TimeMs } from '../port.js';
import { type Actor, actsForDestination, seatAddress } from './actor.js';
import { faultOf } from './create.js';
import { TIER_MS, WAKE_AFTER_MAX_MS } from './limit.js';
import { type Refusal, refuse } from './refusal.js';
import { CLOSURE_REASONS, type ClosureReason, isFinal, isOpen, type Row, STATES, type State } from './row.js';

export interface Closure {
  readonly closureReason?: string;
  readonly closureTarget?: string;
}

export interface UpdateFields extends Closure {
  readonly state?: string;
  readonly summary?: string;
  readonly body?: string;
  readonly priority?: Priority;
  readonly tier?: string | null;
  readonly tags?: readonly string[];
  readonly expiresAt?: TimeMs | null;
  readonly notBefore?: TimeMs | null;
  /** True asks for a wake now. */
  readonly wake?: boolean;
}

export type Command = (
  | { readonly kind: 'claim' }
  | { readonly kind: 'unclaim' }
  | { readonly kind: 'block'; readonly on: string; readonly wakeAfterMs?: number }
  | ({ readonly kind: 'close' } & Closure)
  | { readonly kind: 'handoff'; readonly to: string; readonly summary?: string; readonly id: string }
  | { readonly kind: 'update'; readonly fields: UpdateFields }
) & { readonly note?: string };

/**
 * What happens to the row's wake. `retire`: it is withdrawn first; `again`: a new one is due; `rearm`: one that is not over
 * and not with the runtime is due again; `keep`: nothing.
 */
export type WakeEffect = 'retire' | 'again' | 'rearm' | 'keep';

export interface Change {
  readonly ok: true;
  readonly changes: Partial<Row>;
  /** Undefined when only fields changed. */
  readonly to: State | undefined;
  readonly note: string | null;
  readonly timer: 'keep' | 'cancel' | { readonly dueAt: TimeMs };
  readonly wake: WakeEffect;
  /** The row of a handoff's new owner, which is woken. */
  readonly successor?: Row;
}

const NEEDS_TARGET: ReadonlySet<ClosureReason> = new Set<ClosureReason>([
  'handed_off_to',
  'blocked_on',
  'escalation',
]);

function closureOf({
  closureReason,
  closureTarget,
}: Closure): { reason: ClosureReason; target: string | null } | Refusal {
  const reason = CLOSURE_REASONS.find((one) => one === closureReason);
  const target = closureTarget?.trim() || null;
  if (reason === undefined || (NEEDS_TARGET.has(reason) && target === null)) return refuse('invalid_closure');
  const fault = faultOf(target === null ? {} : { name: target });
  return fault === undefined ? { reason, target } : refuse('invalid_body', fault);
}

const CLEARED = { blockedOn: null, claimedAt: null, closureRequiredAt: null } as const;

/** The change that a command makes, or why it makes none. */
export function change(row: Row, command: Command, actor: Actor, now: TimeMs): Change | Refusal {
  if (isFinal(row)) return refuse('qitem_already_terminal');
  const fault = faultOf(command.note === undefined ? {} : { note: command.note });
  if (fault !== undefined) return refuse('invalid_body', fault);
  if (command.kind !== 'update' && !mayChange(row, command, actor))
    return refuse('claim_destination_mismatch');
  const note = command.note?.trim() || null;
  const base = { ok: true, note, timer: 'keep', wake: 'keep' } as const;
  switch (command.kind) {
    case 'claim': {
      if (row.state !== 'pending' && row.state !== 'blocked') return refuse('qitem_not_claimable');
      const limit = row.tier === null ? undefined : TIER_MS[row.tier];
      const changes = {
        blockedOn: null,
        claimedAt: now,
        closureRequiredAt: limit === undefined ? null : now + limit,
      };
      return { ...base, to: 'in-progress', changes, timer: 'cancel', wake: 'retire' };
    }
    case 'unclaim':
      if (row.state !== 'in-progress') return refuse('qitem_not_in_progress');
      return { ...base, to: 'pending', changes: CLEARED };
    case 'block':
      return block(row, command, base, now);
    case 'close': {
      const closure = closureOf(command);
      if ('ok' in closure) return closure;
      return { ...base, ...closed('done', closure) };
    }
    case 'handoff':
      return handoff(row, command, actor, base, now);
    case 'update':
      return update(row, command.fields, actor, base);
  }
}

/** The source may take back what it asked for; everything else is the destination's. */
function mayChange(row: Row, command: Command, actor: Actor): boolean {
  if (command.kind === 'claim') return actor.seat === row.destination;
  if (actsForDestination(actor, row)) return true;
  const takesBack = command.kind === 'close' && /^(canceled|superseded)$/.test(command.closureReason ?? '');
  return takesBack && actor.seat === row.source;
}

type Base = Pick<Change, 'ok' | 'note' | 'timer' | 'wake'>;

function block(
  row: Row,
  command: Extract<Command, { kind: 'block' }>,
  base: Base,
  now: TimeMs,
): Change | Refusal {
  if (!isOpen(row)) return refuse('invalid_state', `A ${row.state} row can't be blocked.`);
  const on = command.on.trim();
  const fault = faultOf({ name: on });
  if (fault !== undefined) return refuse('invalid_body', fault);
  const after = command.wakeAfterMs;
  if (after !== undefined && !(Number.isInteger(after) && after > 0 && after <= WAKE_AFTER_MAX_MS)) {
    return refuse(
      'invalid_body',
      'wakeAfterMs is a whole number of milliseconds, more than 0 and at most 366 days.',
    );
  }
  return {
    ...base,
    to: 'blocked',
    changes: { ...CLEARED, blockedOn: on },
    // A new block retires the timer of the one before, also when it has none itself.
    timer: after === undefined ? 'cancel' : { dueAt: now + after },
    wake: 'retire',
  };
}

function closed(state: State, closure?: { reason: ClosureReason; target: string | null }) {
  const changes = {
    blockedOn: null,
    closureReason: closure?.reason ?? null,
    closureTarget: closure?.target ?? null,
  };
  return { to: state, changes, timer: 'cancel', wake: 'retire' } as const;
}

function handoff(
  row: Row,
  command: Extract<Command, { kind: 'handoff' }>,
  actor: Actor,
  base: Base,
  now: TimeMs,
): Change | Refusal {
  if (!isOpen(row)) return refuse('invalid_state', `A ${row.state} row can't be handed off.`);
  const to = seatAddress(command.to);
  if (to === undefined) {
    return refuse('invalid_name', `${JSON.stringify(command.to.slice(0, 80))} is no seat address.`);
  }
  if (to === row.destination) return refuse('invalid_body', 'The row is addressed to that seat already.');
  const summary = command.summary ?? row.summary;
  const fault = faultOf({ summary });
  if (fault !== undefined) return refuse('invalid_body', fault);
  const successor: Row = {
    ...row,
    ...CLEARED,
    id: command.id,
    source: actor.seat ?? row.destination,
    destination: to,
    state: 'pending',
    summary,
    handedOffTo: null,
    handedOffFrom: row.id,
    notBefore: null,
    closureReason: null,
    closureTarget: null,
    lastWakeAt: null,
    lastWakeResult: null,
    createdAt: now,
    updatedAt: now,
  };
  const after = closed('handed-off', { reason: 'handed_off_to', target: to });
  return { ...base, ...after, changes: { ...after.changes, handedOffTo: successor.id }, successor };
}

/** States that an update may set; claims, blocks and handoffs are commands of their own. */
const BY_UPDATE: ReadonlySet<string> = new Set(['pending', 'done', 'failed', 'denied', 'canceled']);

function update(row: Row, fields: UpdateFields, actor: Actor, base: Base): Change | Refusal {
  const fault = faultOf(fields);
  if (fault !== undefined) return refuse('invalid_body', fault);
  const { state, closureReason, closureTarget, wake, ...rest } = fields;
  const to = STATES.find((one) => one === state);
  if (state !== undefined && (to === undefined || !BY_UPDATE.has(state))) {
    return refuse(
      'invalid_state',
      `An update sets one of ${[...BY_UPDATE].join(', ')}; claim, block and handoff do the rest.`,
    );
  }
  const owner = actsForDestination(actor, row);
  // The source may word its row anew and take it back; the answer to it is the destination's.
  if (!owner && to !== undefined && to !== 'canceled') return refuse('claim_destination_mismatch');
  const changes: Partial<Row> = rest;
  if (to === undefined) {
    if (closureReason !== undefined || closureTarget !== undefined)
      return refuse('invalid_closure', 'A closure goes with the state done.');
    return {
      ...base,
      changes,
      to,
      wake: wake === true ? 'again' : owner && !actor.operator ? 'keep' : 'rearm',
    };
  }
  if (to === 'pending') {
    return {
      ...base,
      to,
      changes: { ...changes, ...CLEARED },
      timer: 'cancel',
      wake: wake === true ? 'again' : 'keep',
    };
  }
  if (to !== 'done') {
    const after = closed(to);
    return { ...base, ...after, changes: { ...changes, ...after.changes } };
  }
  const closure = closureOf({
    ...(closureReason === undefined ? {} : { closureReason }),
    ...(closureTarget === undefined ? {} : { closureTarget }),
  });
  if ('ok' in closure) return closure;
  const after = closed('done', closure);
  return { ...base, ...after, changes: { ...changes, ...after.changes } };
}
