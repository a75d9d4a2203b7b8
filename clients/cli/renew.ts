// `openfloor renew`: a new generation and token for the same process. Everybody attached with an older token has to leave.
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { sayToken } from './new.js';

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .addHelpText('after', example('openfloor renew build'))
    .action(async (seat: string) => {
      const paper = context();
      sayToken(paper, await (await openClient(paper)).sessions.renew(seat));
    });
};
