// Process facts from /proc. Always true: a process that vanishes while it is read is left out, a zombie counts as gone,
// and nothing throws. Reading one seat's foreground is synchronous and cheap; the whole table is read in parts. It
// keeps nothing between calls.
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import type { Foreground, ProcessFact, ProcessFacts } from './port.js';
import { type ProcessRow, type ProcessTable, parseStat, sharePictures } from './process-row.js';

/** Longest command line that is read; an agent's prompt may be one argument, packs look at the first few. */
const ARGV_BYTES = 32_768;
/** Descendants that are looked at below one leader: a fork bomb must not hold the loop. */
const WALK_PROCESSES = 512;
/** Rows read in one turn of the loop: about 1 ms. */
const ROWS_PER_TURN = 64;

const buffer = Buffer.allocUnsafeSlow(ARGV_BYTES);

function readSmall(path: string): string | undefined {
  let fd = -1;
  try {
    fd = openSync(path, 'r');
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, ARGV_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    if (fd >= 0) closeSync(fd);
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readRow(pid: number): ProcessRow | undefined {
  const text = readSmall(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

function allPids(): number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Children of every thread: a program may fork from any of them. Undefined where the kernel has no such file. */
function childrenOf(pid: number): number[] | undefined {
  const children: number[] = [];
  const threads = list(`/proc/${pid}/task`);
  let told = threads.length === 0;
  for (const thread of threads) {
    const text = readSmall(`/proc/${pid}/task/${thread}/children`);
    if (text === undefined) continue;
    told = true;
    for (const child of text.split(' ')) if (child !== '') children.push(Number(child));
  }
  return told ? children : undefined;
}

/** Rows of the leader and its descendants, walked down; or every row there is, where the kernel lists no children. */
function below(leader: ProcessRow): ProcessRow[] {
  const found = [leader];
  for (let next = 0; next < found.length && found.length < WALK_PROCESSES; next++) {
    const children = childrenOf((found[next] as ProcessRow).pid);
    if (children === undefined) return everyRow();
    for (const child of children) {
      const row = readRow(child);
      if (row && found.length < WALK_PROCESSES) found.push(row);
    }
  }
  return found;
}

function everyRow(): ProcessRow[] {
  return allPids().flatMap((pid) => readRow(pid) ?? []);
}

function factOf(row: ProcessRow): ProcessFact {
  const { pid, ppid, pgid, sid, startTime } = row;
  const tty = readsTerminal(pid);
  const fact = { pid, ppid, pgid, sid, startTime, exe: exeOf(row), argv: argvOf(pid) };
  return tty === undefined ? fact : { ...fact, tty };
}

/** Undefined for another user's process, as under sudo. */
function readsTerminal(pid: number): boolean | undefined {
  try {
    return /^\/dev\/(?:pts\/\d|tty|console)/.test(readlinkSync(`/proc/${pid}/fd/0`));
  } catch (error) {
    // A closed descriptor reads nothing.
    return (error as { code?: unknown }).code === 'ENOENT' ? false : undefined;
  }
}

function exeOf(row: ProcessRow): string {
  try {
    // An agent that updated itself runs from a file that is gone; it is still that program.
    return readlinkSync(`/proc/${row.pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return row.name; // another user's process, as under sudo
  }
}

function argvOf(pid: number): string[] {
  const text = readSmall(`/proc/${pid}/cmdline`) ?? '';
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

export function createProcFacts(): ProcessFacts & ProcessTable {
  return {
    foreground(leaderPid: number): Foreground | undefined {
      const leader = readRow(leaderPid);
      if (!leader || leader.zombie || leader.tpgid <= 0) return undefined;
      const pgid = leader.tpgid;
      const inFront = (row: ProcessRow) => row.pgid === pgid && row.sid === leader.sid && !row.zombie;
      let rows = below(leader).filter(inFront);
      // The group's parents are gone (a pipeline whose shell ended): only the whole table still shows them.
      if (rows.length === 0) rows = everyRow().filter(inFront);
      return rows.length === 0 ? undefined : { pgid, members: rows.map(factOf) };
    },

    process(pid: number): ProcessFact | undefined {
      const row = readRow(pid);
      return row && !row.zombie ? factOf(row) : undefined;
    },

    session(sid: number): readonly number[] {
      return everyRow()
        .filter((row) => row.sid === sid && !row.zombie)
        .map((row) => row.pid);
    },

    picture: sharePictures(async () => {
      const rows: ProcessRow[] = [];
      for (const [index, pid] of allPids().entries()) {
        if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1)
          await new Promise((resolve) => setImmediate(resolve));
        const row = readRow(pid);
        if (row) rows.push(row);
      }
      return rows;
    }),

    rows: async (pids) => pids.flatMap((pid) => readRow(pid) ?? []),
  };
}
