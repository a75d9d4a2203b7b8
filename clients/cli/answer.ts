// `openfloor answer SEAT allow_once|deny_once`: answers the permission dialog that is open, once. Always true: it answers the
// instance that was asked about or read just before, never one that came later.
import { openClient } from './client.js';
import { type DefineVerb, example } from './context.js';
import { CliError } from './failure.js';
import { paint, printable } from './print.js';
import { sayReceipt } from './receipt.js';

const CHOICES = ['allow_once', 'deny_once'] as const;
type Choice = (typeof CHOICES)[number];

export const define: DefineVerb = (command, context) => {
  command
    .argument('<seat>')
    .argument('<choice>', CHOICES.join(' or '))
    .option('--dialog <id>', 'only this instance, as status gives it; without it, the one that is open now')
    .addHelpText('after', example('openfloor answer claude allow_once', 'openfloor answer claude deny_once'))
    .action(async (seat: string, choice: string, options: { dialog?: string }) => {
      const paper = context();
      if (!CHOICES.includes(choice as Choice))
        throw new CliError(
          'choice_unavailable',
          `${JSON.stringify(choice)} is no answer`,
          'Say allow_once or deny_once.',
        );
      const { seats } = await openClient(paper);
      const open = options.dialog === undefined ? (await seats.status(seat)).dialog : undefined;
      const instance = options.dialog ?? open?.instance;
      if (instance === undefined)
        throw new CliError(
          'dialog_changed',
          `no dialog is open in ${seat}`,
          `Look at it: openfloor status ${seat}`,
        );
      const receipt = await seats.answer(seat, instance, choice as Choice);
      const question = open === undefined ? '' : `: ${printable(open.question)}`;
      const done = `${paint(paper, 'green', 'Answered')} ${choice} in ${printable(seat)}${question}\n`;
      sayReceipt(paper, receipt, done);
    });
};
