// Process facts from `ps`, for macOS. A `ps` run takes some 10 ms, so facts come from a picture of all processes that is
// taken beside the loop: answers are at most `maxAgeMs` old, an older picture answers undefined and asks for a new one.
// Always true: never more than one picture is being taken. The floor's row waits meanwhile.
import { execFile } from 'node:child_process';
import type { Foreground, ProcessFact, ProcessFacts } from './port.js';
import { type ProcessRow, type ProcessTable, sharePictures } from './process-row.js';
import { PS_COLUMNS, type PsLine, parsePs } from './ps-text.js';

/** Requests are judged again once a second: a picture asked for by one judgement must still serve the next. */
const MAX_AGE_MS = 1_250;
/** Output of one run: 1000 processes with long command lines. */
const PS_BYTES = 16 * 1_048_576;
/** A `ps` that hangs (a stuck network home) is given up. */
const PS_LIMIT_MS = 5_000;

export interface PsOptions {
  readonly ps?: string;
  readonly maxAgeMs?: number;
  /** Called when a new picture is there, so that waiting requests can be judged. */
  readonly renewed?: () => void;
}

interface Picture {
  readonly takenAtMs: number;
  readonly facts: ReadonlyMap<number, { readonly row: ProcessRow; readonly fact: ProcessFact }>;
}

export interface PsFacts extends ProcessFacts, ProcessTable {
  /** Takes a new picture, or joins the one under way. Never rejects: a failed run leaves the old picture. */
  renew(): Promise<void>;
}

function run(ps: string, last: string, pids: readonly number[] | undefined): Promise<PsLine[]> {
  const which = pids === undefined ? ['-A'] : ['-p', pids.join(',')];
  // -ww: nothing is cut at 80 columns. The C locale fixes the form of the dates.
  const args = ['-ww', ...which, '-o', `${PS_COLUMNS},${last}`];
  const options = { maxBuffer: PS_BYTES, timeout: PS_LIMIT_MS, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  return new Promise((resolve, reject) => {
    execFile(ps, args, options, (error, stdout) => {
      // Status 1 only says that a pid of the list is gone.
      if (error && (typeof error.code !== 'number' || pids === undefined)) reject(error);
      else resolve(parsePs(stdout));
    });
  });
}

function factOf({ row, rest }: PsLine, args: string): ProcessFact {
  const { pid, ppid, pgid, sid, startTime } = row;
  // `ps` joins the arguments with spaces: a space inside one can't be told from one between two.
  return { pid, ppid, pgid, sid, startTime, exe: rest, argv: args.split(' ').filter((part) => part !== '') };
}

export function createPsFacts({ ps = 'ps', maxAgeMs = MAX_AGE_MS, renewed }: PsOptions = {}): PsFacts {
  let picture: Picture | undefined;
  let renewing: Promise<void> | undefined;

  const take = async (): Promise<void> => {
    const takenAtMs = performance.now();
    const [names, lines] = await Promise.all([run(ps, 'comm=', undefined), run(ps, 'args=', undefined)]);
    const args = new Map(lines.map(({ row, rest }) => [`${row.pid} ${row.startTime}`, rest]));
    picture = {
      takenAtMs,
      facts: new Map(
        names
          .filter(({ row }) => !row.zombie)
          .map((line) => [
            line.row.pid,
            { row: line.row, fact: factOf(line, args.get(`${line.row.pid} ${line.row.startTime}`) ?? '') },
          ]),
      ),
    };
  };
  const renew = (): Promise<void> => {
    renewing ??= take()
      .catch(() => {})
      .finally(() => {
        renewing = undefined;
        renewed?.();
      });
    return renewing;
  };
  const current = (): Picture | undefined => {
    if (picture && performance.now() - picture.takenAtMs <= maxAgeMs) return picture;
    void renew();
    return undefined;
  };

  const rowsOf = async (pids: readonly number[] | undefined) =>
    (await run(ps, 'comm=', pids)).map(({ row }) => row);

  return {
    renew,
    foreground(leaderPid: number): Foreground | undefined {
      const facts = current()?.facts;
      const leader = facts?.get(leaderPid)?.row;
      if (!facts || !leader || leader.tpgid <= 0) return undefined;
      const members = [...facts.values()]
        .filter(({ row }) => row.pgid === leader.tpgid && row.sid === leader.sid)
        .map(({ fact }) => fact);
      return members.length === 0 ? undefined : { pgid: leader.tpgid, members };
    },
    process: (pid) => current()?.facts.get(pid)?.fact,
    session: (sid) =>
      [...(current()?.facts.values() ?? [])].filter((p) => p.row.sid === sid).map((p) => p.row.pid),
    picture: sharePictures(() => rowsOf(undefined)),
    rows: async (pids) => (pids.length === 0 ? [] : rowsOf(pids)),
  };
}
