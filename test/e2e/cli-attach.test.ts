// `openfloor run` and `attach` in real terminals: what is typed arrives, and however it ends the terminal is given back.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CliTerminal, Home } from './home.js';

const test = suite<{ home: Home }>('cli attach');
test.before(async (context) => {
  context.home = new Home();
  const { code, err } = await context.home.run('up', '--background');
  assert.is(code, 0, err);
});
test.after(({ home }) => home.close());

/** A full-screen program that sets every mode that would be missed, and says what it reads. */
const FULL_SCREEN = String.raw`stty raw -echo
printf '\033[?1049h\033[?1002h\033[?1006h\033[?2004h\033[?1004h\033[?25l\033[>1u\033[?1h\033[5;10rFULL'
cat -v`;
const UNDONE = ['[?1002l', '[?1006l', '[?1004l', '[?2004l', '[?1l', '[?1049l', '[?25h'];
/** What follows the CLI in the same terminal: is it in cooked mode again? */
const AFTERWARDS =
  'echo "status $?"; stty -a | tr ";" "\\n" | grep -q " icanon" && stty -a | grep -q " echo " && echo COOKED || echo RAW; read -r _';

async function fullScreen(home: Home, seat: string): Promise<CliTerminal> {
  await home.client().sessions.create({ name: seat, command: ['/bin/sh', '-c', FULL_SCREEN] });
  const terminal = home.terminal(`openfloor attach ${seat}; ${AFTERWARDS}`);
  await terminal.shows('FULL');
  assert.is(terminal.model.buffer.active.type, 'alternate');
  return terminal;
}

async function isGivenBack(terminal: CliTerminal, from: number): Promise<void> {
  await terminal.seen(/COOKED|RAW/, from);
  const rest = terminal.output.slice(from);
  assert.match(rest, /COOKED/);
  for (const sequence of UNDONE) assert.ok(rest.includes(`\x1b${sequence}`), sequence);
  // A snapshot sets the kitty flags, the program itself pushes them.
  assert.match(rest, /\x1b\[(<1|=0)u/);
  await terminal.until(() => terminal.model.buffer.active.type === 'normal', 'the normal screen');
  assert.is(terminal.model.modes.mouseTrackingMode, 'none');
  assert.is(terminal.model.modes.bracketedPasteMode, false);
  assert.is(terminal.model.modes.sendFocusMode, false);
  assert.is(terminal.model.modes.applicationCursorKeysMode, false);
}

test('run starts a seat, what is typed arrives, and Ctrl-\\ d leaves it running', async ({ home }) => {
  const terminal = home.terminal(`echo BEFORE; openfloor run -- bash --norc; ${AFTERWARDS}`);
  await terminal.seen(/leave with Ctrl-\\ d/);
  await terminal.shows('bash-');
  terminal.type('echo $((6*7))-words\r');
  await terminal.shows('42-words');
  terminal.type('\x1cd');
  await terminal.seen(/left bash, which goes on; back with: openfloor attach bash/);
  await terminal.seen(/status 0[\s\S]*COOKED/);
  const { sessions } = await home.client().sessions.list();
  assert.is(sessions.find(({ name }) => name === 'bash')?.alive, true);
  // What was on the screen before is still there to scroll back to.
  const { active } = terminal.model.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)?.translateToString(true),
  );
  assert.ok(lines.includes('BEFORE'));
});

test('attaching again draws the screen as it was, in the size of this terminal', async ({ home }) => {
  const terminal = home.terminal('openfloor attach bash', { rows: 30, cols: 100 });
  await terminal.shows('42-words');
  terminal.type('stty size\r');
  await terminal.shows('30 100');
  terminal.resize(33, 111);
  // Typed only once the new size has arrived, which nothing on the screen tells.
  const { sessions } = home.client();
  while ((await sessions.list()).sessions.find(({ name }) => name === 'bash')?.cols !== 111);
  terminal.type('stty size\r');
  await terminal.shows('33 111');
  terminal.type('\x1cd');
  await terminal.exited;
});

