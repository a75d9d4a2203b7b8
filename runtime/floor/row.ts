// Rows 1 to 14 of the decision (floor.md 6), one function a row. Always true: a row looks at the request, the view and the
// time, and says whether it holds, with the evidence it looked at. Their order and what follows from a failure are in
// decide.ts.

import { mayIntervene, policyChoice } from '../../protocol/policy.js';
import type { Reason } from '../../protocol/reason.js';
import { worth } from './evidence.js';
import { EMPTY_AGAIN_MS, TERMIOS_MS, UNFRAMED_BYTES } from './limit.js';
import { askIn, isOperator, MODE_TABLE, ORIGIN_TABLE } from './mode.js';
import type { Request } from './request.js';
import { currentReading, openDialog, VETOES, type View } from './view.js';

export type Evidence = Readonly<Record<string, string | number | boolean>>;

export type Finding =
  | { readonly kind: 'pass'; readonly evidence: Evidence }
  /** The row needs a fact that costs something; read it in this turn, then decide again. */
  | { readonly kind: 'needs_foreground' }
  | {
      readonly kind: 'wait' | 'hold' | 'refuse';
      readonly reason: Reason;
      readonly cause?: Reason;
      readonly evidence: Evidence;
    };

/** `submitted`: the request has just come; `waiting`: it was accepted before; `enter`: its text is in the composer. */
export type Stage = 'submitted' | 'waiting' | 'enter';

export interface Case {
  readonly request: Request;
  readonly view: View;
  readonly now: number;
  readonly stage: Stage;
}

const NONE: Evidence = {};
const pass = (evidence: Evidence = NONE): Finding => ({ kind: 'pass', evidence });
const wait = (reason: Reason, evidence: Evidence = NONE, cause?: Reason): Finding =>
  cause === undefined ? { kind: 'wait', reason, evidence } : { kind: 'wait', reason, cause, evidence };
const refuse = (reason: Reason, evidence: Evidence = NONE, cause?: Reason): Finding =>
  cause === undefined ? { kind: 'refuse', reason, evidence } : { kind: 'refuse', reason, cause, evidence };

const statusNeed = (request: Request) => ORIGIN_TABLE[request.origin].status;
const isTerminal = (view: View) => view.seatKind.kind === 'terminal';

/** Row 1: the session is alive, and it is the one that was meant. */
export function occupant({ request, view }: Case): Finding {
  const { session } = view;
  if (session.kind === 'missing') return refuse('session_missing');
  if (session.kind === 'ended') return refuse('session_ended', { generation: session.generation });
  const evidence = { generation: session.generation, tenure: session.tenure ?? 'none' };
  const other =
    (request.expectGeneration !== undefined && request.expectGeneration !== session.generation) ||
    (request.expectTenure !== undefined && request.expectTenure !== session.tenure);
  return other ? refuse('occupant_changed', evidence) : pass(evidence);
}

/**
 * Row 2: nothing stops all automation, and the seat's policy allows an intervention. An answer of a person goes through a
 * lifecycle step that asks something.
 */
export function gate({ request, view }: Case): Finding {
  const evidence = { gate: view.gate, lifecycleOwed: view.lifecycleOwed };
  const { intervention, seat, identity } = request;
  if (intervention !== undefined && !mayIntervene(view.settings.policy, seat, identity, intervention)) {
    return refuse('policy_denied', { ...evidence, policy: policyChoice(view.settings.policy), intervention });
  }
  if (view.gate === 'draining') return refuse('draining', evidence);
  if (view.gate === 'switching') {
    // Only what somebody deliberately said is kept for reading; a wake or a notice is held by a mode alone.
    const kept = request.origin === 'send' || request.origin === 'override';
    return kept
      ? { kind: 'hold', reason: 'runtime_switch_in_progress', evidence }
      : refuse('runtime_switch_in_progress', evidence);
  }
  const exempt = request.origin === 'answer' && isOperator(request.identity);
  return view.lifecycleOwed && !exempt ? wait('lifecycle_owed', evidence) : pass(evidence);
}

