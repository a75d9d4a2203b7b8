// Reads packs from folders: the built-in ones of the package, then the user's, which replace those of the same name. Always
// true: a bad pack is refused whole with file, line and reason and the rest keep working; a refused user pack leaves the
// built-in one in force. It watches nothing: `agents reload` and SIGHUP call it again.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../package-root.js';
import type { RecognisingPack } from '../status/foreground.js';
import type { SequenceRule } from '../status/rule.js';
import { escapeText } from '../status/sequence.js';
import type { StatusPack } from '../status/status.js';
import { checkPack, PACK_BYTES } from './check.js';
import type { PackFile } from './schema.js';

/** Packs in one folder; more is a wrong folder. */
export const PACKS = 128;
/** Largest file that a launch writes. */
export const LAUNCH_FILE_BYTES = 65_536;

export interface LaunchFile {
  /** Path below the private folder of the session. */
  readonly to: string;
  readonly text: string;
}

/** A pack in force: the file's content, where it came from, and the texts of its launch files. */
export interface Pack extends Omit<PackFile, 'rules'>, StatusPack, RecognisingPack {
  readonly name: string;
  readonly apps: string[];
  readonly process: PackFile['process'];
  readonly hooks: PackFile['hooks'];
  readonly interrupt: PackFile['interrupt'];
  readonly rules: readonly SequenceRule[];
  readonly reported_idle?: 'idle' | 'idle_or_blocked';
  readonly first_rest_ms?: number;
  readonly path: string;
  readonly launchFiles: readonly LaunchFile[];
}

export interface RefusedPack {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** One sentence. */
  readonly reason: string;
}

export interface LoadedPacks {
  /** In the order in which `auto` tries them. */
  readonly packs: readonly Pack[];
  readonly refused: readonly RefusedPack[];
}

const DEFAULT_ORDER = 50;

/** Folder of the packs that come with the package. */
export function builtinPackFolder(): string {
  return join(packageRoot(), 'runtime', 'agents');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? escapeText(error.message) : 'unknown error';
}

/** Reads one pack file. */
export function readPack(file: string): Pack | RefusedPack {
  const refuse = (line: number, reason: string): RefusedPack => ({ file, line, reason });
  let text: string;
  try {
    if (statSync(file).size > PACK_BYTES) return refuse(1, `The file is larger than ${PACK_BYTES} bytes.`);
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    return refuse(1, `The file can't be read: ${messageOf(error)}.`);
  }
  const checked = checkPack(text, basename(file, '.json'));
  if ('problem' in checked) return refuse(checked.problem.line, checked.problem.text);
  const { pack } = checked;
  const launchFiles: LaunchFile[] = [];
  for (const { to, from } of pack.launch.files) {
    try {
      const path = join(dirname(file), from);
      if (statSync(path).size > LAUNCH_FILE_BYTES)
        return refuse(1, `The launch file "${from}" is larger than ${LAUNCH_FILE_BYTES} bytes.`);
      launchFiles.push({ to, text: readFileSync(path, 'utf8') });
    } catch (error) {
      return refuse(1, `The launch file "${from}" can't be read: ${messageOf(error)}.`);
    }
  }
  // The check has made sure that each rule has the fields that fit what it is on.
  const rules = pack.rules as unknown as readonly SequenceRule[];
  return { ...pack, rules, path: file, launchFiles };
}

function filesOf(folder: string): readonly string[] | RefusedPack {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    if (names.length > PACKS)
      return { file: folder, line: 1, reason: `The folder has more than ${PACKS} packs.` };
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    return { file: folder, line: 1, reason: `The folder can't be read: ${messageOf(error)}.` };
  }
}

/** Reads folders in order; a later pack replaces an earlier one of its name. A folder that doesn't exist is empty. */
export function loadPacks(folders: readonly string[]): LoadedPacks {
  const packs = new Map<string, Pack>();
  const refused: RefusedPack[] = [];
  for (const folder of folders) {
    const files = filesOf(folder);
    if ('reason' in files) {
      refused.push(files);
      continue;
    }
    for (const file of files) {
      const pack = readPack(file);
      if ('reason' in pack) refused.push(pack);
      else packs.set(pack.name, pack);
    }
  }
  const order = (pack: Pack) => pack.order ?? DEFAULT_ORDER;
  const sorted = [...packs.values()].sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
  return { packs: sorted, refused };
}

/** The packs that `auto` tries: agents, and none that takes any program. */
export function autoPacks(packs: readonly Pack[]): readonly Pack[] {
  return packs.filter((pack) => pack.kind === 'agent' && pack.process.any !== true);
}
