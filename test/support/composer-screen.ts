// Composers painted as the recorded agents draw them, at any size: the box, a text wrapped into it, the caret, a footer.
// Always true: text is wrapped at blanks where the next word has no room, and inside a word that is wider than the box.
import { BOLD, DIM, INVERSE } from '../../runtime/composer/snapshot.js';
import { Canvas, type Style, widthOf } from './canvas.js';

export type Painted = 'claude-code' | 'codex' | 'pi' | 'gemini-cli' | 'opencode' | 'qwen-code' | 'demo';
export const PAINTED: readonly Painted[] = [
  'claude-code',
  'codex',
  'pi',
  'gemini-cli',
  'opencode',
  'qwen-code',
  'demo',
];

export interface PaintOptions {
  readonly cols: number;
  readonly rows: number;
  /** What is in the composer. */
  readonly text: string;
  /** Text in the hint style behind the caret. */
  readonly hint?: string;
  /** Caret from the text's start instead of its end. */
  readonly caretAtStart?: boolean;
  /** Rows of transcript above the box. */
  readonly transcript?: readonly string[];
}

interface Geometry {
  readonly screen: 'main' | 'alternate';
  readonly prompt: string;
  readonly promptStyle: Style;
  /** Column of the prompt and of the text. */
  readonly promptAt: number;
  readonly textAt: number;
  /** Columns at the right that stay free. */
  readonly free: number;
  readonly fill?: string;
  readonly text: Style;
  readonly hint: Style | undefined;
  readonly visible: boolean;
  readonly drawnCaret: boolean;
  readonly footer: readonly string[];
}

const CLAUDE: Geometry = {
  screen: 'main',
  prompt: '❯',
  promptStyle: {},
  promptAt: 0,
  textAt: 2,
  free: 1,
  text: {},
  hint: { flags: DIM },
  visible: false,
  drawnCaret: true,
  footer: ['  ⏸ manual mode on · ? for shortcuts'],
};

const GEOMETRIES: Readonly<Record<Painted, Geometry>> = {
  'claude-code': CLAUDE,
  codex: {
    ...CLAUDE,
    screen: 'alternate',
    prompt: '›',
    promptStyle: { flags: BOLD },
    fill: '#3a3a3a',
    visible: true,
    drawnCaret: false,
    footer: ['  gpt-5.1-codex default · /srv/work', '  ? for shortcuts'],
  },
  pi: {
    ...CLAUDE,
    screen: 'alternate',
    prompt: '',
    textAt: 0,
    free: 0,
    hint: undefined,
    footer: ['/srv/work', '0.0%/128k (auto)'],
  },
  'gemini-cli': {
    ...CLAUDE,
    prompt: '>',
    promptStyle: { fg: '#d7afff' },
    promptAt: 1,
    textAt: 3,
    fill: '#363636',
    text: { fg: '#ffffff' },
    hint: { fg: '#afafaf' },
    footer: [' workspace (/directory)', ' /srv/work'],
  },
  opencode: {
    ...CLAUDE,
    screen: 'alternate',
    prompt: '',
    textAt: 5,
    free: 4,
    fill: '#1e1e1e',
    text: { fg: '#eeeeee' },
    hint: { fg: '#808080' },
    visible: true,
    drawnCaret: false,
    footer: ['   /srv/work          ctrl+p commands'],
  },
  'qwen-code': {
    ...CLAUDE,
    screen: 'alternate',
    prompt: '>',
    hint: { fg: '#6c7086' },
    visible: true,
    drawnCaret: false,
    footer: ['  /srv/work'],
  },
  demo: { ...CLAUDE, prompt: '>', free: 0, visible: true, drawnCaret: false, footer: ['  ready'] },
};

/** Wraps as composers do. Blanks at a break vanish; a wide character never stands half. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const piece of line.match(/ +|[^ ]+/g) ?? []) {
    if (widthOf(row) + widthOf(piece) <= width) {
      row += piece;
      continue;
    }
    if (piece.startsWith(' ')) {
      rows.push(row);
      row = '';
      continue;
    }
    if (row.trimEnd() !== '' && widthOf(piece) <= width) {
      rows.push(row.trimEnd());
      row = piece;
      continue;
    }
    for (const char of piece) {
      if (widthOf(row) + widthOf(char) > width) {
        rows.push(row);
        row = '';
      }
      row += char;
    }
  }
  rows.push(row);
  return rows;
}

/** The screen, or undefined when the text has no room on it. */
export function paintComposer(agent: Painted, options: PaintOptions): Canvas | undefined {
  const geometry = GEOMETRIES[agent];
  const { cols, rows, text, hint, caretAtStart, transcript = [] } = options;
  const canvas = new Canvas(cols, rows);
  canvas.screen = geometry.screen;
  const wrapped = wrapText(text, cols - geometry.textAt - geometry.free);
  const below = geometry.footer.length + (agent === 'opencode' ? 3 : 1);
  const top = rows - below - wrapped.length;
  if (top < transcript.length + 2) return undefined;
  for (const [y, row] of transcript.entries()) canvas.put(0, y, row);
  frame(canvas, agent, geometry, top, wrapped.length);
  for (const [index, row] of wrapped.entries()) canvas.put(geometry.textAt, top + index, row, geometry.text);
  if (geometry.prompt !== '') canvas.put(geometry.promptAt, top, geometry.prompt, geometry.promptStyle);
  for (const [index, row] of geometry.footer.entries())
    canvas.put(0, rows - geometry.footer.length + index, row);
  const last = wrapped.at(-1)!;
  const at = caretAtStart
    ? { x: geometry.textAt, y: top }
    : { x: Math.min(geometry.textAt + widthOf(last), cols - 1), y: top + wrapped.length - 1 };
  if (hint !== undefined && geometry.hint !== undefined) canvas.put(at.x, at.y, hint, geometry.hint);
  canvas.cursor = { ...at, visible: geometry.visible };
  if (geometry.drawnCaret) canvas.style(at.x, at.x, at.y, { flags: INVERSE });
  return canvas;
}

function frame(canvas: Canvas, agent: Painted, { fill }: Geometry, top: number, height: number): void {
  const { cols } = canvas;
  const bottom = top + height;
  switch (agent) {
    case 'codex':
      for (let y = top - 1; y <= bottom; y++) canvas.style(0, cols - 1, y, { bg: fill! });
      return;
    case 'gemini-cli':
      canvas.put(0, top - 1, '▄'.repeat(cols), { fg: fill! });
      for (let y = top; y < bottom; y++) canvas.style(0, cols - 1, y, { bg: fill! });
      canvas.put(0, bottom, '▀'.repeat(cols), { fg: fill! });
      return;
    case 'opencode':
      for (let y = top - 1; y <= bottom + 1; y++) {
        canvas.put(2, y, '┃', { fg: '#5c9cf5' });
        canvas.style(3, cols - 3, y, { bg: fill! });
      }
      canvas.put(5, bottom + 1, 'Build · Mock Model');
      canvas.put(2, bottom + 2, '╹', { fg: '#5c9cf5' });
      canvas.put(3, bottom + 2, '▀'.repeat(cols - 5), { fg: fill! });
      return;
    default: {
      const fg = agent === 'qwen-code' ? '#89b4fa' : agent === 'pi' ? '#6b6b6b' : '#888888';
      const style = agent === 'demo' ? {} : { fg };
      canvas.put(0, top - 1, '─'.repeat(cols), style);
      canvas.put(0, bottom, '─'.repeat(cols), style);
    }
  }
}
