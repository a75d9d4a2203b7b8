// Paste labels: what an agent shows in place of a large paste. Always true: blanks don't count, since labels wrap at them;
// a label is what the pack's pattern says, whatever its colour. It doesn't know what was pasted.
import type { PasteLabelRule } from './reading-pack.js';

export interface LabelPattern {
  readonly pattern: RegExp;
  readonly rule: PasteLabelRule;
}

export interface Label {
  /** As shown, without blanks. */
  readonly text: string;
  /** Lines or characters of what was pasted, by the label's number and the pack's offset. */
  readonly count: number;
  /** The number as shown. */
  readonly number: number;
  readonly unit: 'lines' | 'characters';
  readonly exact: boolean;
}

/** A label rule ready for use. Throws a SyntaxError for a pattern that is none. */
export function labelPattern(rule: PasteLabelRule): LabelPattern {
  return { pattern: new RegExp(rule.pattern.replaceAll(' ', ''), 'gu'), rule };
}

/** Text without blanks and marks of no width. */
export function squeeze(text: string): string {
  return text.normalize('NFC').replace(/\s|[\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/gu, '');
}

/** The labels in a text, in its order. */
export function labelsIn(text: string, patterns: readonly LabelPattern[]): readonly Label[] {
  if (patterns.length === 0) return [];
  const squeezed = squeeze(text);
  const found: Array<Label & { at: number }> = [];
  for (const { pattern, rule } of patterns) {
    for (const match of squeezed.matchAll(pattern)) {
      // A part that some labels leave out, with its number, counts nothing.
      const number = Number(match[1] ?? 0);
      if (match[0] === '' || !Number.isSafeInteger(number)) continue;
      const { unit, exact } = rule;
      found.push({ at: match.index, text: match[0], number, count: number + rule.offset, unit, exact });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...label }) => label);
}
