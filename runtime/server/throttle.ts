// Slows down those who guess. Always true: only failures are answered with it; a right credential was verified before and
// is never refused. Bounded: a source that finds no room goes untracked rather than pushing out a blocked one. Pure: time
// is an argument.
import {
  ADMIN_BLOCK_FIRST_MS,
  ADMIN_BLOCK_MAX_MS,
  ADMIN_FORGET_MS,
  ADMIN_SOURCES,
  UPGRADE_BAN_MS,
  UPGRADE_FAILURES,
  UPGRADE_SOURCES,
  UPGRADE_WINDOW_MS,
} from '../../protocol/limit.js';

interface Track {
  failures: number;
  /** Start of the window, or the last time it was seen. */
  since: number;
  blockedUntil: number;
}

abstract class Throttle {
  protected readonly tracks = new Map<string, Track>();

  constructor(readonly capacity: number) {}

  /** Milliseconds that the source's failures are still answered with a refusal; 0 when they aren't. */
  blockedMs(source: string, now: number): number {
    return Math.max(0, (this.tracks.get(source)?.blockedUntil ?? 0) - now);
  }

  succeeded(source: string): void {
    this.tracks.delete(source);
  }

  /** Counts a failure; the answer is how long its source is now blocked, 0 when it isn't. */
  abstract failed(source: string, now: number): number;

  /** The source's track, made when there is room; the longest unseen that isn't blocked makes room. */
  protected track(source: string, now: number): Track | undefined {
    const known = this.tracks.get(source);
    if (known) {
      // Insertion order is age: seen again means youngest.
      this.tracks.delete(source);
      this.tracks.set(source, known);
      return known;
    }
    if (this.tracks.size >= this.capacity) {
      const oldest = [...this.tracks].find(([, track]) => track.blockedUntil <= now);
      if (oldest === undefined) return undefined;
      this.tracks.delete(oldest[0]);
    }
    const track: Track = { failures: 0, since: now, blockedUntil: 0 };
    this.tracks.set(source, track);
    return track;
  }
}

/** Admin plane (attach contract 1.2): the block doubles with each failure; failures inside a block don't extend it. */
export class AdminThrottle extends Throttle {
  constructor() {
    super(ADMIN_SOURCES);
  }

  failed(source: string, now: number): number {
    const track = this.track(source, now);
    if (track === undefined) return 0;
    if (track.blockedUntil > now) return track.blockedUntil - now;
    if (now - track.since > ADMIN_FORGET_MS) track.failures = 0;
    track.failures++;
    track.since = now;
    track.blockedUntil = now + Math.min(ADMIN_BLOCK_MAX_MS, ADMIN_BLOCK_FIRST_MS * 2 ** (track.failures - 1));
    // The failure that starts a block is itself answered as a failure.
    return 0;
  }
}

/** Attach plane (1.4): so many failures inside one window ban the source's failures for a while. */
export class UpgradeThrottle extends Throttle {
  constructor() {
    super(UPGRADE_SOURCES);
  }

  failed(source: string, now: number): number {
    const track = this.track(source, now);
    if (track === undefined) return 0;
    if (track.blockedUntil > now) return track.blockedUntil - now;
    if (now - track.since >= UPGRADE_WINDOW_MS) {
      track.failures = 0;
      track.since = now;
    }
    track.failures++;
    if (track.failures >= UPGRADE_FAILURES) {
      track.failures = 0;
      track.since = now;
      track.blockedUntil = now + UPGRADE_BAN_MS;
    }
    return 0;
  }
}
