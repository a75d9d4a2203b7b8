// The modes a program has set on its terminal, from its own bytes, so that mode queries are answered without a screen
// model. Always true: `view` is what the sequences so far have set; unknown modes are remembered nowhere and reported
// as not recognised. RIS sets everything to power-on; DECSTR resets what xterm.js resets, so that the screen model,
// the clients and this tracker agree.
import { type Csi, param } from './csi.js';
import { KittyKeyboard } from './kitty-keyboard.js';
import type { TerminalModes } from './port.js';

export type ModeReport = 0 | 1 | 2 | 3 | 4;

type View = { -readonly [Key in keyof TerminalModes]: TerminalModes[Key] };

/** Private modes that only mode queries ask for, with their power-on value. */
const SWITCHES: ReadonlyMap<number, boolean> = new Map([
  [5, false],
  [6, false],
  [7, true],
  [12, false],
  [40, false],
  [45, false],
  [1007, false],
  [1035, true],
  [1036, true],
  [1039, true],
  [2031, false],
]);
/** What xterm.js resets on DECSTR, as `[mode, value]`. */
const SOFT: ReadonlyArray<readonly [number, boolean]> = [
  [1, false],
  [6, false],
  [7, true],
  [25, true],
  [45, false],
  [66, false],
  [1004, false],
  [2004, false],
  [2026, false],
];
const MOUSE: ReadonlyMap<number, TerminalModes['mouse']> = new Map([
  [9, 'x10'],
  [1000, 'normal'],
  [1002, 'button'],
  [1003, 'any'],
]);
const ENCODINGS: ReadonlyMap<number, TerminalModes['mouseEncoding']> = new Map([
  [1005, 'utf8'],
  [1006, 'sgr'],
  [1015, 'urxvt'],
  [1016, 'pixels'],
]);
/** Answered with a constant: 132 columns never, autorepeat always, saving the cursor always works. */
const FIXED: ReadonlyMap<number, ModeReport> = new Map([
  [3, 4],
  [8, 3],
  [1048, 1],
]);

const powerOn = (): View => ({
  bracketedPaste: false,
  focusReports: false,
  syncOpen: false,
  screen: 'main',
  mouse: 'off',
  mouseEncoding: 'legacy',
  applicationCursorKeys: false,
  applicationKeypad: false,
  cursorVisible: true,
  kittyFlags: 0,
  modifyOtherKeys: 0,
});

