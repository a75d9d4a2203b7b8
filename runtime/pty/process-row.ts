// One process as a row of the kernel's table, the texts it is read from, and who belongs to a session. Pure: /proc and
// `ps` differ only in how they get the text. Always true: a zombie is marked and never counted as alive.

export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Foreground group of the controlling terminal, or -1. */
  readonly tpgid: number;
  /** Compared for equality only. */
  readonly startTime: string;
  readonly zombie: boolean;
  /** The kernel's short name. */
  readonly name: string;
}

/** Where rows come from. */
export interface ProcessTable {
  /** Rows of all processes, or of the `pids` that still exist. Yields between parts: it never holds the loop for long. */
  rows(pids?: readonly number[]): Promise<readonly ProcessRow[]>;
}

/** A row from the text of /proc/PID/stat. The name may hold spaces and parentheses: it ends at the last one. */
export function parseStat(text: string): ProcessRow | undefined {
  const open = text.indexOf(' (');
  const close = text.lastIndexOf(') ');
  if (open < 0 || close < open) return undefined;
  const fields = text.slice(close + 2).split(' ');
  const number = (field: number) => Number(fields[field - 3]);
  const row = {
    pid: Number(text.slice(0, open)),
    ppid: number(4),
    pgid: number(5),
    sid: number(6),
    tpgid: number(8),
    startTime: fields[22 - 3] ?? '',
    zombie: /^[ZXx]/.test(fields[0] ?? ''),
    name: text.slice(open + 2, close),
  };
  const whole = [row.pid, row.ppid, row.pgid, row.sid, row.tpgid].every(Number.isInteger);
  return whole && /^\d+$/.test(row.startTime) ? row : undefined;
}

/**
 * Adds to `known` (pid -> start time) every live process of session `sid` and every live descendant of a known one. A
 * process that left with setsid is found through its parent while that lives, and stays known afterwards.
 */
export function addSession(known: Map<number, string>, sid: number, rows: readonly ProcessRow[]): void {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.ppid);
    if (siblings) siblings.push(row);
    else children.set(row.ppid, [row]);
  }
  const reached = rows.filter((row) => row.sid === sid || known.get(row.pid) === row.startTime);
  const seen = new Set<number>();
  for (let row = reached.pop(); row !== undefined; row = reached.pop()) {
    if (seen.has(row.pid)) continue;
    seen.add(row.pid);
    if (!row.zombie) known.set(row.pid, row.startTime);
    reached.push(...(children.get(row.pid) ?? []));
  }
}

/** The known processes that are alive in `rows`: same pid, same start time, no zombie. */
export function aliveOf(known: ReadonlyMap<number, string>, rows: readonly ProcessRow[]): number[] {
  return rows
    .filter((row) => !row.zombie && known.get(row.pid) === row.startTime)
    .map((row) => row.pid)
    .sort((a, b) => a - b);
}
