// A new routine: what is asked for, checked and completed. Always true: a routine that is refused leaves nothing; each policy
// takes its own fields and no other. Pure: ids and time are given.
import { parseAddress } from '../../protocol/name.js';
import { idFault } from '../own-id.js';
import type { TimeMs } from '../port.js';
import { seatAddress } from '../queue/actor.js';
import { type Refusal, refuse } from '../queue/refusal.js';
import { POLICIES, type Policy, type Registrar, type Routine, type Spec } from './routine.js';
import { firstDue, INTERVAL_MIN_MS, type Schedule, scheduleFault } from './schedule.js';

export interface RoutineWish {
  readonly id?: string;
  readonly policy: string;
  readonly seat: string;
  readonly spec: Spec;
  /** Undefined: the policy's own. */
  readonly schedule: Schedule | undefined;
  readonly scanMs?: number;
  readonly activeWakeMs?: number;
}

const FIELDS: Readonly<Record<Policy, ReadonlyArray<keyof Spec>>> = {
  'periodic-reminder': ['text'],
  'parked-owner': ['graceMs', 'repeatMs'],
  'idle-gate': ['tag'],
  overdue: ['of'],
  'on-status': ['watch', 'on'],
  digest: [],
};
const NEEDED: Readonly<Partial<Record<Policy, keyof Spec>>> = {
  'periodic-reminder': 'text',
  'on-status': 'watch',
};
/** A reminder and a digest say themselves when; the others look often and speak when there is something. */
const USUAL_MS: Readonly<Partial<Record<Policy, number>>> = {
  'parked-owner': INTERVAL_MIN_MS,
  'on-status': INTERVAL_MIN_MS,
  'idle-gate': 5 * 60_000,
  overdue: 10 * 60_000,
};
/** Literal routes of the API, which an id would hide; `digest` stands for joined notices in the audit feed. */
const TAKEN: ReadonlySet<string> = new Set(['register', 'list', 'digest']);

/** The scope of a parked-owner routine may be wider than a seat. */
function targetOf(policy: Policy, text: string): string | undefined {
  if (policy !== 'parked-owner' || !text.startsWith('*')) return seatAddress(text);
  if (text === '*') return text;
  const rig = text.startsWith('*@') ? parseAddress(`x@${text.slice(2)}`)?.rig : undefined;
  return rig === undefined ? undefined : `*@${rig}`;
}

function specOf(policy: Policy, spec: Spec): { readonly ok: true; readonly spec: Spec } | Refusal {
  const foreign = Object.keys(spec).find((field) => !FIELDS[policy].includes(field as keyof Spec));
  if (foreign !== undefined) {
    return refuse(
      'invalid_body',
      `The policy ${policy} has no field ${JSON.stringify(foreign.slice(0, 40))}.`,
    );
  }
  const needed = NEEDED[policy];
  if (needed !== undefined && spec[needed] === undefined) {
    return refuse('invalid_body', `The policy ${policy} needs spec.${needed}.`);
  }
  if (spec.text !== undefined && spec.text.trim() === '')
    return refuse('invalid_body', 'The text says nothing.');
  const named: { of?: string; watch?: string } = {};
  for (const field of ['of', 'watch'] as const) {
    const text = spec[field];
    if (text === undefined) continue;
    const address = field === 'of' && text === '*' ? text : seatAddress(text);
    if (address === undefined) {
      return refuse(
        'invalid_name',
        `spec.${field}: ${JSON.stringify(text.slice(0, 80))} is no seat address.`,
      );
    }
    named[field] = address;
  }
  return { ok: true, spec: { ...spec, ...named } };
}

/** The routine that is asked for. `id` is used when the wish has none. */
export function newRoutine(
  wish: RoutineWish,
  registrar: Registrar,
  id: string,
  now: TimeMs,
): { readonly ok: true; readonly routine: Routine } | Refusal {
  const policy = POLICIES.find((one) => one === wish.policy);
  if (policy === undefined) {
    return refuse(
      'policy_unknown',
      `There is no policy ${JSON.stringify(wish.policy.slice(0, 40))}; there are ${POLICIES.join(', ')}.`,
    );
  }
  const seat = targetOf(policy, wish.seat);
  if (seat === undefined) {
    return refuse(
      'target_session_invalid',
      `The target ${JSON.stringify(wish.seat.slice(0, 80))} is no seat address.`,
    );
  }
  const wanted = wish.id ?? id;
  const misnamed = idFault(wanted, TAKEN);
  if (misnamed !== undefined) return refuse('invalid_body', misnamed);
  const spec = specOf(policy, wish.spec);
  if (!spec.ok) return spec;
  const usual = USUAL_MS[policy];
  const schedule = wish.schedule ?? (usual === undefined ? undefined : { kind: 'interval', everyMs: usual });
  if (schedule === undefined) {
    return refuse('interval_invalid', `The policy ${policy} needs an interval, a cron line or a time.`);
  }
  const fault = scheduleFault(schedule, now) ?? scanFault(schedule, wish.scanMs);
  if (fault !== undefined) return refuse('interval_invalid', fault);
  return {
    ok: true,
    routine: {
      id: wanted,
      policy,
      spec: spec.spec,
      seat,
      schedule,
      scanMs: wish.scanMs ?? null,
      activeWakeMs: wish.activeWakeMs ?? null,
      state: 'active',
      registrar,
      nextDueAt: firstDue(schedule, now),
      lastEvaluatedAt: null,
      lastFiredAt: null,
      actionable: false,
      memo: null,
      unresolved: false,
      failures: 0,
      failingSince: null,
      terminalReason: null,
      createdAt: now,
    },
  };
}

function scanFault(schedule: Schedule, scanMs: number | undefined): string | undefined {
  if (scanMs === undefined) return undefined;
  if (schedule.kind !== 'interval') return 'A scan interval goes with an interval.';
  return scheduleFault({ kind: 'interval', everyMs: scanMs }, 0);
}

/** Watches over every seat from the first start on; whoever stops it has it stopped. */
export const PARKED_OWNERS = 'parked-owners';

export const BUILT_IN: RoutineWish = {
  id: PARKED_OWNERS,
  policy: 'parked-owner',
  seat: '*',
  spec: {},
  schedule: undefined,
};
export const SHEPHERD: Registrar = { text: 'shepherd', seat: null, generation: null, tenure: null };

/** A routine with this id is there already: the same one when registrar, policy and target are the same. */
export function reuse(
  stored: Routine,
  wanted: Routine,
): { readonly ok: true; readonly routine: Routine } | Refusal {
  const same =
    stored.registrar.text === wanted.registrar.text &&
    stored.policy === wanted.policy &&
    stored.seat === wanted.seat;
  if (!same) return refuse('idempotency_conflict', 'A routine with this id does something else.');
  return stored.state === 'active' ? { ok: true, routine: stored } : refuse('job_terminal');
}
