// A reading as a short text, as the vectors of the composer room have it: `empty | suggestion`, `draft: one/two | rest`,
// `unknown: cause`. Rows are divided by `/`.
import type { ComposerReading } from '../../runtime/composer/composer.js';

export function shortComposer(composer: ComposerReading): string {
  if (composer.kind === 'unknown') return `unknown: ${composer.cause}`;
  const suggested = composer.suggestionRows.length > 0 ? ` | ${composer.suggestionRows.join('/')}` : '';
  if (composer.kind === 'empty') return `empty${suggested}`;
  return `draft: ${composer.rows.map((row) => row.text).join('/')}${suggested}`;
}
