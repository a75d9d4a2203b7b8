// What the floor and the status machine take from a reading: the composer with its ownership, the dialog with its instance.
// Always true: an instance names the tenure, how often it was blocked, and the rows that stay; ownership is judged against
// the running transaction's own text and the frame that was seen empty before it. It decides nothing.
import { createHash } from 'node:crypto';
import type { DraftComposer } from '../composer/composer.js';
import { type OwnText, ownershipOf } from '../composer/ownership.js';
import type { ComposerView, DialogView, ReadingView } from '../floor/view.js';
import type { Reading } from '../screen/port.js';
import type { ReadingEvidence } from '../status/status.js';

/** What of a reading counts as evidence of status (floor contract 2, S6). */
export function evidenceOf(reading: Reading, at: number): ReadingEvidence {
  const { offset, composer, dialog, working, background } = reading;
  return {
    at,
    offset,
    composer: composer.kind !== 'unknown',
    ...(dialog ? { dialog: { kind: dialog.kind, detail: dialog.question } } : {}),
    ...(working ? { working } : {}),
    ...(background ? { background } : {}),
  };
}

/** The text under way: which request's, and the draft as it was first seen after the paste. */
interface Own {
  readonly request: string;
  readonly text: string;
  readonly frame: string | undefined;
  staged: DraftComposer | undefined;
}

export class ScreenView {
  #emptyFrame: string | undefined;
  #own: Own | undefined;
  /** How often this session was blocked, and how often an operator typed while it was. */
  #blocked = 0;

  /** The blocked state has ended, or an operator pressed a key in it: what is answered now is another instance. */
  dialogMoved(): void {
    this.#blocked++;
  }

  /** The request whose text stands in the composer, or none. */
  owns(request: { readonly id: string; readonly body: string } | undefined): void {
    if (request?.id === this.#own?.request) return;
    this.#own = request && {
      request: request.id,
      text: request.body,
      frame: this.#emptyFrame,
      staged: undefined,
    };
  }

  view(reading: Reading, tenure: string | undefined): ReadingView {
    const composer = this.#composer(reading);
    const own = composer.kind === 'draft' && composer.ownership === 'ours';
    return {
      offset: reading.offset,
      composer,
      // Numbered text looks like a menu; it is none when it is our own.
      vetoes: own ? reading.vetoes.filter((veto) => veto !== 'menu_or_picker') : reading.vetoes,
      dialog: this.dialog(reading, tenure),
      rows: reading.text,
      cursorRow: reading.cursor.y,
      pasteLabels: reading.pasteLabels,
    };
  }

  dialog({ dialog }: Reading, tenure: string | undefined): DialogView | undefined {
    if (dialog === undefined) return undefined;
    const named = (rows: readonly string[]) => {
      const digest = createHash('sha256').update(rows.join('\n'), 'utf8').digest('hex');
      return `${tenure ?? 'none'}:${this.#blocked}:${digest}`;
    };
    const selected = dialog.options.findIndex((option) => option.selected);
    const at = dialog.stableRows.lastIndexOf(dialog.options[selected]?.label ?? '');
    return {
      instance: named(dialog.stableRows),
      place: named(at < 0 ? dialog.stableRows : dialog.stableRows.with(at, `option ${selected}`)),
      kind: dialog.kind,
      truncated: dialog.truncated,
      keys: dialog.keys,
    };
  }

  #composer({ composer }: Reading): ComposerView {
    if (composer.kind === 'unknown') return { kind: 'unknown', cause: composer.cause };
    if (composer.kind === 'empty') {
      this.#emptyFrame = composer.frame;
      return { kind: 'empty' };
    }
    const own = this.#own;
    if (own === undefined) return { kind: 'draft', ownership: 'other' };
    // A large paste may be drawn as text first and as its label then: the label is what stays.
    if (own.staged === undefined || (own.staged.labels.length === 0 && composer.labels.length > 0))
      own.staged = composer;
    const text: OwnText = { text: own.text, frame: own.frame, staged: own.staged };
    return { kind: 'draft', ownership: ownershipOf(composer, text) };
  }
}
