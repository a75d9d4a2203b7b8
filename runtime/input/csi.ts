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

/** Text between `ESC [` and the final byte, final included. */
export function readInputCsi(text: string): InputCsi | undefined {
  const match = /^([<-?]?)([\d;:]*)([ -/]*)([@-~])$/.exec(text);
  if (!match) return undefined;
  const [, prefix = '', list = '', intermediates = '', final = ''] = match;
  const params = list
    .split(';')
    .map((field) => field.split(':').map((number) => (number === '' ? -1 : Number(number))));
  return { prefix, params, intermediates, final };
}

/** First number of a parameter, with its default where it is left out. */
export function number(csi: InputCsi, index: number, fallback: number): number {
  const value = csi.params[index]?.[0];
  return value === undefined || value < 0 ? fallback : value;
}
