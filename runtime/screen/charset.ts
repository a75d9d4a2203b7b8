// Which escape designates a charset that the emulator has in use. The package names no charsets, so one probe terminal
// is asked once: it gets each designation and is looked at. Always true: the default charset (US ASCII) has no final.
import headless from '@xterm/headless';
import { type Internals, internalsOf } from './internals.js';

const FINALS = '0A4C5RQKYE6ZH7=';
let known: ReadonlyMap<object, string> | undefined;

function probe(): ReadonlyMap<object, string> {
  const terminal = new headless.Terminal({ rows: 1, cols: 2, scrollback: 0, allowProposedApi: true });
  const core: Internals = internalsOf(terminal);
  const finals = new Map<object, string>();
  for (const final of FINALS) {
    core._inputHandler.parse(Buffer.from(`\x1b(${final}`));
    const charset = core._charsetService._charsets[0];
    if (charset !== undefined && !finals.has(charset)) finals.set(charset, final);
  }
  terminal.dispose();
  return finals;
}

/** The final byte of the designation, for example `0` for the line-drawing set; undefined for US ASCII. */
export function charsetFinal(charset: object | undefined): string | undefined {
  if (charset === undefined) return undefined;
  known ??= probe();
  return known.get(charset);
}
