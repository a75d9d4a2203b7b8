// The query string of an attach: `since`, `rows`, `cols`, `mode`, `snapshot`, `scrollback`. Malformed values are refused
// whole (attach contract 1.4 row 0 and 8); unknown keys are ignored, but a token in a query is never accepted. Pure.
import type { AttachMode } from '../../protocol/frame.js';
import { DEFAULT_COLS, DEFAULT_ROWS, SIZE_MAX, SIZE_MIN } from '../../protocol/limit.js';

export interface AttachQuery {
  readonly since: bigint | undefined;
  readonly rows: number | undefined;
  readonly cols: number | undefined;
  readonly mode: AttachMode | undefined;
  readonly snapshotLines: number | undefined;
}

const U64_MAX = 18_446_744_073_709_551_615n;
const U16_MAX = 65_535;
/** History of a snapshot when the client doesn't say: a few screens, drawn in one go. */
const SNAPSHOT_LINES = 1_000;
const SNAPSHOT_LINES_MAX = 100_000;
const KEYS = ['since', 'rows', 'cols', 'mode', 'snapshot', 'scrollback'];

export function parseAttachQuery(query: string): AttachQuery | { readonly refused: string } {
  const params = new URLSearchParams(query);
  const one = (key: string) => params.getAll(key)[0];
  for (const key of KEYS) {
    if (params.getAll(key).length > 1) return { refused: `query parameter ${key} is given twice` };
  }
  const since = number(one('since'), U64_MAX);
  const rows = number(one('rows'), BigInt(U16_MAX));
  const cols = number(one('cols'), BigInt(U16_MAX));
  const lines = number(one('scrollback'), BigInt(SNAPSHOT_LINES_MAX));
  if (since === 'bad') return { refused: 'since must be an unsigned 64-bit number' };
  if (rows === 'bad' || cols === 'bad') return { refused: 'rows and cols must be unsigned 16-bit numbers' };
  if (lines === 'bad') return { refused: `scrollback must be a number up to ${SNAPSHOT_LINES_MAX}` };
  const mode = one('mode');
  if (mode !== undefined && mode !== 'take' && mode !== 'join' && mode !== 'view') {
    return { refused: 'mode must be take, join or view' };
  }
  const snapshot = one('snapshot');
  if (snapshot !== undefined && snapshot !== '0' && snapshot !== '1')
    return { refused: 'snapshot must be 0 or 1' };
  return {
    since,
    rows: rows === undefined ? undefined : Number(rows),
    cols: cols === undefined ? undefined : Number(cols),
    mode,
    snapshotLines: snapshot === '1' ? Number(lines ?? SNAPSHOT_LINES) : undefined,
  };
}

/** The size that the query names; undefined: keep the session's; `bad`: out of range (checked after the token). */
export function querySize(query: AttachQuery): { rows: number; cols: number } | undefined | 'bad' {
  if (query.rows === undefined && query.cols === undefined) return undefined;
  const rows = query.rows ?? DEFAULT_ROWS;
  const cols = query.cols ?? DEFAULT_COLS;
  const fits = (value: number) => value >= SIZE_MIN && value <= SIZE_MAX;
  return fits(rows) && fits(cols) ? { rows, cols } : 'bad';
}

function number(text: string | undefined, max: bigint): bigint | undefined | 'bad' {
  if (text === undefined) return undefined;
  if (!/^\d{1,20}$/.test(text)) return 'bad';
  const value = BigInt(text);
  return value > max ? 'bad' : value;
}
