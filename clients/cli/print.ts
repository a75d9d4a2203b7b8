// How the CLI writes for people: tables, colours and escapes. Always true: nothing that came from a server, a session or
// a file reaches the terminal with control characters in it; colours appear on a terminal only, and never with NO_COLOR.

export interface Paper {
  readonly colour: boolean;
}

const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;
export type Style = keyof typeof STYLES;

/** True when colours may be used on that stream. NO_COLOR wins over FORCE_COLOR. */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export function paint(paper: Paper, style: Style, text: string): string {
  return paper.colour && text !== '' ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** C0, DEL, C1, and the characters that reorder or hide text. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text that can't act on a terminal: what could is written as an escape. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** Rows under their titles, two blanks between columns, each line without trailing blanks. Cells are escaped here. */
export function table(
  paper: Paper,
  columns: readonly Column[],
  rows: ReadonlyArray<ReadonlyArray<string | Cell>>,
): string {
  const cells = rows.map((row) =>
    row.map((cell): Cell => {
      const { text, style } = typeof cell === 'string' ? { text: cell, style: undefined } : cell;
      return style === undefined ? { text: printable(text) } : { text: printable(text), style };
    }),
  );
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.text.length ?? 0)),
  );
  const line = (row: readonly Cell[]): string =>
    columns
      .map(({ align }, index) => {
        const { text, style } = row[index] ?? { text: '' };
        const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - text.length));
        const shown = style === undefined ? text : paint(paper, style, text);
        if (align === 'right') return blanks + shown;
        return index === columns.length - 1 ? shown : shown + blanks;
      })
      .join('  ')
      .trimEnd();
  const head = line(columns.map(({ title }): Cell => ({ text: title, style: 'dim' })));
  return [head, ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** A duration for people: `12s`, `5m`, `3h`, `9d`. */
export function age(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