test('two terminals share a seat, a viewer sees both and can not type', async ({ home }) => {
  const first = home.terminal('openfloor attach bash');
  const second = home.terminal('openfloor attach bash');
  // A viewer's size never counts: it sees the whole screen once the session has the others' size.
  await Promise.all([first.shows('42-words'), second.shows('42-words')]);
  const viewer = home.terminal('openfloor attach bash --view; echo "viewer status $?"');
  await viewer.seen(/read only/);
  await viewer.shows('42-words');
  viewer.type('echo from-the-viewer\r');
  first.type('echo from-first-$((1+1))\r');
  await viewer.shows('from-first-2');
  await second.shows('from-first-2');
  second.type('echo from-second-$((2+2))\r');
  await viewer.shows('from-second-4');
  await first.shows('from-second-4');
  assert.not(viewer.screen.some((row) => row.includes('from-the-viewer')));
  viewer.type('\x03');
  await viewer.seen(/left bash[\s\S]*viewer status 0/);
  first.type('\x1cd');
  second.type('\x1cd');
  await Promise.all([first.exited, second.exited]);
});

test('--take ends the others, who are told why', async ({ home }) => {
  const first = home.terminal(`openfloor attach bash; ${AFTERWARDS}`);
  await first.shows('42-words');
  const second = home.terminal('openfloor attach bash --take');
  await first.seen(/another connection took over[\s\S]*next: [\s\S]*status 1[\s\S]*COOKED/);
  second.type('\x1cd');
  await second.exited;
});

test('Ctrl-\\ with another key sends both, and twice sends one', async ({ home }) => {
  await home
    .client()
    .sessions.create({ name: 'keys', command: ['/bin/sh', '-c', 'stty raw -echo; printf ready; cat -v'] });
  const terminal = home.terminal('openfloor attach keys');
  await terminal.shows('ready');
  terminal.type('a\x1cx\x1c\x1cz\x03\x1a');
  await terminal.shows('readya^\\x^\\z^C^Z');
  terminal.type('\x1cd');
  await terminal.seen(/left keys/);
});

test('leaving a full-screen program gives the terminal back', async ({ home }) => {
  const terminal = await fullScreen(home, 'full-detach');
  const from = terminal.output.length;
  terminal.type('\x1b[92;5ud');
  await isGivenBack(terminal, from);
  assert.match(terminal.output.slice(from), /left full-detach[\s\S]*status 0/);
});

test('the end of the session gives the terminal back and says how it ended', async ({ home }) => {
  const terminal = await fullScreen(home, 'full-kill');
  const from = terminal.output.length;
  await home.client().sessions.kill('full-kill');
  await isGivenBack(terminal, from);
  assert.match(terminal.output.slice(from), /session killed by an operator[\s\S]*status 1/);
});

test('a program that ends by itself is told with its exit status', async ({ home }) => {
  await home
    .client()
    .sessions.create({ name: 'seven', command: ['/bin/sh', '-c', 'printf ready; read _; exit 7'] });
  const terminal = home.terminal(`openfloor attach seven; ${AFTERWARDS}`);
  await terminal.shows('ready');
  terminal.type('\r');
  await terminal.seen(/seven ended with exit status 7[\s\S]*status 0[\s\S]*COOKED/);
});

for (const signal of ['TERM', 'HUP', 'INT']) {
  test(`SIG${signal} gives the terminal back before the process dies of it`, async ({ home }) => {
    const seat = `full-${signal.toLowerCase()}`;
    const terminal = await fullScreen(home, seat);
    const from = terminal.output.length;
    const number = { TERM: 15, HUP: 1, INT: 2 }[signal];
    process.kill(terminal.commandPid, `SIG${signal}`);
    await isGivenBack(terminal, from);
    assert.match(terminal.output.slice(from), new RegExp(`status ${128 + (number ?? 0)}`));
  });
}

test('a seat that does not exist is one sentence, and the terminal is never touched', async ({ home }) => {
  const terminal = home.terminal(`openfloor attach nosuch; ${AFTERWARDS}`);
  await terminal.seen(/no such session: nosuch[\s\S]*status 1[\s\S]*COOKED/);
  assert.not(terminal.output.includes('\x1b[2J'));
});

test.run();
