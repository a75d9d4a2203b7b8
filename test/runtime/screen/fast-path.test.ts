// The emulator with its fast path ends as the package does by itself, for any program in any chunks and for recorded
// agents; and a character gathers no marks without end.
import unicode11 from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Emulator } from '../../../runtime/screen/emulator.js';
import { railHandlers } from '../../../runtime/screen/handler.js';
import { internalsOf } from '../../../runtime/screen/internals.js';
import { programStep } from './program.js';
import { feed, recording, stateOf } from './state.js';

const test = suite('runtime/screen/fast-path');

/** The package alone, in the emulator's shape. Its rails stay: without them some sequences throw. */
function unchanged(rows: number, cols: number, scrollback: number): Emulator {
  const terminal = new headless.Terminal({ rows, cols, scrollback, allowProposedApi: true, logLevel: 'off' });
  terminal.loadAddon(new unicode11.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const core = internalsOf(terminal);
  railHandlers(core, () => {});
  const { buffers } = core._bufferService;
  return {
    core,
    get rows() {
      return terminal.rows;
    },
    get cols() {
      return terminal.cols;
    },
    get buffer() {
      return buffers.active;
    },
    get alternate() {
      return buffers.active === buffers.alt;
    },
    title: '',
    link: () => undefined,
    parse: (bytes: Uint8Array) => core._inputHandler.parse(bytes),
    resize: (height: number, width: number) => terminal.resize(width, height),
  } as unknown as Emulator;
}

test('any program in any chunks, with a resize between them', () => {
  const size = fc.record({ rows: fc.integer({ min: 4, max: 9 }), cols: fc.integer({ min: 5, max: 24 }) });
  fc.assert(
    fc.property(
      fc.array(fc.array(programStep, { maxLength: 30 }), { maxLength: 6 }),
      size,
      size,
      (chunks, first, second) => {
        const fast = new Emulator({ ...first, scrollbackLines: 6 });
        const plain = unchanged(first.rows, first.cols, 6);
        for (const [index, chunk] of chunks.entries()) {
          const bytes = new Uint8Array(Buffer.from(chunk.join('')));
          for (const emulator of [fast, plain]) {
            emulator.parse(bytes);
            if (index === 2) emulator.resize(second.rows, second.cols);
          }
        }
        assert.equal(stateOf(fast), stateOf(plain));
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 250) },
  );
});

for (const agent of ['claude', 'codex', 'opencode', 'pi', 'gemini']) {
  test(`the recorded output of ${agent}`, () => {
    const { rows, cols, chunks } = recording(agent);
    const fast = new Emulator({ rows, cols, scrollbackLines: 100 });
    const plain = unchanged(rows, cols, 100);
    const states = [fast, plain].map((emulator) => {
      for (const chunk of chunks) feed(emulator, chunk);
      return { ...stateOf(emulator), title: '' };
    });
    assert.equal(states[0], states[1]);
  });
}

test('a character keeps at most 16 marks, however and in how many chunks they come', () => {
  for (const chunkMarks of [1, 7, 15, 16, 17, 1000]) {
    const emulator = new Emulator({ rows: 2, cols: 10, scrollbackLines: 0 });
    emulator.parse(new Uint8Array(Buffer.from('ab')));
    const chunk = new Uint8Array(Buffer.from('\u0301'.repeat(chunkMarks)));
    for (let sent = 0; sent < 3000; sent += chunkMarks) emulator.parse(chunk);
    emulator.parse(new Uint8Array(Buffer.from('c')));
    assert.is(emulator.row(0)?.translateToString(true, 0, 10), `ab${'\u0301'.repeat(16)}c`);
  }
});

test.run();
