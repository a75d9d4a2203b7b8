// The shapes of a terminal's replies (spec/table-q.md, the answers): what a client's emulator sends by itself. Always
// true: no key has one of these shapes. The one that looks like a key, CPR in row 1, is taken for modified F3: a reply
// too much is harmless, a key too few is not.
import { type InputCsi, number } from './csi.js';

/** Kitty's modifiers are 1 plus eight bits. */
const MODIFIER_MAX = 256;

export function isCsiReply(csi: InputCsi): boolean {
  const { prefix, params, intermediates, final } = csi;
  // No key has a private prefix; `<` is the mouse.
  if (prefix !== '' && prefix !== '<') return true;
  if (prefix === '<') return false;
  switch (intermediates + final) {
    case 'n':
    case 't':
      return true;
    case 'R':
      return isCursorReport(csi);
    case 'c':
      // rxvt's Shift-Right is `CSI c`.
      return params.length > 1 || number(csi, 0, -1) >= 0;
    case 'x':
      return params.length > 1;
    case '$y':
      return params.length === 2;
    case '*{':
    case '&w':
    case '"w':
      return true;
    default:
      return false;
  }
}

function isCursorReport(csi: InputCsi): boolean {
  if (csi.params.length !== 2 || csi.params.some((param) => param.length > 1)) return false;
  const row = number(csi, 0, 1);
  const column = number(csi, 1, 1);
  return row !== 1 || column === 1 || column > MODIFIER_MAX;
}

/** Body of an OSC between `ESC ]` and its terminator. */
export function isOscReply(body: string): boolean {
  if (/^[lL]/.test(body)) return true;
  const match = /^(\d{1,5});(.*)$/s.exec(body);
  if (!match) return false;
  const [, digits = '', rest = ''] = match;
  const code = Number(digits);
  if (code === 4 || code === 5) return /^\d+;rgba?:/.test(rest);
  if (code >= 10 && code <= 19) return /^rgba?:/.test(rest);
  switch (code) {
    case 21:
      return rest.includes('=');
    case 22:
    case 50:
    case 52:
    case 60:
    case 61:
      return true;
    case 99:
      return /(^|:)p=(\?|alive)(:|;|$)/.test(rest);
    case 1337:
      return /^(Capabilities|ReportCellSize|ReportVariable)=/.test(rest);
    case 5522:
      return /(^|:)type=read(:|;|$)/.test(rest);
    case 7501:
      return rest.startsWith('?');
    default:
      return false;
  }
}

/** Body of a DCS: tertiary DA, XTVERSION, DECRQSS, XTGETTCAP, XTGETXRES, state and checksum reports. */
export function isDcsReply(body: string): boolean {
  return /^(!\||>\||[01]?\$r|[01]?\+[rR]|[012]?[$!]u|\d*!~)/.test(body);
}

/** Body of an APC: kitty graphics. */
export function isApcReply(body: string): boolean {
  return body.startsWith('G');
}
