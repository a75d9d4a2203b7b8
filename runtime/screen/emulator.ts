// One @xterm/headless terminal, driven synchronously, with what it would keep without bound put under one: links,
// titles and its parse buffer. Always true: `parse` has finished when it returns and never throws away bytes; nothing
// is ever sent to a program from here (replies are the scanner's). It knows no offsets and no other session.
import unicode11 from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import { takeFastPath } from './fast-path.js';
import { railHandlers } from './handler.js';
import { type CoreBuffer, type CoreLine, GROUND, type Internals, internalsOf } from './internals.js';
import { slim } from './slim.js';

/** What one `parse` may take: the shared parse buffer has one word for each byte of it. */
export const PARSE_LIMIT_BYTES = 65_536;
/** Links kept for snapshots; the oldest goes first and its cells stay, unlinked. */
const LINKS = 1_024;
/** A longer link is shown as plain text. */
const LINK_CHARACTERS = 2_048;
const TITLE_CHARACTERS = 1_024;
/** The package can't hold fewer. */
const COLS_MIN = 2;

/**
 * The package gives each terminal a parse buffer that grows to 512 KiB and stays. Parsing is synchronous and one
 * terminal's at a time, so all terminals of the thread share this one.
 */
const parseBuffer = new Uint32Array(PARSE_LIMIT_BYTES);

export interface Link {
  /** The `id=` of the link, by which its cells belong together; empty when it has none. */
  readonly id: string;
  readonly uri: string;
}

export class Emulator {
  readonly core: Internals;
  /** The last title (OSC 0 or 2), at most 1024 characters. */
  title = '';
  /** Sequences that the package failed on. */
  faults = 0;
  readonly #terminal: headless.Terminal;
  readonly #links = new Map<number, Link>();
  readonly #linkNumbers = new Map<string, number>();
  #lastLink = 0;

  constructor(size: { readonly rows: number; readonly cols: number; readonly scrollbackLines: number }) {
    this.#terminal = new headless.Terminal({
      rows: Math.max(size.rows, 1),
      cols: Math.max(size.cols, COLS_MIN),
      scrollback: size.scrollbackLines,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#terminal.loadAddon(new unicode11.Unicode11Addon());
    this.#terminal.unicode.activeVersion = '11';
    this.core = internalsOf(this.#terminal);
    this.core._inputHandler._parseBuffer = parseBuffer;
    slim(this.#terminal, this.core);
    takeFastPath(this.core);
    railHandlers(this.core, () => {
      this.faults += 1;
    });
    const { parser } = this.#terminal;
    // The package marks each line of each link and walks all marks at each scroll: 10 000 links slow it to 0.3 MB/s.
    parser.registerOscHandler(8, (data) => this.#setLink(data));
    // It keeps titles up to 10 MB.
    parser.registerOscHandler(0, (data) => this.#setTitle(data));
    parser.registerOscHandler(1, () => true);
    parser.registerOscHandler(2, (data) => this.#setTitle(data));
    // A full reset shows the cursor (DEC STD 070); the package leaves it hidden.
    parser.registerEscHandler({ final: 'c' }, () => {
      this.core.coreService.isCursorHidden = false;
      return false;
    });
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get buffer(): CoreBuffer {
    return this.core._bufferService.buffers.active;
  }

  get alternate(): boolean {
    const { active, alt } = this.core._bufferService.buffers;
    return active === alt;
  }

  /** False inside an unfinished escape sequence or control string. */
  get inGround(): boolean {
    return this.core._inputHandler._parser.currentState === GROUND;
  }

  /** A row of the viewport, top is 0. */
  row(y: number): CoreLine | undefined {
    return this.buffer.lines.get(this.buffer.ybase + y);
  }

  link(number: number): Link | undefined {
    return this.#links.get(number);
  }

  /** Parses at most PARSE_LIMIT_BYTES whole code points: the package's decoder loses some that are split. */
  parse(bytes: Uint8Array): void {
    if (bytes.length > PARSE_LIMIT_BYTES) throw new RangeError(`${bytes.length} bytes in one parse`);
    if (this.core._inputHandler.parse(bytes) !== undefined)
      throw new Error('the terminal parses asynchronously');
  }

  resize(rows: number, cols: number): void {
    this.#terminal.resize(Math.max(cols, COLS_MIN), Math.max(rows, 1));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #setTitle(data: string): boolean {
    this.title = data.slice(0, TITLE_CHARACTERS);
    return true;
  }

  #setLink(data: string): boolean {
    const split = data.indexOf(';');
    if (split < 0) return true;
    const uri = data.slice(split + 1);
    const id = /(?:^|:)id=([^:]*)/.exec(data.slice(0, split))?.[1] ?? '';
    const pen = this.core._inputHandler._curAttrData;
    pen.extended = pen.extended.clone();
    pen.extended.urlId = uri === '' || data.length > LINK_CHARACTERS ? 0 : this.#linkNumber({ id, uri });
    pen.updateExtended();
    return true;
  }

  #linkNumber(link: Link): number {
    const key = `${link.id};${link.uri}`;
    const known = this.#linkNumbers.get(key);
    if (known !== undefined) return known;
    for (const [oldest, { id, uri }] of this.#links) {
      if (this.#links.size < LINKS) break;
      this.#links.delete(oldest);
      this.#linkNumbers.delete(`${id};${uri}`);
    }
    this.#lastLink += 1;
    this.#links.set(this.#lastLink, link);
    this.#linkNumbers.set(key, this.#lastLink);
    return this.#lastLink;
  }
}
