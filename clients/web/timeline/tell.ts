// What each thing on the band means, in words, and what the floor says now. Always true: codes stand beside their sentences, and
// what came from a program or a sender is escaped. Pure.
import type { FloorAnswer } from '../../../protocol/transport.js';
import { visible } from '../text/visible.js';
import {
  ago,
  clock,
  OUTCOME_TEXT,
  plural,
  reasonNext,
  reasonShort,
  reasonText,
  statusText,
} from '../text/wording.js';
import type { Ask, Mark, Span } from './model.js';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function tellSpan(span: Span, now: number): string {
  const lasted = ago((span.to ?? now) - span.from);
  const when = span.to === undefined ? `for ${lasted}` : `from ${clock(span.from)} for ${lasted}`;
  const detail = span.detail ? `: ${visible(span.detail, 120)}` : '';
  return `${capital(statusText(span))} ${when}${detail}.`;
}

export function tellKey(at: number): string {
  return `Somebody typed at ${clock(at)}.`;
}

/** For example: the send of admin operator waited 12 s: ... Then it was typed, and a turn began. */
export function tellAsk(ask: Ask, now: number): string {
  const message = ask.message ? ` “${visible(ask.message, 60)}”` : '';
  const who = `${capital(ask.origin || 'request')}${ask.identity ? ` of ${visible(ask.identity, 40)}` : ''}${message}`;
  const until = ask.grantedAt ?? ask.to ?? now;
  const waited = until - ask.from;
  const why = ask.reasons
    .slice(-3)
    .map(({ reason }) => `${reasonShort(reason)} (${reason})`)
    .join(', then ');
  const going = ask.to === undefined && ask.grantedAt === undefined;
  const wait =
    waited >= 500 || going ? ` ${going ? 'waits' : 'waited'} ${ago(waited)}${why ? `: ${why}` : ''}.` : ':';
  if (going) return `${who}${wait}`;
  if (ask.to === undefined) return `${who}${wait} Being typed now.`;
  const outcome = capital(OUTCOME_TEXT[ask.outcome ?? 'over'] ?? 'over');
  const reason = ask.reason && ask.reason !== 'granted' ? ` (${ask.reason})` : '';
  return `${who}${wait} ${outcome}${reason}, at ${clock(ask.to)}.`;
}

const MARKS: Readonly<Record<string, string>> = {
  'guard.changed': 'Typing guard set to',
  'held.retired': 'A held message was retired:',
  'dialog.answered': 'A dialog was answered:',
  'override.used': 'An operator overrode the status:',
};

export function tellMark({ kind, text, at }: Mark): string {
  return `${MARKS[kind] ?? kind} ${visible(text, 100)} at ${clock(at)}.`.replace('  ', ' ');
}

export interface Verdict {
  readonly tone: 'free' | 'waits' | 'refused';
  readonly text: string;
  readonly next: string;
  readonly code: string;
}

/** Why a message is not typed now, or that it would be. */
export function verdictOf(answer: FloorAnswer, now: number): Verdict {
  const [first] = answer.waiting;
  if (first !== undefined) {
    const code = first.reason ?? answer.reason;
    const since = Date.parse(first.accepted_at);
    const others =
      answer.waiting.length > 1 ? `${plural(answer.waiting.length, 'request')} wait` : 'A request waits';
    return {
      tone: 'waits',
      text: `${others}, for ${ago(now - since)}: ${lower(reasonText(code))}`,
      next: reasonNext(code),
      code,
    };
  }
  if (answer.holder !== null) {
    return { tone: 'waits', text: 'Automation is typing now.', next: '', code: 'floor_held' };
  }
  if (answer.decision === 'grant') {
    return {
      tone: 'free',
      text: 'The floor is free: a message would be typed now.',
      next: '',
      code: 'granted',
    };
  }
  const cause = answer.rows.find(({ reason }) => reason === answer.reason)?.cause;
  const tone = answer.decision === 'refuse' ? 'refused' : 'waits';
  const would =
    answer.decision === 'hold' ? 'be kept, not typed' : answer.decision === 'refuse' ? 'be refused' : 'wait';
  return {
    tone,
    text: `A message would ${would} now: ${lower(reasonText(answer.reason))}`,
    next: answer.next ?? reasonNext(answer.reason),
    code: cause ? `${answer.reason} · ${cause}` : answer.reason,
  };
}

/** As the rest of a sentence; names and codes keep their case. */
function lower(text: string): string {
  return /^[A-Z]([a-z]| )/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
