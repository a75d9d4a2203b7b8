// Desktop notifications: OSC 9 (iTerm2), OSC 777 (rxvt) and OSC 99 (kitty, which may come in parts). Always true: what
// isn't UTF-8 or is over a limit is refused whole; unfinished OSC 99 notifications are bounded, the oldest leaves first.
// A notification is a hint: agents send it seconds late, only without focus, or never.
import { decodeBody } from './sequence.js';

export const NOTIFY_CODES: readonly number[] = [9, 777, 99];

/** Longest body of one sequence. */
export const NOTIFY_BYTES = 4_096;
/** Longest title or body of one OSC 99 notification, all parts together, in UTF-16 units. */
export const NOTIFY_TEXT_CHARACTERS = 4_096;
/** OSC 99 notifications that may be unfinished at one time. */
export const NOTIFY_OPEN = 8;

export interface Notification {
  readonly title: string;
  readonly body: string;
}

export type NotifyRefusal = 'notification_too_long' | 'notification_not_utf8' | 'notification_not_base64';

export type Notify =
  | { readonly type: 'notification'; readonly notification: Notification }
  /** A part of OSC 99; feed it to `assemble`. */
  | { readonly type: 'part'; readonly part: NotifyPart }
  /** A query, a close, a command of ConEmu, an unknown subject of OSC 777: no notification. */
  | { readonly type: 'other' }
  | { readonly type: 'refused'; readonly reason: NotifyRefusal };

export interface NotifyPart {
  readonly id: string;
  readonly of: 'title' | 'body';
  readonly text: string;
  /** More parts of this id follow. */
  readonly open: boolean;
}

/** ConEmu's commands share OSC 9: `9;1;…` to `9;12;…`. A notification that begins so is not told from them. */
const CONEMU = /^(?:[1-9]|1[0-2])(?:;|$)/;

function notification(title: string, body: string): Notify {
  return { type: 'notification', notification: { title, body } };
}

function parse777(text: string): Notify {
  const [subject, title, ...rest] = text.split(';');
  if (subject !== 'notify' || title === undefined) return { type: 'other' };
  return notification(title, rest.join(';'));
}

function metadata(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of text.split(':')) {
    const equals = pair.indexOf('=');
    // The first value of a key counts, as in kitty.
    if (equals > 0 && !values.has(pair.slice(0, equals)))
      values.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return values;
}

function parse99(body: string): Notify {
  const semicolon = body.indexOf(';');
  if (semicolon < 0) return { type: 'other' };
  const keys = metadata(body.slice(0, semicolon));
  const of = keys.get('p') ?? 'title';
  if (of !== 'title' && of !== 'body') return { type: 'other' };
  let payload = body.slice(semicolon + 1);
  if (keys.get('e') === '1') {
    try {
      payload = atob(payload);
    } catch {
      return { type: 'refused', reason: 'notification_not_base64' };
    }
  }
  const text = decodeBody(payload);
  if (text === undefined) return { type: 'refused', reason: 'notification_not_utf8' };
  return { type: 'part', part: { id: keys.get('i') ?? '', of, text, open: keys.get('d') === '0' } };
}

/** Reads the body of OSC 9 (not 9;4, see `progress.ts`), 777 or 99. */
export function parseNotify(code: number, body: string): Notify {
  if (body.length > NOTIFY_BYTES) return { type: 'refused', reason: 'notification_too_long' };
  if (code === 99) return parse99(body);
  const text = decodeBody(body);
  if (text === undefined) return { type: 'refused', reason: 'notification_not_utf8' };
  if (code === 777) return parse777(text);
  return CONEMU.test(text) ? { type: 'other' } : notification('', text);
}

/** Unfinished OSC 99 notifications by id, oldest first. */
export type OpenNotifications = ReadonlyMap<string, Notification>;

export const NO_OPEN_NOTIFICATIONS: OpenNotifications = new Map();

/** Adds a part. `complete` is set when the notification is finished; one that grows over its limit is dropped whole. */
export function assemble(
  open: OpenNotifications,
  part: NotifyPart,
): { readonly open: OpenNotifications; readonly complete?: Notification } {
  const before = open.get(part.id) ?? { title: '', body: '' };
  const grown: Notification = { ...before, [part.of]: before[part.of] + part.text };
  const next = new Map(open);
  next.delete(part.id);
  if (grown.title.length > NOTIFY_TEXT_CHARACTERS || grown.body.length > NOTIFY_TEXT_CHARACTERS)
    return { open: next };
  if (!part.open) return { open: next, complete: grown };
  next.set(part.id, grown);
  for (const oldest of next.keys()) {
    if (next.size <= NOTIFY_OPEN) break;
    next.delete(oldest);
  }
  return { open: next };
}
