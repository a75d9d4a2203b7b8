// `openfloor doctor`: checks this machine and the server, one line each, with what to do where something is wrong. Always
// true: a check that can't be made is skipped and says why; exit status 1 when something here is wrong, 2 for the server.
import { type Context, type DefineVerb, example } from './context.js';
import { checkMachine } from './doctor/machine.js';
import { checkServer } from './doctor/server.js';
import { QuietExit } from './failure.js';
import { paint, printable } from './print.js';

export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warn' | 'fail' | 'skip';
  /** One sentence. */
  readonly detail: string;
  /** What to do; empty when there is nothing. */
  readonly next: string;
  readonly side: 'machine' | 'server';
}

const MARKS = {
  ok: ['ok  ', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skip: ['skip', 'dim'],
} as const;

function say(context: Context, { name, result, detail, next }: Check): void {
  const [mark, style] = MARKS[result];
  context.say(`${paint(context, style, mark)} ${paint(context, 'bold', name)}: ${printable(detail)}\n`);
  if (next !== '' && result !== 'ok') context.say(`     next: ${printable(next)}\n`);
}

async function diagnose(context: Context): Promise<void> {
  const checks: Check[] = [];
  const add = (found: readonly Check[]) => {
    checks.push(...found);
    if (!context.json) for (const check of found) say(context, check);
  };
  add(checkMachine(context.folders, context.env));
  add(await checkServer(context));
  if (context.json) context.sayJson({ checks });
  const failed = checks.filter(({ result }) => result === 'fail');
  if (failed.length === 0) return;
  throw new QuietExit(failed.some(({ side }) => side === 'machine') ? 1 : 2);
}

export const define: DefineVerb = (command, context) => {
  command
    .addHelpText('after', example('openfloor doctor', 'openfloor doctor --json'))
    .action(() => diagnose(context()));
};
