// Puts the CLIs into a cache folder outside the repository, with npm, each in a folder of its own. Always true: what is there
// in the right version is left as it is. `OPENFLOOR_AGENTS_DIR` names the folder; default ~/.cache/openfloor-agents.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cli } from './cli.js';

export const cacheFolder = process.env.OPENFLOOR_AGENTS_DIR ?? join(homedir(), '.cache/openfloor-agents');

function installed(folder: string, name: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return undefined;
  }
}

function install(id: string, name: string, version: string): string {
  const folder = join(cacheFolder, id);
  const has = installed(folder, name);
  if (has === undefined || (version.includes('.') ? has !== version : !has.startsWith(`${version}.`))) {
    mkdirSync(folder, { recursive: true });
    console.log(`installing ${name}@${version} into ${folder}`);
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`];
    execFileSync('npm', args, { stdio: 'inherit' });
  }
  return join(folder, 'node_modules/.bin');
}

/** Installs what is missing; gives the folders that belong in front of PATH. */
export function installCli(cli: Cli): readonly string[] {
  // One folder for a package and version, whatever it is configured to do.
  const own = install(`${cli.pack}-${cli.version}`, cli.package, cli.version);
  return cli.node24 ? [own, install('node24', 'node', '24')] : [own];
}
