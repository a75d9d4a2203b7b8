// What a package terminal holds and the model has no use for, given back: accessors and closures for each option, and a
// handler for each of a hundred charset designations. Always true: the terminal answers every sequence as before (the
// same property test as for the fast path), except that options set by sequences fire no events. It halves what a fresh
// session costs.
import type { Terminal } from '@xterm/headless';
import type { EscHandler, Internals } from './internals.js';

const DESIGNATORS = new Set('()*+-./');
/** Identifiers of charset designations, the same in every terminal. */
const designations = new Set<number>();

export function slim(terminal: Terminal, core: Internals): void {
  core.optionsService.options = core.optionsService.rawOptions;
  (terminal as unknown as { _publicOptions: object })._publicOptions = core.optionsService.rawOptions;
  const parser = core._inputHandler._parser;
  const kept: Record<string, EscHandler[]> = {};
  for (const [key, handlers] of Object.entries(parser._escHandlers)) {
    const identifier = Number(key);
    if (DESIGNATORS.has(String.fromCharCode(identifier >> 8))) designations.add(identifier);
    else kept[key] = handlers;
  }
  parser._escHandlers = kept;
  parser._escHandlerFb = (identifier) => {
    if (!designations.has(identifier)) return;
    core._inputHandler.selectCharset(String.fromCharCode(identifier >> 8, identifier & 0xff));
  };
}
