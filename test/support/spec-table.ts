// Rows of the first Markdown table in a page of spec/, cells trimmed and without code marks.
import { readFileSync } from 'node:fs';

export function specTable(page: string): string[][] {
  const text = readFileSync(
    new URL(`${import.meta.url.includes('/dist/') ? '../../../' : '../../'}spec/${page}`, import.meta.url),
    'utf8',
  );
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^\|[-|]+\|$/.test(line.replace(/ /g, '')));
  const rows: string[][] = [];
  for (const line of lines.slice(from + 1)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    );
  }
  return rows;
}
