// `openfloor capture`: the text on a seat's screen. It changes nothing there.
import { type Command, InvalidArgumentError } from 'commander';
import { SIZE_MAX } from '../../protocol/limit.js';
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { printable } from './print.js';

function parseLines(text: string): number {
  const lines = Number(text);
  if (/^\d+$/.test(text) && lines >= 1 && lines <= SIZE_MAX) return lines;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${SIZE_MAX}.`);
}

export const define: DefineVerb = (command: Command, context) => {
  command
    .argument('<seat>')
    .option('--lines <n>', 'only so many rows, from the bottom', parseLines)
    .addHelpText('after', example('openfloor capture claude', 'openfloor capture claude --lines 5 --json'))
    .action(async (seat: string, options: { lines?: number }) => {
      const paper = context();
      const answer = await (await openClient(paper)).capture(seat, options.lines);
      if (paper.json) return paper.sayJson(answer);
      paper.say(answer.lines.map((line) => `${printable(line).trimEnd()}\n`).join(''));
    });
};
