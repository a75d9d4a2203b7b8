// Figures and rows of the bench: what a bar reports and how samples become one figure. Pure; it measures nothing.

export interface Row {
  readonly bar: string;
  readonly what: string;
  /** The measured figure that the limit is about; with `limit` undefined it is information. */
  readonly figure: number;
  readonly unit: string;
  readonly limit?: Limit;
  /** Absolute figures and noise behind the ratio, for a person. */
  readonly note?: string;
}

export interface Limit {
  readonly relation: 'at most' | 'at least' | 'exactly';
  readonly value: number;
}

export const atMost = (value: number): Limit => ({ relation: 'at most', value });
export const atLeast = (value: number): Limit => ({ relation: 'at least', value });
export const exactly = (value: number): Limit => ({ relation: 'exactly', value });

export type Verdict = 'pass' | 'FAIL' | 'info';

export function verdict(row: Row): Verdict {
  if (row.limit === undefined) return 'info';
  const { relation, value } = row.limit;
  if (Number.isNaN(row.figure)) return 'FAIL';
  if (relation === 'at most') return row.figure <= value ? 'pass' : 'FAIL';
  if (relation === 'at least') return row.figure >= value ? 'pass' : 'FAIL';
  return row.figure === value ? 'pass' : 'FAIL';
}

/** The value below which `share` (0..1) of the samples lie, nearest rank; NaN for none. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] as number;
}

export function median(samples: readonly number[]): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Smallest to largest, as text: the spread that a reader needs beside a median. */
export function spread(samples: readonly number[], digits = 2): string {
  if (samples.length === 0) return 'none';
  return `${Math.min(...samples).toFixed(digits)}..${Math.max(...samples).toFixed(digits)}`;
}

export const micros = (ms: number): string => `${(ms * 1000).toFixed(0)} us`;

/** The table that a person reads: one line a row, the verdict first. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    verdict(row),
    row.bar,
    row.what,
    `${Number.isInteger(row.figure) ? row.figure : row.figure.toFixed(2)} ${row.unit}`.trim(),
    row.limit ? `${row.limit.relation} ${row.limit.value}` : '',
    row.note ?? '',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((line) => (line[column] ?? '').length), 0),
  );
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
