#!/usr/bin/env node
// The `openfloor` command: finds the verb, loads that verb's file alone, runs it, and turns whatever goes wrong into one
// sentence and an exit status. It holds no verb's logic.
import { Command, CommanderError } from 'commander';
import { addGlobalOptions, example, type GlobalOptions, makeContext } from './context.js';
import { CliError, failureOf, formatFailure, QuietExit } from './failure.js';
import { wantsColour } from './print.js';
import { findVerb, VERBS } from './verb-table.js';

function makeCommand(name: string): Command {
  return new Command(name)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .helpOption('-h, --help', 'show this help');
}

async function run(argv: readonly string[]): Promise<void> {
  const program = makeCommand('openfloor')
    .description('Owns the terminals of coding agents: people type freely, automation only when it is safe.')
    .usage('[options] <verb>')
    .enablePositionalOptions()
    .helpCommand(false)
    .version((await import('./version.js')).readVersion(), '-V, --version', 'show the version')
    .addHelpText('after', example('openfloor run claude', 'openfloor attach claude --view', 'openfloor ls'));
  addGlobalOptions(program);
  const wanted = findVerb(argv);
  for (const [name, { summary, load }] of Object.entries(VERBS)) {
    const command = makeCommand(name).summary(summary).description(summary);
    if (name === wanted) {
      await (await load()).define(command, () => makeContext(command.optsWithGlobals<GlobalOptions>()));
      addGlobalOptions(command);
    }
    program.addCommand(command);
  }
  if (wanted === undefined && !argv.some((word) => /^(-h|--help|-V|--version)$/.test(word))) {
    const word = argv.find((text) => !text.startsWith('-'));
    if (word === undefined) program.help();
    throw new CliError('unknown_verb', `there is no verb ${JSON.stringify(word)}`, 'See openfloor --help.');
  }
  await program.parseAsync([...argv], { from: 'user' });
}

/** Commander's refusals as ours: its help and version are no failures. */
function translate(error: unknown, verb: string | undefined): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return new QuietExit(0);
  const sentence = error.message.replace(/^error: /, '');
  return new CliError('usage', sentence, `See openfloor ${verb === undefined ? '' : `${verb} `}--help.`);
}

const argv = process.argv.slice(2);
try {
  await run(argv);
} catch (thrown) {
  const error = translate(thrown, findVerb(argv));
  if (error instanceof QuietExit) process.exitCode = error.exitCode;
  else {
    const failure = failureOf(error);
    const paper = { colour: wantsColour(process.stderr, process.env) };
    process.stderr.write(formatFailure(failure, argv.includes('--json'), paper));
    process.exitCode = failure.exitCode;
  }
}
