// `openfloor capture SEAT`: the screen of a seat as text, read from the runtime's own model. It changes nothing.
import { InvalidArgumentError } from 'commander';
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { printable } from './print.js';

function parseLines(text: string): number {
  const lines = Number(text);
  if (Number.isInteger(lines) && lines >= 1 && lines <= 1_000) return lines;
  throw new InvalidArgumentError('Expected 1 to 1000.');
}

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .option('--lines <n>', 'the last rows only', parseLines)
    .addHelpText('after', example('openfloor capture claude', 'openfloor capture claude --lines 5'))
    .action(async (seat: string, { lines }: { lines?: number }) => {
      const paper = context();
      const answer = await (await openClient(paper)).seats.capture(seat, lines);
      if (paper.json) return paper.sayJson(answer);
      paper.say(answer.lines.map((line) => `${printable(line)}\n`).join(''));
    });
};
