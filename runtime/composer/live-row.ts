// Live rows: what an agent shows around its composer while something goes on, such as `esc to interrupt`. Always true: a
// row counts only at its place beside the box, where no transcript stands; what it says can veto and never makes idle.
import type { Box } from './box.js';
import { matches, type RowRule } from './reading-pack.js';
import { areBlank, lastRow, type ScreenSnapshot, textOf } from './snapshot.js';

export interface LiveRow {
  readonly rule: RowRule;
  /** Untrusted text, as shown. */
  readonly text: string;
}

/** A status block above the box has at most so many rows: the status itself, tasks and tips. */
const BLOCK_ROWS = 24;
const NEAR_ROWS = 3;

/** The rows of the pack that are on the screen, in the pack's order. */
export function liveRows(
  snapshot: ScreenSnapshot,
  rules: readonly RowRule[],
  box: Box | undefined,
): readonly LiveRow[] {
  const found: LiveRow[] = [];
  for (const rule of rules) {
    const text = candidates(snapshot, rule, box).find((candidate) => matches(rule.text, candidate));
    if (text !== undefined) found.push({ rule, text });
  }
  return found;
}

function candidates(snapshot: ScreenSnapshot, rule: RowRule, box: Box | undefined): string[] {
  const row = (y: number) =>
    snapshot
      .line(y)
      .text.replace(/[\s\u00a0]+/g, ' ')
      .trim();
  if (rule.where === 'last_row') {
    const last = lastRow(snapshot);
    return last < 0 ? [] : [row(last)];
  }
  if (box === undefined) return [];
  switch (rule.where) {
    case 'composer_rule':
      return box.label === '' ? [] : [box.label];
    case 'in_box':
      return range(box.bottom + 1, box.outerBottom).map((y) =>
        textOf(snapshot.line(y), box.text, box.right).trim(),
      );
    case 'below_composer':
      return range(box.outerBottom + 1, snapshot.rows - 1).map(row);
    case 'above_composer':
      return range(Math.max(0, box.outerTop - (rule.within ?? NEAR_ROWS)), box.outerTop - 1).map(row);
    case 'status_block':
      return statusRow(snapshot, box);
  }
}

/** What an agent prints is indented; the first row that isn't heads the block above the box. */
function statusRow(snapshot: ScreenSnapshot, box: Box): string[] {
  for (let y = box.outerTop - 1; y >= Math.max(0, box.outerTop - BLOCK_ROWS); y--) {
    const line = snapshot.line(y);
    if (!areBlank(line, box.left, box.left + 1)) return [line.text.replace(/[\s\u00a0]+/g, ' ').trim()];
  }
  return [];
}

function range(from: number, to: number): number[] {
  return to < from ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
