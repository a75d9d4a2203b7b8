// What the rest of the runtime knows of a PTY. Implementations: spawn-linux (loss-free) and spawn-generic
// (node-pty's own). Always true: every byte the child wrote is delivered before `exit`, also when reading was paused;
// a write never blocks and never throws. It holds no session state and knows no client.

export interface PtySpawn {
  /** Program and arguments. The program is looked up on `env.PATH` when it has no slash. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly cols: number;
}

export interface PtyExit {
  /** Exit status 0..255, or null when a signal ended the process. */
  readonly code: number | null;
  /** Signal name such as SIGKILL, or null. */
  readonly signal: string | null;
}

export interface PtyEvents {
  /** Output bytes. The view is valid during the call only: copy what is kept. */
  data(chunk: Uint8Array): void;
  /** The leader has ended and its output is drained. Fires once, after the last `data`. */
  exit(exit: PtyExit): void;
}

/** How many bytes the kernel took; `again` when its buffer is full, `closed` when there is nobody to write to. */
export type PtyWrite = number | 'again' | 'closed';

export interface KillReport {
  /** Process ids that were still alive when the kill gave up. */
  readonly survivors: readonly number[];
  readonly elapsedMs: number;
}

export interface Pty {
  /** The leader's process id, which is also the id of the PTY's process session. */
  readonly pid: number;
  /** Path of the slave, for example /dev/pts/7; empty where the platform doesn't tell. */
  readonly ttyPath: string;
  /** One non-blocking write, at most 4096 bytes. */
  write(bytes: Uint8Array): PtyWrite;
  pause(): void;
  resume(): void;
  resize(rows: number, cols: number): void;
  /** HUP and CONT, then TERM, then KILL, to every process of the PTY's process session. */
  kill(graceMs?: number): Promise<KillReport>;
}

export interface PtyHost {
  /** Starts a child. Starts are spread over turns of the loop; rejects with PtySpawnError. */
  spawn(spec: PtySpawn, events: PtyEvents): Promise<Pty>;
}

export class PtySpawnError extends Error {
  constructor(
    readonly reason: 'command_not_found' | 'cwd_missing' | 'spawn_failed',
    message: string,
  ) {
    super(message);
  }
}

/** One process as the kernel describes it. */
export interface ProcessFact {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Process session id; equals the PTY leader's pid for everything it started, setsid escapees excepted. */
  readonly sid: number;
  /** Clock ticks since boot (/proc) or a timestamp text (ps): compared for equality only. */
  readonly startTime: string;
  /** Resolved executable path, or the command name where the platform hides it. */
  readonly exe: string;
  readonly argv: readonly string[];
  /**
   * Whether its standard input is a terminal: a child that reads a pipe, such as an MCP server, can't read what is typed.
   * Undefined where the platform doesn't tell.
   */
  readonly tty?: boolean;
}

/** The PTY's foreground process group and who is in it. */
export interface Foreground {
  readonly pgid: number;
  readonly members: readonly ProcessFact[];
}

/** Facts from the kernel, read synchronously where the platform allows (about 0.2 ms). */
export interface ProcessFacts {
  /** The foreground group of the PTY whose leader is `leaderPid`, or undefined when it can't be known. */
  foreground(leaderPid: number): Foreground | undefined;
  process(pid: number): ProcessFact | undefined;
  /** Every live (non-zombie) process whose session id is `sid`. */
  session(sid: number): readonly number[];
}

/** The line settings of a terminal that decide whether one line of text may be written without a paste frame. */
export interface LineMode {
  /** The kernel collects lines and handles erase keys: the program is not in raw mode. */
  readonly icanon: boolean;
  readonly echo: boolean;
  /** When it was read, on the clock of `performance.now()`. */
  readonly readAtMs: number;
}

/** Cached readings of line settings, taken beside the loop. */
export interface LineModes {
  /** A reading of at most one second ago; otherwise undefined, and one is under way. */
  current(ttyPath: string): LineMode | undefined;
  /** Reads now, because something has changed; undefined when the terminal is gone. Never rejects. */
  renew(ttyPath: string): Promise<LineMode | undefined>;
  forget(ttyPath: string): void;
}
