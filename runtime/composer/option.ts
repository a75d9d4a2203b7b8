// The options of a dialog: labels, and which one is selected. Always true: numbered options count from 1 without a gap;
// rows that a narrow screen has wrapped belong to the option above them. It gives no option a meaning.
import type { DialogRow } from './dialog-rows.js';
import { type DialogRule, matches } from './reading-pack.js';
import { type Color, isBlank, type Line, type ScreenSnapshot } from './snapshot.js';

export interface Option {
  readonly label: string;
  readonly selected: boolean;
  /** Rows of the screen. */
  readonly first: number;
  readonly last: number;
}

/** Rows between a question and its first option: hints, what is asked about. */
const BETWEEN_ROWS = 12;
const OPTIONS = 16;

export function readOptions(
  snapshot: ScreenSnapshot,
  rows: readonly DialogRow[],
  from: number,
  rule: Pick<DialogRule, 'layout' | 'option_glyph' | 'choices'>,
): readonly Option[] {
  switch (rule.layout) {
    case 'numbered':
      return numbered(rows, from, rule.option_glyph ?? '');
    case 'listed':
      return listed(rows, from, rule.option_glyph ?? '');
    case 'buttons':
      return buttons(snapshot, rows, from, rule);
  }
}

/** A row's text without the glyph, and whether it was there. */
function withoutGlyph(row: DialogRow, glyph: string): { selected: boolean; text: string; column: number } {
  if (glyph === '' || !row.text.startsWith(glyph))
    return { selected: false, text: row.text, column: row.indent };
  const rest = row.drawn.slice(glyph.length);
  const text = row.text.slice(glyph.length).trimStart();
  return {
    selected: true,
    text,
    column: row.indent + glyph.length + (rest.length - rest.trimStart().length),
  };
}

function numbered(rows: readonly DialogRow[], from: number, glyph: string): readonly Option[] {
  const options: Array<{ label: string; selected: boolean; first: number; last: number }> = [];
  let column = 0;
  for (let y = from; y < rows.length; y++) {
    const row = rows[y]!;
    const current = options.at(-1);
    if (current === undefined && y - from > BETWEEN_ROWS) break;
    const { selected, text, column: at } = withoutGlyph(row, glyph);
    const match = /^(\d+)[.)] (.+)$/.exec(text);
    if (match !== null && Number(match[1]) === options.length + 1 && options.length < OPTIONS) {
      options.push({ label: match[2]!, selected, first: y, last: y });
      column = at;
    } else if (current !== undefined) {
      // A wrapped label goes on below itself; a footer begins further left.
      if (row.text === '' || row.indent <= column) break;
      current.label += ` ${row.text}`;
      current.last = y;
    }
  }
  return options;
}

function listed(rows: readonly DialogRow[], from: number, glyph: string): readonly Option[] {
  let selected = from;
  while (selected < rows.length && !(glyph !== '' && rows[selected]!.text.startsWith(glyph))) selected++;
  if (selected === rows.length || selected - from > BETWEEN_ROWS) return [];
  const { column } = withoutGlyph(rows[selected]!, glyph);
  const belongs = (y: number) => rows[y] !== undefined && rows[y].text !== '' && rows[y].indent === column;
  let first = selected;
  while (first > from && belongs(first - 1)) first--;
  const options: Option[] = [];
  for (let y = first; y === selected || belongs(y); y++) {
    if (options.length === OPTIONS) break;
    options.push({ label: withoutGlyph(rows[y]!, glyph).text, selected: y === selected, first: y, last: y });
  }
  return options;
}

/** Options side by side: the words that the pack's choices name, each between two blanks at least. */
function buttons(
  snapshot: ScreenSnapshot,
  rows: readonly DialogRow[],
  from: number,
  rule: Pick<DialogRule, 'choices'>,
): readonly Option[] {
  for (let y = from; y < rows.length; y++) {
    const line = snapshot.line(y);
    const found = segments(line).filter(({ label }) =>
      rule.choices.some((choice) => matches(choice.label, label)),
    );
    if (found.length < 2) continue;
    // The selected one is drawn on a background of its own.
    const base = mostCommon(line.bg);
    const lit = found.filter(({ at }) => line.bg[at] !== base);
    return found.map(({ label, at }) => ({
      label,
      selected: lit.length === 1 && line.bg[at] !== base,
      first: y,
      last: y,
    }));
  }
  return [];
}

function mostCommon(colors: ArrayLike<Color>): Color {
  const counts = new Map<Color, number>();
  let best = colors[0] ?? 0;
  for (let x = 0; x < colors.length; x++) {
    const count = (counts.get(colors[x]!) ?? 0) + 1;
    counts.set(colors[x]!, count);
    if (count > (counts.get(best) ?? 0)) best = colors[x]!;
  }
  return best;
}

function segments(line: Line): Array<{ label: string; at: number }> {
  const found: Array<{ label: string; at: number }> = [];
  const cols = line.chars.length;
  for (let x = 0; x < cols; x++) {
    if (isBlank(line, x) || /[│┃]/.test(line.chars[x]!)) continue;
    const at = x;
    let label = '';
    while (
      x < cols &&
      !(isBlank(line, x) && line.chars[x] !== '' && (x + 1 >= cols || isBlank(line, x + 1)))
    ) {
      label += line.chars[x] === '\u00a0' ? ' ' : line.chars[x];
      x++;
    }
    found.push({ label: label.trim(), at });
  }
  return found;
}
