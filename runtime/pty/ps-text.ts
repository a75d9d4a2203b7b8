// Reads what `ps` prints on Linux and macOS. Pure. Always true: a line that isn't understood is left out, never guessed;
// no field is trusted to be free of spaces but the numbers before it.
import type { ProcessRow } from './process-row.js';

/** Columns before the last one, which is `comm` or `args` and may hold anything. */
export const PS_COLUMNS = 'pid=,ppid=,pgid=,sess=,tpgid=,tty=,stat=,lstart=';

export interface PsLine {
  readonly row: ProcessRow;
  /** The last column as printed. */
  readonly rest: string;
}

// lstart is five words: Mon Nov 30 22:09:00 2026.
const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+[\d:]+\s+\d{4})(?:\s(.*))?$/;

/**
 * The rows of one `ps` run. macOS prints no usable session id (`sess` is 0 or a pointer): there the session is that of
 * the session leader (an `s` in `stat`) on the same terminal, and 0 for a process without one.
 */
export function parsePs(text: string): PsLine[] {
  const parsed = text.split('\n').flatMap((line) => {
    const match = LINE.exec(line);
    if (!match) return [];
    const [, pid, ppid, pgid, sess, tpgid, tty, stat, startTime, rest] = match as unknown as string[];
    return [{ pid, ppid, pgid, sess, tpgid, tty, stat, startTime, rest: (rest ?? '').trim() }];
  });
  const leaders = new Map(
    parsed
      .filter(({ stat, tty }) => stat?.includes('s') && hasTerminal(tty))
      .map(({ tty, pid }) => [tty, pid]),
  );
  const told = parsed.some(({ sess }) => /^[1-9]\d*$/.test(sess ?? ''));
  return parsed.map(({ pid, ppid, pgid, sess, tpgid, tty, stat, startTime, rest }) => ({
    row: {
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      sid: Number(told ? sess : ((stat?.includes('s') ? pid : leaders.get(tty)) ?? 0)),
      tpgid: Number(tpgid),
      startTime: (startTime ?? '').replace(/\s+/g, ' '),
      zombie: stat?.startsWith('Z') ?? false,
      name: rest,
    },
    rest,
  }));
}

function hasTerminal(tty: string | undefined): boolean {
  return tty !== undefined && !/^[?-]+$/.test(tty);
}
