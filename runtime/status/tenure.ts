// Which process is the agent: recognition by executable and arguments, and what a tenure is. Always true: a process is
// recognised by what it runs, never by its id; a shell that runs a script of the agent's name (a shim) counts only when no
// process does better. Facts come in as data; nothing here reads the kernel.

import type { Tenure } from './status.js';
import { parseVersion } from './version.js';

/** One process as the kernel describes it; `runtime/pty/port.ts` delivers this shape. */
export interface ProcessLike {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly startTime: string;
  readonly exe: string;
  readonly argv: readonly string[];
  /** Whether its standard input is a terminal; undefined where the platform doesn't tell. */
  readonly tty?: boolean;
}

/** How a pack recognises processes. Names of fields are those of the pack files. */
export interface ProcessRules {
  /** Base names of the executable, of argv[0], or of a script that an interpreter runs (extension ignored). */
  readonly names: readonly string[];
  /** Endings of the path of a script that an interpreter runs. */
  readonly scripts?: readonly string[];
  /** Parts of the executable's path that are followed by the version. */
  readonly version_after?: readonly string[];
  /** Any program but a shell: for a pack that a seat names and `auto` never takes. */
  readonly any?: boolean;
  readonly companions?: { readonly names?: readonly string[]; readonly scripts?: readonly string[] };
}

/** How a process was recognised, best first. */
export type MatchBy = 'exe' | 'argv0' | 'script' | 'any' | 'shim';

export const SHELLS: readonly string[] = [
  'bash',
  'zsh',
  'fish',
  'sh',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'tcsh',
  'csh',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
];
const INTERPRETERS: readonly string[] = [
  'node',
  'nodejs',
  'bun',
  'deno',
  'python',
  'python3',
  'ruby',
  'perl',
];
/** Options of interpreters whose value is the next argument. */
const WITH_VALUE =
  /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-W|-X|--cwd|--env-file)$/;
/** Options that say that no script follows. */
const NO_SCRIPT = /^(?:-e|--eval|-p|--print|-c|--interactive|-i)$/;

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The executable's path, also when the file was replaced while it runs. */
export function exePath(exe: string): string {
  return exe.replace(/ \(deleted\)$/, '');
}

/** argv without the padding that a changed process title leaves; a title is split at its blanks. */
function words(argv: readonly string[]): readonly string[] {
  const filled = argv.filter((word) => word !== '');
  const [first = ''] = filled;
  return filled.length === 1 && !first.startsWith('/') ? first.split(' ') : filled;
}

function nameOf(word: string): string {
  return baseName(word.startsWith('-') ? word.slice(1) : word);
}

function isInterpreter(name: string): boolean {
  return INTERPRETERS.includes(name) || /^python3?\.\d+$/.test(name);
}

/** The script or module that an interpreter or shell was told to run. */
function scriptOf(argv: readonly string[]): string | undefined {
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '-m') return argv[i + 1];
    if (NO_SCRIPT.test(word)) return undefined;
    if (WITH_VALUE.test(word)) i++;
    else if (!word.startsWith('-') && word !== 'run') return word;
  }
  return undefined;
}

/** Options of shells whose value is the next argument. */
const SHELL_WITH_VALUE = /^(?:--rcfile|--init-file|[-+][oO]|-C|--init-command)$/;

/** Whether a process is a shell that reads commands from its terminal: no script, no `-c`. */
export function isInteractiveShell(fact: ProcessLike): boolean {
  const argv = words(fact.argv);
  if (!SHELLS.includes(nameOf(argv[0] ?? '')) && !SHELLS.includes(baseName(exePath(fact.exe)))) return false;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (SHELL_WITH_VALUE.test(word)) i++;
    else if (!/^[-+]/.test(word) || /^-[a-z]*c$/.test(word)) return false;
  }
  return true;
}

/** Programs that only start another one and wait for it. */
const LAUNCHERS: readonly string[] = [
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bunx',
  'uvx',
  'pipx',
  'env',
  'nice',
  'timeout',
  'stdbuf',
  'nohup',
  'sudo',
  'doas',
];

/** Whether a process only starts another one: a launcher, or a shell with `-c`. */
export function isLauncher(fact: ProcessLike): boolean {
  const argv = words(fact.argv);
  const name = nameOf(argv[0] ?? '');
  return LAUNCHERS.includes(name) || (SHELLS.includes(name) && argv.some((word) => /^-[a-z]*c$/.test(word)));
}

function namesScript(script: string, names: readonly string[], endings: readonly string[]): boolean {
  const base = baseName(script).replace(/\.(?:[cm]?[jt]s|py|sh)$/, '');
  return names.includes(base) || endings.some((ending) => script === ending || script.endsWith(`/${ending}`));
}

function matchNames(
  fact: ProcessLike,
  names: readonly string[],
  scripts: readonly string[],
): Exclude<MatchBy, 'any'> | undefined {
  const exe = baseName(exePath(fact.exe));
  const argv = words(fact.argv);
  const argv0 = nameOf(argv[0] ?? '');
  if (names.includes(exe)) return 'exe';
  if (names.includes(argv0)) return 'argv0';
  const shell = SHELLS.includes(exe) || SHELLS.includes(argv0);
  if (!shell && !isInterpreter(exe) && !isInterpreter(argv0)) return undefined;
  const script = scriptOf(argv);
  if (script === undefined || !namesScript(script, names, scripts)) return undefined;
  return shell ? 'shim' : 'script';
}

/** How a process matches a pack, or undefined. */
export function matchProcess(fact: ProcessLike, rules: ProcessRules): MatchBy | undefined {
  const exe = exePath(fact.exe);
  if (rules.version_after?.some((part) => exe.includes(part))) return 'exe';
  const by = matchNames(fact, rules.names, rules.scripts ?? []);
  if (by !== undefined) return by;
  return rules.any && !isInteractiveShell(fact) ? 'any' : undefined;
}

/** Whether a process is one of the pack's companions. */
export function isCompanion(fact: ProcessLike, rules: ProcessRules): boolean {
  const { names = [], scripts = [] } = rules.companions ?? {};
  return matchNames(fact, names, scripts) !== undefined;
}

/** The version that the executable's path tells. */
export function versionOf(fact: ProcessLike, rules: ProcessRules): string | undefined {
  const exe = exePath(fact.exe);
  for (const part of rules.version_after ?? []) {
    const at = exe.indexOf(part);
    if (at >= 0) return parseVersion(exe.slice(at + part.length));
  }
  return undefined;
}

/** The tenure that a process is. */
export function tenureOf(fact: ProcessLike, rules: ProcessRules): Tenure {
  const version = versionOf(fact, rules);
  const { pid, startTime } = fact;
  return { pid, startTime, exe: exePath(fact.exe), ...(version === undefined ? {} : { version }) };
}

/** Whether a process is this tenure still: an `exec` of something else keeps pid and start time and is another one. */
export function isTenure(fact: ProcessLike, tenure: Tenure): boolean {
  return (
    fact.pid === tenure.pid &&
    fact.startTime === tenure.startTime &&
    exePath(fact.exe) === exePath(tenure.exe)
  );
}
