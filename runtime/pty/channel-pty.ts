// A started child and its channel as one Pty, the same for every way of starting. Always true: `exit` fires once, after
// the last `data`, and never before the caller of `spawn` has the Pty; the channel is closed by then.
import type { PtyAddon } from './addon.js';
import { Channel } from './channel.js';
import { killSession } from './kill.js';
import type { Launched } from './launch.js';
import type { KillReport, Pty, PtyEvents } from './port.js';
import type { ProcessTable } from './process-row.js';

export function createPty(launched: Launched, addon: PtyAddon, table: ProcessTable, events: PtyEvents): Pty {
  const { pid, master, ttyPath, exited } = launched;
  const channel = new Channel(master, ttyPath, addon, (chunk) => events.data(chunk));
  let gone = false;
  let killing: Promise<KillReport> | undefined;
  const ended = exited.then(async (exit) => {
    // The leader may end before the caller has seen the Pty.
    await new Promise((resolve) => setImmediate(resolve));
    gone = true;
    channel.drain();
    channel.close();
    events.exit(exit);
  });

  const kill = async (graceMs?: number): Promise<KillReport> => {
    const report = await killSession(table, pid, () => gone, graceMs);
    if (!report.survivors.includes(pid)) await ended;
    return report;
  };
  return {
    pid,
    ttyPath,
    write: (bytes) => channel.write(bytes),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    resize: (rows, cols) => channel.resize(rows, cols),
    kill(graceMs) {
      // Two kills at once are one; a later one looks for what was born since.
      killing ??= kill(graceMs).finally(() => {
        killing = undefined;
      });
      return killing;
    },
  };
}
