// The programs that the bench runs inside PTYs, by name, the same for every server. Each says `ready` once its terminal
// is raw, so that no measuring starts on a half-started child.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_SCRIPT } from './agent.js';

export const BURST_BYTES = 8 * 1_048_576;
export const READY = 'ready';

export type Command = readonly [string, ...string[]];
export type ChildName =
  | 'echo'
  | 'burst'
  | 'yes'
  | 'pattern'
  | 'deaf'
  | 'lines'
  | 'screen'
  | 'agent'
  | 'busyAgent';
export type Children = Readonly<Record<ChildName, Command>>;

const shell = (script: string): Command => ['/bin/sh', '-c', `stty raw -echo; printf ${READY}; ${script}`];

/** Lines as an agent or a build prints them: 80 columns of text, colour on some, no queries. Exactly `bytes` long. */
function logText(bytes: number): Buffer {
  const lines: string[] = [];
  let length = 0;
  for (let n = 0; length < bytes; n++) {
    const colour = n % 8 === 0;
    const body = `${String(n).padStart(8, '0')} the quick brown fox reads the log and jumps over lazy processes`;
    const line = colour ? `\x1b[32m${body}\x1b[0m\r\n` : `${body}\r\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join('').slice(0, bytes - 2) + '\r\n', 'latin1');
}

/** Writes the files that children print into `folder` and names every child's command. */
export function prepareChildren(folder: string): Children {
  const burst = join(folder, 'burst.txt');
  writeFileSync(burst, logText(BURST_BYTES));
  const lines = join(folder, 'lines.txt');
  const full = Array.from({ length: 11_000 }, (_, n) =>
    `${String(n).padStart(8, '0')} `.padEnd(100, 'abcdefghij'),
  );
  writeFileSync(lines, full.map((line) => `${line}\r\n`).join(''));
  const screen = join(folder, 'screen.txt');
  writeFileSync(
    screen,
    full
      .slice(0, 1_000)
      .map((line) => `\x1b[36m${line}\x1b[0m\r\n`)
      .join(''),
  );
  const pattern = fileURLToPath(new URL('./pattern.js', import.meta.url));
  return {
    agent: ['perl', '-e', AGENT_SCRIPT, 'idle'],
    busyAgent: ['perl', '-e', AGENT_SCRIPT, 'working'],
    echo: shell('exec cat'),
    burst: shell(`while read -r x; do cat ${burst}; done`),
    yes: shell('read -r x; exec yes'),
    pattern: shell(`read -r bytes; exec ${process.execPath} ${pattern} $bytes`),
    deaf: shell('exec sleep 1000'),
    lines: shell(`read -r x; cat ${lines}; exec cat`),
    screen: shell(`cat ${screen}; exec cat`),
  };
}
