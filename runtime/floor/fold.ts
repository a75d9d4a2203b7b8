// How the view follows what happens: facts, status transitions and readings. Always true: nothing of one agent process
// counts for the next, and a view is replaced, never changed. It decides nothing.

import type { Facts } from './event.js';
import { sawTurn } from './evidence.js';
import { currentReading, type ReadingView, type StatusFacts, type View } from './view.js';

/** The agent process as one text: equal means the same one. */
export function tenureKey({ session }: View): string {
  return session.kind === 'live' ? `${session.generation} ${session.tenure ?? ''}` : session.kind;
}

export function foldFacts(view: View, facts: Facts): View {
  const next = { ...view, ...facts };
  if (tenureKey(view) === tenureKey(next)) return next;
  return {
    ...next,
    evidence: { kind: 'fresh' },
    emptySinceAt: undefined,
    lifecycleOwed: facts.lifecycleOwed ?? false,
  };
}

/** Whether a status says that a turn is under way: working, or a hard question that is new. */
export function beginsTurn(view: View, { status, signal }: StatusFacts): boolean {
  return status.state === 'working' || (status.state === 'blocked' && status.hard && signal !== view.signal);
}

export function foldStatus(view: View, { status, signal, source }: StatusFacts, now: number): View {
  const later = signal !== view.signal;
  const empty = currentReading(view)?.composer.kind === 'empty';
  return {
    ...view,
    status,
    signal,
    statusSource: source,
    // A question that comes and goes submits nothing: only work tells that a pasted text may have gone.
    evidence: status.state === 'working' ? sawTurn(view.evidence) : view.evidence,
    // An emptiness seen before a signal does not vouch for what the signal says.
    emptySinceAt: later ? (empty ? now : undefined) : view.emptySinceAt,
    lifecycleOwed: view.lifecycleOwed && !(status.state === 'idle' && later),
  };
}

export function foldReading(view: View, reading: ReadingView, now: number): View {
  const empty = reading.composer.kind === 'empty' && reading.vetoes.length === 0;
  return { ...view, reading, emptySinceAt: empty ? (view.emptySinceAt ?? now) : undefined };
}
