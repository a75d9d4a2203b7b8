// A reading as the floor needs it: whose draft it is, and which vetoes stay. Always true: only a draft that is exactly the
// running transaction's text lifts the veto that its own numbering raised. It decides nothing.
import type { Reason } from '../../protocol/reason.js';
import type { Veto } from './composer.js';
import { type Ownership, type OwnText, ownershipOf } from './ownership.js';
import type { ScreenReading } from './read.js';

export interface JudgedComposer {
  readonly composer:
    | { readonly kind: 'empty' }
    | { readonly kind: 'draft'; readonly ownership: Ownership }
    | { readonly kind: 'unknown'; readonly cause: Reason };
  readonly vetoes: readonly Veto[];
}

/** `own` is the text of the transaction that runs, if one does and has written. */
export function judge(reading: Pick<ScreenReading, 'composer' | 'vetoes'>, own?: OwnText): JudgedComposer {
  const { composer, vetoes } = reading;
  if (composer.kind === 'empty') return { composer: { kind: 'empty' }, vetoes };
  if (composer.kind === 'unknown') return { composer: { kind: 'unknown', cause: composer.cause }, vetoes };
  const ownership = own === undefined ? 'other' : ownershipOf(composer, own);
  const lifted = ownership === 'ours' && composer.numbered;
  return {
    composer: { kind: 'draft', ownership },
    vetoes: lifted ? vetoes.filter((veto) => veto !== 'menu_or_picker') : vetoes,
  };
}
