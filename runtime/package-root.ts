// Where the package stands: the nearest folder upwards that holds its package.json, so that code finds its data files both
// from source and compiled.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('openfloor: package.json not found');
    folder = parent;
  }
  return folder;
}
