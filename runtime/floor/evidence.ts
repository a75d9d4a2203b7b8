// Idle evidence after a write (floor.md 8). Always true: one idle signal pays for one write. A write and an operator's
// Enter consume the evidence; what brings it back is listed here and nowhere else. Used by row 9.

import { currentReading, type IdleEvidence, type View } from './view.js';

/** The evidence after something was written or submitted. */
export function consume(
  view: Pick<View, 'signal'>,
  by: 'paste' | 'enter' | 'operator_enter',
  at: number,
): IdleEvidence {
  return { kind: 'consumed', by, at, signal: view.signal, turnSeen: false };
}

/** A turn began: the next idle signal is good whatever was written before. */
export function sawTurn(evidence: IdleEvidence): IdleEvidence {
  return evidence.kind === 'consumed' && !evidence.turnSeen ? { ...evidence, turnSeen: true } : evidence;
}

export type EvidenceFinding =
  | 'fresh'
  | 'turn_over'
  | 'idle_signal_later'
  | 'quiet_and_empty'
  /** Nothing has brought it back. */
  | 'spent';

/**
 * What the evidence is worth now, for a seat whose status is idle. After a paste without Enter a repeated idle signal
 * is not enough: the text may stand in the composer, and the next message would join it.
 */
export function worth(view: View, now: number): EvidenceFinding {
  const { evidence } = view;
  if (evidence.kind === 'fresh') return 'fresh';
  if (view.status.state !== 'idle') return 'spent';
  const later = view.signal > evidence.signal;
  if (later && evidence.turnSeen) return 'turn_over';
  if (later && evidence.by !== 'paste') return 'idle_signal_later';
  const over = now - evidence.at >= view.settings.confirmMs;
  return over && currentReading(view)?.composer.kind === 'empty' ? 'quiet_and_empty' : 'spent';
}
