// Sub-verbs of a verb: each a commander command with the global options, help and refusals of its parent.
import type { Command } from 'commander';
import { addGlobalOptions } from './context.js';
import { CliError } from './failure.js';

export function subVerb(parent: Command, name: string, summary: string): Command {
  return addGlobalOptions(
    parent
      .command(name)
      .exitOverride((error) => {
        if (error.exitCode === 0) throw error;
        const sentence = error.message.replace(/^error: /, '');
        throw new CliError('usage', sentence, `See openfloor ${parent.name()} ${name} --help.`);
      })
      .configureOutput({ outputError: () => {} })
      .description(summary)
      .helpOption('-h, --help', 'show this help'),
  );
}

/** For an option that may be given several times. */
export const several = (text: string, before: string[] = []): string[] => [...before, text];
