// DCS and APC queries of table Q: XTGETTCAP, DECRQSS, XTGETXRES, kitty graphics. Always true: a setting that isn't
// tracked is reported as unknown, never guessed. Graphics queries are eaten: not every client can draw, and silence
// before the DA1 reply means "no" to every program that asks.
import { type Answer, EATEN, fixed } from './answer.js';
import type { ModeTracker } from './modes.js';
import { isGraphicsQuery } from './sequence.js';

const DCS = '\x1bP';
const ST = '\x1b\\';

/** Capabilities that hold for every client; an empty value is a boolean capability. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  TN: 'xterm-256color',
  name: 'xterm-256color',
  Co: '256',
  colors: '256',
  RGB: '8',
  Su: '',
  Smulx: '\x1b[4:%p1%dm',
  Ms: '\x1b]52;%p1%s;%p2%s\x07',
};

/** Names answered in one query; real programs ask for a handful. */
const CAPABILITY_NAMES = 64;

const hex = (text: string) =>
  [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');

function unhex(text: string): string | undefined {
  if (text.length % 2 !== 0 || !/^[\da-f]*$/i.test(text)) return undefined;
  return (text.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16))).join('');
}

/** One reply for each name, so that one unknown name hides no other. */
function capabilities(body: string): string {
  return body
    .split(';', CAPABILITY_NAMES)
    .map((name) => {
      const plain = unhex(name);
      const value =
        plain !== undefined && Object.hasOwn(CAPABILITIES, plain) ? CAPABILITIES[plain] : undefined;
      if (value === undefined) return `${DCS}0+r${/^[\da-f]*$/i.test(name) ? name : ''}${ST}`;
      return `${DCS}1+r${name}${value === '' ? '' : `=${hex(value)}`}${ST}`;
    })
    .join('');
}

function setting(body: string, modes: ModeTracker): string {
  const value =
    body === ' q' ? `${modes.cursorStyle} q` : body === '"p' ? '62;1"p' : body === '"q' ? '0"q' : undefined;
  return value === undefined ? `${DCS}0$r${ST}` : `${DCS}1$r${value}${ST}`;
}

/** Body of a DCS: everything between `ESC P` and its terminator. */
export function dcsQuery(body: string, modes: ModeTracker): Answer | undefined {
  const match = /^[\d;]*([+$])([qQ])(.*)$/s.exec(body);
  if (!match) return undefined;
  const [, mark, final, rest = ''] = match;
  if (mark === '+' && final === 'q') return fixed(capabilities(rest));
  if (mark === '+') return fixed(`${DCS}0+R${ST}`);
  return final === 'q' ? fixed(setting(rest, modes)) : undefined;
}

/** Body of an APC: everything between `ESC _` and its terminator. */
export function apcQuery(body: string): Answer | undefined {
  return body.startsWith('G') && isGraphicsQuery(body.slice(1)) ? EATEN : undefined;
}
