// How seats are put into words for people: states, people, floor, durations. Pure; what comes from a server is escaped by
// whoever prints it.
import type { SeatEntry } from '../../protocol/seat.js';
import type { PresenceValue, StatusValue } from '../../protocol/status.js';
import { age, type Style } from './print.js';

const STYLES: Readonly<Record<string, Style>> = {
  working: 'cyan',
  idle: 'green',
  blocked: 'yellow',
  unknown: 'dim',
};

export function stateStyle(state: string): Style {
  return STYLES[state] ?? 'dim';
}

/** `blocked: permission`, `idle (done)`, `unknown: starting`. */
export function stateText({ state, kind, cause, done, background }: StatusValue): string {
  const why = state === 'blocked' ? kind : state === 'unknown' ? cause : undefined;
  const more = [done ? 'done' : '', background === undefined ? '' : `background ${background}`].filter(
    Boolean,
  );
  return `${state}${why ? `: ${why}` : ''}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Who is there: attached people, whether somebody types, and a draft that may stand in the composer. */
export function peopleText(presence: PresenceValue, now: number): string {
  const { operators, viewers, composing, recent, last_key_at, ledger } = presence;
  const parts = [
    operators > 0 ? plural(operators, 'operator', 'operators') : '',
    viewers > 0 ? plural(viewers, 'viewer', 'viewers') : '',
    composing
      ? 'composing'
      : recent
        ? 'typing'
        : last_key_at
          ? `last key ${age(now - Date.parse(last_key_at))} ago`
          : '',
    ledger === 'draft' ? 'perhaps a draft' : '',
  ].filter(Boolean);
  return parts.length === 0 ? 'nobody' : parts.join(', ');
}

/** The same for a table: `2 typing draft`, `-`. */
export function peopleCell({ operators, viewers, composing, recent, ledger }: PresenceValue): string {
  const parts = [
    operators + viewers > 0 ? String(operators + viewers) : '',
    composing || recent ? 'typing' : '',
    ledger === 'draft' ? 'draft' : '',
  ].filter(Boolean);
  return parts.join(' ') || '-';
}

export function floorCell({ floor, typing_guard }: SeatEntry): string {
  const guard = typing_guard === 'off' ? '' : ` [${typing_guard}]`;
  return `${floor.holder === null ? (floor.reason ?? 'free') : 'held'}${guard}`;
}
