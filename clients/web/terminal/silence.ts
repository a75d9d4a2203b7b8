// Keeps xterm from answering: the runtime answers every query of the program itself, and a second answer would be typed
// into it as keys. Also the two sequences that reach out of the terminal: OSC 52 and CSI J at the corner. Always true: a
// query is swallowed; a clipboard read is never answered, a write is only offered.
import type { IDisposable, Terminal } from '@xterm/xterm';

/** Base64 beyond this is refused: no clipboard text of a person is that long. */
const CLIPBOARD_LIMIT = 1_400_000;

/** Text that a program wants on the clipboard, or undefined when the sequence is a read or malformed. */
export function clipboardText(data: string): string | undefined {
  const at = data.indexOf(';');
  const payload = at < 0 ? '' : data.slice(at + 1);
  if (payload === '' || payload === '?' || payload.length > CLIPBOARD_LIMIT) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function silence(terminal: Terminal, offer: (text: string) => void): IDisposable[] {
  const { parser } = terminal;
  const swallow = () => true;
  const asks = (data: string) => /(^|;)\?/.test(data);
  return [
    parser.registerCsiHandler({ final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '=', final: 'c' }, swallow),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow),
    parser.registerCsiHandler({ final: 'n' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'n' }, swallow),
    parser.registerCsiHandler({ final: 't' }, swallow),
    parser.registerCsiHandler({ final: 'x' }, swallow),
    parser.registerCsiHandler({ intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, swallow),
    parser.registerCsiHandler({ prefix: '?', final: 'u' }, swallow),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow),
    ...[4, 10, 11, 12, 17, 19].map((code) => parser.registerOscHandler(code, asks)),
    parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 1 && eraseAtCorner(terminal)),
    parser.registerOscHandler(52, (data) => {
      const text = clipboardText(data);
      if (text !== undefined) offer(text);
      return true;
    }),
  ];
}

interface Core {
  readonly _core?: { readonly _inputHandler?: { eraseInDisplay?(params: { params: number[] }): boolean } };
}

/**
 * xterm 6 throws on "erase up to here" in the last cell of a screen without history. That is the whole screen, so it erases
 * that; false where xterm's own way is safe.
 */
function eraseAtCorner(terminal: Terminal): boolean {
  const { cursorX, cursorY, length } = terminal.buffer.active;
  if (cursorX + 1 < terminal.cols || cursorY + 1 < length) return false;
  (terminal as unknown as Core)._core?._inputHandler?.eraseInDisplay?.({ params: [2] });
  return true;
}
