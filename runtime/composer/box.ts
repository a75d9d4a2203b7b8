// Where the composer's box is on the screen. Always true: a box is found by its frame and its prompt, never by its
// content; the frame is drawn by the agent at the box's edge, where no draft and no quoted frame can stand. What is
// below the box is at most a footer. It doesn't look at the text or at the cursor.
import type { ComposerBox, ComposerGeometry } from './reading-pack.js';
import {
  areBlank,
  type Color,
  DEFAULT_COLOR,
  DIM,
  isBlank,
  type Line,
  type ScreenSnapshot,
  textOf,
} from './snapshot.js';

/** Rows that may show something below a box: footers, hints, a list that belongs to the draft. */
const FOOTER_ROWS = 20;
/** A frame's line ends at most so many columns before the screen's edge. */
const MARGIN_COLUMNS = 2;
/** Shorter ones are ornaments. No agent here is used on narrower screens than 40 columns. */
const RULE_COLUMNS = 20;
/** A labelled line shows at least this much of itself on each side. */
const RULE_ENDS = 2;

export interface Box {
  /** First and last row of the input. */
  readonly top: number;
  readonly bottom: number;
  /** First and last row of the whole box. */
  readonly outerTop: number;
  readonly outerBottom: number;
  /** Columns of the box: the first one, and the one behind the last. */
  readonly left: number;
  readonly right: number;
  /** Column where text begins. */
  readonly text: number;
  /** The prompt character; empty where there is none. */
  readonly prompt: string;
  /** Words in the line above. */
  readonly label: string;
}

type Frame = Omit<Box, 'prompt' | 'text' | 'top' | 'bottom'> & {
  readonly first: number;
  readonly last: number;
};

interface Rule {
  readonly right: number;
  readonly color: Color;
  readonly dim: number;
  readonly label: string;
}

/** Every box on the screen, the lowest first. */
export function findBoxes(snapshot: ScreenSnapshot, geometry: ComposerGeometry): readonly Box[] {
  const { box } = geometry;
  const frames =
    box.left !== undefined
      ? barred(snapshot, box, box.left)
      : box.above !== undefined && box.below !== undefined
        ? ruled(snapshot, box, box.above, box.below, geometry.text_column === 0)
        : filled(snapshot);
  const boxes: Box[] = [];
  for (const frame of frames) {
    const found = inputOf(snapshot, geometry, frame);
    if (found !== undefined && isAtBottom(snapshot, found)) boxes.push(found);
  }
  return boxes;
}

/**
 * A row that is one line of `glyph` in one style, from the screen's first column: there no draft that begins further right
 * can draw it. Words in it are allowed where `labelled`.
 */
export function ruleAt(line: Line, cols: number, glyph: string, labelled: boolean): Rule | undefined {
  // Most rows are ruled out by their text alone.
  if (!line.text.startsWith(glyph)) return undefined;
  let right = cols;
  while (right > 0 && isBlank(line, right - 1)) right--;
  if (right < RULE_COLUMNS || right < cols - MARGIN_COLUMNS) return undefined;
  const color = line.fg[0]!;
  const dim = line.flags[0]! & DIM;
  let count = 0;
  let labelFrom = -1;
  let labelTo = -1;
  for (let x = 0; x < right; x++) {
    if (line.chars[x] === glyph && line.fg[x] === color && (line.flags[x]! & DIM) === dim) {
      count++;
      continue;
    }
    if (labelFrom < 0) labelFrom = x;
    labelTo = x + 1;
  }
  if (labelFrom < 0) return { right, color, dim, label: '' };
  // Words stand between two pieces of the line, in one stretch.
  const whole = count === right - (labelTo - labelFrom);
  const ends = labelFrom >= RULE_ENDS && right - labelTo >= RULE_ENDS;
  const spaced = isBlank(line, labelFrom) && isBlank(line, labelTo - 1);
  if (!labelled || !whole || !ends || !spaced) return undefined;
  return { right, color, dim, label: textOf(line, labelFrom, labelTo).trim() };
}

function* ruled(
  snapshot: ScreenSnapshot,
  box: ComposerBox,
  above: string,
  below: string,
  textAtEdge: boolean,
): Generator<Frame> {
  const { rows, cols } = snapshot;
  // Those below the row under way, the nearest last. A line in a draft has another style and is passed over.
  const lowers: Array<{ readonly y: number; readonly rule: Rule }> = [];
  for (let y = rows - 1; y >= 0; y--) {
    const line = snapshot.line(y);
    const upper = ruleAt(line, cols, above, box.labelled === true);
    const lower = upper && lowers.findLast(({ rule }) => sameLine(upper, rule));
    if (upper && lower && lower.y - y > 1 && isFrame(snapshot, box, upper, y, lower.y, textAtEdge))
      yield {
        outerTop: y,
        outerBottom: lower.y,
        first: y + 1,
        last: lower.y - 1,
        left: 0,
        right: upper.right,
        label: upper.label,
      };
    const rule = above === below && upper?.label === '' ? upper : ruleAt(line, cols, below, false);
    if (rule !== undefined) lowers.push({ y, rule });
  }
}

