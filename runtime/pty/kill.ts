// Ends everything that runs in one PTY's process session: HUP and CONT, then TERM, then KILL, to every process with that
// session id, background jobs included, and to descendants that left it with setsid. Always true: it ends within
// `graceMs` + 500 ms; a process is signalled only while its start time is the one that was seen; the report names
// exactly the processes that are still alive. What escaped both session and parents is not known here.
import type { KillReport } from './port.js';
import { addSession, aliveOf, type ProcessTable } from './process-row.js';

/** The attach contract's teardown grace (2.8). */
export const KILL_GRACE_MS = 5_000;
/** The hang-up is sent once more after this long: an interactive bash that gets it between a command's end and its
 * prompt forgets it (2 of 25 kills), and it ignores TERM. Shells and their jobs are gone in a tenth of it. */
const HANGUP_AGAIN_MS = 300;
/** What ignores the hang-up is terminated after this long. */
const HANGUP_MS = 600;
/** What the kernel may need to end a killed process. */
const AFTER_KILL_MS = 500;
/** First look after this long, so that an obedient session ends at once; then twice as late each time. */
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 40;

interface Stage {
  readonly signals: readonly NodeJS.Signals[];
  /** Milliseconds after the start of the kill at which the next stage begins. */
  readonly untilMs: number;
}

function stagesOf(graceMs: number): readonly Stage[] {
  return [
    // CONT, because a stopped process acts on a signal only when it runs.
    { signals: ['SIGHUP', 'SIGCONT'], untilMs: Math.min(HANGUP_AGAIN_MS, graceMs / 4) },
    { signals: ['SIGHUP', 'SIGCONT'], untilMs: Math.min(HANGUP_MS, graceMs / 2) },
    { signals: ['SIGTERM', 'SIGCONT'], untilMs: graceMs },
    { signals: ['SIGKILL'], untilMs: graceMs + AFTER_KILL_MS },
  ];
}

function send(pids: readonly number[], signals: readonly NodeJS.Signals[]): void {
  for (const pid of pids) {
    for (const signal of signals) {
      try {
        process.kill(pid, signal);
      } catch {
        // Gone meanwhile, or another user's (sudo): the report tells if it lives on.
      }
    }
  }
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Ends the session whose leader was `sid`. `leaderGone`: the leader has been reaped; then a live process with its pid
 * is a stranger that got the number again, and nothing is signalled.
 */
export async function killSession(
  table: ProcessTable,
  sid: number,
  leaderGone: () => boolean,
  graceMs = KILL_GRACE_MS,
): Promise<KillReport> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const known = new Map<number, string>();

  /** The leader alone: all that is known when the table can't be read. */
  const blindly = () => (leaderGone() ? [] : [sid]);
  /** Reads the whole table: children may have been born since the last look. */
  const lookAround = async (): Promise<number[]> => {
    const picture = await table.picture().catch(() => undefined);
    if (picture === undefined) return blindly();
    const leader = picture.byPid.get(sid);
    if (!leaderGone() || leader === undefined || leader.zombie) addSession(known, sid, picture);
    return aliveOf(known, (pid) => picture.byPid.get(pid));
  };

  let alive = await lookAround();
  for (const { signals, untilMs } of stagesOf(graceMs)) {
    send(alive, signals);
    for (let lookMs = FIRST_LOOK_MS; alive.length > 0 && elapsedMs() < untilMs; lookMs *= 2) {
      await later(Math.max(1, Math.min(lookMs, LAST_LOOK_MS, untilMs - elapsedMs())));
      const rows = await table.rows(alive).catch(() => undefined);
      const byPid = new Map(rows?.map((row) => [row.pid, row]));
      alive = rows === undefined ? blindly() : aliveOf(known, (pid) => byPid.get(pid));
      if (alive.length > 0) continue;
      alive = await lookAround();
      send(alive, signals);
    }
    if (alive.length > 0) alive = await lookAround();
    if (alive.length === 0) break;
  }
  return { survivors: alive, elapsedMs: elapsedMs() };
}
