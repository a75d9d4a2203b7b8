// One complete CSI sequence as data (ECMA-48 5.4): private prefix, parameters, intermediates, final. Always true: what
// is malformed (a prefix in the middle, sub-parameters, a parameter after an intermediate) is no sequence here; only
// colours have sub-parameters, and nothing here reads colours.

export interface Csi {
  /** `?`, `>`, `=`, `<` or empty. */
  readonly prefix: string;
  /** -1 where a parameter is left out. Never empty: `CSI c` has one left-out parameter. */
  readonly params: readonly number[];
  readonly intermediates: string;
  readonly final: string;
}

const DEL = 0x7f;
/** Parameters beyond this are clamped, as terminals do. */
const PARAM_MAX = 65_535;

/** Bytes from `ESC [` to the final byte, both included. Controls in between have taken effect and are skipped. */
export function readCsi(bytes: Uint8Array, start: number, end: number): Csi | undefined {
  let i = start + 2;
  const last = end - 1;
  let prefix = '';
  const first = bytes[i] as number;
  if (first >= 0x3c && first <= 0x3f) {
    prefix = String.fromCharCode(first);
    i++;
  }
  const params: number[] = [];
  let value = -1;
  for (; i < last; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      value = Math.min(PARAM_MAX, Math.max(value, 0) * 10 + byte - 0x30);
    } else if (byte === 0x3b) {
      params.push(value);
      value = -1;
    } else if (byte >= 0x20 && byte <= 0x2f) break;
    else if (byte >= 0x20 && byte !== DEL) return undefined;
  }
  params.push(value);
  let intermediates = '';
  for (; i < last; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x20 || byte === DEL) continue;
    if (byte > 0x2f) return undefined;
    intermediates += String.fromCharCode(byte);
  }
  return { prefix, params, intermediates, final: String.fromCharCode(bytes[last] as number) };
}

/** A parameter with its default where it is left out. */
export function param(csi: Csi, index: number, fallback: number): number {
  const value = csi.params[index];
  return value === undefined || value < 0 ? fallback : value;
}

const INTEREST = new Uint8Array(128);
for (const final of 'hlcnpqutxywvsrSRQ|') INTEREST[final.charCodeAt(0)] = 1;
const FINAL_M = 0x6d;

/** False for the sequences that only draw, by far most: they are never read further. */
export function mayMatter(bytes: Uint8Array, start: number, final: number): boolean {
  if (final === FINAL_M) {
    const prefix = bytes[start + 2] as number;
    return prefix === 0x3e || prefix === 0x3f;
  }
  return INTEREST[final] === 1;
}
