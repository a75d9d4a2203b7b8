// `openfloor agents`: the packs in force, a check of a file before it is used, and reading them anew.

import type { PackList } from '../../protocol/seat.js';
import { openClient } from './client.js';
import { type Context, type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { paint, printable, table } from './print.js';
import { subVerb } from './sub.js';

function show(context: Context, list: PackList): void {
  if (context.json) return context.sayJson(list);
  const rows = list.packs.map(({ name, rules, path }) => [name, String(rules), path]);
  context.say(
    table(context, [{ title: 'PACK' }, { title: 'RULES', align: 'right' }, { title: 'FILE' }], rows),
  );
  for (const { file, line, reason } of list.refused) {
    context.say(`${paint(context, 'red', 'refused')} ${printable(`${file}:${line}: ${reason}`)}\n`);
  }
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example('openfloor agents list', 'openfloor agents check my-agent.json', 'openfloor agents reload'),
    );
  subVerb(command, 'list', 'packs in force, and those that were refused').action(async () => {
    const paper = context();
    show(paper, await (await openClient(paper)).packs.list());
  });
  subVerb(command, 'reload', 'read the packs of the config folder anew').action(async () => {
    const paper = context();
    show(paper, await (await openClient(paper)).packs.reload());
  });
  subVerb(command, 'check', 'check a pack file')
    .argument('<file>')
    .action(async (file: string) => {
      const paper = context();
      const { readPack } = await import('../../runtime/main.js');
      const verdict = readPack(file);
      if ('reason' in verdict)
        throw new CliError(
          'pack_invalid',
          `${file}:${verdict.line}: ${verdict.reason}`,
          'Correct it and check again.',
        );
      if (paper.json) paper.sayJson({ ok: true, name: verdict.name });
      else
        paper.say(
          `${paint(paper, 'green', 'ok')} ${printable(verdict.name)}: ${verdict.rules.length} rules\n`,
        );
    });
};
