// The text of notices. Always true: notices that are due for one seat in one tick are one message, each with its own id and
// text; a notice says that delivery may repeat exactly when an earlier attempt of its routine may have been typed. Pure.
import { plain } from './policy.js';

export interface Notice {
  readonly routine: string;
  /** Who registered it. */
  readonly by: string;
  readonly text: string;
  /** An earlier attempt may have been typed. */
  readonly repeat: boolean;
}

export const REPEAT = 'delivery may repeat: look before you act';
/** Notices in one message; more wait for the next tick. */
export const JOINED = 20;

/** Its own lines stay lines; nothing in it can act on a terminal. */
const lines = (text: string) => text.split('\n').map(plain).join('\n').trim();

function line({ routine, by, text, repeat }: Notice): string {
  return `[openfloor notice, routine ${routine} of ${plain(by)}] ${lines(text)}${repeat ? ` (${REPEAT})` : ''}`;
}

/** One message for all these notices, in this order. */
export function digestOf(notices: readonly Notice[]): string {
  const [first] = notices;
  if (notices.length === 1 && first) return line(first);
  return [`[openfloor] ${notices.length} notices:`, ...notices.map(line)].join('\n');
}
