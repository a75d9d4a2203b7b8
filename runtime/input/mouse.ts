// Mouse reports in the four encodings: X10 and UTF-8 (`CSI M b x y`), SGR (`CSI < b ; x ; y M|m`), urxvt
// (`CSI b ; x ; y M`). Always true: a press or a wheel step is `pointer`, everything that follows from one is `motion`.
import { type InputCsi, number } from './csi.js';

/** Button byte: 3 in the low bits is a release (not in SGR), 32 is motion, 64 the wheel. */
const RELEASED = 3;
const MOTION = 32;
const WHEEL = 64;
/** X10, UTF-8 and urxvt add this to the button. */
const OFFSET = 32;

function kindOf(button: number): 'pointer' | 'motion' {
  if ((button & WHEEL) !== 0) return 'pointer';
  return (button & MOTION) !== 0 || (button & 3) === RELEASED ? 'motion' : 'pointer';
}

/** SGR or urxvt report, or undefined when the sequence is none. */
export function csiMouse(csi: InputCsi): 'pointer' | 'motion' | undefined {
  if (csi.intermediates !== '' || csi.params.length !== 3) return undefined;
  const button = number(csi, 0, 0);
  if (csi.prefix === '<' && (csi.final === 'M' || csi.final === 'm')) {
    if (csi.final === 'm') return 'motion';
    return (button & WHEEL) !== 0 || (button & MOTION) === 0 ? 'pointer' : 'motion';
  }
  return csi.prefix === '' && csi.final === 'M' ? kindOf(button - OFFSET) : undefined;
}

/**
 * A report after `CSI M` at `at`: its length and kind, `open` when bytes are missing. In UTF-8 encoding each figure may
 * take two bytes. Control bytes are no figures: then it is none.
 */
export function byteMouse(
  bytes: Uint8Array,
  at: number,
  utf8: boolean,
): { readonly length: number; readonly kind: 'pointer' | 'motion' } | 'open' | undefined {
  let next = at;
  let button = 0;
  for (let figure = 0; figure < 3; figure++) {
    const byte = bytes[next];
    if (byte === undefined) return 'open';
    if (byte < 0x20) return undefined;
    if (figure === 0) button = byte - OFFSET;
    next += utf8 && byte >= 0xc0 ? 2 : 1;
    if (next > bytes.length) return 'open';
  }
  return { length: next - at, kind: kindOf(button) };
}
