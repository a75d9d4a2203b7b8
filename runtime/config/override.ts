// Environment variables that override the file: OPENFLOOR_SECTION_KEY. Always true: a variable that begins like a section
// and names no key is an error, as it would be in the file; other OPENFLOOR_ variables belong to other rooms.

import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { keyName, shown } from './check.js';
import { ConfigError } from './config.js';
import type { Environment } from './folders.js';
import { nearest } from './nearest.js';
import { keysOf, type RawConfig, SECTIONS, type Section } from './schema.js';

/** A variable's text as the types that a key may have, the more specific first. */
function readings(text: string): unknown[] {
  const values: unknown[] = [];
  if (text === 'true' || text === 'false') values.push(text === 'true');
  if (/^[0-9]{1,15}$/.test(text)) values.push(Number(text));
  values.push(text);
  values.push(text === '' ? [] : text.split(',').map((item) => item.trim()));
  return values;
}

/** The file's values with the environment's in their place. Throws ConfigError. */
export function override(raw: RawConfig, env: Environment): RawConfig {
  const merged: RawConfig = { ...raw };
  for (const [name, text] of Object.entries(env)) {
    const section = (Object.keys(SECTIONS) as Section[]).find((one) =>
      name.startsWith(`OPENFLOOR_${one.toUpperCase()}_`),
    );
    if (section === undefined || text === undefined) continue;
    const key = name.slice(`OPENFLOOR_${section}_`.length).toLowerCase();
    const { properties } = SECTIONS[section] as { properties: Record<string, TSchema> };
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined) {
      const meant = `OPENFLOOR_${section}_${nearest(key, keysOf(SECTIONS[section]))}`.toUpperCase();
      throw new ConfigError(
        `The variable ${name} overrides no key of the configuration.`,
        `Did you mean ${meant}? Unset the other one.`,
        name,
        null,
      );
    }
    const value = readings(text).find((reading) => Check(known, reading));
    if (value === undefined) {
      const { description } = known as { description?: string };
      throw new ConfigError(
        `The variable ${name} overrides ${keyName(section, key)}, which must be ${description}, not ${shown(text)}.`,
        'Correct it, or unset it.',
        name,
        null,
      );
    }
    merged[section] = { ...merged[section], [key]: value };
  }
  return merged;
}
