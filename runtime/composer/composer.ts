// The composer reader: empty, a draft, or unknown with a cause, and what vetoes typing whatever the composer holds. Always
// true: `empty` needs a whole frame at the bottom of the screen, exactly one that the cursor is in, the cursor where text
// begins, and nothing authored; everything that doesn't fit is `draft` or `unknown`. It doesn't know whose a draft is.
import type { Reason } from '../../protocol/reason.js';
import { type Box, findBoxes } from './box.js';
import { type DraftRow, readInput } from './input.js';
import { type Label, labelsIn } from './label.js';
import { showsMenu } from './menu.js';
import type { Plan } from './plan.js';
import type { ComposerGeometry } from './reading-pack.js';
import type { ScreenSnapshot } from './snapshot.js';

export const VETOES = [
  'sync_update_open',
  'alt_screen_other',
  'menu_or_picker',
  'command_mode',
  'cursor_outside',
] as const satisfies readonly Reason[];
export type Veto = (typeof VETOES)[number];

export interface EmptyComposer {
  readonly kind: 'empty';
  /** Names the box: equal as long as its prompt, place and width are. */
  readonly frame: string;
  readonly suggestionRows: readonly string[];
}

export interface DraftComposer {
  readonly kind: 'draft';
  readonly frame: string;
  /** Columns of the box that text may take. */
  readonly columns: number;
  /** At least one, and one that isn't empty unless there are several. */
  readonly rows: readonly DraftRow[];
  readonly suggestionRows: readonly string[];
  readonly labels: readonly Label[];
  /** Row of the input and column of its text, from zero. */
  readonly cursor: { readonly row: number; readonly column: number };
  /** It begins like a menu: `1.` or `1)`. Then `menu_or_picker` vetoes, unless the text is our own. */
  readonly numbered: boolean;
}

export interface UnknownComposer {
  readonly kind: 'unknown';
  readonly cause: Reason;
}

export type ComposerReading = EmptyComposer | DraftComposer | UnknownComposer;

export interface FoundComposer {
  readonly composer: ComposerReading;
  readonly vetoes: readonly Veto[];
  /** The box that the cursor is in, or else the lowest one. */
  readonly box: Box | undefined;
}

const NUMBERED = /^\d+[.)]/;

function unknown(cause: Reason, box?: Box): FoundComposer {
  const veto = VETOES.find((one) => one === cause);
  return { composer: { kind: 'unknown', cause }, vetoes: veto === undefined ? [] : [veto], box };
}

function holdsCursor({ cursor }: ScreenSnapshot, box: Box): boolean {
  return cursor.y >= box.top && cursor.y <= box.bottom && cursor.x >= box.text && cursor.x <= box.right;
}

function frameOf({ prompt, left, text, right }: Box): string {
  return `${prompt}:${left}:${text}:${right}`;
}

/** Reads the composer of an agent whose pack has its geometry. */
export function readComposer(snapshot: ScreenSnapshot, plan: Plan): FoundComposer {
  const geometry = plan.pack.composer;
  if (snapshot.syncOpen) return unknown('sync_update_open');
  if (geometry === undefined) return unknown('composer_unread');
  if (geometry.screen !== 'either' && snapshot.screen !== geometry.screen) return unknown('alt_screen_other');
  const boxes = findBoxes(snapshot, geometry);
  const [lowest] = boxes;
  const [box, second] = boxes.filter((one) => holdsCursor(snapshot, one));
  if (box === undefined || second !== undefined || box !== lowest) return outside(snapshot, plan, lowest);
  return inside(snapshot, plan, geometry, box);
}

/** The cursor is in no box, or in one that isn't the lowest. */
function outside(snapshot: ScreenSnapshot, plan: Plan, lowest: Box | undefined): FoundComposer {
  if (showsMenu(snapshot, plan)) return unknown('menu_or_picker', lowest);
  // A pager on the alternate screen of an agent that may use it, too, is not the agent.
  const may = plan.pack.composer?.screen === 'either' && snapshot.screen === 'alternate';
  if (may && lowest === undefined) return unknown('alt_screen_other');
  return unknown(lowest === undefined ? 'composer_unrecognised' : 'cursor_outside', lowest);
}

function inside(snapshot: ScreenSnapshot, plan: Plan, geometry: ComposerGeometry, box: Box): FoundComposer {
  // Where the composer's cursor is a visible one, a hidden one means that something else has the keyboard.
  if (geometry.cursor.composer === 'visible' && !snapshot.cursor.visible)
    return unknown('menu_or_picker', box);
  if (geometry.command_prompts?.includes(box.prompt)) return unknown('command_mode', box);
  const { rows, suggestionRows, cursor } = readInput(snapshot, plan, box);
  const frame = frameOf(box);
  const [first] = rows as [DraftRow];
  if (rows.length === 1 && first.text === '' && cursor.row === 0 && cursor.column === 0)
    return { composer: { kind: 'empty', frame, suggestionRows }, vetoes: [], box };
  const numbered = NUMBERED.test(first.text);
  const composer: DraftComposer = {
    kind: 'draft',
    frame,
    columns: box.right - box.text,
    rows,
    suggestionRows,
    labels: labelsIn(rows.map((row) => row.text).join('\n'), plan.labels),
    cursor,
    numbered,
  };
  return { composer, vetoes: numbered ? ['menu_or_picker'] : [], box };
}
