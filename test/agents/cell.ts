// A cell of the table: one behaviour that is measured with one CLI, and what came out. Always true: a cell that isn't
// measured says why, and one that doesn't know never counts as right.
import { type Field, LeftOut, Wrong } from './field.js';

export interface Cell {
  readonly id: string;
  /** What must hold, as a sentence. */
  readonly title: string;
  /** Gives what was seen; throws Wrong or LeftOut. */
  run(field: Field): Promise<string>;
}

export type Verdict = 'right' | 'wrong' | 'left out';

export interface Measured {
  readonly cell: string;
  readonly verdict: Verdict;
  readonly seen: string;
  readonly ms: number;
  /** The screen, where the cell is wrong. */
  readonly screen?: string;
}

export async function measure(cell: Cell, field: Field): Promise<Measured> {
  const from = performance.now();
  const made = (verdict: Verdict, seen: string, screen?: string): Measured => ({
    cell: cell.id,
    verdict,
    seen,
    ms: Math.round(performance.now() - from),
    ...(screen === undefined ? {} : { screen }),
  });
  try {
    return made('right', await cell.run(field));
  } catch (error) {
    if (error instanceof LeftOut) return made('left out', error.message);
    const text = error instanceof Error ? error.message : String(error);
    const screen = await field.screen().catch(() => '');
    return made('wrong', error instanceof Wrong ? text : `the run broke: ${text}`, screen);
  }
}