export class ModeTracker {
  readonly view: View = powerOn();
  /** Something in `view` has changed since it was set to false. */
  changed = false;
  /** DECSCUSR value of the cursor's shape. */
  cursorStyle = 0;
  readonly #switches = new Map(SWITCHES);
  readonly #ansi = new Map([
    [4, false],
    [20, false],
  ]);
  #saved = new Map<number, boolean>();
  readonly #keyboard = new KittyKeyboard();

  /** RIS. */
  reset(): void {
    for (const [mode, value] of SWITCHES) this.#switches.set(mode, value);
    this.#ansi.set(4, false).set(20, false);
    this.#saved = new Map();
    this.#keyboard.reset();
    this.cursorStyle = 0;
    const first = powerOn();
    for (const key of Object.keys(first) as Array<keyof View>) this.#set(key, first[key]);
  }

  /** DECSTR. */
  softReset(): void {
    for (const [mode, value] of SOFT) this.setPrivate(mode, value);
    this.#ansi.set(4, false);
  }

  /** DECKPAM and DECKPNM. */
  keypad(application: boolean): void {
    this.#set('applicationKeypad', application);
  }

  /** One mode of `CSI ? Pm h` and `l`. Full-screen programs send some of these with every frame. */
  setPrivate(mode: number, on: boolean): void {
    switch (mode) {
      case 1:
        this.#set('applicationCursorKeys', on);
        break;
      case 25:
        this.#set('cursorVisible', on);
        break;
      case 66:
        this.#set('applicationKeypad', on);
        break;
      case 1004:
        this.#set('focusReports', on);
        break;
      case 2004:
        this.#set('bracketedPaste', on);
        break;
      case 2026:
        this.#set('syncOpen', on);
        break;
      case 47:
      case 1047:
      case 1049:
        this.#set('screen', on ? 'alternate' : 'main');
        this.#set('kittyFlags', this.#keyboard.flags(this.view.screen));
        break;
      default:
        this.#setRare(mode, on);
    }
  }

  #setRare(mode: number, on: boolean): void {
    const mouse = MOUSE.get(mode);
    const encoding = ENCODINGS.get(mode);
    if (mouse) this.#set('mouse', on ? mouse : 'off');
    else if (encoding) this.#set('mouseEncoding', on ? encoding : 'legacy');
    else if (this.#switches.has(mode)) this.#switches.set(mode, on);
  }

  /** `CSI Pm h` and `l`. */
  setAnsi(params: readonly number[], on: boolean): void {
    for (const mode of params) if (this.#ansi.has(mode)) this.#ansi.set(mode, on);
  }

  /** XTSAVE and XTRESTORE: bounded, since only known modes are kept. */
  save(params: readonly number[]): void {
    for (const mode of params) {
      const report = this.privateReport(mode);
      if (report === 1 || report === 2) this.#saved.set(mode, report === 1);
    }
  }

  restore(params: readonly number[]): void {
    for (const mode of params) {
      const value = this.#saved.get(mode);
      if (value !== undefined) this.setPrivate(mode, value);
    }
  }

  /** XTMODKEYS: `CSI > 4 ; level m`; without a level back to none. */
  setModifierKeys(csi: Csi): void {
    const resource = csi.params[0] as number;
    if (resource >= 0 && resource !== 4) return;
    const level = resource < 0 ? 0 : param(csi, 1, 0);
    this.#set('modifyOtherKeys', level === 1 ? 1 : level === 2 ? 2 : 0);
  }

  /** Kitty push, pop and set; the query is not its business. */
  keyboard(csi: Csi): void {
    const { screen } = this.view;
    if (csi.prefix === '>') this.#keyboard.push(screen, param(csi, 0, 0));
    else if (csi.prefix === '<') this.#keyboard.pop(screen, param(csi, 0, 1));
    else if (csi.prefix === '=') this.#keyboard.set(screen, param(csi, 0, 0), param(csi, 1, 1));
    this.#set('kittyFlags', this.#keyboard.flags(screen));
  }

  /** See the port's `beyondScreen`. */
  beyondScreen(): string {
    const { screen, mouseEncoding, modifyOtherKeys } = this.view;
    const encoding =
      mouseEncoding === 'utf8' ? '\x1b[?1005h' : mouseEncoding === 'urxvt' ? '\x1b[?1015h' : '';
    const keys = modifyOtherKeys === 0 ? '' : `\x1b[>4;${modifyOtherKeys}m`;
    return encoding + keys + this.#keyboard.pushes(screen);
  }

  /** DECRPM value: 0 not recognised, 1 set, 2 reset, 3 always set, 4 always reset. */
  privateReport(mode: number): ModeReport {
    const fixed = FIXED.get(mode);
    if (fixed !== undefined) return fixed;
    const { view } = this;
    if (MOUSE.has(mode)) return view.mouse === MOUSE.get(mode) ? 1 : 2;
    // Pixel positions differ between clients: reported as unknown, so that programs use cells.
    if (mode === 1016) return 0;
    if (ENCODINGS.has(mode)) return view.mouseEncoding === ENCODINGS.get(mode) ? 1 : 2;
    const value = this.#viewed(mode) ?? this.#switches.get(mode);
    return value === undefined ? 0 : value ? 1 : 2;
  }

  ansiReport(mode: number): ModeReport {
    if (mode === 2) return 4;
    if (mode === 12) return 3;
    const value = this.#ansi.get(mode);
    return value === undefined ? 0 : value ? 1 : 2;
  }

  #viewed(mode: number): boolean | undefined {
    const { view } = this;
    switch (mode) {
      case 1:
        return view.applicationCursorKeys;
      case 25:
        return view.cursorVisible;
      case 66:
        return view.applicationKeypad;
      case 1004:
        return view.focusReports;
      case 2004:
        return view.bracketedPaste;
      case 2026:
        return view.syncOpen;
      case 47:
      case 1047:
      case 1049:
        return view.screen === 'alternate';
      default:
        return undefined;
    }
  }

  #set<Key extends keyof View>(key: Key, value: View[Key]): void {
    if (this.view[key] === value) return;
    this.view[key] = value;
    this.changed = true;
  }
}
