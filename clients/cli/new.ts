// `openfloor new`: a session without attaching; prints its attach token, which no other answer shows again.

import type { SessionToken } from '../../protocol/admin.js';
import { openClient } from './client.js';
import type { Context } from './context.js';
import { type DefineVerb, example } from './context.js';
import { addCreateOptions, type CreateOptions, createBody } from './create.js';
import { printable } from './print.js';

/** Tells a session's token: for people in two lines, for programs as the server's answer. */
export function sayToken(context: Context, answer: SessionToken): void {
  if (context.json) {
    context.sayJson(answer);
    return;
  }
  const { session, generation, token, token_expires_in_secs: secs } = answer;
  const life = secs === null ? 'does not expire' : `expires in ${secs} s`;
  context.say(
    `${printable(session)}, generation ${generation}\nattach token (${life}): ${printable(token)}\n`,
  );
}

export const define: DefineVerb = (command, context) => {
  addCreateOptions(command)
    .usage('[options] <seat> [-- command arguments...]')
    .argument('<seat>', 'name of the seat, or name@rig')
    .argument('[command...]', "what to run, after --; the server's default command when absent")
    .addHelpText(
      'after',
      example('openfloor new build -- make -j4', 'openfloor new notes --rows 40 --cols 120'),
    )
    .action(async (seat: string, words: string[], options: CreateOptions) => {
      const paper = context();
      const body = createBody(seat, words, options, paper.target().local);
      sayToken(paper, await (await openClient(paper)).sessions.create(body));
    });
};
