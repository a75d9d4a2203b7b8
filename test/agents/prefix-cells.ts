// A cell about commands: which first characters make an agent take text for a command instead of a message, pasted as
// automation writes it and typed key by key. Always true: what the model was asked decides, not what the screen shows; the
// agent is at an empty composer before each text.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/byte-vector.js';
import type { Cell } from './cell.js';
import { type Field, must, pause } from './field.js';
import { startAgain } from './status-cells.js';

const NOTES = 'notes.txt';
const WORDS = 'echo hi';
/** All that ASCII has besides letters, digits and the four below. */
const OTHERS = '$%&*+,-.:;<=>?[\\]^_`{|}~"\'()';
const TEXTS: readonly string[] = [
  '/help',
  '/status',
  '/hotkeys',
  `/${WORDS}`,
  `!${WORDS}`,
  `#${WORDS}`,
  `@${WORDS}`,
  `@${NOTES}`,
  ...[...OTHERS].map((first) => first + WORDS),
];
/** What stands on a later line, or behind a word, is no first character. */
const LATER = [`first\n/help\n!${WORDS}\n#${WORDS}`, `read @${NOTES} now`, `read @${NOTES}`];

/** So long until nothing was asked, and so long while the agent says that it works. */
const ANSWER_MS = 5_000;
const SLOW_MS = 20_000;

type Taken = 'message' | 'changed' | 'command';
type Way = 'pasted' | 'typed';
interface Text {
  readonly text: string;
  readonly way: Way;
}
const pasted = (text: string): Text => ({ text, way: 'pasted' });
const typed = (text: string): Text => ({ text, way: 'typed' });

/** Back to an empty composer, whatever the last text opened. */
async function settle(field: Field): Promise<void> {
  const ready = async () => {
    const { status, composer } = await field.status();
    return status.state === 'idle' && composer.state === 'empty';
  };
  for (const key of ['', '\x1b', '\x15', '\x7f', '\x1b', '\x15']) {
    if (key !== '') field.operator.type(key);
    for (let look = 0; look < 10; look++) {
      await pause(100);
      if (await ready()) return;
    }
  }
  await startAgain(field);
}

/** Writes a text, presses Enter, and says what the model was asked. */
async function take(field: Field, text: string, way: Way): Promise<Taken> {
  await settle(field);
  const before = field.model.asked.length;
  if (way === 'pasted') field.operator.type(`\x1b[200~${text}\x1b[201~`);
  else await field.type(text);
  await pause(700);
  field.operator.type('\r');
  // Menus take the Enter for their choice; a person would press it again. A loaded machine is slow to ask.
  const from = Date.now();
  while (field.model.asked.length === before && Date.now() - from < SLOW_MS) {
    await pause(100);
    if (Date.now() - from > ANSWER_MS && (await field.status()).status.state !== 'working') break;
  }
  const asked = field.model.asked[before];
  if (asked === undefined) return 'command';
  await field.until('the end of the answer', 30_000, () => asked.endedAt !== undefined);
  return asked.text === text ? 'message' : 'changed';
}

export const commandPrefixes: Cell = {
  id: 'C1',
  title: 'every first character that makes text a command is in the pack',
  async run(field) {
    await field.free();
    writeFileSync(field.file(NOTES), 'a note\n');
    const texts = [...[...TEXTS, ...LATER].map(pasted), ...TEXTS.map(typed)];
    const taken: Array<Text & { readonly how: Taken }> = [];
    for (const one of texts) taken.push({ ...one, how: await take(field, one.text, one.way) });
    await settle(field);
    const file = join(packageRoot(), `runtime/agents/${field.cli.pack}.json`);
    const known = (JSON.parse(readFileSync(file, 'utf8')) as { command_prefixes: string[] }).command_prefixes;
    const unlike = taken.filter(({ how }) => how !== 'message');
    const seen = unlike.map(({ text, way, how }) => `${way} ${JSON.stringify(text)} ${how}`).join(', ');
    const missing = unlike.filter(
      ({ text, way, how }) =>
        TEXTS.includes(text) && (way === 'pasted' || how === 'command') && !known.includes(text.slice(0, 1)),
    );
    must(missing.length === 0, `not in the pack: ${missing.map(({ text }) => text).join(' ')}; ${seen}`);
    return `${seen}; the other ${taken.length - unlike.length} are messages; pack ${known.join(' ')}`;
  },
};
