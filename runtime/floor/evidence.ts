// Idle evidence after a write (floor.md 8). Always true: one idle signal pays for one write. A write and an operator's
// Enter consume the evidence; what brings it back is listed here and nowhere else. Used by row 9.

import { currentReading, type IdleEvidence, type View } from './view.js';

export type ConsumedBy = Extract<IdleEvidence, { readonly kind: 'consumed' }>['by'];

/**
 * The evidence after something was written or submitted. What went to a dialog submitted nothing, so it doesn't take the
 * place of a text of ours that was pasted and not submitted: keys of an answer, and a person's Enter while the agent
 * isn't idle.
 */
export function consume(
  view: Pick<View, 'signal' | 'receivedOffset' | 'status' | 'evidence'>,
  by: ConsumedBy,
  at: number,
): IdleEvidence {
  const { evidence, status } = view;
  const staged = evidence.kind === 'consumed' && evidence.by === 'paste' && !evidence.turnSeen;
  const elsewhere = by === 'dialog_keys' || (by === 'operator_enter' && status.state !== 'idle');
  if (staged && elsewhere) return evidence;
  return { kind: 'consumed', by, at, signal: view.signal, offset: view.receivedOffset, turnSeen: false };
}

/** A transaction ended without Enter: its text stands from now on, and a turn seen since the paste stays seen. */
export function restage(view: Parameters<typeof consume>[0], at: number): IdleEvidence {
  const turnSeen = view.evidence.kind === 'consumed' && view.evidence.turnSeen;
  return { kind: 'consumed', by: 'paste', at, signal: view.signal, offset: view.receivedOffset, turnSeen };
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
 * is not enough, and neither is a composer that looks empty while the program has drawn nothing since: the text may
 * stand there or arrive late, and the next message would join it.
 */
export function worth(view: View, now: number): EvidenceFinding {
  const { evidence } = view;
  if (evidence.kind === 'fresh') return 'fresh';
  if (view.status.state !== 'idle') return 'spent';
  const later = view.signal > evidence.signal;
  if (later && evidence.turnSeen) return 'turn_over';
  if (later && evidence.by !== 'paste') return 'idle_signal_later';
  const over = now - evidence.at >= view.settings.confirmMs;
  const reading = currentReading(view);
  const drawn = evidence.by !== 'paste' || (reading !== undefined && reading.offset > evidence.offset);
  return over && drawn && reading?.composer.kind === 'empty' ? 'quiet_and_empty' : 'spent';
}
