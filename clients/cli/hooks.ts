// `openfloor hooks`: how an agent or a shell without a signal of its own reports its status. It holds the verbs' words alone:
// recipes, the merge into a file, and the relay are rooms of their own beside it.
import { type DefineVerb, example } from './context.js';
import { fileOf, install } from './hooks/install.js';
import { RECIPES, recipeOf } from './hooks/recipe.js';
import { relay } from './hooks/relay.js';
import { printable } from './print.js';
import { subVerb } from './sub.js';

export const define: DefineVerb = (command, context) => {
  const names = Object.keys(RECIPES).join(', ');
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example(
        'openfloor hooks print claude-code',
        'openfloor hooks install claude-code',
        'openfloor hooks install zsh --to ~/.zshrc.local',
      ),
    );
  subVerb(command, 'print', 'what to put where, for an agent or a shell')
    .argument('<name>', names)
    .action((name: string) => {
      const paper = context();
      const { place, text } = recipeOf(name);
      if (paper.json) paper.sayJson({ name, place, text: text() });
      else {
        process.stderr.write(`For ${place}:\n`);
        paper.say(text());
      }
    });
  subVerb(command, 'install', 'put it there; what a file holds stays, and a copy is kept')
    .argument('<name>', names)
    .option('--to <file>', 'another file than the one that the agent or shell reads')
    .action((name: string, { to }: { to?: string }) => {
      const paper = context();
      const recipe = recipeOf(name);
      const file = fileOf(recipe, to);
      const installed = install(recipe, name, file);
      if (paper.json) return paper.sayJson({ ok: true, file, ...installed });
      const said = {
        nothing: `${file} has it already.`,
        wrote: `Wrote ${file}.`,
        merged: `Added to ${file}${installed.did === 'merged' ? `; as it was: ${installed.backup}` : ''}.`,
      }[installed.did];
      paper.say(`${printable(said)}${recipe.after ? ` ${recipe.after}` : ''}\n`);
    });
  subVerb(command, 'relay', 'inside a seat: forward a hook event from standard input')
    .argument('[agent]')
    .action(() => relay(context().env));
};