function sameLine(upper: Rule, lower: Rule): boolean {
  return upper.right === lower.right && upper.color === lower.color && upper.dim === lower.dim;
}

function isFrame(
  snapshot: ScreenSnapshot,
  box: ComposerBox,
  rule: Rule,
  upper: number,
  lower: number,
  textAtEdge: boolean,
): boolean {
  // Where text begins at the edge, a line in the draft has the same columns: only its style tells it apart.
  if (textAtEdge && rule.color === DEFAULT_COLOR && rule.dim === 0) return false;
  if (box.filled !== true) return true;
  for (let y = upper + 1; y < lower; y++)
    if (fillOf(snapshot.line(y), 0, rule.right) !== rule.color) return false;
  return rule.color !== DEFAULT_COLOR;
}

/** The background that a row has at both ends of `[left, right)`; the default where they differ. */
export function fillOf(line: Line, left: number, right: number): Color {
  const color = line.bg[left]!;
  return line.bg[right - 1] === color ? color : DEFAULT_COLOR;
}

function* filled(snapshot: ScreenSnapshot): Generator<Frame> {
  const { rows, cols } = snapshot;
  let last = rows - 1;
  while (last >= 0) {
    const color = fillOf(snapshot.line(last), 0, cols);
    let first = last;
    while (first > 0 && fillOf(snapshot.line(first - 1), 0, cols) === color) first--;
    if (color !== DEFAULT_COLOR)
      yield { outerTop: first, outerBottom: last, first, last, left: 0, right: cols, label: '' };
    last = first - 1;
  }
}

function* barred(snapshot: ScreenSnapshot, box: ComposerBox, bar: string): Generator<Frame> {
  const { rows, cols } = snapshot;
  for (let lower = rows - 1; lower > 0; lower--) {
    const edge = box.below === undefined ? undefined : runOf(snapshot.line(lower), cols, box.below);
    if (edge === undefined || edge.left === 0) continue;
    const left = edge.left - 1;
    const color = snapshot.line(lower - 1).fg[left];
    let first = lower;
    while (first > 0 && isBarred(snapshot.line(first - 1), left, edge, bar, color)) first--;
    if (first < lower)
      yield {
        outerTop: first,
        outerBottom: lower,
        first,
        last: lower - 1,
        left,
        right: edge.right,
        label: '',
      };
  }
}

function isBarred(
  line: Line,
  left: number,
  edge: { readonly right: number; readonly color: Color },
  bar: string,
  color: Color | undefined,
): boolean {
  return (
    line.chars[left] === bar && line.fg[left] === color && fillOf(line, left + 1, edge.right) === edge.color
  );
}

/** The longest run of `glyph` in one colour, if it is a frame's. */
function runOf(
  line: Line,
  cols: number,
  glyph: string,
): { left: number; right: number; color: Color } | undefined {
  let best: { left: number; right: number; color: Color } | undefined;
  for (let x = 0; x < cols; ) {
    if (line.chars[x] !== glyph) {
      x++;
      continue;
    }
    const left = x;
    const color = line.fg[x]!;
    while (x < cols && line.chars[x] === glyph && line.fg[x] === color) x++;
    if (x - left >= RULE_COLUMNS && color !== DEFAULT_COLOR) best = { left, right: x, color };
  }
  return best;
}

/** The input of a framed box, if its rows are those of a composer. */
function inputOf(snapshot: ScreenSnapshot, geometry: ComposerGeometry, frame: Frame): Box | undefined {
  const { box, prompts, command_prompts = [], prompt_column, text_column } = geometry;
  const { left, right, outerTop, outerBottom, label } = frame;
  const top = frame.first + (box.pad_above ?? 0);
  const bottom = frame.last - (box.pad_below ?? 0);
  if (top > bottom) return undefined;
  const inner = box.left === undefined ? left : left + 1;
  const text = left + text_column;
  for (let y = frame.first; y < top; y++) if (!areBlank(snapshot.line(y), inner, right)) return undefined;
  if (bottom < frame.last && !areBlank(snapshot.line(bottom + 1), inner, right)) return undefined;
  for (let y = top + 1; y <= bottom; y++) if (!areBlank(snapshot.line(y), inner, text)) return undefined;
  const line = snapshot.line(top);
  const found = { top, bottom, outerTop, outerBottom, left, right, text, label };
  if (prompts.length === 0) return areBlank(line, inner, text) ? { ...found, prompt: '' } : undefined;
  const at = left + prompt_column;
  const prompt = line.chars[at] ?? '';
  if (!prompts.includes(prompt) && !command_prompts.includes(prompt)) return undefined;
  // What was submitted keeps its prompt, dimmed.
  if (line.flags[at]! & DIM) return undefined;
  return areBlank(line, inner, at) && areBlank(line, at + 1, text) ? { ...found, prompt } : undefined;
}

function isAtBottom(snapshot: ScreenSnapshot, box: Box): boolean {
  let shown = 0;
  for (let y = box.outerBottom + 1; y < snapshot.rows; y++) if (snapshot.line(y).text.trim() !== '') shown++;
  return shown <= FOOTER_ROWS;
}
