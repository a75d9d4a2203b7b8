// What happens under one grant (floor.md 7): record, paste, settle, re-check, Enter, watch. Always true: no byte before
// the record, no Enter before the text was newly seen, stood still and every row of the re-check held in this very turn,
// never a second Enter, and exactly one end. It is a value; what it wants done comes back as effects.

import type { Reason } from '../../protocol/reason.js';
import { decideEnter, type Judgement } from './decide.js';
import { enterBytes } from './frame.js';
import { PASTE_STALL_MS, UNFRAMED_MIN_MS } from './limit.js';
import { type Fence, type Plan, placeOf, planFor } from './plan.js';
import type { Request } from './request.js';
import { needsComposer } from './row.js';
import { isNew, sight } from './staged.js';
import { currentReading, openDialog, type View } from './view.js';

interface Settling {
  /** When the whole paste was written. */
  readonly at: number;
  readonly rows: string;
  readonly rowsSinceAt: number;
  readonly seen: boolean;
}

export type Phase =
  | { readonly kind: 'granted' }
  | { readonly kind: 'pasting'; readonly progressAt: number }
  | ({ readonly kind: 'settling' } & Settling)
  /** The foreground was asked for; the answer comes in this turn. */
  | ({ readonly kind: 'rechecking' } & Settling)
  | { readonly kind: 'entering' }
  | { readonly kind: 'watching'; readonly at: number; readonly signal: number; readonly wasWorking: boolean }
  /** The keys of an answer are written: the dialog must go. */
  | { readonly kind: 'closing'; readonly at: number; readonly offset: number };

export interface TransactionEnd {
  readonly state: 'complete' | 'indeterminate' | 'failed';
  readonly confirmed: boolean;
  readonly reason: Reason;
  readonly cause?: Reason;
  /** Bytes of the paste that the terminal took, frame markers counted. */
  readonly bytesWritten: number;
}

export interface Transaction {
  readonly plan: Plan;
  readonly phase: Phase;
  readonly bytesWritten: number;
  /** Set once; then nothing follows. */
  readonly end: TransactionEnd | undefined;
}

export type TransactionEvent =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'audit_unavailable' }
  /** `bytes`: how many bytes of the paste the terminal has taken in all. */
  | { readonly kind: 'paste_written'; readonly bytes: number; readonly complete: boolean }
  | { readonly kind: 'enter_written'; readonly taken: boolean }
  | { readonly kind: 'write_failed' }
  /** A person's key or click: anything but motion, focus and replies. */
  | { readonly kind: 'operator' }
  /** The view or the time is another. */
  | { readonly kind: 'changed' };

export type TransactionEffect =
  | { readonly kind: 'write_paste'; readonly fence: Fence; readonly bytes: Uint8Array }
  /** Drop what is unwritten, complete the marker under way and close the frame. */
  | { readonly kind: 'cut_paste'; readonly fence: Fence }
  | { readonly kind: 'write_enter'; readonly fence: Fence; readonly bytes: Uint8Array }
  | { readonly kind: 'read_foreground' }
  | { readonly kind: 'read_termios' };

export interface Step {
  readonly next: Transaction;
  readonly effects: readonly TransactionEffect[];
}

/** Causes that pass by themselves: while they last the re-check is put off, up to the cap. */
const TRANSIENT: ReadonlySet<Reason> = new Set<Reason>([
  'bytes_pending',
  'sync_update_open',
  'termios_unread',
]);
/** The transaction of a request that has just been granted on this view. */
export function begin(request: Request, view: View, fence: Fence): Transaction {
  return { plan: planFor(request, view, fence), phase: { kind: 'granted' }, bytesWritten: 0, end: undefined };
}

const stay = (next: Transaction, ...effects: TransactionEffect[]): Step => ({ next, effects });

const entered = (one: Transaction) => one.phase.kind === 'watching' || one.phase.kind === 'entering';

/** The one end. What was cut short before Enter is indeterminate if a byte was written, and failed if none was. */
function finish(one: Transaction, reason: Reason, cause?: Reason): Step {
  const state = entered(one) ? 'complete' : one.bytesWritten > 0 ? 'indeterminate' : 'failed';
  return finishAs(one, state, false, reason, cause);
}

function finishAs(
  one: Transaction,
  state: TransactionEnd['state'],
  confirmed: boolean,
  reason: Reason,
  cause?: Reason,
): Step {
  const base = { state, confirmed, reason, bytesWritten: one.bytesWritten };
  const end: TransactionEnd = cause === undefined ? base : { ...base, cause };
  const cut = one.phase.kind === 'pasting';
  return stay({ ...one, end }, ...(cut ? [{ kind: 'cut_paste', fence: one.plan.fence } as const] : []));
}

