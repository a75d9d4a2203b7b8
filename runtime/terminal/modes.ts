// The modes a program has set on its terminal, from its own bytes, so that mode queries are answered without a screen
// model. Always true: `view` is what the sequences so far have set; unknown modes are remembered nowhere and reported
// as not recognised. RIS sets everything to power-on; DECSTR resets what xterm.js resets, so that the screen model,
// the clients and this tracker agree.
import { type Csi, param } from './csi.js';
import { KittyKeyboard } from './kitty-keyboard.js';
import type { TerminalModes } from './port.js';

export type ModeReport = 0 | 1 | 2 | 3 | 4;

type View = { -readonly [Key in keyof TerminalModes]: TerminalModes[Key] };

/** Private modes kept as plain switches, with their power-on value. */
const SWITCHES: ReadonlyMap<number, boolean> = new Map([
  [1, false],
  [5, false],
  [6, false],
  [7, true],
  [12, false],
  [25, true],
  [40, false],
  [45, false],
  [66, false],
  [1004, false],
  [1007, false],
  [1035, true],
  [1036, true],
  [1039, true],
  [2004, false],
  [2026, false],
  [2031, false],
]);
/** What xterm.js resets on DECSTR. */
const SOFT = [1, 6, 7, 25, 66, 1004, 2004, 2026];
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
const ALTERNATE = new Set([47, 1047, 1049]);
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
    this.#assign(powerOn());
  }

  /** DECSTR. */
  softReset(): void {
    for (const mode of SOFT) this.#switches.set(mode, SWITCHES.get(mode) ?? false);
    this.#ansi.set(4, false);
    this.keypad(false);
    this.#refresh();
  }

  /** DECKPAM and DECKPNM. */
  keypad(application: boolean): void {
    this.#switches.set(66, application);
    this.#refresh();
  }

  /** `CSI ? Pm h` and `l`. */
  setPrivate(params: readonly number[], on: boolean): void {
    for (const mode of params) this.#setPrivate(mode, on);
    this.#refresh();
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
      if (value !== undefined) this.#setPrivate(mode, value);
    }
    this.#refresh();
  }

  /** XTMODKEYS: `CSI > 4 ; level m`; without a level back to none. */
  setModifierKeys(csi: Csi): void {
    const resource = csi.params[0] as number;
    if (resource >= 0 && resource !== 4) return;
    const level = resource < 0 ? 0 : param(csi, 1, 0);
    this.#assign({ modifyOtherKeys: level === 1 ? 1 : level === 2 ? 2 : 0 });
  }

  /** Kitty push, pop and set; the query is not its business. */
  keyboard(csi: Csi): void {
    const { screen } = this.view;
    if (csi.prefix === '>') this.#keyboard.push(screen, param(csi, 0, 0));
    else if (csi.prefix === '<') this.#keyboard.pop(screen, param(csi, 0, 1));
    else if (csi.prefix === '=') this.#keyboard.set(screen, param(csi, 0, 0), param(csi, 1, 1));
    this.#refresh();
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
    if (ALTERNATE.has(mode)) return view.screen === 'alternate' ? 1 : 2;
    const value = this.#switches.get(mode);
    return value === undefined ? 0 : value ? 1 : 2;
  }

  ansiReport(mode: number): ModeReport {
    if (mode === 2) return 4;
    if (mode === 12) return 3;
    const value = this.#ansi.get(mode);
    return value === undefined ? 0 : value ? 1 : 2;
  }

  #setPrivate(mode: number, on: boolean): void {
    const mouse = MOUSE.get(mode);
    const encoding = ENCODINGS.get(mode);
    if (this.#switches.has(mode)) this.#switches.set(mode, on);
    else if (mouse) this.#assign({ mouse: on ? mouse : 'off' });
    else if (encoding) this.#assign({ mouseEncoding: on ? encoding : 'legacy' });
    else if (ALTERNATE.has(mode)) this.#assign({ screen: on ? 'alternate' : 'main' });
  }

  #refresh(): void {
    const on = (mode: number) => this.#switches.get(mode) === true;
    const { view } = this;
    if (view.applicationCursorKeys !== on(1)) this.#assign({ applicationCursorKeys: on(1) });
    if (view.applicationKeypad !== on(66)) this.#assign({ applicationKeypad: on(66) });
    if (view.cursorVisible !== on(25)) this.#assign({ cursorVisible: on(25) });
    if (view.focusReports !== on(1004)) this.#assign({ focusReports: on(1004) });
    if (view.bracketedPaste !== on(2004)) this.#assign({ bracketedPaste: on(2004) });
    if (view.syncOpen !== on(2026)) this.#assign({ syncOpen: on(2026) });
    const flags = this.#keyboard.flags(view.screen);
    if (view.kittyFlags !== flags) this.#assign({ kittyFlags: flags });
  }

  #assign(values: Partial<View>): void {
    const { view } = this;
    for (const key of Object.keys(values) as Array<keyof View>) {
      if (view[key] === values[key]) continue;
      Object.assign(view, { [key]: values[key] });
      this.changed = true;
    }
  }
}
