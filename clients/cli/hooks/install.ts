// `openfloor hooks install`: puts a recipe where the agent or the shell reads it. Always true: what a file holds stays; a file
// that is changed is copied beside itself first; a second install changes nothing; what can't be merged is refused untouched.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CliError } from '../failure.js';
import type { Recipe } from './recipe.js';

export type Installed =
  | { readonly did: 'nothing' }
  | { readonly did: 'wrote' }
  | { readonly did: 'merged'; readonly backup: string };

/** The file of a recipe: the one that is named, or where the program reads it. */
export function fileOf(recipe: Recipe, to: string | undefined): string {
  if (to !== undefined) return resolve(to);
  return join(homedir(), recipe.file);
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `base` with the hooks of `added` that it doesn't have: lists grow, nothing is replaced. Undefined when shapes differ. */
export function mergeHooks(base: Json, added: Json): Json | undefined {
  const hooks = base.hooks ?? {};
  if (!isJson(hooks) || !isJson(added.hooks)) return undefined;
  const merged: Record<string, unknown> = { ...hooks };
  for (const [event, entries] of Object.entries(added.hooks)) {
    const there = merged[event] ?? [];
    if (!Array.isArray(there) || !Array.isArray(entries)) return undefined;
    const known = new Set(there.map((one) => JSON.stringify(one)));
    merged[event] = [...there, ...entries.filter((one) => !known.has(JSON.stringify(one)))];
  }
  return { ...base, hooks: merged };
}

function refuse(file: string, name: string, why: string): never {
  throw new CliError('file_exists', `${file} ${why}`, `Merge it by hand: openfloor hooks print ${name}`);
}

function merged(recipe: Recipe, name: string, file: string, before: string): string {
  const text = recipe.text();
  switch (recipe.merge) {
    case 'none':
      return before === text ? before : refuse(file, name, 'exists and says something else');
    case 'append':
      return before.includes(text)
        ? before
        : `${before}${before.endsWith('\n') || before === '' ? '' : '\n'}${text}`;
    case 'hooks': {
      let base: unknown;
      try {
        base = before.trim() === '' ? {} : JSON.parse(before);
      } catch {
        refuse(file, name, 'is not plain JSON');
      }
      const all = isJson(base) ? mergeHooks(base, JSON.parse(text) as Json) : undefined;
      if (all === undefined) refuse(file, name, 'has hooks of another shape');
      return JSON.stringify(all) === JSON.stringify(base) ? before : `${JSON.stringify(all, null, 2)}\n`;
    }
  }
}

export function install(recipe: Recipe, name: string, file: string): Installed {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, recipe.text(), { flag: 'wx', mode: 0o644 });
    return { did: 'wrote' };
  }
  const before = readFileSync(file, 'utf8');
  const after = merged(recipe, name, file, before);
  if (after === before) return { did: 'nothing' };
  const backup = `${file}.before-openfloor`;
  copyFileSync(file, backup);
  // Whole or not at all: the agent may read it at this moment.
  const fresh = `${file}.openfloor-${process.pid}`;
  copyFileSync(file, fresh);
  writeFileSync(fresh, after);
  renameSync(fresh, file);
  return { did: 'merged', backup };
}
