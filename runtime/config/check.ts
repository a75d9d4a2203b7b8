// Checks a parsed TOML document against the schema, key by key. Always true: the first fault in the order of the
// document is thrown as one sentence with file, line and the next step; what returns has only known keys of the right
// type. Values that must fit each other are the business of load.ts.

import { parse, TomlError } from 'smol-toml';
import type { TObject } from 'typebox';
import { Check } from 'typebox/value';
import { ConfigError } from './config.js';
import { lineOf } from './locate.js';
import { nearest } from './nearest.js';
import { AGENT, keysOf, type RawConfig, SECTIONS, type Section, TOOLS } from './schema.js';

/** A configuration file is some hundred lines; more is a mistake. */
const FILE_BYTES = 1_048_576;

/** A text, and how faults in it are told. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

type Table = Record<string, unknown>;

export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** What a terminal obeys or hides and JSON doesn't escape: DEL, C1, marks of direction. */
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Untrusted text inside a sentence: quoted, escaped, short. */
export function shown(value: unknown): string {
  const plain = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? typeof value);
  const text = plain.replace(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A ConfigError that begins with where the fault is. */
export function faultAt(source: Source, path: readonly string[], text: string, next: string): ConfigError {
  const line = lineOf(source.text, path);
  const place = line === null ? source.file : `${source.file} line ${line}`;
  return new ConfigError(`${place}: ${text}`, next, source.file, line);
}

/** The document as plain tables. Throws ConfigError. */
export function parseToml(source: Source): Table {
  if (source.text.length > FILE_BYTES) {
    throw new ConfigError(
      `${source.file} is larger than 1 MiB.`,
      'Name a configuration file.',
      source.file,
      null,
    );
  }
  try {
    return parse(source.text, { maxDepth: 16, unsafeKeyBehaviour: 'throw' }) as Table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const text = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new ConfigError(
      `${source.file} line ${error.line}: this is not TOML: ${text}.`,
      `Correct column ${error.column} of that line.`,
      source.file,
      error.line,
    );
  }
}

/** `[section] key`, as messages name a key. */
export function keyName(section: string, key: string): string {
  return `[${section}] ${key}`;
}

function unknownKey(source: Source, section: string, key: string, schema: TObject): ConfigError {
  if (section === 'pty' && Object.hasOwn(TOOLS.properties, key)) {
    const text = `${keyName(section, key)} belongs to the contract's tools plane, which is not offered.`;
    return faultAt(source, [section, key], text, 'Delete the line.');
  }
  const elsewhere = (Object.keys(SECTIONS) as Section[]).find(
    (other) => other !== section && keysOf(SECTIONS[other]).includes(key),
  );
  const meant = elsewhere === undefined ? nearest(key, keysOf(schema))! : keyName(elsewhere, key);
  return faultAt(
    source,
    [...section.split('.'), key],
    `[${section}] has no key ${shown(key)}.`,
    `Did you mean ${meant}? All keys are listed in spec/config.md.`,
  );
}

/** One table against its schema: unknown keys first, then types. Throws ConfigError. */
export function checkTable(source: Source, section: string, value: unknown, schema: TObject): void {
  if (!isTable(value)) {
    throw faultAt(source, section.split('.'), `${section} must be a table.`, `Write it as [${section}].`);
  }
  for (const [key, given] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (known === undefined) throw unknownKey(source, section, key, schema);
    if (!Check(known, given)) {
      const { description } = known as { description?: string };
      throw faultAt(
        source,
        [...section.split('.'), key],
        `${keyName(section, key)} must be ${description}, not ${shown(given)}.`,
        'Correct the value, or delete the line to use the default.',
      );
    }
  }
}

/** The whole document. Throws ConfigError at the first fault. */
export function checkDocument(source: Source): RawConfig {
  const document = parseToml(source);
  const raw: RawConfig = { pty: {}, server: {}, floor: {}, shepherd: {}, alerts: {}, agents: {} };
  for (const [section, value] of Object.entries(document)) {
    if (section === 'agents') {
      if (!isTable(value))
        throw faultAt(source, [section], 'agents must be a table.', 'Write [agents.NAME].');
      for (const [name, agent] of Object.entries(value)) {
        if (!/^[a-z0-9-]{1,32}$/.test(name)) {
          throw faultAt(
            source,
            ['agents', name],
            `${shown(name)} is no name of an agent.`,
            'Use at most 32 of a-z, 0-9 and -.',
          );
        }
        checkTable(source, `agents.${name}`, agent, AGENT);
        raw.agents[name] = agent as RawConfig['agents'][string];
      }
    } else if (Object.hasOwn(SECTIONS, section)) {
      checkTable(source, section, value, SECTIONS[section as Section]);
      Object.assign(raw[section as Section], value);
    } else {
      const fault = isTable(value) ? 'is no section' : 'stands outside a section';
      const known = [...Object.keys(SECTIONS), 'agents'];
      const home = (Object.keys(SECTIONS) as Section[]).find((other) =>
        keysOf(SECTIONS[other]).includes(section),
      );
      const meant = home === undefined ? `[${nearest(section, known)}]` : keyName(home, section);
      throw faultAt(
        source,
        [section],
        `${shown(section)} ${fault}.`,
        `Did you mean ${meant}? All keys are listed in spec/config.md.`,
      );
    }
  }
  return raw;
}
