// What every verb is given: folders, streams, the global options, and a client when it asks for one. Always true: nothing
// is read or connected before a verb asks.
import type { Command } from 'commander';
import { type Folders, findFolders } from './folders.js';
import { type Paper, wantsColour } from './print.js';
import { findTarget, type Target } from './target.js';

export interface GlobalOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly config?: string;
  readonly data?: string;
}

export interface Context extends Paper {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: Folders;
  readonly json: boolean;
  readonly options: GlobalOptions;
  target(): Target;
  /** Writes to standard output. */
  say(text: string): void;
  /** For programs: one JSON document and a newline. */
  sayJson(value: unknown): void;
}

/** A verb defines its arguments and its action on its command; the context is made when the action runs. */
export type DefineVerb = (command: Command, context: () => Context) => void | Promise<void>;

/** Every verb takes the global options too, so that they may stand before or after it. */
export function addGlobalOptions(command: Command): Command {
  return command
    .option('--url <address>', 'server to talk to, for example http://127.0.0.1:8090')
    .option('--profile <name>', 'server and credential stored by openfloor login')
    .option('--json', 'answer as JSON, for programs')
    .option('--config <file>', 'config file instead of the one in the config folder')
    .option('--data <folder>', 'folder of the database and the state of the local server');
}

/** The options of a command line as text lines after a verb's help. */
export function example(...lines: readonly string[]): string {
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

export function makeContext(options: GlobalOptions): Context {
  const { env } = process;
  const folders = findFolders(env, options);
  return {
    env,
    folders,
    options,
    json: options.json === true,
    colour: wantsColour(process.stdout, env),
    target: () => findTarget({ url: options.url, profile: options.profile, env, folders }),
    say: (text) => void process.stdout.write(text),
    sayJson: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}
