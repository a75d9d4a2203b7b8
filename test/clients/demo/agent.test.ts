// The demo agent on a real PTY: its pack recognises it, each way of telling status gives the right statuses, the composer
// and its dialogs read as its pack says, and its journal holds what it received.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoAgent, reads, submissions } from '../../support/demo-agent.js';
import { type DemoTerminal, startDemo, type TerminalOptions } from './terminal.js';

const test = suite('clients/demo/agent');

/** Runs a case and ends its agent whatever happens. */
function on(
  name: string,
  switches: readonly string[],
  run: (terminal: DemoTerminal) => Promise<void>,
  options: TerminalOptions = {},
): void {
  test(name, async () => {
    const terminal = await startDemo(switches, options);
    try {
      await run(terminal);
    } finally {
      await terminal.close();
    }
  });
}

const empty = ({ until, reading }: DemoTerminal) =>
  until('an empty composer', () => reading().composer.kind === 'empty' && !reading().syncOpen);
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

on('its pack recognises the process, and it reports idle, working and done', [], async (terminal) => {
  const { until, watch, statuses, type } = terminal;
  await until('idle', () => watch.status.state === 'idle');
  assert.is(watch.pack?.name, 'demo');
  assert.is(watch.foreground().class, 'agent');
  assert.is(watch.status.source, 'program_status');
  await empty(terminal);
  type('hello\r');
  await until('done', () => watch.status.done);
  assert.equal(statuses, ['unknown starting', 'idle', 'working', 'idle done']);
  assert.is(watch.status.turns, 1);
  const entries = await terminal.agent.journal();
  assert.equal(submissions(entries), ['hello']);
  assert.is(reads(entries).join(''), 'hello\r');
});

on('a pasted text arrives as one frame, and Enter as a read of its own', [], async (terminal) => {
  await empty(terminal);
  terminal.type(paste('two\nlines'));
  const draft = await terminal.until('the draft', () => {
    const { composer } = terminal.reading();
    return composer.kind === 'draft' && composer;
  });
  assert.equal(
    draft.rows.map((row) => row.text),
    ['two', 'lines'],
  );
  terminal.type('\r');
  await terminal.agent.until((entries) => submissions(entries)[0]);
  assert.equal(await terminal.agent.submitted(), ['two\nlines']);
  assert.equal(reads(await terminal.agent.journal()), [paste('two\nlines'), '\r']);
});

on(
  'a terminal that does not know OSC 7501 gets titles, where a dialog looks like rest',
  [],
  async (terminal) => {
    const { until, watch, statuses, type } = terminal;
    await until('rest', () => watch.status.state === 'idle');
    assert.is(watch.status.source, 'sequence');
    await empty(terminal);
    type('ask\r');
    await until('the dialog', () => terminal.reading().dialog);
    type('1');
    await until('rest again', () => statuses.length >= 6 && watch.status.state === 'idle');
    const rest = 'idle needs composer';
    assert.equal(statuses, ['unknown starting', rest, 'working', rest, 'working', rest]);
  },
  { supports: false },
);

for (const [mode, source] of [
  ['always', 'program_status'],
  ['titles', 'sequence'],
] as const) {
  on(`--status ${mode} speaks without asking`, ['--status', mode], async ({ until, watch, output }) => {
    await until('idle', () => watch.status.state === 'idle');
    assert.is(watch.status.source, source);
    assert.not.match(output(), /7501;\?/);
  });
}

on('--status none leaves it unknown', ['--status', 'none'], async (terminal) => {
  await empty(terminal);
  terminal.type('hello\r');
  await terminal.until('the answer', () =>
    terminal.reading().text.some((row) => row.startsWith('• I read 5')),
  );
  terminal.watch.tick();
  assert.is(terminal.watch.pack?.name, 'demo');
  assert.equal(terminal.statuses, ['unknown starting']);
});

