// The handover of a seat as a machine: which steps, what each failure means, and the two outcomes. Always true: where the
// candidate comes from and what happened to the seat are two answers, and neither follows from the other; a seat is handed
// over only after its record is durable; what has halted stays so until a person settles it. Pure: it starts and ends nobody.
import type { Reason } from '../../protocol/reason.js';

export const CREATION_MODES = ['fresh', 'resume', 'fork', 'rebuild'] as const;
export type CreationMode = (typeof CREATION_MODES)[number];

export const DISPOSITIONS = ['retire', 'advise', 'shadow'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export type ContinuityOutcome = 'rebuilt' | 'resumed' | 'forked' | 'fresh' | 'failed';
export type SeatBindingOutcome = 'handed_over' | 'partial' | 'failed' | 'unchanged';

export const STEPS = [
  'lock',
  'candidate',
  'ready',
  'restore',
  'freeze',
  'detach',
  'bind',
  'provenance',
  'thaw',
] as const;
export type Step = (typeof STEPS)[number];

const CONTINUITY: Readonly<Record<CreationMode, ContinuityOutcome>> = {
  fresh: 'fresh',
  resume: 'resumed',
  fork: 'forked',
  rebuild: 'rebuilt',
};

/** Steps of a candidate's creation: when one fails there is no candidate. */
const CREATION: ReadonlySet<Step> = new Set(['lock', 'candidate', 'ready', 'restore']);
/** From here on the old occupant may be gone, so nobody can say that nothing happened. */
const BINDING: ReadonlySet<Step> = new Set(['detach', 'bind', 'provenance', 'thaw']);

export interface Plan {
  readonly mode: CreationMode;
  /** A candidate that exists already is bound; it is not created again. */
  readonly given: boolean;
}

/** `binding` is under way; `halted` keeps the seat locked for automation; the other two are final. */
export type HandoverState =
  | { readonly kind: 'binding'; readonly step: Step }
  | { readonly kind: 'halted'; readonly at: Step; readonly reason: Reason }
  | { readonly kind: 'bound' }
  | { readonly kind: 'unchanged'; readonly at: Step; readonly reason: Reason };

export type HandoverEvent =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: Reason }
  /** The runtime ended here and has started again. */
  | { readonly kind: 'restarted' }
  /** A person says what is true of a halted binding. */
  | { readonly kind: 'settled'; readonly as: 'bound' | 'unchanged' };

export function stepsOf({ mode, given }: Plan): readonly Step[] {
  return STEPS.filter((step) => {
    if (step === 'restore') return mode === 'rebuild' && !given;
    return !(given && step === 'ready');
  });
}

export const BEGIN: HandoverState = { kind: 'binding', step: 'lock' };

export function advance(plan: Plan, state: HandoverState, event: HandoverEvent): HandoverState {
  if (event.kind === 'settled') {
    if (state.kind !== 'halted') return state;
    return event.as === 'bound'
      ? { kind: 'bound' }
      : { kind: 'unchanged', at: state.at, reason: state.reason };
  }
  if (state.kind !== 'binding') return state;
  const { step } = state;
  if (event.kind === 'done') {
    const steps = stepsOf(plan);
    const next = steps[steps.indexOf(step) + 1];
    return next === undefined ? { kind: 'bound' } : { kind: 'binding', step: next };
  }
  const reason = event.kind === 'failed' ? event.reason : 'runtime_restarted';
  return BINDING.has(step) ? { kind: 'halted', at: step, reason } : { kind: 'unchanged', at: step, reason };
}

/** Where the new occupant comes from, as far as it is known. */
export function continuityOf(plan: Plan, state: HandoverState): ContinuityOutcome {
  const failed = state.kind === 'unchanged' && CREATION.has(state.at);
  return failed ? 'failed' : CONTINUITY[plan.mode];
}

/** What happened to the seat. While it is being bound, and when that has halted, it is `partial`. */
export function bindingOf(state: HandoverState): SeatBindingOutcome {
  switch (state.kind) {
    case 'bound':
      return 'handed_over';
    case 'unchanged':
      // A candidate was there and the binding did not take it: that failed. Without one it never began.
      return state.at === 'freeze' ? 'failed' : 'unchanged';
    case 'binding':
    case 'halted':
      return 'partial';
  }
}

/** Automation may not type: from the freeze until the seat is stable again. */
export function isFrozen(state: HandoverState): boolean {
  if (state.kind === 'halted') return true;
  return state.kind === 'binding' && (state.step === 'freeze' || BINDING.has(state.step));
}

/** The next attempt may begin. */
export function isLocked(state: HandoverState): boolean {
  return state.kind === 'binding' || state.kind === 'halted';
}

export type DispositionVerdict =
  | { readonly kind: 'honoured'; readonly disposition: Disposition }
  | { readonly kind: 'degraded'; readonly disposition: 'retire'; readonly notice: string }
  | { readonly kind: 'refused'; readonly notice: string };

/** `obstacle`: why the old occupant can't go on running beside the seat, or undefined when it can. */
export function judgeDisposition(
  asked: Disposition,
  strict: boolean,
  obstacle: string | undefined,
): DispositionVerdict {
  if (asked === 'retire' || obstacle === undefined) return { kind: 'honoured', disposition: asked };
  if (strict) return { kind: 'refused', notice: `${asked} can't be honoured: ${obstacle}.` };
  return {
    kind: 'degraded',
    disposition: 'retire',
    notice: `${asked} can't be honoured: ${obstacle}; the old occupant is retired instead.`,
  };
}
