// Cells about statuses: start, work, a permission dialog, an interrupt, leaving to the shell, an editor, a second start.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programBytes, readRecording } from '../support/recording.js';
import type { Cell } from './cell.js';
import { type Field, must, pause } from './field.js';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Types the command and waits for the first idle; answers what the agent asks before. */
async function start(field: Field, first: boolean): Promise<string> {
  const mark = field.mark();
  const from = Date.now();
  await field.enter(field.cli.command);
  await field.reaches('idle', field.cli.startMs);
  const { startDialog } = field.cli;
  if (first && startDialog !== undefined) {
    // It comes up after the first sign of readiness.
    await field.reaches('blocked', 10_000, ({ kind }) => kind === startDialog.kind);
    for (const key of startDialog.keys) {
      await pause(500);
      field.operator.type(key);
    }
  }
  const idle = await field.reaches('idle', 10_000);
  must(idle.agent === field.cli.pack, `recognised as ${idle.agent}`);
  const took = seconds(Date.now() - from);
  // opencode says that it is idle long before it draws anything.
  await field.free(field.cli.startMs);
  return `${field.story(mark)}, ${took}, free after ${seconds(Date.now() - from)}`;
}

/** After a cell that was wrong: the agent anew, so that one fault isn't counted twice. */
export async function startAgain(field: Field): Promise<void> {
  if ((await field.status()).foreground.class === 'shell') return;
  await field.backToShell();
  await start(field, false);
}

export const bareShell: Cell = {
  id: 'S1',
  title: 'a shell before any agent: unknown, and the floor says bare_shell',
  async run(field) {
    await field.until('the shell', 10_000, async () => (await field.status()).foreground.class === 'shell');
    const { status } = await field.status();
    const { reason } = await field.floor();
    must(status.state === 'unknown', `status ${status.state}`);
    must(reason === 'bare_shell', `floor ${reason}`);
    return `unknown (${status.cause}), ${reason}`;
  },
};

export const recordingShown: Cell = {
  id: 'S2',
  title: '`cat` of a recording with statuses in it changes nothing',
  async run(field) {
    const bytes = programBytes(readRecording('claude-7501-submit'));
    writeFileSync(field.file('recorded.bin'), bytes);
    const mark = field.mark();
    await field.enter('cat recorded.bin; printf "\\033c"; echo cat-$((40+2))');
    await field.until('the end of cat', 10_000, async () => (await field.screen()).includes('cat-42'));
    await pause(500);
    const told = field.since(mark).filter(({ state }) => state !== 'unknown');
    must(told.length === 0, `told ${field.story(mark)}`);
    const { status } = await field.status();
    must(status.turns === 0 && status.tenure === undefined, JSON.stringify(status));
    must((await field.floor()).reason === 'bare_shell', 'the floor changed');
    return `${bytes.length} bytes with ${bytes.toString('latin1').split('\x1b]7501;').length - 1} reports: still unknown, no tenure`;
  },
};

export const firstStart: Cell = {
  id: 'S3',
  title: 'start: idle, recognised as its pack',
  run: (field) => start(field, true),
};

export const oneTurn: Cell = {
  id: 'S4',
  title: 'the operator asks: working, then idle with one more turn',
  async run(field) {
    await field.free();
    const mark = field.mark();
    const { turns } = (await field.status()).status;
    const asked = field.model.asked.length;
    await field.enter('SLOW say hi');
    await field.reaches('working', 8_000);
    const began = Date.now();
    await field.reaches('idle', 20_000, (status) => status.turns > turns);
    const took = Date.now() - began;
    await pause(1_000);
    const { status } = await field.status();
    must(status.turns === turns + 1, `${status.turns - turns} turns counted`);
    must(field.model.asked.length === asked + 1, 'the model was not asked once');
    must(took > 3_000, `working for ${took} ms only while the answer took 4 s`);
    return field.story(mark);
  },
};

/** Asks for a command and waits for the dialog. */
export async function openDialog(field: Field): Promise<void> {
  await field.free();
  await field.enter('TOOLRUN please');
  await field.reaches('blocked', 20_000);
}

export const permission: Cell = {
  id: 'S5',
  title: 'a permission dialog: blocked, of the right kind, within the turn',
  async run(field) {
    await field.free();
    const mark = field.mark();
    const { turns } = (await field.status()).status;
    await openDialog(field);
    // Channel and screen may come one after the other.
    const { status, dialog } = await field.until('its kind and the dialog on the screen', 5_000, async () => {
      const seen = await field.status();
      return seen.status.kind === field.cli.dialogKind && seen.dialog !== undefined && seen;
    });
    must(status.turns === turns, `${status.turns - turns} turns counted while the dialog is up`);
    return `${field.story(mark)}; kind ${status.kind}; dialog on the screen: ${dialog?.kind ?? 'none'}`;
  },
};

export const approved: Cell = {
  id: 'S6',
  title: 'the operator approves: working, then idle, one turn in all',
  async run(field) {
    const { status } = await field.status();
    must(status.state === 'blocked', `no dialog is up: ${status.state}`);
    const mark = field.mark();
    field.operator.type(field.cli.approve);
    await field.reaches('idle', 25_000, ({ turns }) => turns > status.turns);
    await pause(1_000);
    const after = (await field.status()).status;
    must(after.turns === status.turns + 1, `${after.turns - status.turns} turns counted`);
    return field.story(mark);
  },
};

export const interrupted: Cell = {
  id: 'S7',
  title: 'Esc while it works: idle, and the model sees the answer cut',
  async run(field) {
    await field.free();
    const mark = field.mark();
    await field.enter('LONG answer');
    await field.reaches('working', 8_000);
    await field.until('the request', 5_000, () => field.model.asked.at(-1)?.text === 'LONG answer');
    await pause(1_500);
    const from = Date.now();
    await field.interrupt();
    await field.reaches('idle', 12_000);
    const took = Date.now() - from;
    await field.until('the cut', 5_000, () => field.model.asked.at(-1)?.aborted);
    return `${field.story(mark)}; idle ${took} ms after the first key`;
  },
};

