// What an override has found in a seat's composer, for the person who sent it. Always true: it is shown once, escaped, and
// kept nowhere. Pure.
import type { ExistingInput } from '../../protocol/transport.js';
import { type Paper, paint, printable } from './print.js';

/** The rows as the agent shows them, the cursor's place, and what is only a suggestion. */
export function existingInputText(paper: Paper, input: ExistingInput): string {
  const { rows, suggestion_rows, cursor, dimensions } = input;
  const at = `cursor at row ${cursor.row + 1}, column ${cursor.column + 1} of ${dimensions.cols}x${dimensions.rows}`;
  const found = rows.length === 0 ? `nothing that is drawn yet; ${at}` : at;
  const lines = [
    `[openfloor] in the composer of ${printable(input.target.seat)}: ${found}`,
    ...rows.map((row) => `  | ${printable(row)}`),
    ...suggestion_rows.map((row) => paint(paper, 'dim', `  | ${printable(row)} (suggestion)`)),
  ];
  return `${lines.join('\n')}\n`;
}