/** Why the floor is lost whatever the phase: the session, the occupant or the agent process is another. */
function lostOccupant({ plan }: Transaction, view: View): Reason | undefined {
  const { session } = view;
  if (session.kind !== 'live') return session.kind === 'ended' ? 'session_ended' : 'session_missing';
  if (session.generation !== plan.fence.generation) return 'occupant_changed';
  return session.tenure === plan.tenure ? undefined : 'tenure_ended';
}

function minMs({ plan }: Transaction, view: View): number {
  const { settle } = view.settings;
  const least = plan.request.bodyBytes > settle.largeBytes ? settle.largeMinMs : settle.minMs;
  return plan.framed ? least : Math.max(least, UNFRAMED_MIN_MS);
}

function look(one: Transaction, phase: Settling, view: View, now: number): Settling {
  const reading = currentReading(view);
  if (reading === undefined) return phase;
  const seen = sight(reading, one.plan.mark);
  const same = seen.rows === phase.rows;
  return {
    at: phase.at,
    rows: seen.rows,
    rowsSinceAt: same ? phase.rowsSinceAt : now,
    seen: isNew(one.plan.before, seen),
  };
}

function stillsAt(one: Transaction, phase: Settling, view: View): number {
  return Math.max(phase.at + minMs(one, view), phase.rowsSinceAt + view.settings.settle.quietMs);
}

/** In modes and situations that read the composer, it must hold exactly our text. */
function ownText(one: Transaction, view: View): { reason: Reason; cause?: Reason } | undefined {
  if (one.plan.kind !== 'message' || !needsComposer(one.plan.request, view)) return undefined;
  // A shell's prompt has no reader; there the sighting is all there is.
  if (view.seatKind.kind === 'terminal') return undefined;
  const composer = currentReading(view)?.composer;
  if (composer?.kind === 'draft' && composer.ownership === 'ours') return undefined;
  if (composer?.kind === 'unknown') return { reason: 'draft_input_unknown', cause: composer.cause };
  return { reason: 'draft_input_changed' };
}

const isTransient = (judged: Judgement) =>
  judged.kind === 'wait' && judged.cause !== undefined && TRANSIENT.has(judged.cause);

function recheck(one: Transaction, settling: Settling, view: View, now: number): Step {
  const judged = decideEnter(one.plan.request, view, now);
  const waiting: Transaction = { ...one, phase: { kind: 'settling', ...settling } };
  if (judged.kind === 'needs_foreground') {
    return stay({ ...one, phase: { kind: 'rechecking', ...settling } }, { kind: 'read_foreground' });
  }
  if (judged.kind !== 'grant') {
    if (!isTransient(judged)) return finish(waiting, judged.reason, judged.cause);
    return stay(waiting, ...(judged.cause === 'termios_unread' ? [{ kind: 'read_termios' } as const] : []));
  }
  const foreign = ownText(one, view);
  if (foreign !== undefined) return finish(waiting, foreign.reason, foreign.cause);
  const bytes = enterBytes(view.kittyFlags);
  return stay({ ...one, phase: { kind: 'entering' } }, { kind: 'write_enter', fence: one.plan.fence, bytes });
}

/** The cap is over: no Enter. A row that fails says more than that the text wasn't seen. */
function capped(one: Transaction, view: View, now: number): Step {
  if (one.plan.kind === 'dialog_text') return finishAs(one, 'complete', false, 'prompt_unverified');
  const judged = decideEnter(one.plan.request, view, now);
  const says = judged.kind === 'wait' || judged.kind === 'refuse' || judged.kind === 'hold';
  return says && !isTransient(judged)
    ? finish(one, judged.reason, judged.cause)
    : finish(one, 'staged_unseen');
}

/** The dialog that an override types into has taken the text as keys, or is another one. */
function dialogGone({ plan }: Transaction, view: View): boolean {
  return currentReading(view) !== undefined && placeOf(openDialog(view)) !== plan.place;
}

function settle(one: Transaction, phase: Settling, view: View, now: number): Step {
  const settling = look(one, phase, view, now);
  const next: Transaction = { ...one, phase: { kind: 'settling', ...settling } };
  if (one.plan.kind === 'dialog_text' && dialogGone(one, view)) {
    return finishAs(next, 'complete', false, 'prompt_unverified');
  }
  if (now - settling.at >= view.settings.settle.maxMs) return capped(next, view, now);
  const still = currentReading(view) !== undefined && now >= stillsAt(next, settling, view);
  return settling.seen && still ? recheck(next, settling, view, now) : stay(next);
}

function startedTurn(phase: { signal: number; wasWorking: boolean }, view: View): boolean {
  const { status } = view;
  if (status.state === 'working') return !phase.wasWorking;
  // A turn that asks at once goes from idle to blocked.
  return status.state === 'blocked' && status.hard && view.signal > phase.signal;
}

