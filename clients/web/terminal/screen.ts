// xterm with its addons, as the page uses it: bytes in, keys out, a size that fits. Always true: it answers no query, what
// it is fed are whole code points, a paste with line ends into a program that would take each as Enter is asked about first.
// It knows no connection.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { CodePoints } from './code-points.js';
import { silence } from './silence.js';
import { allowStyles } from './style-elements.js';
import { terminalTheme } from './theme.js';

export interface Size {
  readonly rows: number;
  readonly cols: number;
}

export interface ScreenEvents {
  /** What a person typed, pasted or pointed at, as a terminal encodes it. */
  input(bytes: Uint8Array): void;
  composing(active: boolean): void;
  title(text: string): void;
  /** A paste that would be submitted line by line. */
  pasteAsked(text: string): void;
  /** The program wants this on the clipboard. */
  clipboardAsked(text: string): void;
  linkAsked(address: string): void;
  /** There is room for another size. */
  room(size: Size): void;
}

const FONT =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const HISTORY_LINES = 5_000;
/** The session's own bounds (spec/attach.md). */
const clamp = ({ rows, cols }: Size): Size => ({
  rows: Math.min(1000, Math.max(5, rows)),
  cols: Math.min(1000, Math.max(20, cols)),
});
/** A pasted text's control characters would be keys; tabs and line ends are text. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const encoder = new TextEncoder();

export class Screen {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #points = new CodePoints();
  readonly #styles = allowStyles(document);
  readonly #observer: ResizeObserver;
  readonly #events: ScreenEvents;
  #unwritten = 0;
  /** Where Ctrl-F6 goes: Tab and everything else belong to the program. */
  leave: () => void = () => {};
  #readOnly = true;

  constructor(host: HTMLElement, events: ScreenEvents, options: { dark: boolean; fontSize: number }) {
    this.#events = events;
    const ask = (_event: unknown, address: string) => events.linkAsked(address);
    this.terminal = new Terminal({
      allowProposedApi: true,
      fontFamily: FONT,
      fontSize: options.fontSize,
      lineHeight: 1.15,
      scrollback: HISTORY_LINES,
      cursorBlink: false,
      minimumContrastRatio: 3,
      macOptionIsMeta: true,
      disableStdin: true,
      theme: terminalTheme(options.dark),
      linkHandler: { activate: ask, allowNonHttpProtocols: false },
    });
    const { terminal } = this;
    for (const addon of [this.#fit, this.search, new Unicode11Addon(), new WebLinksAddon(ask)]) {
      terminal.loadAddon(addon);
    }
    terminal.unicode.activeVersion = '11';
    terminal.open(host);
    this.#paintFast();
    silence(terminal, (text) => events.clipboardAsked(text));
    terminal.onData((data) => this.#input(encoder.encode(data)));
    terminal.onBinary((data) => this.#input(Uint8Array.from(data, (unit) => unit.charCodeAt(0))));
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.key !== 'F6' || !event.ctrlKey) return true;
      if (event.type === 'keydown') this.leave();
      event.preventDefault();
      return false;
    });
    terminal.onTitleChange((title) => events.title(title));
    const { textarea } = terminal;
    textarea?.addEventListener('compositionstart', () => this.#readOnly || events.composing(true));
    textarea?.addEventListener('compositionend', () => events.composing(false));
    textarea?.addEventListener('blur', () => events.composing(false));
    host.addEventListener('paste', (event) => this.#pasted(event), { capture: true });
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(host);
  }

  /** Bytes that xterm has not parsed yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  set readOnly(value: boolean) {
    this.#readOnly = value;
    this.terminal.options.disableStdin = value;
    this.terminal.options.cursorInactiveStyle = value ? 'none' : 'outline';
  }

  write(bytes: Uint8Array): void {
    const whole = this.#points.take(bytes);
    this.#unwritten += whole.length;
    this.terminal.write(whole, () => {
      this.#unwritten -= whole.length;
    });
  }

  /** An empty terminal of this size, for a snapshot or another stream. */
  begin(size: Size): void {
    this.#points.reset();
    this.terminal.reset();
    this.follow(size);
  }

  /** The session's size, whoever chose it. */
  follow({ rows, cols }: Size): void {
    if (rows !== this.terminal.rows || cols !== this.terminal.cols) this.terminal.resize(cols, rows);
  }

  /** What fits into the page, within the session's bounds; undefined while it is hidden. */
  fitting(): Size | undefined {
    const size = this.#fit.proposeDimensions();
    return size === undefined || !(size.cols > 1) ? undefined : clamp(size);
  }

  /** Types a text as a paste, framed when the program asks for frames. */
  paste(text: string): void {
    this.terminal.paste(text.replace(CONTROLS, ''));
  }

  setDark(dark: boolean): void {
    this.terminal.options.theme = terminalTheme(dark);
  }

  focus(): void {
    this.terminal.focus();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.terminal.dispose();
    this.#styles.dispose();
  }

  #input(bytes: Uint8Array): void {
    if (!this.#readOnly) this.#events.input(bytes);
  }

  #measure(): void {
    const size = this.fitting();
    if (size !== undefined) this.#events.room(size);
  }

  #pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    event.preventDefault();
    event.stopPropagation();
    if (this.#readOnly || text === '') return;
    const many = /[\r\n]/.test(text.trim());
    if (many && !this.terminal.modes.bracketedPasteMode) this.#events.pasteAsked(text);
    else this.paste(text);
  }

  /** Paints with WebGL where there is one; xterm's own elements otherwise, and after a lost context. */
  #paintFast(): void {
    if (!hasGpu()) return;
    try {
      const addon = new WebglAddon();
      addon.onContextLoss(() => addon.dispose());
      this.terminal.loadAddon(addon);
    } catch {
      // Painting with elements is slower and right.
    }
  }
}

/** False where the processor draws WebGL: the page's own elements are faster then. */
function hasGpu(): boolean {
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (context === null) return false;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(context.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|software|basic render/i.test(renderer);
}
