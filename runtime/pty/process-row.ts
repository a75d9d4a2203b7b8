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

/** All processes at one time, indexed once for everybody who looks at it. */
export interface ProcessPicture {
  readonly byPid: ReadonlyMap<number, ProcessRow>;
  readonly bySid: ReadonlyMap<number, readonly ProcessRow[]>;
  readonly byParent: ReadonlyMap<number, readonly ProcessRow[]>;
}

/** Where rows come from. */
export interface ProcessTable {
  /** All processes, read after the call: whoever asks during a reading shares the next one. Never holds the loop long. */
  picture(): Promise<ProcessPicture>;
  /** The rows of those `pids` that still exist. */
  rows(pids: readonly number[]): Promise<readonly ProcessRow[]>;
}

export function pictureOf(rows: readonly ProcessRow[]): ProcessPicture {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  return { byPid, bySid: groupBy(rows, 'sid'), byParent: groupBy(rows, 'ppid') };
}

function groupBy(rows: readonly ProcessRow[], key: 'sid' | 'ppid'): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}

/** Makes many askers share readings: a thousand kills at once read the table a few times, not thousands. */
export function sharePictures(read: () => Promise<readonly ProcessRow[]>): () => Promise<ProcessPicture> {
  let running: Promise<ProcessPicture> | undefined;
  let following: Promise<ProcessPicture> | undefined;
  const begin = () => {
    running = read()
      .then(pictureOf)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return () => {
    if (!running) return begin();
    // What runs may have passed a process that was born since: the asker gets a reading that begins from now on.
    const next = () => {
      following = undefined;
      return running ?? begin();
    };
    following ??= running.then(next, next);
    return following;
  };
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
export function addSession(known: Map<number, string>, sid: number, picture: ProcessPicture): void {
  const reached = [...(picture.bySid.get(sid) ?? [])];
  for (const [pid, startTime] of known) {
    const row = picture.byPid.get(pid);
    if (row?.startTime === startTime) reached.push(row);
  }
  const seen = new Set<number>();
  for (let row = reached.pop(); row !== undefined; row = reached.pop()) {
    if (seen.has(row.pid)) continue;
    seen.add(row.pid);
    if (!row.zombie) known.set(row.pid, row.startTime);
    reached.push(...(picture.byParent.get(row.pid) ?? []));
  }
}

/** The known processes that are alive by `rowOf`: same pid, same start time, no zombie. */
export function aliveOf(
  known: ReadonlyMap<number, string>,
  rowOf: (pid: number) => ProcessRow | undefined,
): number[] {
  const alive: number[] = [];
  for (const [pid, startTime] of known) {
    const row = rowOf(pid);
    if (row && !row.zombie && row.startTime === startTime) alive.push(pid);
  }
  return alive.sort((a, b) => a - b);
}
