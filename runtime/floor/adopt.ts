// What the status room says, in the words of the view. Always true: a signal is counted once, when evidence is newer than
// all before it; a status that only comes back after a soft veto is no new signal. The shapes are named structurally, so
// that neither room imports the other.

import type { ForegroundView, StatusFacts, StatusView } from './view.js';

/** The part of a status that the floor reads. `at` and `offset` are those of its evidence. */
export interface StatusLike {
  readonly state: 'working' | 'idle' | 'blocked' | 'unknown';
  readonly kind?: string;
  readonly source: string;
  readonly at: number;
  readonly offset: number;
  readonly hard: boolean;
  readonly cause?: string;
  /** Grant only with the composer recognised empty. */
  readonly needsComposer: boolean;
}

/** How many hard signals there were, and where the last one stood. */
export interface SignalCount {
  readonly signal: number;
  readonly at: number;
  readonly offset: number;
}

export const NO_SIGNALS: SignalCount = { signal: 0, at: Number.NEGATIVE_INFINITY, offset: -1 };

/** The count after a status: one more if its hard evidence is newer than the last. */
export function countSignal(count: SignalCount, status: StatusLike): SignalCount {
  const newer = status.offset > count.offset || (status.offset === count.offset && status.at > count.at);
  return status.hard && newer ? { signal: count.signal + 1, at: status.at, offset: status.offset } : count;
}

function viewOfStatus(status: StatusLike): StatusView {
  switch (status.state) {
    case 'working':
      return { state: 'working' };
    case 'idle':
      return { state: 'idle', means: status.needsComposer ? 'idle_or_blocked' : 'idle' };
    case 'blocked':
      return { state: 'blocked', kind: status.kind ?? 'unknown', hard: status.hard };
    case 'unknown': {
      const known = status.cause === 'starting' || status.cause === 'interrupt_unsettled';
      return { state: 'unknown', cause: known ? (status.cause as 'starting') : 'status_unknown' };
    }
  }
}

/** The facts of a status event. The count has been brought up to this status. */
export function statusFacts(status: StatusLike, count: SignalCount): StatusFacts {
  return { status: viewOfStatus(status), signal: count.signal, source: status.source };
}

/** The part of a foreground verdict that the floor reads. */
export interface ForegroundLike {
  readonly class: 'agent' | 'shell' | 'carrier' | 'foreground_other';
  readonly cause?: string;
  readonly members: ReadonlyArray<{ readonly name: string; readonly role: string }>;
}

export function foregroundView(verdict: ForegroundLike): ForegroundView {
  switch (verdict.class) {
    case 'agent':
    case 'carrier':
      return { kind: 'agent', carrier: verdict.class === 'carrier' };
    case 'shell':
      return { kind: 'shell' };
    case 'foreground_other': {
      if (verdict.cause === 'not_known') return { kind: 'unavailable' };
      const foreign = verdict.members.find((member) => member.role === 'foreign');
      return { kind: 'other', program: foreign?.name ?? 'nothing' };
    }
  }
}
