// The text of a wake. Always true: it is one line for one row, names sender and row and how to read it, and holds no control
// character whatever the row's summary says; it says that delivery may repeat exactly when it may. Pure.
import type { Row } from '../queue/row.js';

/** Summaries are cut to this in a wake; the row has all of it. */
const SUMMARY_SHOWN = 120;
export const REPEAT = 'delivery may repeat: read the row before you act';

function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  const chars = [...plain];
  return chars.length > SUMMARY_SHOWN ? `${chars.slice(0, SUMMARY_SHOWN - 1).join('')}…` : plain;
}

/** The envelope of one row. `why` is `timer` when its owner asked to be woken. */
export function envelopeOf(
  row: Pick<Row, 'id' | 'source' | 'summary' | 'priority' | 'blockedOn'>,
  why: 'row' | 'timer',
): string {
  const urgency = row.priority === 'routine' ? '' : ` (${row.priority})`;
  const what =
    why === 'timer'
      ? `is still blocked on ${JSON.stringify(shown(row.blockedOn ?? 'something'))}`
      : `is in your queue${urgency}`;
  return `[openfloor wake, row from ${row.source}] ${row.id} "${shown(row.summary)}" ${what}. Read it: openfloor queue show ${row.id}`;
}

export interface Member {
  readonly envelope: string;
  /** An earlier attempt may have been typed. */
  readonly repeat: boolean;
}

/** One message for all these wakes, every envelope as it was written. */
export function messageOf(members: readonly Member[]): string {
  const line = ({ envelope, repeat }: Member) => (repeat ? `${envelope} (${REPEAT})` : envelope);
  const [first] = members;
  if (members.length === 1 && first) return line(first);
  return [`[openfloor] ${members.length} rows are in your queue:`, ...members.map(line)].join('\n');
}