function watch(one: Transaction, phase: Phase & { kind: 'watching' }, view: View, now: number): Step {
  if (startedTurn(phase, view)) return finishAs(one, 'complete', true, 'turn_started');
  if (now - phase.at >= view.settings.confirmMs) return finishAs(one, 'complete', false, 'unconfirmed');
  const wasWorking = phase.wasWorking && view.status.state === 'working';
  return stay({ ...one, phase: { ...phase, wasWorking } });
}

function close(one: Transaction, phase: Phase & { kind: 'closing' }, view: View, now: number): Step {
  const reading = currentReading(view);
  const drawn = reading !== undefined && reading.offset > phase.offset;
  if (drawn && reading.dialog?.instance !== one.plan.dialog) {
    return finishAs(one, 'complete', true, 'dialog_answered');
  }
  const over = now - phase.at >= view.settings.settle.maxMs;
  return over ? finishAs(one, 'indeterminate', false, 'dialog_still_open') : stay(one);
}

function advance(one: Transaction, view: View, now: number): Step {
  const { phase, plan } = one;
  const lost = lostOccupant(one, view);
  if (lost !== undefined) return finish(one, lost);
  const before = phase.kind !== 'watching' && phase.kind !== 'closing' && phase.kind !== 'entering';
  // Turn start revokes the floor. An override may type while the agent works.
  if (before && plan.kind === 'message' && view.status.state === 'working' && !plan.wasWorking) {
    return finish(one, 'session_working');
  }
  switch (phase.kind) {
    case 'pasting':
      return now - phase.progressAt >= PASTE_STALL_MS ? finish(one, 'paste_stalled') : stay(one);
    case 'settling':
    case 'rechecking':
      return settle(one, phase, view, now);
    case 'watching':
      return watch(one, phase, view, now);
    case 'closing':
      return close(one, phase, view, now);
    default:
      return stay(one);
  }
}

function pasted(
  one: Transaction,
  event: { bytes: number; complete: boolean },
  view: View,
  now: number,
): Step {
  if (one.phase.kind !== 'pasting') return stay(one);
  const next: Transaction = { ...one, bytesWritten: event.bytes };
  if (!event.complete) return stay({ ...next, phase: { kind: 'pasting', progressAt: now } });
  if (one.plan.kind === 'answer') {
    return stay({ ...next, phase: { kind: 'closing', at: now, offset: view.receivedOffset } });
  }
  const settling: Settling = { at: now, rows: one.plan.before.rows, rowsSinceAt: now, seen: false };
  return advance({ ...next, phase: { kind: 'settling', ...settling } }, view, now);
}

/** One event. A transaction that has ended stays as it is. */
export function step(one: Transaction, event: TransactionEvent, view: View, now: number): Step {
  if (one.end !== undefined) return stay(one);
  switch (event.kind) {
    case 'recorded': {
      if (one.phase.kind !== 'granted') return stay(one);
      const next: Transaction = { ...one, phase: { kind: 'pasting', progressAt: now } };
      return stay(next, { kind: 'write_paste', fence: one.plan.fence, bytes: one.plan.paste });
    }
    case 'audit_unavailable':
      if (one.phase.kind !== 'granted') return stay(one);
      return finish(
        one,
        one.plan.request.origin === 'override' ? 'prompt_override_audit_unavailable' : 'audit_unavailable',
      );
    case 'paste_written':
      return pasted(one, event, view, now);
    case 'enter_written': {
      if (one.phase.kind !== 'entering') return stay(one);
      // The kernel's buffer was full: an Enter that waits could arrive in another situation than it was checked for.
      if (!event.taken) return finishAs(one, 'indeterminate', false, 'write_failed');
      const wasWorking = view.status.state === 'working';
      return stay({ ...one, phase: { kind: 'watching', at: now, signal: view.signal, wasWorking } });
    }
    case 'write_failed':
      return finishAs(one, one.bytesWritten > 0 ? 'indeterminate' : 'failed', false, 'write_failed');
    case 'operator':
      return finish(one, 'floor_revoked_by_human');
    case 'changed':
      return advance(one, view, now);
  }
}

/** When the transaction wants to be stepped again if nothing else happens. */
export function nextDeadline(one: Transaction, view: View, now: number): number | undefined {
  const { phase } = one;
  switch (phase.kind) {
    case 'pasting':
      return phase.progressAt + PASTE_STALL_MS;
    case 'settling':
    case 'rechecking': {
      const capAt = phase.at + view.settings.settle.maxMs;
      const stillAt = stillsAt(one, phase, view);
      return phase.seen && stillAt > now ? Math.min(stillAt, capAt) : capAt;
    }
    case 'watching':
      return phase.at + view.settings.confirmMs;
    case 'closing':
      return phase.at + view.settings.settle.maxMs;
    default:
      return undefined;
  }
}
