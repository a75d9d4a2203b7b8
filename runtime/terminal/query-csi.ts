// CSI queries of table Q (spec/table-q.md) and their answers. Always true: every DSR, DA, DECRQM and report request that
// has a name is answered or eaten; what draws or sets is not a query. It holds no state: modes and size are given.
import { type Answer, CELL_HEIGHT, CELL_WIDTH, EATEN, fixed } from './answer.js';
import { type Csi, param } from './csi.js';
import type { ModeTracker } from './modes.js';

export interface CsiFacts {
  readonly modes: ModeTracker;
  readonly rows: number;
  readonly cols: number;
  readonly identity: string;
  readonly dark: boolean;
}

/** VT220 with selective erase and colour: what every client of ours draws. No sixel: not all of them do. */
export const DA1 = '\x1b[?62;6;22c';
const DCS = '\x1bP';
const ST = '\x1b\\';

type Query = (csi: Csi, facts: CsiFacts) => Answer | undefined;

const CURSOR: Answer = { reply: { kind: 'cursor', form: 'cpr' }, passes: false };
const DEC_CURSOR: Answer = { reply: { kind: 'cursor', form: 'decxcpr' }, passes: false };

/** DEC status requests with a constant answer: no printer, keys locked, no locator, no macros, no errors, one session. */
const DEC_STATUS: Readonly<Record<number, string>> = {
  15: '\x1b[?13n',
  25: '\x1b[?21n',
  26: '\x1b[?27;1;0;0n',
  53: '\x1b[?53n',
  55: '\x1b[?53n',
  56: '\x1b[?57;0n',
  62: '\x1b[0000*{',
  75: '\x1b[?70n',
  85: '\x1b[?83n',
};

const decStatus: Query = (csi, facts) => {
  const which = param(csi, 0, 0);
  if (which === 6) return DEC_CURSOR;
  if (which === 996) return fixed(`\x1b[?997;${facts.dark ? 1 : 2}n`);
  if (which === 63) return fixed(`${DCS}${param(csi, 1, 0)}!~0000${ST}`);
  const text = DEC_STATUS[which];
  return text === undefined ? EATEN : fixed(text);
};

const ansiStatus: Query = (csi) => {
  const which = param(csi, 0, 0);
  return which === 5 ? fixed('\x1b[0n') : which === 6 ? CURSOR : EATEN;
};

const windowReport: Query = (csi, { rows, cols }) => {
  switch (param(csi, 0, 0)) {
    case 11:
      return fixed('\x1b[1t');
    case 13:
      return fixed('\x1b[3;0;0t');
    case 14:
      return fixed(`\x1b[4;${rows * CELL_HEIGHT};${cols * CELL_WIDTH}t`);
    case 15:
      return fixed(`\x1b[5;${rows * CELL_HEIGHT};${cols * CELL_WIDTH}t`);
    case 16:
      return fixed(`\x1b[6;${CELL_HEIGHT};${CELL_WIDTH}t`);
    case 18:
      return fixed(`\x1b[8;${rows};${cols}t`);
    case 19:
      return fixed(`\x1b[9;${rows};${cols}t`);
    // A title that comes back as input could be typed by whoever set it: always empty.
    case 20:
      return fixed(`\x1b]L${ST}`);
    case 21:
      return fixed(`\x1b]l${ST}`);
    default:
      return undefined;
  }
};

const terminalParameters: Query = (csi) => {
  const which = param(csi, 0, 0);
  return which > 1 ? undefined : fixed(`\x1b[${which + 2};1;1;128;128;1;0x`);
};

const modifierKeys: Query = (csi, { modes }) => {
  const resource = csi.params[0] as number;
  if (resource < 0) return EATEN;
  return fixed(`\x1b[>${resource};${resource === 4 ? modes.view.modifyOtherKeys : 0}m`);
};

const multipleCursors: Query = (csi) => {
  const first = csi.params[0] as number;
  return first < 0 || first === 100 || first === 101 ? EATEN : undefined;
};

const onlyFirst =
  (answer: (facts: CsiFacts) => Answer): Query =>
  (csi, facts) =>
    param(csi, 0, 0) === 0 ? answer(facts) : undefined;

/** Key: prefix, intermediates, final. */
const QUERIES: Readonly<Record<string, Query>> = {
  c: onlyFirst(() => fixed(DA1)),
  '>c': onlyFirst(() => fixed('\x1b[>0;276;0c')),
  '=c': onlyFirst(() => fixed(`${DCS}!|00000000${ST}`)),
  n: ansiStatus,
  '?n': decStatus,
  '>q': onlyFirst(({ identity }) => fixed(`${DCS}>|${identity}${ST}`)),
  '> q': multipleCursors,
  '?u': (_, { modes }) => fixed(`\x1b[?${modes.view.kittyFlags}u`),
  $p: (csi, { modes }) => fixed(`\x1b[${param(csi, 0, 0)};${modes.ansiReport(param(csi, 0, 0))}$y`),
  '?$p': (csi, { modes }) => fixed(`\x1b[?${param(csi, 0, 0)};${modes.privateReport(param(csi, 0, 0))}$y`),
  '?m': modifierKeys,
  t: windowReport,
  x: terminalParameters,
  '*y': (csi) => fixed(`${DCS}${param(csi, 0, 0)}!~0000${ST}`),
  '?S': (csi) => fixed(`\x1b[?${param(csi, 0, 0)};3;0S`),
  $w: () => fixed(`${DCS}0$u${ST}`),
  '"v': (_, { rows, cols }) => fixed(`\x1b[${rows};${cols};1;1;1"w`),
  "'|": () => fixed('\x1b[0&w'),
  $u: () => EATEN,
  '&u': () => EATEN,
  '#R': () => EATEN,
  '#|': () => EATEN,
};

export function csiQuery(csi: Csi, facts: CsiFacts): Answer | undefined {
  return QUERIES[csi.prefix + csi.intermediates + csi.final]?.(csi, facts);
}

/** Gemini CLI's spelling of the modifyOtherKeys query, malformed by ECMA-48. Bytes from `ESC [` to `m`. */
export function isLooseModifierQuery(bytes: Uint8Array, start: number, end: number): boolean {
  const wanted = '\x1b[>4;?m';
  if (end - start !== wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted.charCodeAt(i)) return false;
  return true;
}
