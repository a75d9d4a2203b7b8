// The settings of a terminal that matter: canonical lines and echo. Read beside the loop and cached: an answer is at
// most one second old, otherwise it is unknown and a reading is under way. Always true: at most one reading per terminal
// and four in all; a terminal that is gone is forgotten. It decides nothing.
import { execFile } from 'node:child_process';
import type { LineMode, LineModes } from './port.js';

/** The floor's rule (spec/pty.md): beyond it a reading is no evidence. */
const MAX_AGE_MS = 1_000;
/** Readings at one time; one by `stty` is a fork of the server. The others wait their turn. */
const RUNS = 4;
/** Terminals that are remembered; the oldest goes first. */
const TERMINALS = 4_096;
const RUN_LIMIT_MS = 2_000;

/** The two settings in the output of `stty -a`, or undefined when either is missing. */
export function parseStty(text: string): Pick<LineMode, 'icanon' | 'echo'> | undefined {
  const icanon = /(?:^|\s)(-?)icanon\b/.exec(text);
  const echo = /(?:^|\s)(-?)echo(?=[\s;]|$)/.exec(text);
  return icanon && echo ? { icanon: icanon[1] === '', echo: echo[1] === '' } : undefined;
}

interface Reading {
  readonly result: Promise<LineMode | undefined>;
  following?: Promise<LineMode | undefined>;
}

/** Reads one terminal; undefined when it is gone. Must not reject. */
export type ReadLineMode = (ttyPath: string) => Promise<Pick<LineMode, 'icanon' | 'echo'> | undefined>;

/** The way of every Unix: a run of `stty`. */
export function readWithStty(stty = 'stty', platform = process.platform): ReadLineMode {
  // BSD's stty spells the option differently.
  const option = platform === 'linux' ? '-F' : '-f';
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  return (ttyPath) =>
    new Promise((resolve) => {
      execFile(stty, [option, ttyPath, '-a'], { timeout: RUN_LIMIT_MS, env }, (error, stdout) =>
        resolve(error ? undefined : parseStty(stdout)),
      );
    });
}

export function createLineModes(readMode: ReadLineMode = readWithStty()): LineModes {
  const known = new Map<string, LineMode>();
  const readings = new Map<string, Reading>();
  const waiting: Array<() => void> = [];
  let runs = 0;

  const read = async (ttyPath: string): Promise<LineMode | undefined> => {
    if (runs >= RUNS) await new Promise<void>((resolve) => waiting.push(resolve));
    else runs += 1;
    const readAtMs = performance.now();
    const mode = await readMode(ttyPath);
    const next = waiting.shift();
    if (next) next();
    else runs -= 1;
    known.delete(ttyPath);
    if (!mode) return undefined;
    known.set(ttyPath, { ...mode, readAtMs });
    for (const oldest of known.keys()) {
      if (known.size <= TERMINALS) break;
      known.delete(oldest);
    }
    return known.get(ttyPath);
  };

  const renew = (ttyPath: string): Promise<LineMode | undefined> => {
    if (ttyPath === '') return Promise.resolve(undefined);
    const under = readings.get(ttyPath);
    // A reading that has begun may be older than the change that asks for this one: one more follows it.
    if (under) return (under.following ??= under.result.then(() => renew(ttyPath)));
    const reading: Reading = { result: read(ttyPath).finally(() => readings.delete(ttyPath)) };
    readings.set(ttyPath, reading);
    return reading.result;
  };
  return {
    renew,
    current(ttyPath) {
      const mode = known.get(ttyPath);
      if (mode && performance.now() - mode.readAtMs <= MAX_AGE_MS) return mode;
      if (!readings.has(ttyPath)) void renew(ttyPath);
      return undefined;
    },
    forget(ttyPath) {
      known.delete(ttyPath);
    },
  };
}
