// What an override that was refused for text in the composer is told about that text (guard contract 4). Always true: it goes
// into one answer, and nothing of it is stored.
import type { ExistingInput } from '../../protocol/transport.js';
import type { Ending } from '../floor/event.js';
import type { Seat } from '../seats/seat-book.js';

/** What stands in the seat's composer, where that is why the override ended; undefined otherwise. */
export function existingInputOf(seat: Seat, { reason }: Ending): ExistingInput | undefined {
  if (reason !== 'override_input_present' && reason !== 'override_input_unknown') return undefined;
  const session = seat.occupant?.session;
  const reading = session?.screen.reading;
  if (session === undefined || reading === undefined) return undefined;
  const { composer, rows, cols, cursor, text } = reading;
  const base = {
    dimensions: { rows, cols },
    target: { seat: seat.address, session: session.spec.name, generation: session.generation },
  };
  if (composer.kind === 'draft') {
    const { rows: draft, suggestionRows, cursor: at } = composer;
    return {
      ...base,
      rows: draft.map((row) => row.text),
      suggestion_rows: [...suggestionRows],
      cursor: { row: at.row, column: at.column },
    };
  }
  // Typed keys that the agent has not drawn yet leave a composer that looks empty.
  const place = { row: cursor.y, column: cursor.x };
  return composer.kind === 'empty'
    ? { ...base, rows: [], suggestion_rows: [...composer.suggestionRows], cursor: place }
    : { ...base, rows: [...text], suggestion_rows: [], cursor: place };
}
