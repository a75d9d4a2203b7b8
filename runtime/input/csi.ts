// One complete CSI sequence from a client as data. Always true: parameters keep their sub-parameters, which kitty's keys
// need; a left-out number is -1. What it means stands in key.ts, mouse.ts and reply-shape.ts.

export interface InputCsi {
  /** `?`, `>`, `=`, `<` or empty. */
  readonly prefix: string;
  /** Parameters, each with its sub-parameters. At least one, `[-1]` when left out. */
  readonly params: ReadonlyArray<readonly number[]>;
  readonly intermediates: string;
  readonly final: string;
}

/** Bytes from behind `ESC [` to the final byte, which ends at `end`. Undefined when they are malformed. */
export function readInputCsi(bytes: Uint8Array, start: number, end: number): InputCsi | undefined {
  const last = end - 1;
  let at = start;
  let prefix = '';
  const first = bytes[at] as number;
  if (first >= 0x3c && first <= 0x3f) {
    prefix = String.fromCharCode(first);
    at++;
  }
  const params: number[][] = [];
  let param: number[] = [];
  let value = -1;
  for (; at < last; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) value = Math.min(NUMBER_MAX, Math.max(value, 0) * 10 + byte - 0x30);
    else if (byte === 0x3a || byte === 0x3b) {
      param.push(value);
      value = -1;
      if (byte === 0x3a) continue;
      params.push(param);
      param = [];
    } else break;
  }
  param.push(value);
  params.push(param);
  let intermediates = '';
  for (; at < last; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x2f) return undefined;
    intermediates += String.fromCharCode(byte);
  }
  return { prefix, params, intermediates, final: String.fromCharCode(bytes[last] as number) };
}

/** Beyond every code point, so that no clamped number is a key. */
const NUMBER_MAX = 0x7fff_ffff;

/** First number of a parameter, with its default where it is left out. */
export function number(csi: InputCsi, index: number, fallback: number): number {
  const value = csi.params[index]?.[0];
  return value === undefined || value < 0 ? fallback : value;
}