on('a permission dialog is blocked, is read with its keys, and 1 allows it once', [], async (terminal) => {
  const { until, watch, statuses, type, reading } = terminal;
  await empty(terminal);
  type('ask touch a\r');
  const dialog = await until('the dialog', () => reading().dialog);
  assert.is(dialog.id, 'permission');
  assert.equal(
    dialog.options.map(({ label, class: kind }) => [label, kind]),
    [
      ['Yes', 'allow_once'],
      ["Yes, and don't ask again", 'other'],
      ['No', 'deny_once'],
    ],
  );
  assert.not(dialog.truncated);
  assert.is(reading().composer.kind, 'unknown');
  assert.is(watch.status.kind, 'permission');
  assert.ok(dialog.keys);
  type(dialog.keys?.allow_once ?? '');
  await until('done', () => watch.status.done);
  assert.equal(statuses, [
    'unknown starting',
    'idle',
    'working',
    'blocked permission',
    'working',
    'idle done',
  ]);
  const answers = (await terminal.agent.journal()).filter((entry) => entry.type === 'answer');
  assert.equal(
    answers.map((entry) => entry.type === 'answer' && entry.choice),
    [0],
  );
});

on('a long command is told as truncated, and 3 denies it once', [], async (terminal) => {
  await empty(terminal);
  terminal.type(paste(`ask ${'touch a-long-name '.repeat(30)}`));
  terminal.type('\r');
  const dialog = await terminal.until('the dialog', () => terminal.reading().dialog);
  assert.ok(dialog.truncated);
  terminal.type(dialog.keys?.deny_once ?? '');
  await terminal.until('done', () => terminal.watch.status.done);
  await terminal.until('the answer', () => terminal.reading().text.includes('• Not run.'));
});

on('trust and question dialogs are read as what they are', ['--trust'], async (terminal) => {
  const trust = await terminal.until('the trust dialog', () => terminal.reading().dialog);
  assert.is(trust.kind, 'trust');
  await terminal.until('blocked', () => terminal.watch.status.state === 'blocked');
  terminal.type('1');
  await empty(terminal);
  terminal.type('question\r');
  const question = await terminal.until('the question', () => terminal.reading().dialog);
  assert.is(question.kind, 'question');
  assert.equal(question.keys, {});
});

on('background agents stand beside idle, background shells on the screen', [], async (terminal) => {
  await empty(terminal);
  terminal.type('background agents 700ms\r');
  await terminal.until('agents', () => terminal.statuses.includes('idle done with agents'));
  await terminal.until('no agents', () => terminal.statuses.at(-1) === 'idle done');
  terminal.type('background shells 700ms\r');
  await terminal.until('the shell', () => terminal.reading().background === 'shell');
  assert.is(terminal.watch.status.background, undefined);
});

