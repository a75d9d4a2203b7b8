#!/usr/bin/env node
// The demo agent's process: a small honest full-screen coding agent without a model. This file is its edge: the terminal,
// the clock, the journal. Always true: every read is noted before it is understood; the terminal is as it was when the
// agent leaves, a crash excepted. What it does stands in step.ts, what it looks like in view.ts.
import { spawn } from 'node:child_process';
import { announce, NOTHING_TOLD, rootRecord } from './announce.js';
import { createDecoder } from './decode.js';
import { openJournal } from './journal.js';
import type { Input } from './key.js';
import { type Painted, paint } from './paint.js';
import { type Effect, type Event, initialState, nextDeadline } from './state.js';
import { step } from './step.js';
import { parseSwitches, type Switches } from './switch.js';

/** A lone ESC is the Escape key when nothing follows it for so long. */
const ESCAPE_MS = 25;

function modes(switches: Switches): { readonly on: string; readonly off: string } {
  const { paste, kitty, alt, exitToShell } = switches;
  const on = [
    alt ? '\x1b[?1049h' : '',
    paste ? '\x1b[?2004h' : '',
    '\x1b[?1004h',
    kitty > 0 ? `\x1b[>${kitty}u` : '',
    switches.status === 'query' ? '\x1b]7501;?\x1b\\\x1b[c' : '',
  ].join('');
  const off = [
    kitty > 0 ? '\x1b[<u' : '',
    '\x1b[?1004l',
    paste ? '\x1b[?2004l' : '',
    '\x1b[0m\x1b[?25h',
    alt ? '\x1b[?1049l' : exitToShell ? '\r\n' : '',
  ].join('');
  return { on, off };
}

function run(switches: Switches): void {
  const { stdin, stdout } = process;
  const journal = openJournal(switches.journal);
  const decoder = createDecoder(switches.paste);
  const { on, off } = modes(switches);
  let state = initialState(switches, stdout.rows, stdout.columns);
  let told = NOTHING_TOLD;
  let root: string | undefined;
  let painted: Painted | undefined;
  let timer: NodeJS.Timeout | undefined;
  let escapeTimer: NodeJS.Timeout | undefined;
  let syncTimer: NodeJS.Timeout | undefined;
  let lastAt = 0;

  /** Milliseconds that never go back. */
  const now = () => (lastAt = Math.max(lastAt, performance.now()));

  const happen = (event: Event) => {
    const result = step(state, event);
    state = result.state;
    for (const effect of result.effects) perform(effect);
    const said = announce(told, state);
    told = said.told;
    if (said.bytes !== '') stdout.write(said.bytes);
    const now = rootRecord(state);
    if (now !== undefined && now !== root) journal.note({ type: 'status', speech: state.speech, state: now });
    root = now;
  };

  const draw = () => {
    const frame = paint(painted, state);
    painted = frame.painted;
    if (frame.bytes !== '') {
      stdout.write(switches.sync > 0 ? `\x1b[?2026h${frame.bytes}` : frame.bytes);
      if (switches.sync > 0) {
        clearTimeout(syncTimer);
        syncTimer = setTimeout(() => stdout.write('\x1b[?2026l'), switches.sync);
      }
    }
    clearTimeout(timer);
    const due = nextDeadline(state);
    if (due !== undefined) timer = setTimeout(() => tell({ type: 'tick', at: now() }), due - now() + 1);
  };

  const tell = (...events: readonly Event[]) => {
    for (const event of events) if (state.front.is !== 'ended') happen(event);
    if (state.front.is !== 'ended') draw();
  };

  const give = (inputs: readonly Input[]) => {
    const at = now();
    tell(...inputs.map((input): Event => ({ type: 'input', at, input })));
  };

  const perform = (effect: Effect) => {
    switch (effect.type) {
      case 'submit':
      case 'answer':
        return journal.note(effect);
      case 'stall':
        stdin.pause();
        if (Number.isFinite(effect.ms)) setTimeout(() => stdin.resume(), effect.ms);
        return;
      case 'child':
        // It has the terminal for its standard input and does not read it.
        spawn('sleep', [String(effect.ms / 1000)], { stdio: 'inherit' });
        return;
      case 'exit':
        return leave(effect.code);
      case 'crash':
        process.kill(process.pid, 'SIGKILL');
    }
  };

  const leave = (code: number) => {
    clearTimeout(timer);
    journal.note({ type: 'exit', code });
    const clear = switches.alt || switches.exitToShell ? '' : `\r\x1b[${painted?.caretRow || 0}A\x1b[J`;
    const upless = clear.replace('\x1b[0A', '');
    stdin.removeAllListeners('data');
    stdin.setRawMode(false);
    // The last words come after the status of this very step, and before the process goes.
    setImmediate(() => stdout.write(upless + off, () => process.exit(code)));
  };

  journal.note({ type: 'start', pid: process.pid, argv: process.argv });
  stdin.setRawMode(true);
  stdin.on('data', (bytes: Buffer) => {
    journal.note({ type: 'read', bytes: bytes.toString('base64') });
    clearTimeout(escapeTimer);
    give(decoder.feed(bytes));
    if (decoder.pending) escapeTimer = setTimeout(() => give(decoder.flush()), ESCAPE_MS);
  });
  stdout.on('resize', () => {
    tell({ type: 'resize', at: now(), rows: stdout.rows, cols: stdout.columns });
  });
  for (const signal of ['SIGHUP', 'SIGTERM'] as const) {
    process.on(signal, () => tell({ type: 'hangup', at: now() }));
  }
  // A terminal that has gone away is no reason to stay. Node aborts when it can't restore it, so nothing is restored.
  const gone = () => void process.kill(process.pid, 'SIGKILL');
  for (const end of ['end', 'error']) stdin.on(end, gone);
  stdout.on('error', gone);
  stdout.write(on);
  tell({ type: 'start', at: now() });
}

const switches = parseSwitches(process.argv.slice(2));
if (typeof switches === 'string') {
  process.stderr.write(`${switches}\n`);
  process.exit(2);
}
if (!process.stdin.isTTY || !process.stdout.isTTY) {
  process.stderr.write('The demo agent needs a terminal: start it in one, or with openfloor run.\n');
  process.exit(2);
}
run(switches);