export const left: Cell = {
  id: 'S8',
  title: 'exit to bash: unknown, and the floor says bare_shell',
  async run(field) {
    await field.free();
    const mark = field.mark();
    await field.enter(field.cli.exit);
    await field.reaches('unknown', 20_000);
    await field.until('the shell', 15_000, async () => (await field.status()).foreground.class === 'shell');
    const { reason } = await field.floor();
    must(reason === 'bare_shell', `floor ${reason}`);
    return `${field.story(mark)}, ${reason}`;
  },
};

export const editor: Cell = {
  id: 'S9',
  title: 'a pager in front: foreground_other, and nothing is typed',
  async run(field) {
    writeFileSync(field.file('long.txt'), 'a line\n'.repeat(500));
    await field.backToShell();
    await field.enter('less long.txt');
    await field.until('less', 10_000, async () => (await field.floor()).reason === 'foreground_other');
    const { status, foreground } = await field.status();
    must(status.state === 'unknown', `status ${status.state}`);
    const granted = await field.granted();
    const { status: code, body } = await field.send('must not be typed');
    must(code === 409 && body.reason === 'foreground_other', `${code} ${body.reason}`);
    must((await field.granted()) === granted, 'something was granted');
    must(!(await field.screen()).includes('must not be'), 'it stands on the screen');
    field.operator.type('q');
    await field.until('the shell', 10_000, async () => (await field.status()).foreground.class === 'shell');
    return `${foreground.class} (${foreground.cause}), send refused: ${body.reason}`;
  },
};

export const secondStart: Cell = {
  id: 'S10',
  title: 'a second start in the same shell: a new tenure, idle, no turns inherited',
  async run(field) {
    await field.backToShell();
    const before = field.since(0).findLast(({ tenure }) => tenure !== undefined)?.tenure;
    const story = await start(field, false);
    const { status } = await field.status();
    must(status.tenure !== undefined && status.tenure !== before, `tenure ${status.tenure}`);
    must(status.turns === 0, `${status.turns} turns inherited`);
    return story;
  },
};

export const afterRestart: Cell = {
  id: 'S11',
  title: 'after the second start the floor is free again and a send is a turn',
  async run(field) {
    await field.free();
    const { body } = await field.send('once more after the restart', 10_000);
    must(body.outcome === 'delivered', `${body.outcome} ${body.reason}`);
    // The receipt says that a turn began, which the model hears of a little later.
    await field.until(
      'the request at the model',
      10_000,
      () => field.model.asked.at(-1)?.text === 'once more after the restart',
    );
    const { turns } = await field.reaches('idle', 15_000, (status) => status.turns > 0);
    return `delivered, turns ${turns}`;
  },
};

export const launched: Cell = {
  id: 'S13',
  title:
    'started by the runtime itself, with nothing installed: idle by its launch help, a send, the end of its session',
  async run(field) {
    // What `hooks install` left for the shell; here the pack's launch help must do.
    rmSync(join(field.place.env.HOME ?? '', '.config/opencode/plugins'), { recursive: true, force: true });
    const alone = await field.alone();
    try {
      const from = Date.now();
      await alone.reaches('idle', field.cli.startMs);
      const started = seconds(Date.now() - from);
      await alone.free(field.cli.startMs);
      const { body } = await alone.send('hello without a shell', 15_000);
      must(body.outcome === 'delivered', `${body.outcome} ${body.reason} ${body.cause ?? ''}`);
      await alone.reaches('idle', 20_000, ({ turns }) => turns > 0);
      must(field.model.asked.at(-1)?.text === 'hello without a shell', 'the model saw something else');
      await alone.free();
      await alone.enter(field.cli.exit);
      await alone.until('the end of the session', 20_000, async () => {
        const { reason } = await alone.floor();
        return reason === 'session_ended' || reason === 'session_missing';
      });
      const late = await alone.send('nobody is there');
      must(late.body.sent !== true, `after its end: ${late.status} ${late.body.outcome}`);
      return `${alone.story(0)}; idle after ${started}; then ${late.body.reason}`;
    } finally {
      alone.close();
    }
  },
};

export const editorInside: Cell = {
  id: 'S12',
  title: 'the agent opens an editor of its own: nothing is typed, and after it the floor is free again',
  async run(field) {
    await field.free();
    const mark = field.mark();
    for (const key of field.cli.editor) {
      field.operator.type(key);
      await pause(300);
    }
    const tildes = async () => (await field.screen()).split('\n').filter((row) => row.trim() === '~').length;
    await field.until('vi', 10_000, async () => (await tildes()) > 5);
    const granted = await field.granted();
    const reasons = new Set<string>();
    // Also when the person has been quiet for long.
    const deadline = Date.now() + 5_000;
    while (Date.now() < deadline) {
      const { status, body } = await field.send('must not be typed');
      must(status === 409 && body.sent === false, `${status} ${body.outcome} ${body.reason}`);
      reasons.add(body.cause ?? body.reason);
      await pause(500);
    }
    must((await field.granted()) === granted, 'something was granted');
    must(!(await field.screen()).includes('must not be'), 'it stands on the screen');
    const { status, foreground } = await field.status();
    field.operator.type(':q!\r');
    await field.until('the end of vi', 10_000, async () => (await tildes()) === 0);
    await field.free();
    return `${foreground.class}, status ${status.state} (${status.cause ?? status.source}), send refused: ${[...reasons].join(', ')}; ${field.story(mark)}`;
  },
};