/** Row 3: the mode lets this origin ask. A desired mode already counts, so the stricter of the two decides. */
export function mode({ request, view }: Case): Finding {
  const { desired, effective } = view.mode;
  const fresh = view.session.kind === 'live' && view.session.freshTenure;
  const evidence = { desired, effective, origin: request.origin, urgent: request.urgent };
  for (const one of desired === effective ? [effective] : [effective, desired]) {
    const verdict = askIn(one, request, fresh);
    if (verdict.kind !== 'ask') return { kind: verdict.kind, reason: verdict.reason, evidence };
  }
  return pass(evidence);
}

/** Row 4: nobody has the floor. */
export function holder({ view, now }: Case): Finding {
  const { holder } = view;
  if (holder.kind === 'held') {
    return wait('floor_held', { request: holder.request, heldMs: now - holder.sinceAt });
  }
  if (holder.kind === 'shut' && now < holder.untilAt) return wait('audit_unavailable');
  return pass();
}

function answerable({ request, view }: Case): Finding {
  const reading = currentReading(view);
  // Without a current reading nobody knows which dialog this is; row 12 says so.
  if (reading === undefined) return pass();
  const dialog = reading.dialog;
  const wanted = request.dialog;
  if (dialog === undefined || wanted === undefined || dialog.instance !== wanted.instance) {
    return refuse('dialog_changed', {
      dialog: dialog?.instance ?? 'none',
      wanted: wanted?.instance ?? 'none',
    });
  }
  const evidence = { dialog: dialog.instance, kind: dialog.kind, truncated: dialog.truncated };
  if (dialog.kind !== 'permission') return refuse('not_a_permission', evidence);
  if (dialog.truncated) return refuse('dialog_truncated', evidence);
  if (dialog.keys[wanted.choice] === undefined) return refuse('choice_unavailable', evidence);
  if (view.status.state !== 'blocked')
    return refuse('dialog_changed', { ...evidence, status: view.status.state });
  return pass(evidence);
}

/** Row 5: not blocked; for an answer, blocked by exactly the dialog that it answers. */
export function notBlocked(one: Case): Finding {
  const { request, view, stage } = one;
  const need = statusNeed(request);
  if (need === 'permission') return answerable(one);
  const evidence = { status: view.status.state, source: view.statusSource };
  if (need === 'any') {
    const permission =
      openDialog(view)?.kind === 'permission' ||
      (view.status.state === 'blocked' && view.status.kind === 'permission');
    return permission && !isOperator(request.identity)
      ? refuse('override_forbidden', evidence)
      : pass(evidence);
  }
  if (view.status.state !== 'blocked') return pass(evidence);
  const blocked = { ...evidence, kind: view.status.kind, hard: view.status.hard };
  return stage === 'submitted' ? refuse('target_needs_input', blocked) : wait('target_needs_input', blocked);
}

/** Row 6: the status is known. Where no agent runs there is no status to know: the foreground says what runs instead. */
export function statusKnown(one: Case): Finding {
  const { request, view } = one;
  if (statusNeed(request) !== 'idle' || isTerminal(view)) return pass();
  if (view.status.state !== 'unknown') return pass({ status: view.status.state, source: view.statusSource });
  if (view.session.kind === 'live' && view.session.tenure === undefined) {
    const front = view.foreground;
    if (front.kind === 'unread') return { kind: 'needs_foreground' };
    if (front.kind === 'shell') return wait('bare_shell', { foreground: 'shell' });
    if (front.kind === 'other') return wait('foreground_other', { foreground: front.program });
  }
  return wait(view.status.cause, { source: view.statusSource });
}

