// The demo agent for tests: a command to start it with any of its switches, and its journal. Always true: each call has a
// journal of its own; what the journal says is what the child received. `close` removes the journal and ends nobody.
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../../clients/demo/agent/journal.js';
import { packageRoot } from './byte-vector.js';

export type { Entry };

export interface DemoAgent {
  /** For a PTY. With `--exit-to-shell` it is a shell that runs the agent and stays. */
  readonly command: [string, ...string[]];
  readonly journalFile: string;
  /** Everything noted so far. */
  journal(): Promise<readonly Entry[]>;
  /** Settles with what `find` gives as soon as it gives something; rejects after `limitMs` with the journal's end. */
  until<T>(find: (entries: readonly Entry[]) => T | undefined, limitMs?: number): Promise<T>;
  /** Texts submitted so far. */
  submitted(): Promise<readonly string[]>;
  /** All that it has read, without the answers to its own start-up queries. */
  received(): Promise<string>;
  close(): void;
}

const LIMIT_MS = 15_000;
/** A file system may lose a notification: the journal is read at least this often. */
const LOOK_MS = 100;

function readEntries(file: string): Entry[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // The last line may be half written.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);
}

export function submissions(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === 'submit' ? [entry.text] : []));
}

/** Each read's bytes as latin1 text, without the replies that the runtime gives. */
export function reads(entries: readonly Entry[]): readonly string[] {
  return entries
    .flatMap((entry) =>
      entry.type === 'read' ? [Buffer.from(entry.bytes, 'base64').toString('latin1')] : [],
    )
    .map((text) => text.replace(/\x1b\]7501;\?[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[\d;]*c/g, ''))
    .filter((text) => text !== '');
}

/** A demo agent with these switches, as on its command line. */
export function demoAgent(switches: readonly string[] = []): DemoAgent {
  const folder = mkdtempSync(join(tmpdir(), 'openfloor-demo-'));
  const journalFile = join(folder, 'journal.jsonl');
  const script = join(packageRoot(), 'dist/clients/demo/agent/main.js');
  const agent = [process.execPath, script, '--journal', journalFile, ...switches];
  const shell = ['bash', '--noprofile', '--norc'];
  const command = switches.includes('--exit-to-shell')
    ? [...shell, '-c', `"$0" "$@"; exec ${shell.join(' ')} -i`, ...agent]
    : agent;
  const entries = () => readEntries(journalFile);
  return {
    command: command as [string, ...string[]],
    journalFile,
    journal: async () => entries(),
    submitted: async () => submissions(entries()),
    received: async () => reads(entries()).join(''),
    until: (find, limitMs = LIMIT_MS) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          watcher.close();
          clearInterval(timer);
          clearTimeout(limit);
        };
        const look = () => {
          const found = find(entries());
          if (found === undefined) return;
          stop();
          resolve(found);
        };
        const watcher = watch(folder, look);
        const timer = setInterval(look, LOOK_MS);
        const limit = setTimeout(() => {
          stop();
          reject(new Error(`it never came; the journal ends with ${JSON.stringify(entries().slice(-5))}`));
        }, limitMs);
        look();
      }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
