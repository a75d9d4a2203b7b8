// Durations as the configuration writes them: digits and exactly one of s, m, h, d, or the word never.

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, null for never, or undefined when the text is no duration: zero, signs, spaces and compounds are none. */
export function parseDuration(text: string): number | null | undefined {
  if (text === 'never') return null;
  const match = /^([0-9]{1,10})([smhd])$/.exec(text);
  if (match === null || Number(match[1]) === 0) return undefined;
  return Number(match[1]) * UNIT_MS[match[2]!]!;
}