/** Row 7: the status is idle. */
export function idle({ request, view }: Case): Finding {
  if (statusNeed(request) !== 'idle' || isTerminal(view)) return pass();
  const evidence = { status: view.status.state, source: view.statusSource };
  return view.status.state === 'working' ? wait('session_working', evidence) : pass(evidence);
}

/** Row 8: no agents work in the background, unless the request is urgent or the seat grants all the same. */
export function background({ request, view }: Case): Finding {
  const evidence = { background: view.background };
  const counts = statusNeed(request) === 'idle' && view.background === 'agents';
  if (!counts || request.urgent || view.settings.grantInBackground) return pass(evidence);
  return wait('background_work', evidence);
}

/** Row 9: the idle evidence is newer than the last write or operator's Enter. */
export function freshEvidence({ request, view, now }: Case): Finding {
  if (statusNeed(request) !== 'idle' || isTerminal(view)) return pass();
  const found = worth(view, now);
  if (found !== 'spent') return pass({ evidence: found });
  const spent = view.evidence;
  return wait(
    'awaiting_turn',
    spent.kind === 'consumed' ? { consumedBy: spent.by, agoMs: now - spent.at } : NONE,
  );
}

/** Row 10: nobody typed recently or composes. */
export function nobodyTypes({ request, view, now }: Case): Finding {
  if (ORIGIN_TABLE[request.origin].typing === 'operator_exempt' && isOperator(request.identity))
    return pass();
  const { lastKeyAt, composingUntilAt } = view.presence;
  const composing = composingUntilAt !== undefined && now < composingUntilAt;
  const agoMs = lastKeyAt === undefined ? undefined : now - lastKeyAt;
  const evidence = { composing, ...(agoMs === undefined ? {} : { lastKeyAgoMs: agoMs }) };
  const recent = agoMs !== undefined && agoMs < view.settings.humanQuietMs;
  return recent || composing ? wait('human_active', evidence) : pass(evidence);
}

/** Whether an override drives the dialog that is open, so that there is no composer to look at. */
export function drivesDialog(request: Request, view: View): boolean {
  return request.origin === 'override' && openDialog(view) !== undefined;
}

const skipsComposer = (request: Request, view: View) =>
  ORIGIN_TABLE[request.origin].composer === 'unchecked' ||
  request.typeWithoutChecking ||
  drivesDialog(request, view);

/** Row 11: no draft, by the reading or by the ledger. */
export function noDraft({ request, view }: Case): Finding {
  if (skipsComposer(request, view)) return pass();
  const evidence = { reading: currentReading(view)?.composer.kind ?? 'not_current', ledger: view.ledger };
  if (evidence.reading !== 'draft' && view.ledger === 'empty') return pass(evidence);
  return request.origin === 'override'
    ? refuse('override_input_present', evidence)
    : wait('draft_input_busy', evidence);
}

/** Row 12: the reading is current and nothing vetoes it. */
export function noVeto({ request, view }: Case): Finding {
  if (request.typeWithoutChecking) return pass();
  const reason = request.origin === 'override' ? 'override_input_unknown' : 'draft_input_unknown';
  const reading = currentReading(view);
  if (reading === undefined) {
    const behind = { behindBytes: view.receivedOffset - (view.reading?.offset ?? 0) };
    return wait(reason, behind, 'bytes_pending');
  }
  const veto = VETOES.find((one) => reading.vetoes.includes(one));
  const evidence = { offset: reading.offset, vetoes: reading.vetoes.join(' ') };
  if (veto === undefined) return pass(evidence);
  if (veto === 'sync_update_open') return wait(reason, evidence, veto);
  // A dialog that is driven or answered is itself the menu.
  if (request.origin === 'answer' || drivesDialog(request, view)) return pass(evidence);
  return request.origin === 'override' ? refuse(reason, evidence, veto) : wait(reason, evidence, veto);
}

