// Whether a person is typing, has typed recently, or composes (floor.md 3). Always true: time is an input; one session
// has one presence, however many operators feed it. Composing is claimed by a client and ends by itself.
import { COMPOSING_MS } from '../../protocol/limit.js';
import { presenceOf, type Segment } from './segment.js';

export interface Presence {
  /** Time of the last keystroke, ms; undefined when there was none. */
  readonly keyAtMs: number | undefined;
  /** Time of the last sign of a person, keystrokes included. */
  readonly activityAtMs: number | undefined;
  /** Client id to the time at which its composing ends unless renewed. Bounded by the clients that are attached. */
  readonly composing: ReadonlyMap<string, number>;
}

export const NOBODY: Presence = { keyAtMs: undefined, activityAtMs: undefined, composing: new Map() };

export type PresenceEvent =
  | { readonly kind: 'input'; readonly segment: Segment; readonly atMs: number }
  | { readonly kind: 'composing'; readonly client: string; readonly active: boolean; readonly atMs: number }
  | { readonly kind: 'left'; readonly client: string };

export function presenceAfter(presence: Presence, event: PresenceEvent): Presence {
  switch (event.kind) {
    case 'input': {
      const sign = presenceOf(event.segment);
      if (sign === 'none') return presence;
      const keyAtMs = sign === 'keystroke' ? event.atMs : presence.keyAtMs;
      return { ...presence, keyAtMs, activityAtMs: event.atMs };
    }
    case 'composing': {
      const composing = new Map(presence.composing);
      if (event.active) composing.set(event.client, event.atMs + COMPOSING_MS);
      else composing.delete(event.client);
      return { ...presence, composing };
    }
    case 'left': {
      if (!presence.composing.has(event.client)) return presence;
      const composing = new Map(presence.composing);
      composing.delete(event.client);
      return { ...presence, composing };
    }
  }
}

/** Somebody composes now. */
export function isComposing(presence: Presence, nowMs: number): boolean {
  for (const endsMs of presence.composing.values()) if (nowMs < endsMs) return true;
  return false;
}

/** `recent`: the last key is younger than `humanQuietMs`, or somebody is composing. */
export function isRecent(presence: Presence, humanQuietMs: number, nowMs: number): boolean {
  const { keyAtMs } = presence;
  return (keyAtMs !== undefined && nowMs - keyAtMs < humanQuietMs) || isComposing(presence, nowMs);
}

/** When `recent` may next become false by time alone; undefined when it is false already. */
export function presenceDeadlineMs(
  presence: Presence,
  humanQuietMs: number,
  nowMs: number,
): number | undefined {
  const ends = [...presence.composing.values(), (presence.keyAtMs ?? -Infinity) + humanQuietMs];
  const last = Math.max(...ends);
  return last > nowMs ? last : undefined;
}
