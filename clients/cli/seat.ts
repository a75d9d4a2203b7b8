// `openfloor seat`: settings of a seat, an operator's word that nothing unsent is left, the guard (seat-guard.ts), who may
// intervene (seat-policy.ts), and who sits there (seat-handover.ts).
import { InvalidArgumentError } from 'commander';
import type { SeatSettings } from '../../protocol/status.js';
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { printable } from './print.js';
import { defineGuard } from './seat-guard.js';
import { defineHandover } from './seat-handover.js';
import { definePolicy } from './seat-policy.js';
import { several, subVerb } from './sub.js';

interface SettingOptions {
  readonly agent?: string;
  readonly humanQuiet?: number;
  readonly carrier?: string[];
  readonly model?: string;
  readonly effort?: string;
  readonly allowShellSends?: boolean;
  readonly grantInBackground?: boolean;
}

function parseMs(text: string): number {
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 0 && ms <= 600_000) return ms;
  throw new InvalidArgumentError('Expected milliseconds, 0 to 600000.');
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('Expected on or off.');
}

function settingsOf(options: SettingOptions): SeatSettings {
  const { agent, humanQuiet, carrier, model, effort, allowShellSends, grantInBackground } = options;
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(humanQuiet === undefined ? {} : { human_quiet_ms: humanQuiet }),
    ...(carrier === undefined ? {} : { carriers: carrier.filter((name) => name !== '') }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(allowShellSends === undefined ? {} : { allow_shell_sends: allowShellSends }),
    ...(grantInBackground === undefined ? {} : { grant_in_background: grantInBackground }),
  };
}

export const define: DefineVerb = (command, context) => {
  command
    .helpCommand(false)
    .addHelpText(
      'after',
      example('openfloor seat settings claude --human-quiet 5000', 'openfloor seat settle claude'),
    );
  subVerb(command, 'settings', 'show or change settings')
    .argument('<seat>')
    .option('--agent <pack>', 'the agent in this seat, or auto')
    .option('--human-quiet <ms>', 'how long after a key automation waits', parseMs)
    .option(
      '--carrier <program>',
      'a program that may stand for an agent elsewhere, for example ssh; "" for none',
      several,
    )
    .option('--model <name>', 'model at the next managed start')
    .option('--effort <name>', 'effort at the next managed start')
    .option('--allow-shell-sends <on|off>', 'terminal seats: type at an empty shell prompt', parseSwitch)
    .option('--grant-in-background <on|off>', 'type while agents work in the background', parseSwitch)
    .action(async (seat: string, options: SettingOptions) => {
      const paper = context();
      const settings = await (await openClient(paper)).seats.settings(seat, settingsOf(options));
      if (paper.json) return paper.sayJson(settings);
      const entries = Object.entries(settings);
      if (entries.length === 0) paper.say('Every setting has its default.\n');
      for (const [name, value] of entries)
        paper.say(`${printable(name)}: ${printable(JSON.stringify(value))}\n`);
    });
  subVerb(command, 'settle', 'nothing unsent of an earlier message is left in the composer')
    .argument('<seat>')
    .action(async (seat: string) => {
      const paper = context();
      await (await openClient(paper)).seats.settle(seat);
      if (paper.json) paper.sayJson({ ok: true, seat });
      else paper.say(`${printable(seat)} is settled.\n`);
    });
  defineGuard(command, context);
  definePolicy(command, context);
  defineHandover(command, context);
};
