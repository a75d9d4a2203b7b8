// Dialogs: a question of the agent that stops it, recognised by the pack. Always true: only what is at the bottom of the
// screen while no composer holds the cursor is a dialog, so a quoted one never is; classes and keys come from the pack
// alone; a text that is cut short says so. It answers nothing and knows no instances.
import { bodyTop, type DialogRow, dialogRows } from './dialog-rows.js';
import { type Option, readOptions } from './option.js';
import {
  type ChoiceRule,
  type DialogCursor,
  type DialogKind,
  type DialogRule,
  matches,
} from './reading-pack.js';
import type { ScreenSnapshot } from './snapshot.js';

export type AnswerClass = 'allow_once' | 'deny_once';

export interface DialogReading {
  /** The pack's recogniser. */
  readonly id: string;
  readonly kind: DialogKind;
  /** Untrusted text, as shown. */
  readonly question: string;
  readonly options: ReadonlyArray<{
    readonly label: string;
    readonly class: ChoiceRule['class'];
    readonly selected: boolean;
  }>;
  /** What is written to choose exactly this, for a permission dialog; no keys, no answer. */
  readonly keys: Readonly<Partial<Record<AnswerClass, string>>>;
  /** What it asks about isn't shown whole. */
  readonly truncated: boolean;
  /**
   * The rows that stay as they are while it is open, without frames and selection: what an instance is told by
   * (`spec/dialogs.md`).
   */
  readonly stableRows: readonly string[];
}

/** A question is wrapped into at most so many rows at 40 columns. */
const QUESTION_ROWS = 4;
/** Rows that show something below the last option: footers and status rows. */
const BELOW_ROWS = 8;
/** Columns that a dialog keeps free at its right edge, at most. */
const EDGE_COLUMNS = 6;
const ELLIPSIS = { contains: ['…'] };

/** The dialog on the screen, if the pack knows it. The caller has found no composer with the cursor in it. */
export function readDialog(
  snapshot: ScreenSnapshot,
  rules: readonly DialogRule[],
  cursorPlace: DialogCursor | undefined,
): DialogReading | undefined {
  const elsewhere = snapshot.cursor.visible && cursorPlace !== undefined && cursorPlace !== 'any';
  if (rules.length === 0 || elsewhere) return undefined;
  const rows = dialogRows(snapshot);
  for (const rule of rules) {
    const dialog = recognise(snapshot, rows, rule, cursorPlace);
    if (dialog !== undefined) return dialog;
  }
  return undefined;
}

function recognise(
  snapshot: ScreenSnapshot,
  rows: readonly DialogRow[],
  rule: DialogRule,
  cursorPlace: DialogCursor | undefined,
): DialogReading | undefined {
  const question = findQuestion(rows, rule, snapshot.cols);
  if (question === undefined) return undefined;
  const options = readOptions(snapshot, rows, question.next, rule);
  const last = options.at(-1);
  if (last === undefined) return undefined;
  const after = rows.slice(last.last + (rule.layout === 'buttons' ? 0 : 1)).filter((row) => row.text !== '');
  if (after.length > BELOW_ROWS) return undefined;
  if (rule.footer !== undefined && !joined(after).some((text) => matches(rule.footer!, text)))
    return undefined;
  if (rule.option_glyph !== undefined && !options.some((option) => option.selected)) return undefined;
  const onOption = options.some((option) => option.selected && option.first === snapshot.cursor.y);
  if (cursorPlace === 'hidden_on_option' && !onOption) return undefined;
  return report(snapshot, rows, rule, question, options);
}

function report(
  snapshot: ScreenSnapshot,
  rows: readonly DialogRow[],
  rule: DialogRule,
  question: { readonly at: number; readonly text: string },
  options: readonly Option[],
): DialogReading {
  const top = bodyTop(snapshot, question.at, rule.edge);
  const firstOption = options[0]!.first;
  const body = rows.slice(top ?? 0, firstOption);
  const cut = rule.truncated ?? ELLIPSIS;
  const choices = options.map((option) => rule.choices.find((choice) => matches(choice.label, option.label)));
  return {
    id: rule.id,
    kind: rule.kind,
    question: question.text,
    options: options.map(({ label, selected }, index) => ({
      label,
      selected,
      class: choices[index]?.class ?? 'other',
    })),
    keys: rule.kind === 'permission' ? keysOf(options, choices) : {},
    truncated: top === undefined || body.some((row) => matches(cut, row.text)),
    stableRows: [...body.map((row) => row.text), ...options.map((option) => option.label)].filter(Boolean),
  };
}

function keysOf(
  options: readonly Option[],
  choices: readonly (ChoiceRule | undefined)[],
): Partial<Record<AnswerClass, string>> {
  const keys: Partial<Record<AnswerClass, string>> = {};
  for (const wanted of ['allow_once', 'deny_once'] as const) {
    const at = choices.flatMap((choice, index) => (choice?.class === wanted ? [index] : []));
    const [index] = at;
    // Two options of one class: nobody can say which of them is meant.
    if (index === undefined || at.length > 1) continue;
    const { keys: written, when } = choices[index]!;
    if (written !== undefined && (when !== 'selected' || options[index]!.selected)) keys[wanted] = written;
  }
  return keys;
}

/** The lowest question, on one row or wrapped. */
function findQuestion(
  rows: readonly DialogRow[],
  rule: DialogRule,
  cols: number,
): { readonly at: number; readonly next: number; readonly text: string } | undefined {
  for (let at = rows.length - 1; at >= 0; at--) {
    let text = '';
    for (let next = at; next < Math.min(at + QUESTION_ROWS, rows.length); next++) {
      const row = rows[next]!;
      if (row.text === '') break;
      text = text === '' ? row.text : `${text} ${row.text}`;
      if (matches(rule.question, text)) return { at, next: next + 1, text: text + restOf(rows, next, cols) };
    }
  }
  return undefined;
}

/** The question's next row, if it is there because the screen is too narrow. */
function restOf(rows: readonly DialogRow[], matched: number, cols: number): string {
  const row = rows[matched]!;
  const next = rows[matched + 1];
  if (next === undefined || next.text === '' || next.indent !== row.indent) return '';
  const [word = ''] = next.text.split(' ');
  return row.indent + row.drawn.length + 1 + word.length > cols - EDGE_COLUMNS ? ` ${next.text}` : '';
}

/** Each row, and each row with those that follow it, as a wrapped footer stands. */
function joined(rows: readonly DialogRow[]): string[] {
  return rows.map((_, index) =>
    rows
      .slice(index, index + 3)
      .map((row) => row.text)
      .join(' '),
  );
}
