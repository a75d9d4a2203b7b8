// `openfloor restart`: a new process under the same name, with what the session was created with.
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { sayToken } from './new.js';

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .addHelpText('after', example('openfloor restart build'))
    .action(async (seat: string) => {
      const paper = context();
      sayToken(paper, await (await openClient(paper)).sessions.restart(seat));
    });
};