on('Esc interrupts, and exit clears', [], async (terminal) => {
  const { until, watch, type } = terminal;
  await empty(terminal);
  type('work 60s\r');
  await until('working', () => watch.status.state === 'working');
  await until('the live row', () => terminal.reading().working);
  type('\x1b');
  await until('idle', () => watch.status.state === 'idle' && !watch.status.done);
  type('exit 3\r');
  assert.equal(await until('the exit', terminal.exit), { code: 3, signal: null });
  assert.match(terminal.output(), /state=clear.*\x1b\[\?1004l\x1b\[\?2004l/s);
});

on(
  '--exit-to-shell leaves a bare shell in front, which is no agent',
  ['--exit-to-shell'],
  async (terminal) => {
    const { until, watch, type } = terminal;
    await until('idle', () => watch.status.state === 'idle');
    assert.is(watch.foreground().class, 'agent');
    await empty(terminal);
    type('exit\r');
    await until('the shell', () => {
      watch.tick();
      return watch.foreground().class === 'shell';
    });
    assert.is(watch.status.cause, 'tenure_ended');
    assert.ok(terminal.reading().text.some((row) => row.startsWith('Demo agent')));
  },
);

on('a child that shares the terminal is foreign', [], async (terminal) => {
  await empty(terminal);
  terminal.type('child 60s\r');
  await terminal.until('the child', () => terminal.watch.foreground().cause === 'foreign_member');
});

on('what is drawn at any size reads the same', [], async (terminal) => {
  await empty(terminal);
  const text = 'The quick brown fox jumps over the lazy dog and runs on for a while, then it rests.';
  terminal.type(paste(text));
  for (const cols of [80, 41, 120, 60]) {
    terminal.resize(24, cols);
    const rows = await terminal.until(`the draft at ${cols} columns`, () => {
      const { composer, syncOpen, text: lines } = terminal.reading();
      const width = Math.max(...lines.map((line) => line.length));
      return !syncOpen && composer.kind === 'draft' && width === cols && composer.rows;
    });
    assert.is(rows.map((row) => row.text).join(' '), text);
  }
});

on('the conversation scrolls up for good on the main screen', [], async (terminal) => {
  await empty(terminal);
  terminal.type('print 60\r');
  await terminal.until('the last line', () => terminal.reading().text.includes('line 60'));
  assert.is(terminal.reading().composer.kind, 'empty');
  terminal.type('say after\r');
  await terminal.until('the answer', () => terminal.reading().text.includes('• after'));
  assert.is(terminal.reading().composer.kind, 'empty');
});

on('--alt draws the same on the alternate screen', ['--alt'], async (terminal) => {
  await terminal.until('the hint', () => terminal.reading().text.includes('> Ask the demo agent'));
  assert.is(terminal.reading().screen, 'alternate');
  terminal.type('say hello\r');
  await terminal.until('the answer', () => terminal.reading().text.includes('• hello'));
});

on(
  '--footer-noise, a suggestion and vim read as they should',
  ['--footer-noise', '--ghost', 'run it', '--vim'],
  async (terminal) => {
    const { until, reading } = terminal;
    await until('normal mode', () => reading().vetoes.includes('command_mode'));
    terminal.type('i');
    await empty(terminal);
    await until('noise', () => reading().text.some((row) => row.includes('indexing')));
    assert.is(reading().working, undefined);
    terminal.type('run it');
    await until('a draft of the same words', () => reading().composer.kind === 'draft');
  },
);

on(
  '--stall reads nothing: the kernel takes what it has room for and no more',
  ['--stall'],
  async (terminal) => {
    await terminal.until('idle', () => terminal.watch.status.state === 'idle');
    await empty(terminal);
    const chunk = Buffer.alloc(4096, 'x');
    let taken = 0;
    let result = terminal.pty.write(chunk);
    for (; typeof result === 'number' && taken < 1_048_576; result = terminal.pty.write(chunk))
      taken += result;
    assert.is(result, 'again');
    // The stream may have had one read under way.
    assert.ok((await terminal.agent.received()).length <= 65_536);
  },
);

on(
  'without bracketed paste the mode stays off, with kitty flags the flags are set',
  ['--no-paste', '--kitty=9'],
  async (terminal) => {
    const { modes, type, agent } = terminal;
    await empty(terminal);
    assert.is(modes.bracketedPaste, false);
    assert.is(modes.focusReports, true);
    assert.is(modes.kittyFlags, 9);
    type('one\x1b[13u');
    await agent.until((entries) => submissions(entries)[0]);
    type('exit\x1b[13u');
    await terminal.until('the exit', terminal.exit);
    assert.is(modes.kittyFlags, 0);
    assert.is(modes.focusReports, false);
  },
);

on('a crash restores nothing and clears nothing', [], async (terminal) => {
  await empty(terminal);
  terminal.type('crash\r');
  assert.equal(await terminal.until('the end', terminal.exit), { code: null, signal: 'SIGKILL' });
  assert.is(terminal.modes.bracketedPaste, true);
  assert.not.match(terminal.output(), /state=clear/);
});

on('a hangup ends it at once, and it clears its status', [], async (terminal) => {
  await empty(terminal);
  const report = await terminal.pty.kill(5000);
  assert.equal(report.survivors, []);
  assert.equal(await terminal.until('the end', terminal.exit), { code: 129, signal: null });
  assert.match(terminal.output(), /state=clear/);
});

test('without a terminal, or with a wrong switch, it says so in one sentence', () => {
  const agent = demoAgent(['--nap']);
  const [node = '', ...argv] = agent.command;
  const wrong = spawnSync(node, argv, { encoding: 'utf8' });
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, /^There is no switch "--nap"; .*\n$/);
  const blind = spawnSync(node, argv.slice(0, -1), { encoding: 'utf8' });
  assert.is(blind.status, 2);
  assert.match(blind.stderr, /^The demo agent needs a terminal: .*\n$/);
  agent.close();
});

test.run();
