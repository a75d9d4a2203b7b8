// Sub-verbs of a verb: each a commander command with the global options, help and refusals of its parent.
import type { Command } from 'commander';
import { addGlobalOptions } from './context.js';

export function subVerb(parent: Command, name: string, summary: string): Command {
  return addGlobalOptions(
    parent
      .command(name)
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .description(summary)
      .helpOption('-h, --help', 'show this help'),
  );
}
