// Faults that others had, as far as status and recognition go; the numbers are those of the collected field reports. The
// built-in packs against streams made from what the reports describe.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveStatus } from '../../../runtime/status/derive.js';
import { foldStatus } from '../../../runtime/status/fold.js';
import { classifyForeground, findTenure } from '../../../runtime/status/foreground.js';
import { initialStatus, type StatusState } from '../../../runtime/status/state.js';
import type { Front, Status, StatusEvent } from '../../../runtime/status/status.js';
import { isTenure, type ProcessLike, tenureOf } from '../../../runtime/status/tenure.js';
import { parseTitle } from '../../../runtime/status/title.js';
import { createOutputScanner } from '../../../runtime/terminal/scanner.js';
import { builtinPack } from '../../support/replay.js';

const test = suite('field reports');

/** One agent session: what its program prints and what happens to it, in milliseconds. */
class Seat {
  #state: StatusState;
  #at = 0;
  #front: Front = 'tenure';
  readonly #scanner = createOutputScanner({
    pass() {},
    reply() {},
    osc: (code, body) =>
      this.fold({
        type: 'sequence',
        front: this.#front,
        sequence: { code, body, offset: this.#scanner.offset, at: this.#at },
      }),
    modesChanged() {},
    bell() {},
    reset: () => this.fold({ type: 'reset', at: this.#at, offset: this.#scanner.offset, front: this.#front }),
  });

  constructor(pack: string, version?: string) {
    const tenure = { pid: 2, startTime: '1', exe: '/usr/bin/agent', ...(version ? { version } : {}) };
    const started: StatusEvent = {
      type: 'tenure_started',
      at: 0,
      offset: 0,
      tenure,
      pack: builtinPack(pack),
    };
    this.#state = foldStatus(initialStatus(0), started).state;
  }
  get status(): Status {
    return deriveStatus(this.#state);
  }
  get offset(): number {
    return this.#scanner.offset;
  }
  fold(event: StatusEvent): void {
    this.#state = foldStatus(this.#state, event).state;
  }
  prints(text: string, front: Front = 'tenure'): this {
    this.#front = front;
    this.#scanner.push(Buffer.from(text, 'utf8'));
    return this;
  }
  title(text: string): this {
    return this.prints(`\x1b]0;${text}\x07`);
  }
  reports(body: string): this {
    return this.prints(`\x1b]7501;${body}\x1b\\`);
  }
  waits(ms: number): this {
    this.#at += ms;
    this.fold({ type: 'tick', at: this.#at });
    return this;
  }
  presses(key: 'escape' | 'ctrl_c'): this {
    this.fold({ type: 'interrupt', at: this.#at, key });
    return this;
  }
  hook(event: string, fields: Record<string, unknown> = {}): this {
    this.fold({ type: 'hook', at: this.#at, offset: this.offset, hook: { event, fields } });
    return this;
  }
}

test('C-21 a title with 9C inside its UTF-8 is whole at every split, ended by BEL or ST', () => {
  for (const end of ['\x07', '\x1b\\']) {
    const bytes = Buffer.from(`\x1b]0;✳ Pong${end}`, 'utf8');
    for (let at = 0; at <= bytes.length; at++) {
      const titles: string[] = [];
      let passed = 0;
      const scanner = createOutputScanner({
        pass: (chunk) => {
          passed += chunk.length;
        },
        reply() {},
        osc: (_, body) => {
          const title = parseTitle(body);
          titles.push(title.type === 'title' ? title.text : title.reason);
        },
        modesChanged() {},
        bell: () => void titles.push('bell'),
        reset() {},
      });
      scanner.push(bytes.subarray(0, at));
      scanner.push(bytes.subarray(at));
      assert.equal(titles, ['✳ Pong']);
      assert.is(passed, bytes.length);
    }
  }
});

test('C-22 a repaint, whatever caused it, is no status', () => {
  const seat = new Seat('claude-code').reports('state=idle').waits(100);
  const before = seat.status;
  seat.prints('\x1b[?2026h\x1b[2J\x1b[H● esc to interrupt\r\n❯ \x1b[?2026l').waits(2000);
  assert.equal(seat.status, before);
});

const fact = (pid: number, exe: string, argv: readonly string[], startTime = '9'): ProcessLike => ({
  pid,
  ppid: 1,
  pgid: pid,
  sid: 1,
  startTime,
  exe,
  argv,
});

test('C-32 an agent that has gone leaves a bare shell, its banner proves nothing; what replaced it by exec is not it', () => {
  const pack = builtinPack('claude-code');
  const agent = fact(5, '/usr/bin/claude', ['claude']);
  const found = findTenure({ pgid: 5, members: [agent] }, [pack]);
  assert.ok(found);
  const shell = { ...fact(1, '/bin/bash', ['bash', '-i']), ppid: 0 };
  const ask = (members: readonly ProcessLike[]) =>
    classifyForeground({
      foreground: { pgid: 5, members },
      leaderPid: 1,
      tenure: found.tenure,
      rules: pack.process,
      carriers: [],
    });
  assert.is(ask([agent]).class, 'agent');
  assert.is(ask([shell]).class, 'shell');
  assert.is(ask([fact(5, '/usr/bin/python3', ['python3', 'x.py'])]).class, 'foreground_other');
  assert.not(isTenure(fact(5, '/usr/bin/claude', ['claude'], '10'), found.tenure));
  assert.not(isTenure(fact(5, '/usr/bin/node', ['node', 'server.js']), tenureOf(agent, pack.process)));
});

test('C-34 a hook that never says Stop after Esc does not keep the seat working: the title says idle', () => {
  const seat = new Seat('claude-code').hook('UserPromptSubmit').title('◐ Task').waits(500);
  assert.is(seat.status.state, 'working');
  seat.presses('escape').waits(120).title('✳ Task').waits(2000);
  assert.is(seat.status.state, 'idle');
  assert.ok(seat.status.needsComposer);
});

test('C-34 a spinner that still moves after Esc stays working', () => {
  const seat = new Seat('claude-code').hook('UserPromptSubmit').title('◐ Task').presses('escape');
  for (const glyph of ['◑', '◐', '◑', '◐']) seat.waits(960).title(`${glyph} Task`);
  assert.is(seat.status.state, 'working');
});

test('C-34 with hooks alone an Esc that nothing follows is unknown after ten seconds, and says why', () => {
  const seat = new Seat('claude-code').hook('UserPromptSubmit').waits(100).presses('escape').waits(9_999);
  assert.is(seat.status.state, 'working');
  seat.waits(1);
  assert.is(seat.status.cause, 'interrupt_unsettled');
});

test('C-35 silence after a working title is never idle; the same idle title again is never work', () => {
  const gemini = new Seat('gemini-cli').title('✦  Working… (x)').waits(120_000);
  assert.is(gemini.status.state, 'working');
  const claude = new Seat('claude-code').title('◐ x').waits(120_000);
  assert.is(claude.status.cause, 'stale');
  const idle = new Seat('gemini-cli').title('◇  Ready (x)');
  for (let second = 0; second < 10; second++) idle.waits(1000).title('◇  Ready (x)');
  assert.is(idle.status.state, 'idle');
});

test('C-36 spinners of both generations are working, by version and without one; an unknown one is not idle', () => {
  assert.is(new Seat('claude-code', '2.1.332').title('◑ x').status.state, 'working');
  assert.is(new Seat('claude-code', '2.1.197').title('⠂ x').status.state, 'working');
  assert.is(new Seat('claude-code').title('⠐ x').status.state, 'working');
  assert.is(new Seat('claude-code').title('◑ x').status.state, 'working');
  assert.is(new Seat('claude-code', '2.1.332').title('⠂ x').status.state, 'unknown');
  assert.is(new Seat('claude-code').title('☉ x').status.state, 'unknown');
});

test('C-36 an agent whose title never changes may be idle only with its composer recognised', () => {
  const seat = new Seat('claude-code').title('✳ Claude Code').waits(60_000);
  assert.is(seat.status.state, 'idle');
  assert.ok(seat.status.needsComposer);
  seat.fold({
    type: 'reading',
    reading: { at: 60_000, offset: seat.offset, composer: true, working: { detail: 'esc to interrupt' } },
  });
  assert.is(seat.status.state, 'working');
});

test('C-38 a title split inside its string terminator is one title', () => {
  const seat = new Seat('qwen-code').prints('\x1b]2;Qwen - x\x1b').prints('\\');
  assert.is(seat.status.state, 'idle');
  assert.is(seat.status.detail, 'Qwen - x');
});

test('C-40 a turn that ends while subagents or background tasks run is idle with background agents', () => {
  const records = new Seat('claude-code').reports('state=working').reports('state=working:id=task/1');
  records.reports('state=done');
  assert.is(records.status.state, 'idle');
  assert.is(records.status.background, 'agents');
  const hooks = new Seat('claude-code').hook('Stop', { background_tasks: [{ id: 'b1' }] });
  assert.is(hooks.status.background, 'agents');
  const shell = new Seat('claude-code').reports('state=idle');
  shell.fold({
    type: 'reading',
    reading: { at: 1, offset: shell.offset, composer: true, background: 'shell' },
  });
  assert.is(shell.status.background, 'shell');
});

test('C-41 a log full of titles, reports, progress and "esc to interrupt" changes nothing while cat prints it', () => {
  const seat = new Seat('claude-code').reports('state=idle').waits(10);
  const before = seat.status;
  const log = '\x1b]0;◐ x\x07esc to interrupt\x1b]9;4;3;\x07\x1b]7501;state=working\x07\x1bc\x1b]133;A\x07';
  seat.prints(log, 'other').waits(10);
  assert.equal(seat.status, before);
});

test('C-44 a dialog on the screen is blocked at once, without its hook and before its notification', () => {
  const seat = new Seat('claude-code').title('◐ x').waits(960).title('✳ x').waits(100);
  seat.fold({
    type: 'reading',
    reading: {
      at: 1060,
      offset: seat.offset,
      composer: false,
      dialog: { kind: 'permission', detail: 'Do you want to proceed?' },
    },
  });
  assert.is(seat.status.state, 'blocked');
  assert.is(seat.status.kind, 'permission');
  assert.not(seat.status.hard);
});

test('C-44 a permission hook on an agent whose title looks idle is blocked, and work that goes on ends it', () => {
  const seat = new Seat('claude-code').title('◐ x').title('✳ x').hook('PermissionRequest');
  assert.is(seat.status.state, 'blocked');
  assert.is(seat.status.veto, 'hook');
  seat.title('◐ x');
  assert.is(seat.status.state, 'working');
});

test('the reverse marks: ✳ is a dialog in Qwen Code and at rest in Claude Code', () => {
  assert.is(new Seat('qwen-code').title('✳︎ Qwen - x').status.state, 'blocked');
  assert.is(new Seat('claude-code').title('✳ Claude Code').status.state, 'idle');
});

test('a shell seat is idle at its prompt by its marks, working while a command runs, unknown in between', () => {
  const seat = new Seat('shells');
  const states = ['A', 'B', 'C', 'D;0', 'A', 'B'].map(
    (mark) => seat.prints(`\x1b]133;${mark}\x07`).status.state,
  );
  assert.equal(states, ['unknown', 'idle', 'working', 'unknown', 'unknown', 'idle']);
});

test.run();
