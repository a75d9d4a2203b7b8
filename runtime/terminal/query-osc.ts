// OSC queries of table Q and their answers, with the query's own terminator. Always true: a colour OSC that asks and
// sets is answered and passes; what asks for a person's data (clipboard, variables) gets nothing.
import { type Answer, EATEN, fixed, type Terminator } from './answer.js';
import type { Colors } from './colors.js';
import { isClipboardRead, isNotificationQuery, PROPRIETARY_QUERIES } from './sequence.js';

export interface OscFacts {
  readonly colors: Colors;
  readonly terminator: Terminator;
}

/** Replies gathered from the groups of one colour OSC; a group that sets makes it pass. */
class Groups {
  #text = '';
  #asked = false;
  #sets = false;

  constructor(readonly terminator: Terminator) {}

  ask(reply: string | undefined): void {
    this.#asked = true;
    if (reply !== undefined) this.#text += `\x1b]${reply}${this.terminator}`;
  }

  set(): void {
    this.#sets = true;
  }

  answer(): Answer | undefined {
    if (!this.#asked) return undefined;
    if (this.#text !== '') return fixed(this.#text, this.#sets);
    return { reply: EATEN.reply, passes: this.#sets };
  }
}

/** OSC 4 ; index ; spec …, OSC 5 likewise (special colours have no value of ours: eaten). */
function palette(code: number, body: string, { colors, terminator }: OscFacts): Answer | undefined {
  const groups = new Groups(terminator);
  const fields = body.split(';');
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const index = /^\d{1,3}$/.test(fields[i] as string) ? Number(fields[i]) : -1;
    const spec = fields[i + 1] as string;
    if (spec === '?') {
      const known = code === 4 && index >= 0 && index < 256;
      groups.ask(known ? `4;${index};rgb:${colors.palette(index)}` : undefined);
    } else if (spec !== '') {
      groups.set();
      if (code === 4) colors.setPalette(index, spec);
    }
  }
  return groups.answer();
}

/** OSC 10..19: each further group addresses the next number. */
function dynamic(code: number, body: string, { colors, terminator }: OscFacts): Answer | undefined {
  const groups = new Groups(terminator);
  let at = code;
  for (const spec of body.split(';')) {
    if (spec === '?') groups.ask(at <= 19 ? `${at};rgb:${colors.dynamic(at)}` : undefined);
    else if (spec !== '') {
      groups.set();
      colors.setDynamic(at, spec);
    }
    at++;
  }
  return groups.answer();
}

const KITTY_COLORS: Readonly<Record<string, number>> = {
  foreground: 10,
  background: 11,
  cursor: 12,
  selection_background: 17,
  selection_foreground: 19,
};

/** Kitty's OSC 21: keys by name; an unknown key is answered with `?`. */
function namedColors(body: string, { colors, terminator }: OscFacts): Answer | undefined {
  const replies: string[] = [];
  let sets = false;
  for (const field of body.split(';')) {
    const at = field.indexOf('=');
    if (at < 0) continue;
    const key = field.slice(0, at);
    if (field.slice(at + 1) !== '?') {
      sets = true;
      continue;
    }
    const code = Object.hasOwn(KITTY_COLORS, key) ? KITTY_COLORS[key] : undefined;
    const index = /^\d{1,3}$/.test(key) && Number(key) < 256 ? Number(key) : -1;
    const color = code !== undefined ? colors.dynamic(code) : index >= 0 ? colors.palette(index) : undefined;
    replies.push(`${key}=${color === undefined ? '?' : `rgb:${color}`}`);
  }
  return replies.length === 0 ? undefined : fixed(`\x1b]21;${replies.join(';')}${terminator}`, sets);
}

export function oscQuery(code: number, body: string, facts: OscFacts): Answer | undefined {
  if (code === 4 || code === 5) return palette(code, body, facts);
  if (code >= 10 && code <= 19) return dynamic(code, body, facts);
  const { terminator } = facts;
  switch (code) {
    case 21:
      return namedColors(body, facts);
    case 22:
    case 50:
      return body.startsWith('?') ? EATEN : undefined;
    case 52:
      // An empty clipboard, so that nobody waits for what a person copied.
      return /^[^;]*;\?$/.test(body) ? fixed(`\x1b]52;${body.slice(0, -1)}${terminator}`) : undefined;
    case 60:
    case 61:
      return EATEN;
    case 99:
      return isNotificationQuery(body) ? EATEN : undefined;
    case 1337:
      return PROPRIETARY_QUERIES.some((name) => (name.endsWith('=') ? body.startsWith(name) : body === name))
        ? EATEN
        : undefined;
    case 5522:
      return isClipboardRead(body) ? fixed(`\x1b]5522;type=read:status=EPERM${terminator}`) : undefined;
    case 7501:
      return body.startsWith('?') ? fixed(`\x1b]7501;?${terminator}`) : undefined;
    default:
      return undefined;
  }
}
