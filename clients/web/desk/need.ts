// Which seat needs a person most. Always true: the order is total and steady: need first, then the name. Pure.
import { plural, reasonShort, statusText } from '../text/wording.js';

export interface SeatSummary {
  readonly seat: string;
  readonly status: {
    readonly state: string;
    readonly kind?: string | undefined;
    readonly done?: boolean | undefined;
  };
  readonly floor: { readonly waiting: number; readonly reason: string | null };
  readonly held: number;
}

export interface Need {
  /** Small: needed now. */
  readonly rank: number;
  readonly level: 'now' | 'soon' | 'none';
  /** What is to be done, in a few words; empty when there is nothing. */
  readonly text: string;
}

/** Waits that only a person ends. */
const PERSON = new Set([
  'draft_input_busy',
  'draft_input_unknown',
  'awaiting_turn',
  'status_unknown',
  'interrupt_unsettled',
  'bare_shell',
  'foreground_other',
  'canonical_mode',
  'target_needs_input',
]);

export function needOf({ status, floor, held }: SeatSummary): Need {
  if (status.state === 'blocked') return { rank: 0, level: 'now', text: statusText(status) };
  if (floor.waiting > 0 && floor.reason !== null && PERSON.has(floor.reason)) {
    const text = `${plural(floor.waiting, 'request')} ${floor.waiting === 1 ? 'waits' : 'wait'}: ${reasonShort(floor.reason)}`;
    return { rank: 1, level: 'soon', text };
  }
  if (held > 0) return { rank: 2, level: 'soon', text: `${plural(held, 'message')} held` };
  if (status.state === 'unknown') return { rank: 3, level: 'none', text: '' };
  if (status.state === 'idle') return { rank: status.done ? 4 : 5, level: 'none', text: '' };
  return { rank: 6, level: 'none', text: '' };
}

/** Those who need a person first. */
export function byNeed<Seat extends SeatSummary>(seats: readonly Seat[]): Seat[] {
  return [...seats].sort(
    (a, b) => needOf(a).rank - needOf(b).rank || (a.seat < b.seat ? -1 : a.seat > b.seat ? 1 : 0),
  );
}
