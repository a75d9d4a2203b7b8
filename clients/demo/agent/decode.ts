// The terminal's bytes as input: keys, pastes, focus, answers. Always true: the result is the same for any cutting of the
// bytes, except that a lone ESC at the end becomes the Escape key only when `flush` says that nothing followed it in time;
// with frames off a paste marker is an unknown key and the text counts as typed. It knows no state of the agent.
import { controlKey, csiInput, type Input } from './key.js';

/** Longest escape sequence outside a paste that is waited for; a longer one is dropped. */
const SEQUENCE_CHARACTERS = 4096;

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';
const ESCAPE = '\x1b';

const CSI = /^\x1b\[([<=>?]?)([0-9;:]*)[ -/]*([@-~])/;
const CSI_OPEN = /^\x1b\[[ -?]*$/;
const STRING = /^\x1b([\]P_^X])([\s\S]*?)(?:\x1b\\|\x07)/;
const SS3: Readonly<Record<string, Input>> = {
  A: { type: 'key', key: 'up' },
  B: { type: 'key', key: 'down' },
  C: { type: 'key', key: 'right' },
  D: { type: 'key', key: 'left' },
  F: { type: 'key', key: 'line_end' },
  H: { type: 'key', key: 'line_start' },
};

export interface Decoder {
  feed(bytes: Uint8Array): Input[];
  /** An unfinished sequence is held. */
  readonly pending: boolean;
  /** Nothing followed in time: a held ESC was the key, anything longer is dropped. */
  flush(): Input[];
}

/** `frames`: the agent has turned bracketed paste on. */
export function createDecoder(frames: boolean): Decoder {
  const utf8 = new TextDecoder();
  let held = '';
  let paste: string | undefined;

  /** Takes one input from the front of `held`; undefined: more bytes are needed. */
  function next(): Input | undefined {
    if (paste !== undefined) return nextOfPaste();
    if (!held.startsWith(ESCAPE)) {
      const [character = ''] = held;
      held = held.slice(character.length);
      return controlKey(character) ?? { type: 'text', text: character };
    }
    if (held.length > SEQUENCE_CHARACTERS) return take(1, { type: 'ignored' });
    if (frames && held.startsWith(PASTE_BEGIN)) {
      held = held.slice(PASTE_BEGIN.length);
      paste = '';
      return nextOfPaste();
    }
    const csi = CSI.exec(held);
    if (csi) return take(csi[0].length, csiInput(csi[1] ?? '', csi[2] ?? '', csi[3] ?? ''));
    const string = STRING.exec(held);
    if (string) return take(string[0].length, stringInput(string[1] ?? '', string[2] ?? ''));
    if (held.length === 1 || CSI_OPEN.test(held) || /^\x1b[\]P_^X]/.test(held) || held === '\x1bO') {
      return undefined;
    }
    const second = held[1] ?? '';
    if (second === 'O') return take(3, SS3[held[2] ?? ''] ?? { type: 'ignored' });
    if (second === '\r' || second === '\n') return take(2, { type: 'key', key: 'newline' });
    if (second === ESCAPE) return take(1, { type: 'key', key: 'escape' });
    return take(2, { type: 'ignored' });
  }

  function nextOfPaste(): Input | undefined {
    const end = held.indexOf(PASTE_END);
    if (end >= 0) {
      const text = (paste ?? '') + held.slice(0, end);
      held = held.slice(end + PASTE_END.length);
      paste = undefined;
      return { type: 'paste', text: text.replace(/\r\n?/g, '\n') };
    }
    // The end marker may be cut: its possible beginning stays held.
    const keep = Math.min(PASTE_END.length - 1, held.length);
    paste = (paste ?? '') + held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return undefined;
  }

  function take(length: number, input: Input): Input {
    held = held.slice(length);
    return input;
  }

  function drain(): Input[] {
    const inputs: Input[] = [];
    while (held !== '' || paste !== undefined) {
      const input = next();
      if (input === undefined) break;
      inputs.push(input);
    }
    return inputs;
  }

  return {
    feed(bytes) {
      held += utf8.decode(bytes, { stream: true });
      return drain();
    },
    get pending() {
      return paste === undefined && held !== '';
    },
    flush() {
      if (paste !== undefined || held === '') return [];
      const alone = held === ESCAPE;
      held = '';
      return alone ? [{ type: 'key', key: 'escape' }] : [];
    },
  };
}

function stringInput(kind: string, body: string): Input {
  return kind === ']' && /^7501;\s*\?/.test(body)
    ? { type: 'answer', of: 'program_status' }
    : { type: 'ignored' };
}
