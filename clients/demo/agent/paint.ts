// Frames: what is to be written so that the terminal shows a state. Always true: a frame is one synchronised update (2026);
// on the main screen the conversation scrolls up for good and the live rows are drawn again below it; on the alternate
// screen every frame draws all of it; a frame that would show the same is empty. It writes nothing itself.
import type { State } from './state.js';
import { type Row, rowsOfLine, type Style, viewOf } from './view.js';

/** What the terminal shows. */
export interface Painted {
  /** Lines of the conversation that have scrolled up, from the beginning. */
  readonly lines: number;
  /** Row of the live rows that the cursor stands on. */
  readonly caretRow: number;
  readonly cols: number;
  readonly rows: number;
  /** The live part as it was written. */
  readonly live: string;
}

const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';

const STYLES: Readonly<Record<Style, string>> = {
  plain: '',
  dim: '\x1b[2m',
  bold: '\x1b[1m',
  rule: '\x1b[38;2;110;110;110m',
  accent: '\x1b[38;2;90;170;220m',
};

function drawn(row: Row): string {
  return row
    .map(({ text, style }) => (STYLES[style] === '' ? text : `${STYLES[style]}${text}\x1b[0m`))
    .join('');
}

const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A` : '');
const right = (columns: number) => (columns > 0 ? `\x1b[${columns}C` : '');

/** The next frame; `painted` is undefined before the first. */
export function paint(
  painted: Painted | undefined,
  state: State,
): { readonly painted: Painted; readonly bytes: string } {
  const { cols, rows, lines, forgotten, switches } = state;
  const { live, caret } = viewOf(state);
  const text = live.map(drawn).join('\r\n');
  const back = `\r${up(Math.max(0, live.length - 1 - caret.row))}${right(caret.column)}`;
  const liveBytes = `${text}${back}${caret.visible ? '\x1b[?25h' : ''}`;
  const total = forgotten + lines.length;
  const next: Painted = { lines: total, caretRow: caret.row, cols, rows, live: liveBytes };
  const resized = painted !== undefined && (painted.cols !== cols || painted.rows !== rows);
  if (painted && !resized && painted.lines === total && painted.live === liveBytes) {
    return { painted: next, bytes: '' };
  }
  const whole = switches.alt || resized || painted === undefined;
  const room = Math.max(0, rows - live.length);
  const fresh = whole ? lines.slice(-Math.max(1, room)) : lines.slice(painted.lines - total || lines.length);
  const wrapped = fresh.flatMap((line) => rowsOfLine(line, cols));
  const above = (whole ? wrapped.slice(Math.max(0, wrapped.length - room)) : wrapped)
    .map((row) => `${drawn(row)}\r\n`)
    .join('');
  const place = switches.alt || resized ? '\x1b[H\x1b[2J' : painted ? `\r${up(painted.caretRow)}\x1b[J` : '';
  return { painted: next, bytes: `${BEGIN}${place}${above}${liveBytes}${END}` };
}
