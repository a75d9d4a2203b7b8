// Reads spec/vectors. Always true: a case with a field that the test doesn't name fails, so that no vector is read past.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../spec/vectors/', import.meta.url));

/** The cases of one file; `fields` are all that a case may have, `description` included. */
export function readVectors<Case extends { description: string }>(
  file: string,
  fields: readonly string[],
): Case[] {
  const cases = JSON.parse(readFileSync(`${folder}${file}`, 'utf8')) as Case[];
  if (!Array.isArray(cases) || cases.length === 0) throw new Error(`${file} holds no case`);
  const seen = new Set<string>();
  for (const entry of cases) {
    const unknown = Object.keys(entry).filter((key) => !fields.includes(key));
    if (unknown.length > 0) throw new Error(`${file}: "${entry.description}" has ${unknown.join(', ')}`);
    if (!entry.description) throw new Error(`${file}: a case has no description`);
    if (seen.has(entry.description)) throw new Error(`${file}: "${entry.description}" stands twice`);
    seen.add(entry.description);
  }
  return cases;
}
