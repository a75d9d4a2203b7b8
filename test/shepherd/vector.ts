// Reads the vectors of Shepherd. A case with a field that its reader doesn't know fails, so that no vector is half run.
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';

const root = new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url);

/** The cases of one file below spec/vectors/shepherd. `fields` are all that a case may have, besides its description. */
export function cases<T>(
  file: string,
  fields: readonly string[],
): Array<T & { readonly description: string }> {
  const text = readFileSync(new URL(`spec/vectors/shepherd/${file}`, root), 'utf8');
  const list = JSON.parse(text) as Array<Record<string, unknown>>;
  assert.ok(list.length > 0, file);
  const seen = new Set<unknown>();
  for (const one of list) {
    assert.match(String(one.description), /^[A-Z].*\.$/);
    assert.not.ok(seen.has(one.description), `twice: ${one.description}`);
    seen.add(one.description);
    for (const field of Object.keys(one)) {
      assert.ok(field === 'description' || fields.includes(field), `${file} does not know ${field}`);
    }
  }
  return list as unknown as Array<T & { readonly description: string }>;
}
