// `openfloor version`: the version of this package and of Node.
import { readFileSync } from 'node:fs';
import { type DefineVerb, example } from './context.js';

/** From package.json, next to `dist` or to the sources. */
export function readVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const page = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as Record<string, unknown>;
      if (page.name === 'openfloor' && typeof page.version === 'string') return page.version;
    } catch {
      // the other place
    }
  }
  return 'unknown';
}

export const define: DefineVerb = (command, context) => {
  command.addHelpText('after', example('openfloor version --json')).action(() => {
    const { json, say, sayJson } = context();
    const version = readVersion();
    if (json)
      sayJson({ version, node: process.versions.node, platform: `${process.platform}-${process.arch}` });
    else say(`openfloor ${version} (Node ${process.versions.node})\n`);
  });
};
