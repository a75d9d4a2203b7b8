// The package's sequence handlers, each with a rail: a handler that throws does nothing more, and a repeat count can't
// be larger than the screen. Always true: no bytes a program prints can throw out of a parse (which would lose the rest
// of them) or keep the thread busy for seconds (`CSI 2147483647 S` would). It changes no result of a sane sequence.
import type { CsiHandler, EscHandler, ExecuteHandler, Internals } from './internals.js';

type Bound = (rows: number, cols: number) => number;
const lines: Bound = (rows) => rows;
const cells: Bound = (rows, cols) => rows * cols;
const columns: Bound = (_, cols) => cols;

/** Counting sequences by their bytes after CSI: all of them loop as often as they are told. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  L: lines,
  M: lines,
  S: lines,
  T: lines,
  '@': columns,
  P: columns,
  X: columns,
  I: columns,
  Z: columns,
  b: cells,
  ' @': columns,
  ' A': columns,
  "'}": columns,
  "'~": columns,
};

const bounds = new Map(
  Object.entries(BOUNDS).map(([bytes, bound]) => [
    [...bytes].reduce((sum, byte) => (sum << 8) | byte.charCodeAt(0), 0),
    bound,
  ]),
);

/** Rails for every handler that the terminal has now. `onFault` is told what a handler threw. */
export function railHandlers(core: Internals, onFault: (error: unknown) => void): void {
  const parser = core._inputHandler._parser;
  for (const [identifier, handlers] of Object.entries(parser._csiHandlers)) {
    const bound = bounds.get(Number(identifier));
    // New arrays: those grown by pushing have room for 17.
    parser._csiHandlers[identifier] = handlers.map((handler) => railCsi(core, handler, bound, onFault));
  }
  for (const [identifier, handlers] of Object.entries(parser._escHandlers)) {
    parser._escHandlers[identifier] = handlers.map((handler) => rail(handler, onFault));
  }
  const print = parser._printHandler;
  parser._printHandler = (codePoints, start, end) => {
    try {
      print(codePoints, start, end);
    } catch (error) {
      onFault(error);
    }
  };
  for (const [code, handler] of Object.entries(parser._executeHandlers)) {
    parser._executeHandlers[Number(code)] = rail(handler, onFault);
  }
}

function railCsi(
  core: Internals,
  handler: CsiHandler,
  bound: Bound | undefined,
  onFault: (error: unknown) => void,
) {
  return ((params) => {
    try {
      if (bound !== undefined && params.params[0]! > 1) {
        const most = bound(core._bufferService.rows, core._bufferService.cols);
        if (params.params[0]! > most) params.params[0] = most;
      }
      return handler(params);
    } catch (error) {
      onFault(error);
      return true;
    }
  }) satisfies CsiHandler;
}

function rail<Handler extends EscHandler | ExecuteHandler>(
  handler: Handler,
  onFault: (error: unknown) => void,
) {
  return () => {
    try {
      return handler();
    } catch (error) {
      onFault(error);
      return true;
    }
  };
}
