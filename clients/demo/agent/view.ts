// What the demo agent looks like: state to rows. Always true: rows are never wider than the terminal, the live rows never
// more than its height, and the caret's place is on them. It knows no escape sequences.
import { isEmpty } from './composer.js';
import { DIALOG_FOOTER, type Dialog } from './dialog.js';
import { layOut } from './layout.js';
import type { Line, State } from './state.js';
import { COMMANDS, popupOpen, TEXT_COLUMN } from './typing.js';
import { cellsOf, widthOf } from './width.js';

export type Style = 'plain' | 'dim' | 'bold' | 'rule' | 'accent';
export interface Span {
  readonly text: string;
  readonly style: Style;
}
export type Row = readonly Span[];

export interface View {
  /** Below the conversation; drawn again with every frame. */
  readonly live: readonly Row[];
  readonly caret: { readonly row: number; readonly column: number; readonly visible: boolean };
}

export const HINT = 'Ask the demo agent';
const PROMPT = '> ';
/** Options of dialogs are numbered behind this glyph. */
const OPTION = '>';

const row = (text: string, style: Style = 'plain'): Row => (text === '' ? [] : [{ text, style }]);

/** Text cut to `width` columns; what is cut away leaves an ellipsis. */
function fitted(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const cell of cellsOf(text)) {
    if (widthOf(kept + cell) > width - 1) break;
    kept += cell;
  }
  return `${kept}…`;
}

function fittedRow(spans: Row, width: number): Row {
  return spans.map((span) => ({ ...span, text: fitted(span.text, width) }));
}

/** A line of the conversation in rows of the terminal's width. */
export function rowsOfLine({ text, style }: Line, cols: number): Row[] {
  const rows = [''];
  let column = 0;
  for (const cell of cellsOf(text.replace(/[\0-\x1f\x7f-\x9f]/g, ' '))) {
    const width = widthOf(cell);
    if (column + width > cols) {
      rows.push('');
      column = 0;
    }
    rows[rows.length - 1] += cell;
    column += width;
  }
  return rows.map((part) => row(part, style));
}

function footerText(state: State): string {
  const parts: string[] = [];
  if (state.leaving) parts.push('Press Ctrl-C again to exit');
  if (state.vim !== 'off') parts.push(state.vim === 'normal' ? '-- NORMAL --' : '-- INSERT --');
  for (const kind of ['agents', 'shells'] as const) {
    const count = state.jobs.filter((job) => job.kind === kind).length;
    const name = kind === 'agents' ? 'agent' : 'shell';
    if (count > 0) parts.push(`${count} ${count === 1 ? name : `${name}s`} still running`);
  }
  if (state.turn.is === 'working') parts.push('esc to interrupt');
  else parts.push(isEmpty(state.composer) ? '? for shortcuts' : 'enter to send');
  return parts.join(' · ');
}

/** Rows that look like prompts, drafts and work, and mean nothing. */
function noiseRows(state: State): Row[] {
  const { noise, switches } = state;
  if (!switches.footerNoise) return [];
  return [
    row(`  > ${noise}.${noise % 10}k tokens  esc stops the download`),
    row(`  ${'◐◓◑◒'[noise % 4]} indexing  > half a message`, 'accent'),
  ];
}

function hintText(state: State): string {
  if (state.queue.length > 0) return 'Press up to edit queued messages';
  return state.switches.ghost || HINT;
}

function workingRows(state: State): Row[] {
  const { turn, now, switches, queue } = state;
  const rows: Row[] = [[]];
  if (turn.is === 'working') {
    const seconds = switches.silentWorking ? '' : ` ${Math.floor((now - turn.since) / 1000)}s`;
    const spinner = '·✢✳✶'[Math.floor((now - turn.since) / 240) % 4];
    rows.push([{ text: `${spinner} Working…${seconds}`, style: 'accent' }], []);
  }
  for (const text of queue) rows.push(row(`  Queued: ${text.split('\n')[0]}`, 'dim'));
  return rows;
}

function popupRows(state: State): Row[] {
  if (!popupOpen(state)) return [];
  return COMMANDS.map((command, index) => row(`  ${command}`, index === 0 ? 'accent' : 'dim'));
}

function composerView(state: State): View {
  const { cols, rows: height, composer } = state;
  const { rows: all, caret } = layOut(composer, cols - TEXT_COLUMN);
  const rule = row('─'.repeat(cols), 'rule');
  const footer = row(`  ${footerText(state)}`, 'dim');
  const extra = [...popupRows(state), footer, ...noiseRows(state)].map((r) => fittedRow(r, cols));
  // Two rules and a row of text always have their place.
  const below = [rule, ...extra.slice(0, Math.max(0, height - 3))];
  const most = Math.max(1, height - below.length - 2);
  const first = Math.min(Math.max(0, caret.row - most + 1), Math.max(0, all.length - most));
  const shown = all.slice(first, first + most);
  const texts = shown.map((text, index): Row => {
    const lead = first + index === 0 ? PROMPT : '  ';
    return [
      { text: lead, style: 'plain' },
      { text, style: 'plain' },
    ];
  });
  if (isEmpty(composer)) {
    texts[0] = [
      { text: PROMPT, style: 'plain' },
      { text: fitted(hintText(state), cols - TEXT_COLUMN), style: 'dim' },
    ];
  }
  const fixed = [rule, ...texts, ...below];
  const above = workingRows(state).map((r) => fittedRow(r, cols));
  const live = [...above.slice(Math.max(0, above.length + fixed.length - height)), ...fixed];
  const composerAt = live.length - fixed.length + 1;
  return {
    live,
    caret: { row: composerAt + caret.row - first, column: TEXT_COLUMN + caret.column, visible: true },
  };
}

/** Rows of a dialog's body; a longer one is cut, and says so. */
const BODY_ROWS = 4;

function dialogView(state: State, dialog: Dialog): View {
  const { cols, rows: height } = state;
  const body = dialog.body.split('\n').flatMap((text) => rowsOfLine({ text, style: 'plain' }, cols - 3));
  const shown = body.slice(0, BODY_ROWS).map((r): Row => [{ text: '   ', style: 'plain' }, ...r]);
  if (body.length > BODY_ROWS) shown.push(row(`   … +${body.length - BODY_ROWS} rows`, 'dim'));
  const options = dialog.options.map((option, index): Row => {
    const selected = index === dialog.selected;
    const text = fitted(` ${selected ? OPTION : ' '} ${index + 1}. ${option}`, cols);
    return row(text, selected ? 'accent' : 'plain');
  });
  const all: Row[] = [
    [],
    row('─'.repeat(cols), 'rule'),
    row(fitted(` ${dialog.question}`, cols), 'bold'),
    ...(dialog.body === '' ? [] : [[], ...shown]),
    [],
    ...options,
    [],
    row(fitted(` ${DIALOG_FOOTER}`, cols), 'dim'),
  ];
  const live = all.slice(Math.max(0, all.length - height));
  // The hidden cursor stands on the selected option.
  const selectedAt = live.length - 2 - options.length + dialog.selected;
  return { live, caret: { row: Math.max(0, selectedAt), column: 1, visible: false } };
}

/** What is to be seen below the conversation. */
export function viewOf(state: State): View {
  switch (state.front.is) {
    case 'boot':
      return { live: [row('Starting…', 'dim')], caret: { row: 0, column: 0, visible: false } };
    case 'ended':
      return { live: [], caret: { row: 0, column: 0, visible: true } };
    case 'dialog':
      return dialogView(state, state.front.dialog);
    case 'composer':
      return composerView(state);
  }
}
