// Cells about the floor: what automation sends arrives exactly once and whole, waits while the agent works or a person has a
// draft, and is never written into a dialog, a shell or an editor.
import type { Cell } from './cell.js';
import { type Field, must, pause } from './field.js';

/** Sends and checks that the model was asked exactly this, once. */
async function arrives(field: Field, text: string): Promise<string> {
  await field.free();
  const before = field.model.asked.length;
  const mark = field.mark();
  const from = Date.now();
  const { status, body } = await field.send(text, 15_000);
  const tookMs = Date.now() - from;
  if (body.outcome !== 'delivered') await pause(500);
  must(
    status === 200 && body.outcome === 'delivered',
    `${status} ${body.outcome} ${body.reason} ${body.cause ?? ''}: ${field.story(mark)}`,
  );
  await field.reaches('idle', 20_000);
  await pause(1_000);
  const asked = field.model.asked.slice(before);
  must(
    asked.length === 1,
    `${asked.length} requests: ${asked.map((each) => JSON.stringify(each.text.slice(0, 60))).join(', ')}`,
  );
  const got = asked[0]?.text ?? '';
  must(
    got === text,
    `${got.length} of ${text.length} characters, ${JSON.stringify(got.slice(0, 60))}...${JSON.stringify(got.slice(-40))}`,
  );
  return `once, exact, ${tookMs} ms`;
}

/** Exactly this many bytes of ASCII. */
function sized(bytes: number, piece: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < bytes; index++) text += piece(index);
  return `${text.slice(0, bytes - 8)} THE-END`;
}

const texts: ReadonlyArray<readonly [string, string, string]> = [
  ['F1', 'one line', 'hello from automation'],
  ['F2', 'many lines', 'first line\n  second, indented\n\nfourth: `code` "quotes" ünïcödé 漢字'],
  ['F3', '8 KB in one line', sized(8192, (index) => `word${index} `)],
  ['F4', '8 KB in many lines', sized(8192, (index) => `line ${index} of a long message\n`)],
];

export const arriving: readonly Cell[] = texts.map(([id, name, text]) => ({
  id,
  title: `a send of ${name} to an idle agent arrives once and exact`,
  run: (field) => arrives(field, text),
}));

export const whileWorking: Cell = {
  id: 'F5',
  title: 'while it works: refused at once, or waits and is typed after the turn',
  async run(field) {
    await field.free();
    const before = field.model.asked.length;
    await field.enter('SLOW first');
    await field.reaches('working', 8_000);
    const now = await field.send('not now');
    must(now.status === 409 && now.body.sent === false, `${now.status} sent ${now.body.sent}`);
    const later = await field.send('afterwards', 40_000);
    must(
      later.body.outcome === 'delivered',
      `${later.body.outcome} ${later.body.reason} ${later.body.cause ?? ''}`,
    );
    await field.reaches('idle', 20_000);
    await pause(1_000);
    const asked = field.model.asked.slice(before);
    const got = asked.map(({ text }) => text);
    must(JSON.stringify(got) === '["SLOW first","afterwards"]', JSON.stringify(got));
    const [first, second] = asked;
    must(
      first?.aborted === false && (first.endedAt ?? 0) <= (second?.at ?? 0),
      'the running turn was disturbed',
    );
    return `${now.body.reason} (${now.body.cause ?? 'no cause'}); typed ${(second?.at ?? 0) - (first?.endedAt ?? 0)} ms after the turn`;
  },
};

export const whileAsking: Cell = {
  id: 'F6',
  title: 'a dialog is up: zero bytes, target_needs_input',
  async run(field) {
    const { status } = await field.status();
    must(status.state === 'blocked', `no dialog is up: ${status.state}`);
    const granted = await field.granted();
    const before = await field.screen();
    const { status: code, body } = await field.send('yes please', 2_000);
    must(code === 409 && body.reason === 'target_needs_input', `${code} ${body.reason}`);
    must(body.sent === false && (body.bytes_written ?? 0) === 0, JSON.stringify(body));
    await pause(500);
    must((await field.granted()) === granted, 'something was granted');
    const after = (await field.status()).status;
    must(after.state === 'blocked', `now ${after.state}`);
    return `${body.reason}, screen ${before === (await field.screen()) ? 'unchanged' : 'redrawn'}, still blocked`;
  },
};

export const draft: Cell = {
  id: 'F7',
  title: "an operator's draft is never touched; after it is submitted the send goes",
  async run(field) {
    await field.free();
    const before = field.model.asked.length;
    await field.type('half typed draft');
    // Past the quiet time, so that only the draft stands in the way.
    await field.until(
      'the end of the quiet time',
      8_000,
      async () => (await field.floor()).reason !== 'human_active',
    );
    const now = await field.send('from automation');
    must(now.status === 409 && now.body.reason === 'draft_input_busy', `${now.status} ${now.body.reason}`);
    const granted = await field.granted();
    const waiting = field.send('from automation', 60_000);
    await pause(2_000);
    must((await field.granted()) === granted, 'something was typed onto the draft');
    must((await field.screen()).includes('half typed draft'), 'the draft is not there any more');
    const { composer } = await field.status();
    await field.type(' is whole');
    await pause(300);
    field.operator.type('\r');
    const { body } = await waiting;
    must(body.outcome === 'delivered', `${body.outcome} ${body.reason} ${body.cause ?? ''}`);
    await field.reaches('idle', 20_000);
    await pause(1_000);
    const got = field.model.asked.slice(before).map(({ text }) => text);
    must(JSON.stringify(got) === '["half typed draft is whole","from automation"]', JSON.stringify(got));
    return `${now.body.reason}, composer read as ${composer.state}; then both, apart`;
  },
};

export const draftErased: Cell = {
  id: 'F8',
  title: 'a draft that the operator erases frees the floor again',
  async run(field) {
    await field.free();
    await field.type('oops');
    await pause(500);
    for (let key = 0; key < 4; key++) {
      field.operator.type('\x7f');
      await pause(150);
    }
    await field.free(15_000);
    return arrives(field, 'after an erased draft');
  },
};

export const inShell: Cell = {
  id: 'F9',
  title: 'after exit to bash nothing is typed',
  async run(field) {
    must((await field.status()).foreground.class === 'shell', 'no shell is in front');
    const granted = await field.granted();
    const { status, body } = await field.send('touch must-not-run', 1_500);
    must(status === 409 && body.reason === 'bare_shell', `${status} ${body.reason}`);
    must((await field.granted()) === granted, 'something was granted');
    must(!(await field.screen()).includes('must-not-run'), 'it stands in the shell');
    return `${body.reason}, sent ${body.sent}`;
  },
};
