// The states of the output scanner and where a printable byte leads (ECMA-48 5.3 to 5.6). Always true: only an escape
// sequence branches; what controls, ESC and string terminators do is the scanner's business.
import type { StringKind } from './sequence.js';

/** `string-escape`: an ESC inside a string, which ends it or begins the next sequence. */
export type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape';

/** Where a byte of 0x20 to 0x7e leads inside an escape or control sequence; a string kind opens that string. */
export function stepOf(state: State, byte: number): 'final' | 'intermediate' | 'csi' | StringKind {
  if (state === 'csi') return byte >= 0x40 ? 'final' : 'csi';
  if (byte < 0x30) return 'intermediate';
  if (state === 'intermediate') return 'final';
  switch (byte) {
    case 0x5b:
      return 'csi';
    case 0x5d:
      return 'osc';
    case 0x50:
      return 'dcs';
    case 0x5f:
      return 'apc';
    case 0x58:
    case 0x5e:
      return 'other';
    default:
      return 'final';
  }
}