/** Whether the composer must be recognised before the paste, and hold exactly our text before Enter. */
export function needsComposer(request: Request, view: View): boolean {
  if (skipsComposer(request, view)) return false;
  if (ORIGIN_TABLE[request.origin].composer !== 'mode') return true;
  if (MODE_TABLE[view.mode.effective].composer === 'recognised_empty') return true;
  if (MODE_TABLE[view.mode.desired].composer === 'recognised_empty') return true;
  return weakEvidence(view);
}

/** The idle signal may mean blocked, or the agent is behind a carrier: then only the composer can tell. */
function weakEvidence(view: View): boolean {
  const either = view.status.state === 'idle' && view.status.means === 'idle_or_blocked';
  return either || (view.foreground.kind === 'agent' && view.foreground.carrier);
}

/** Row 13: the composer is recognised empty, where that is needed. */
export function composerEmpty({ request, view, now }: Case): Finding {
  if (!needsComposer(request, view)) return pass({ needed: false });
  const reading = currentReading(view);
  const composer = reading?.composer ?? { kind: 'unknown', cause: 'bytes_pending' };
  const prompt = view.seatKind.kind === 'terminal' && view.seatKind.prompt === 'empty';
  const override = request.origin === 'override';
  const reason = override ? 'override_input_unknown' : 'draft_input_unknown';
  if (composer.kind !== 'empty' && !prompt) {
    const cause = composer.kind === 'unknown' ? composer.cause : 'composer_unrecognised';
    const evidence = { needed: true, composer: composer.kind };
    return override ? refuse(reason, evidence, cause) : wait(reason, evidence, cause);
  }
  const evidence = { needed: true, composer: 'empty', sinceMs: now - (view.emptySinceAt ?? now) };
  const either = view.status.state === 'idle' && view.status.means === 'idle_or_blocked';
  return either && evidence.sinceMs < EMPTY_AGAIN_MS ? wait(reason, evidence, 'empty_once') : pass(evidence);
}

/** Whether a body can be typed without a paste frame: one short line. */
export function isShortLine(request: Request): boolean {
  return request.bodyBytes <= UNFRAMED_BYTES && !request.body.includes('\n');
}

function readsKeys({ request, view, now }: Case, evidence: Evidence): Finding {
  if (view.bracketedPaste && !drivesDialog(request, view)) return pass({ ...evidence, bracketedPaste: true });
  if (!isShortLine(request)) return refuse('multiline_unframed', evidence);
  if (view.bracketedPaste) return pass({ ...evidence, bracketedPaste: true });
  const { termios } = view;
  if (termios.kind === 'unread' || now - termios.at > TERMIOS_MS) {
    return wait('canonical_mode', evidence, 'termios_unread');
  }
  return termios.kind === 'canonical' ? wait('canonical_mode', evidence) : pass({ ...evidence, raw: true });
}

/** Row 14: the agent is in the foreground and reads keys. In a terminal seat, the shell at its empty prompt. */
export function foreground(one: Case): Finding {
  const { request, view } = one;
  const kind = view.seatKind;
  if (kind.kind === 'terminal') {
    const deliberate = request.origin === 'send' || request.origin === 'override';
    const evidence = { allowShellSends: kind.allowShellSends, prompt: kind.prompt };
    if (!deliberate || !kind.allowShellSends || kind.prompt !== 'empty') return wait('bare_shell', evidence);
  }
  const front = view.foreground;
  const wanted = kind.kind === 'terminal' ? 'shell' : 'agent';
  switch (front.kind) {
    case 'unread':
      return { kind: 'needs_foreground' };
    case 'unavailable':
      return wait('foreground_other', NONE, 'facts_unavailable');
    case 'other':
      return wait('foreground_other', { foreground: front.program });
    default:
      if (front.kind === wanted) return readsKeys(one, { foreground: front.kind });
      return wait(front.kind === 'shell' ? 'bare_shell' : 'foreground_other', { foreground: front.kind });
  }
}
