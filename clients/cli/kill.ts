// `openfloor kill`: ends sessions and says what survived. Each name is tried; the first failure decides the exit status.
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { printable } from './print.js';

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat...>')
    .addHelpText('after', example('openfloor kill build', 'openfloor kill bash bash-2'))
    .action(async (seats: string[]) => {
      const paper = context();
      const client = await openClient(paper);
      const answers = [];
      const failures: unknown[] = [];
      for (const seat of seats) {
        try {
          const answer = await client.sessions.kill(seat);
          answers.push(answer);
          const { survivors, elapsed_ms } = answer.kill_domain;
          const rest = survivors.length === 0 ? '' : `; still alive: ${survivors.join(', ')}`;
          if (!paper.json) paper.say(`${printable(answer.session)} ended after ${elapsed_ms} ms${rest}\n`);
        } catch (error) {
          failures.push(error);
        }
      }
      if (paper.json) paper.sayJson(answers);
      const [first] = failures;
      if (first === undefined) return;
      if (failures.length === 1) throw first;
      const sentences = failures.map((error) => (error instanceof Error ? error.message : String(error)));
      throw new CliError('kill_failed', sentences.join('; '), 'List what runs: openfloor ls');
    });
};
