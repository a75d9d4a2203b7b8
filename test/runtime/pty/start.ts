// Starts children for the tests of this room and collects what they print, in order, up to their exit.
import type { Pty, PtyExit, PtyHost, PtySpawn } from '../../../runtime/pty/port.js';

export interface Started {
  readonly pty: Pty;
  /** All output so far. */
  output(): Buffer;
  text(): string;
  /** Settles when `text` matches. Output that ends without a match rejects. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Exit and how many bytes had come when it was told. */
  readonly ended: Promise<{ exit: PtyExit; bytes: number }>;
}

export const ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };

/** Starts `command`; `paused` stops reading before the first byte. */
export async function start(
  host: PtyHost,
  command: PtySpawn['command'],
  { paused = false, ...spec }: Partial<PtySpawn> & { paused?: boolean } = {},
): Promise<Started> {
  const chunks: Buffer[] = [];
  const watchers = new Set<() => void>();
  let exited = false;
  let tell: (end: { exit: PtyExit; bytes: number }) => void = () => {};
  const ended = new Promise<{ exit: PtyExit; bytes: number }>((resolve) => {
    tell = resolve;
  });
  const output = () => Buffer.concat(chunks);
  const text = () => output().toString('utf8');
  const pty = await host.spawn(
    { command, cwd: '/', env: ENV, rows: 24, cols: 80, ...spec },
    {
      data(chunk) {
        if (exited) throw new Error('data after exit');
        chunks.push(Buffer.from(chunk));
        for (const watcher of watchers) watcher();
      },
      exit(exit) {
        exited = true;
        tell({ exit, bytes: output().length });
        for (const watcher of watchers) watcher();
      },
    },
  );
  if (paused) pty.pause();
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text());
        if (!match && !exited) return;
        watchers.delete(look);
        if (match) resolve(match);
        else reject(new Error(`ended without ${pattern}: ${JSON.stringify(text())}`));
      };
      watchers.add(look);
      look();
    });
  return { pty, output, text, until, ended };
}

/** Settles when `ready` is true, looking every few milliseconds: for facts of the kernel that tell no event. */
export async function eventually(ready: () => boolean, limitMs = 10_000): Promise<void> {
  const startedAt = performance.now();
  while (!ready()) {
    if (performance.now() - startedAt > limitMs) throw new Error('it never became true');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
