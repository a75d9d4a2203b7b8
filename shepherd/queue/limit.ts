// Bounds of queue rows, each with its unit and reason. What is beyond them is refused whole.

/** One line that fits into a wake. */
export const SUMMARY_CHARS = 200;
/** As a message's: a row holds what a message could have said. */
export const ROW_BODY_BYTES = 1_048_576;
export const TAGS = 16;
export const TAG_CHARS = 64;
export const NOTE_CHARS = 2_000;
/** A row id, a seat or another name that a row is blocked on or closed to. */
export const NAME_CHARS = 200;
/** Open rows of one seat: a seat this far behind is not helped by one more. */
export const OPEN_ROWS = 10_000;
/** A timer further away than this is a mistake in the unit. */
export const WAKE_AFTER_MAX_MS = 366 * 86_400_000;

/** How long a claimed row may stay open, by tier; other tiers have no limit. */
export const TIER_MS: Readonly<Record<string, number>> = {
  fast: 30 * 60_000,
  routine: 4 * 3_600_000,
  deep: 24 * 3_600_000,
  critical: 15 * 60_000,
};
