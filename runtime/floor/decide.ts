// The decision (floor.md 6): one pure function from a request, a view and a time to what happens and why. Always true: the
// rows are judged in their order and the first that fails gives the reason; the costly fact of row 14 is asked for only
// when all cheaper rows hold. It grants nothing itself.

import type { Reason } from '../../protocol/reason.js';
import { readsComposer } from './mode.js';
import type { Request } from './request.js';
import type { Case, Evidence, Finding, Stage } from './row.js';
import * as row from './row.js';
import type { View } from './view.js';

export interface RowRule {
  readonly number: number;
  /** What must hold, as people read it in `--explain`. */
  readonly title: string;
  readonly check: (one: Case) => Finding;
}

export const ROWS: readonly RowRule[] = [
  { number: 1, title: 'the session is the one that was meant', check: row.occupant },
  { number: 2, title: 'nothing stops all automation', check: row.gate },
  { number: 3, title: 'the guard mode lets it ask', check: row.mode },
  { number: 4, title: 'the floor is free', check: row.holder },
  { number: 5, title: 'the agent is not blocked', check: row.notBlocked },
  { number: 6, title: 'the status is known', check: row.statusKnown },
  { number: 7, title: 'the status is idle', check: row.idle },
  { number: 8, title: 'no agents work in the background', check: row.background },
  { number: 9, title: 'the idle evidence is newer than the last write', check: row.freshEvidence },
  { number: 10, title: 'nobody types', check: row.nobodyTypes },
  { number: 11, title: 'there is no draft', check: row.noDraft },
  { number: 12, title: 'the reading is current and not vetoed', check: row.noVeto },
  { number: 13, title: 'the composer is recognised empty where needed', check: row.composerEmpty },
  { number: 14, title: 'the agent is in the foreground and reads keys', check: row.foreground },
];

/** Rows that must still hold in the turn that writes Enter (floor.md 7.4). */
const ENTER_ROWS: readonly RowRule[] = ROWS.filter((one) => [1, 2, 5, 6, 7, 8, 12, 14].includes(one.number));

export interface RowFinding {
  readonly row: number;
  readonly title: string;
  readonly finding: Finding;
}

export interface GrantJudgement {
  readonly kind: 'grant';
  readonly row: 15;
  readonly reason: 'granted';
  /** Every row that was judged, for the audit record. */
  readonly rows: readonly RowFinding[];
}

export type Judgement =
  | GrantJudgement
  | { readonly kind: 'needs_foreground'; readonly row: number }
  | {
      readonly kind: 'wait' | 'hold' | 'refuse';
      readonly row: number;
      readonly reason: Reason;
      readonly cause: Reason | undefined;
      readonly evidence: Evidence;
    };

function findings(rules: readonly RowRule[], one: Case): RowFinding[] {
  return rules.map((rule) => ({ row: rule.number, title: rule.title, finding: rule.check(one) }));
}

function judge(rules: readonly RowRule[], one: Case): Judgement {
  for (const rule of rules) {
    const finding = rule.check(one);
    if (finding.kind === 'pass') continue;
    if (finding.kind === 'needs_foreground') return { kind: finding.kind, row: rule.number };
    const { kind, reason, cause, evidence } = finding;
    return { kind, row: rule.number, reason, cause, evidence };
  }
  // Most judgements are waits, so the rows are gathered only where they are kept.
  return { kind: 'grant', row: 15, reason: 'granted', rows: findings(rules, one) };
}

/** What happens to a request now. `stage`: it has just been submitted, or it has been waiting. */
export function decide(request: Request, view: View, now: number, stage: 'submitted' | 'waiting'): Judgement {
  return judge(ROWS, { request, view, now, stage });
}

/** Whether Enter may follow the text that was written: `grant` means yes. */
export function decideEnter(request: Request, view: View, now: number): Judgement {
  return judge(ENTER_ROWS, { request, view, now, stage: 'enter' });
}

/** Every row with its finding, also those after the first failure: for people, changes nothing. */
export function explain(request: Request, view: View, now: number, stage: Stage = 'submitted'): RowFinding[] {
  return findings(ROWS, { request, view, now, stage });
}

/** How a request ends that got nothing before its deadline. */
export interface WaitEnd {
  readonly state: 'held' | 'failed';
  readonly reason: Reason;
  readonly cause?: Reason;
}

const BUSY: ReadonlySet<Reason> = new Set<Reason>([
  'session_working',
  'background_work',
  'awaiting_turn',
  'human_active',
]);
const UNKNOWN: ReadonlySet<Reason> = new Set<Reason>(['starting', 'status_unknown', 'interrupt_unsettled']);

function endReason(reason: Reason): Reason {
  if (BUSY.has(reason)) return 'wait_for_idle_timeout';
  return UNKNOWN.has(reason) ? 'target_activity_unknown' : reason;
}

/**
 * The end of a wait, with nothing written: a send is kept in the modes that read the composer, everything else is
 * refused. `cause` is the row's own reason where a general one took its place.
 */
export function endOfWait(
  request: Request,
  view: View,
  judged: { readonly reason: Reason; readonly cause?: Reason | undefined },
): WaitEnd {
  const reads = readsComposer(view.mode.effective) || readsComposer(view.mode.desired);
  const reason = endReason(judged.reason);
  const cause = reason === judged.reason ? judged.cause : judged.reason;
  const state = request.origin === 'send' && reads ? 'held' : 'failed';
  return cause === undefined ? { state, reason } : { state, reason, cause };
}
