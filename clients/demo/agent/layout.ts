// Where the composer's text stands: rows of cells and the caret's place. Always true: a row is at most `columns` wide, every
// blank of the text has a cell, and a word moves to the next row when it and the blank behind it have no room; so a row that
// is broken elsewhere than after a blank is full. It draws nothing.
import type { Composer, Item } from './composer.js';
import { cellsOf, widthOf } from './width.js';

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Layout {
  readonly rows: readonly string[];
  readonly caret: Place;
  /** For each item and the end: where the caret stands before it. */
  readonly places: readonly Place[];
}

/** One cell's text and the item that it is of; a label is as many cells as it has characters. */
interface Cell {
  readonly text: string;
  readonly item: number;
}

function cellsOfItems(items: readonly Item[]): Cell[] {
  return items.flatMap((item, index): Cell[] =>
    typeof item === 'string'
      ? [{ text: item, item: index }]
      : cellsOf(item.label).map((text) => ({ text, item: index })),
  );
}

/** Width of the word that begins at `from`, with the blank behind it; 0 for a blank or a newline. */
function wordWidth(cells: readonly Cell[], from: number): number {
  let width = 0;
  let at = from;
  for (; at < cells.length; at++) {
    const text = cells[at]?.text ?? '';
    if (text === ' ' || text === '\n') break;
    width += widthOf(text);
  }
  return width > 0 && cells[at]?.text === ' ' ? width + 1 : width;
}

/** Lays a composer out in rows of `columns` cells, at least 4. */
export function layOut({ items, caret }: Composer, columns: number): Layout {
  const width = Math.max(4, columns);
  const cells = cellsOfItems(items);
  const rows = [''];
  const places: Place[] = [];
  let column = 0;
  const breakRow = () => {
    rows.push('');
    column = 0;
  };
  cells.forEach(({ text, item }, at) => {
    const before = cells[at - 1]?.text ?? ' ';
    const wordBegins = before === ' ' || before === '\n';
    const needed = wordBegins ? wordWidth(cells, at) : 0;
    if (text !== '\n') {
      if (needed <= width && column + needed > width) breakRow();
      else if (column + widthOf(text) > width) breakRow();
    }
    places[item] ??= { row: rows.length - 1, column };
    if (text === '\n') breakRow();
    else {
      rows[rows.length - 1] += text;
      column += widthOf(text);
    }
  });
  // A caret behind a full row has no cell there.
  const full = column >= width;
  const end = full ? { row: rows.length, column: 0 } : { row: rows.length - 1, column };
  if (full && caret === items.length) rows.push('');
  places.push(end);
  return { rows, caret: places[caret] ?? end, places };
}

/** The caret one row up (-1) or down (1), as near to its column as the row has a place; undefined at the edge. */
export function caretInNextRow(composer: Composer, columns: number, by: -1 | 1): number | undefined {
  const { places, caret } = layOut(composer, columns);
  const row = caret.row + by;
  let best: number | undefined;
  places.forEach((place, index) => {
    if (place.row !== row) return;
    const bestColumn = best === undefined ? Number.POSITIVE_INFINITY : (places[best]?.column ?? 0);
    if (Math.abs(place.column - caret.column) < Math.abs(bestColumn - caret.column)) best = index;
  });
  return best;
}
