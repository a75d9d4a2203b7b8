// A reading pack made ready: colours as numbers, patterns compiled, once for each pack and not for each reading. Always
// true: it reads as its pack says and holds nothing else. Making one throws for a pattern that doesn't compile; packs in
// force have been checked before.
import { type LabelPattern, labelPattern } from './label.js';
import type { ReadingPack } from './reading-pack.js';
import { type Color, colorOf } from './snapshot.js';

export interface Plan {
  readonly pack: ReadingPack;
  readonly hint: { readonly style: 'dim' | 'foreground' | 'none'; readonly colors: readonly Color[] };
  readonly labels: readonly LabelPattern[];
  /** Characters that stand before a selected option in this agent's menus. */
  readonly glyphs: readonly string[];
}

export function planOf(pack: ReadingPack): Plan {
  const { composer, dialogs, paste_labels } = pack;
  const glyphs = new Set(composer?.prompts ?? []);
  for (const { option_glyph } of dialogs) if (option_glyph !== undefined) glyphs.add(option_glyph);
  return {
    pack,
    hint: { style: composer?.hint.style ?? 'none', colors: (composer?.hint.colors ?? []).map(colorOf) },
    labels: paste_labels.map(labelPattern),
    glyphs: [...glyphs],
  };
}
