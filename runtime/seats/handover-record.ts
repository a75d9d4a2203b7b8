// The record of one handover while it grows: steps with their times, both outcomes, and what is stored of it. Always true:
// outcomes are computed from the machine alone; the record that is stored as a seat's binding is the one that a restart
// goes on from. It starts and ends nobody.
import type { HandoverRecord, HandoverStep, OccupantRef } from '../../protocol/handover.js';
import type { AuditEntry, HandoverRow } from '../journal/port.js';
import {
  advance,
  BEGIN,
  bindingOf,
  type CreationMode,
  continuityOf,
  type Disposition,
  type HandoverState,
  type Plan,
  STEPS,
  type Step,
} from './handover.js';

export interface RecordFacts {
  readonly handover: string;
  readonly seat: string;
  readonly mode: CreationMode;
  readonly given: boolean;
  readonly reason: string;
  readonly initiatedBy: string;
  readonly routine: string | undefined;
  readonly candidate: string | undefined;
  readonly artifacts: HandoverRecord['artifacts'];
  readonly old: OccupantRef | null;
  readonly asked: Disposition;
  readonly strict: boolean;
}

const iso = (at: number) => new Date(at).toISOString();

export function emptyRecord(facts: RecordFacts, at: number): HandoverRecord {
  return {
    handover: facts.handover,
    settles: null,
    seat: facts.seat,
    at: iso(at),
    mode: facts.mode,
    reason: facts.reason,
    initiated_by: facts.initiatedBy,
    routine: facts.routine ?? null,
    candidate: facts.candidate ?? null,
    artifacts: facts.artifacts,
    old: facts.old,
    new: null,
    disposition_asked: facts.asked,
    disposition: null,
    strict_disposition: facts.strict,
    steps: [],
    ...outcomesOf({ mode: facts.mode, given: facts.given }, BEGIN),
    notices: [],
  };
}

/** The part of a record that follows from the machine. */
export function outcomesOf(plan: Plan, state: HandoverState) {
  const step = state.kind === 'binding' ? state.step : state.kind === 'bound' ? null : state.at;
  return {
    state: state.kind as string,
    step,
    failure: null as HandoverRecord['failure'],
    continuityOutcome: continuityOf(plan, state) as string,
    seatBindingOutcome: bindingOf(state) as string,
  };
}

export function beginStep(record: HandoverRecord, step: Step, at: number): HandoverStep {
  const entry: HandoverStep = { step, started_at: iso(at), ended_at: null, result: 'running' };
  record.steps.push(entry);
  record.step = step;
  return entry;
}

export function endStep(entry: HandoverStep, result: 'done' | 'failed', at: number): void {
  entry.result = result;
  entry.ended_at = iso(at);
}

const isStep = (text: unknown): text is Step => (STEPS as readonly unknown[]).includes(text);

/** What a restart makes of a stored binding: the record of it, or undefined for one that can't be read. */
export function afterRestart(
  stored: Readonly<Record<string, unknown>>,
  at: number,
): { record: HandoverRecord; state: HandoverState } | undefined {
  const record = structuredClone(stored) as unknown as HandoverRecord;
  if (typeof record.handover !== 'string' || !Array.isArray(record.steps) || !isStep(record.step))
    return undefined;
  const plan: Plan = { mode: record.mode, given: record.candidate !== null };
  const reason = record.failure?.reason ?? 'runtime_restarted';
  if (record.state === 'halted')
    return { record, state: { kind: 'halted', at: record.step, reason: reason as 'runtime_restarted' } };
  const state = advance(plan, { kind: 'binding', step: record.step }, { kind: 'restarted' });
  const last = record.steps.at(-1);
  if (last?.result === 'running') endStep(last, 'failed', at);
  const failure = {
    step: record.step,
    reason: 'runtime_restarted',
    message: `The runtime ended during the step ${record.step}.`,
  };
  return { record: { ...record, ...outcomesOf(plan, state), failure }, state };
}

export function rowOf(record: HandoverRecord, at: number): HandoverRow {
  return { id: record.handover, seat: record.seat, at, record: structuredClone(record) };
}

/** What the audit feed says of a handover. */
export function entryOf(kind: string, record: HandoverRecord, at: number): AuditEntry {
  const { handover, seat, state, step, mode, disposition, continuityOutcome, seatBindingOutcome } = record;
  return {
    at,
    kind,
    seat,
    session: seat,
    identity: record.initiated_by,
    ...(record.routine === null ? {} : { routine: record.routine }),
    outcome: seatBindingOutcome,
    reason: record.failure?.reason ?? record.reason,
    detail: {
      handover,
      settles: record.settles,
      state,
      step,
      mode,
      disposition,
      continuity: continuityOutcome,
    },
  };
}
