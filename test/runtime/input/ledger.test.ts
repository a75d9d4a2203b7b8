// The ledger's vectors: what makes a draft, what clears one.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMPTY_LEDGER, type Ledger, type LedgerEvent, ledgerAfter } from '../../../runtime/input/ledger.js';
import type { KeyClass, Segment, SegmentKind } from '../../../runtime/input/segment.js';
import { readVectors } from '../../support/byte-vector.js';

type EventCase =
  | { input: SegmentKind; key?: KeyClass; offset: number; atMs: number }
  | { turnStarted: true }
  /** Without `atMs` long after every key. */
  | { reading: 'empty' | 'draft' | 'unknown'; offset: number; received: number; atMs?: number }
  | { tenureChanged: true };

const test = suite('ledger');
const cases = readVectors<{ description: string; events: EventCase[]; ledger: Ledger }>('input/ledger.json', [
  'events',
  'ledger',
]);

function eventOf(entry: EventCase): LedgerEvent {
  if ('turnStarted' in entry) return { kind: 'turn-started' };
  if ('tenureChanged' in entry) return { kind: 'tenure-changed' };
  if ('reading' in entry) {
    const { reading, offset, received, atMs = 1e9 } = entry;
    return { kind: 'reading', composer: reading, offset, received, atMs };
  }
  const { input, key, offset, atMs } = entry;
  const segment: Segment = { kind: input, bytes: new Uint8Array(1), passes: true, ...(key && { key }) };
  return { kind: 'input', segment, offset, atMs };
}

for (const entry of cases) {
  test(entry.description, () => {
    const ledger = entry.events.map(eventOf).reduce(ledgerAfter, EMPTY_LEDGER);
    assert.equal(ledger, entry.ledger);
  });
}

test.run();
