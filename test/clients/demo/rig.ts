// Drives the demo agent's pure half: bytes in, statuses, submissions and rows out. Always true: bytes go through the real
// decoder, time comes from the case, and every report is collected in the order in which it would be written.
import { announce, NOTHING_TOLD } from '../../../clients/demo/agent/announce.js';
import { textOf } from '../../../clients/demo/agent/composer.js';
import { createDecoder } from '../../../clients/demo/agent/decode.js';
import { type Effect, type Event, initialState, type State } from '../../../clients/demo/agent/state.js';
import { step } from '../../../clients/demo/agent/step.js';
import { parseSwitches } from '../../../clients/demo/agent/switch.js';
import { viewOf } from '../../../clients/demo/agent/view.js';

export interface Rig {
  readonly state: State;
  readonly effects: readonly Effect[];
  /** Bodies of OSC strings as they were told. */
  readonly told: readonly string[];
  /** Bytes from the terminal at a time; without bytes only time passes. */
  at(ms: number, bytes?: string): void;
  /** A lone ESC was the Escape key. */
  flush(ms: number): void;
  happen(event: Event): void;
  composer(): string;
  submitted(): readonly string[];
  /** Live rows as text, blanks at their ends cut. */
  rows(): readonly string[];
}

export function startRig(words: readonly string[] = [], rows = 24, cols = 60): Rig {
  const switches = parseSwitches(words);
  if (typeof switches === 'string') throw new Error(switches);
  const decoder = createDecoder(switches.paste);
  const effects: Effect[] = [];
  const spoken: string[] = [];
  let state = initialState(switches, rows, cols);
  let told = NOTHING_TOLD;
  const happen = (event: Event) => {
    const result = step(state, event);
    state = result.state;
    effects.push(...result.effects);
    const said = announce(told, state);
    told = said.told;
    for (const match of said.bytes.matchAll(/\x1b\]([^\x1b]*)\x1b\\/g)) spoken.push(match[1] ?? '');
  };
  happen({ type: 'start', at: 0 });
  return {
    get state() {
      return state;
    },
    effects,
    told: spoken,
    at(ms, bytes = '') {
      happen({ type: 'tick', at: ms });
      for (const input of decoder.feed(Buffer.from(bytes, 'utf8'))) happen({ type: 'input', at: ms, input });
    },
    flush(ms) {
      for (const input of decoder.flush()) happen({ type: 'input', at: ms, input });
    },
    happen,
    composer: () => textOf(state.composer),
    submitted: () => effects.flatMap((effect) => (effect.type === 'submit' ? [effect.text] : [])),
    rows: () =>
      viewOf(state).live.map((row) =>
        row
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      ),
  };
}

/** Root states and titles that were told, short: `working`, `blocked permission`, `title ✳ Demo agent`, `agent-1 working`. */
export function shortTold(told: readonly string[]): readonly string[] {
  return told.map((body) => {
    if (body.startsWith('0;')) return `title ${body.slice(2)}`.trimEnd();
    const pairs = new Map(
      body
        .slice('7501;'.length)
        .split(':')
        .map((pair) => pair.split('=') as [string, string]),
    );
    return [pairs.get('id'), pairs.get('state'), pairs.get('kind')].filter((word) => word).join(' ');
  });
}
