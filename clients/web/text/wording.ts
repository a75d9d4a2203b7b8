// How the page says things: statuses, floor reasons, outcomes, close codes, times. Always true: every sentence is for a person
// and names the next step where there is one; codes stay codes and stand beside it. Pure.
import { isReason, REASONS } from '../../../protocol/reason.js';

const BLOCKED: Readonly<Record<string, string>> = {
  permission: 'asks for permission',
  question: 'asks a question',
  trust: 'asks whether to trust this folder',
  auth: 'needs a login',
  picker: 'has a list open',
  error: 'stopped on an error',
};

export interface StatusText {
  readonly state: string;
  readonly kind?: string | undefined;
  readonly done?: boolean | undefined;
  readonly cause?: string | undefined;
}

/** For example `asks for permission`, `working`, `finished its turn`. */
export function statusText({ state, kind, done }: StatusText): string {
  if (state === 'blocked') return BLOCKED[kind ?? ''] ?? 'needs an answer';
  if (state === 'idle') return done ? 'finished, idle' : 'idle';
  return state === 'unknown' ? 'status unknown' : state;
}

/** The reason's sentence, or the code itself when it is newer than this page. */
export function reasonText(code: string): string {
  return isReason(code) ? REASONS[code].text : code;
}

export function reasonNext(code: string): string {
  return isReason(code) ? REASONS[code].next : '';
}

const SHORT: Readonly<Record<string, string>> = {
  draft_input_busy: 'a draft is unsent',
  human_active: 'somebody is typing',
  session_working: 'agent is working',
  target_needs_input: 'a dialog is open',
  draft_input_unknown: 'composer unreadable',
  status_unknown: 'status unknown',
  starting: 'agent is starting',
  awaiting_turn: 'last text not taken yet',
  background_work: 'background agents run',
  floor_held: 'another request types',
  typing_guard_enabled: 'typing guard',
  bare_shell: 'only a shell runs',
  foreground_other: 'another program is in front',
  interrupt_unsettled: 'after an interrupt',
};

/** A few words for where there is little room. */
export function reasonShort(code: string): string {
  return SHORT[code] ?? code.replaceAll('_', ' ');
}

export const OUTCOME_TEXT: Readonly<Record<string, string>> = {
  delivered: 'typed, and a turn began',
  unconfirmed: 'typed; no turn start was seen',
  indeterminate: 'may have been typed; look at the seat',
  held: 'not typed, kept',
  refused: 'not typed',
  retained: 'not typed, kept',
  failed: 'not typed',
  over: 'ended without being typed',
};

export type CloseStep = 'join' | 'take' | 'reload' | 'login' | 'none';

/** What a close code means to who looks at the page, and which button helps. */
export function closeText(code: number, fallback: string): { text: string; steps: readonly CloseStep[] } {
  switch (code) {
    case 1000:
      return { text: 'You left. The session goes on without you.', steps: ['join'] };
    case 1008:
    case 1009:
      return {
        text: 'This page sent something that the server does not take. Load it again.',
        steps: ['reload'],
      };
    case 4001:
      return { text: 'The session reached the end of its life and was closed.', steps: ['none'] };
    case 4002:
      return {
        text: 'Somebody took the keyboard over. Join them to share it, or take it back.',
        steps: ['join', 'take'],
      };
    case 4003:
      return { text: 'The session was renewed: everybody has to attach again.', steps: ['join'] };
    case 4004:
      return { text: 'The session has ended. Start it again: openfloor restart SEAT.', steps: ['none'] };
    case 4005:
      return {
        text: 'This page could not keep up with the output. Attach again; the screen is drawn anew.',
        steps: ['join'],
      };
    case 4006:
      return {
        text: 'The runtime was replaced and the workspace reset. Create the session again.',
        steps: ['none'],
      };
    case 4007:
      return {
        text: 'The server takes no more takeovers right now. Wait a moment, or join.',
        steps: ['join'],
      };
    case 4008:
      return {
        text: 'An operator ended the session. Start it again: openfloor restart SEAT.',
        steps: ['none'],
      };
    case 4009:
      return { text: 'The runtime hit an error. Its log says more.', steps: ['join'] };
    default:
      return { text: fallback, steps: ['join'] };
  }
}

/** `now`, `8 s`, `4 min`, `2 h`, `3 d`. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export function clock(at: number): string {
  const time = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${Math.round(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
