// Whose size a session has: the most recently active client that may type. Viewers never count, and a session that is
// shared never gets smaller than a shell can bear. Pure.

import type { AttachMode } from '../../protocol/frame.js';
import { SHARED_COLS_MIN, SHARED_ROWS_MIN, SIZE_MAX } from '../../protocol/limit.js';

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

export interface SizeVote {
  readonly mode: AttachMode;
  /** Undefined: the client named no size and takes what is there. */
  readonly size: Size | undefined;
  /** When it last typed, attached or resized; any monotonic clock. */
  readonly activeAt: number;
}

/** The size that the session should have, or undefined to keep what it has. */
export function electSize(votes: readonly SizeVote[]): Size | undefined {
  let best: SizeVote | undefined;
  for (const vote of votes) {
    if (vote.mode === 'view' || vote.size === undefined) continue;
    if (best === undefined || vote.activeAt >= best.activeAt) best = vote;
  }
  if (best?.size === undefined) return undefined;
  return best.mode === 'take' ? best.size : clampShared(best.size);
}

function clampShared(size: Size): Size {
  return {
    rows: Math.min(SIZE_MAX, Math.max(SHARED_ROWS_MIN, size.rows)),
    cols: Math.min(SIZE_MAX, Math.max(SHARED_COLS_MIN, size.cols)),
  };
}

export function sameSize(a: Size, b: Size): boolean {
  return a.rows === b.rows && a.cols === b.cols;
}
