// What the readers of this room need of a pack: the composer's geometry, live rows, paste labels, dialogs. Always true: it
// is plain data that can be posted to a worker; field names are those of the pack files (spec/packs.md). It holds no
// version ranges: whoever makes it has chosen what fits the agent's version.

/** One field that is set must match; of its list one entry is enough. No field set: any text but the empty one. */
export interface TextMatch {
  readonly equals?: readonly string[];
  readonly starts_with?: readonly string[];
  readonly contains?: readonly string[];
  /** First and last of a range of characters: the text begins with one of it, followed by a blank or nothing. */
  readonly first_between?: readonly [string, string];
}

export interface ComposerBox {
  /** The row above and the row below the input are drawn with this character over the whole width. */
  readonly above?: string;
  readonly below?: string;
  /** Every row of the box begins with this character. */
  readonly left?: string;
  /** The rows of the box have one background, other than the default. */
  readonly filled?: boolean;
  /** The row above may carry words in its line. */
  readonly labelled?: boolean;
  /** Rows of the box above and below the input; those next to the input are blank. */
  readonly pad_above?: number;
  readonly pad_below?: number;
}

/** `any`: the cursor doesn't tell. */
export const DIALOG_CURSORS = ['hidden', 'hidden_on_option', 'hidden_in_corner', 'any'] as const;
export type DialogCursor = (typeof DIALOG_CURSORS)[number];

export interface ComposerGeometry {
  /** `either`: the agent has a renderer for each; on the alternate one only a box proves that it is the agent's. */
  readonly screen: 'main' | 'alternate' | 'either';
  readonly box: ComposerBox;
  /** Characters before the first input row, at `prompt_column`; none: the input has no prompt. */
  readonly prompts: readonly string[];
  /** Prompts that mean a command mode. */
  readonly command_prompts?: readonly string[];
  /** Columns from the left edge of the box. */
  readonly prompt_column: number;
  readonly text_column: number;
  /** How text that nobody wrote is drawn. */
  readonly hint: { readonly style: 'dim' | 'foreground' | 'none'; readonly colors?: readonly string[] };
  /** Where the hardware cursor is while the composer has the keyboard, and in a dialog. */
  readonly cursor: {
    readonly composer: 'visible' | 'hidden_on_caret';
    readonly dialog: DialogCursor;
  };
}

export const ROW_PLACES = [
  /** At most `within` rows above the box. */
  'above_composer',
  /** The first row above the box that begins at the box's left edge. */
  'status_block',
  /** In the line of the row above. */
  'composer_rule',
  /** In the rows of the box below the input. */
  'in_box',
  'below_composer',
  'last_row',
] as const;
export const ROW_SAYS = ['working', 'background_agents', 'background_shell', 'command_mode'] as const;

export interface RowRule {
  readonly id: string;
  readonly text: TextMatch;
  readonly where: (typeof ROW_PLACES)[number];
  readonly within?: number;
  readonly says: (typeof ROW_SAYS)[number];
}

export interface PasteLabelRule {
  /** A regular expression with one group, the number. Blanks in it are optional: labels wrap. */
  readonly pattern: string;
  readonly unit: 'lines' | 'characters';
  /** Lines or characters of the text = the label's number + this. */
  readonly offset: number;
  /** False: the number is about right (within 5 %). */
  readonly exact: boolean;
}

export const CHOICE_CLASSES = ['allow_once', 'deny_once', 'other'] as const;
export type ChoiceClass = (typeof CHOICE_CLASSES)[number];

export interface ChoiceRule {
  readonly label: TextMatch;
  readonly class: ChoiceClass;
  /** What is written to choose it. */
  readonly keys?: string;
  /** `selected`: the keys choose it only while it is the selected option. Default: `listed`. */
  readonly when?: 'listed' | 'selected';
}

export const DIALOG_KINDS = ['permission', 'question', 'trust', 'auth', 'picker', 'error'] as const;
export type DialogKind = (typeof DIALOG_KINDS)[number];

/** What ends a dialog above: a line, a frame, the end of its background, the end of its bar. */
export const DIALOG_EDGES = ['rule', 'frame', 'fill', 'bar'] as const;
/** How options stand: `1. …` below each other, below each other, or side by side. */
export const DIALOG_LAYOUTS = ['numbered', 'listed', 'buttons'] as const;

export interface DialogRule {
  readonly id: string;
  readonly kind: DialogKind;
  readonly question: TextMatch;
  readonly edge: (typeof DIALOG_EDGES)[number];
  readonly layout: (typeof DIALOG_LAYOUTS)[number];
  /** Stands before the selected option. */
  readonly option_glyph?: string;
  readonly footer?: TextMatch;
  /** A row of the dialog that matches shows a text cut short. Default: one with an ellipsis. */
  readonly truncated?: TextMatch;
  readonly choices: readonly ChoiceRule[];
}

export interface ReadingPack {
  readonly composer?: ComposerGeometry;
  readonly rows: readonly RowRule[];
  readonly paste_labels: readonly PasteLabelRule[];
  readonly dialogs: readonly DialogRule[];
}

/** Whether a text is what a pack describes. */
export function matches(match: TextMatch, text: string): boolean {
  const { equals, starts_with, contains, first_between } = match;
  if (equals && !equals.includes(text)) return false;
  if (starts_with && !starts_with.some((start) => text.startsWith(start))) return false;
  if (contains && !contains.some((part) => text.includes(part))) return false;
  if (first_between) {
    const [first = '', second = ' '] = text;
    const point = first.codePointAt(0) ?? -1;
    const [from, to] = first_between;
    if (point < (from.codePointAt(0) ?? 0) || point > (to.codePointAt(0) ?? 0) || second !== ' ')
      return false;
  }
  return equals || starts_with || contains || first_between ? true : text !== '';
}
