// PTYs on Linux, loss-free. Always true: every byte the leader wrote is delivered before `exit`, also when paused, and
// a background job that holds the terminal open doesn't delay it; masters are inherited by nobody. It holds no session.
import { loadAddon } from './addon.js';
import { createPty } from './channel-pty.js';
import { launch } from './launch.js';
import { findProgram } from './lookup.js';
import { MasterPool } from './master-pool.js';
import type { Pty, PtyEvents, PtyHost, PtySpawn } from './port.js';
import type { ProcessTable } from './process-row.js';
import { StartQueue } from './start-queue.js';
import type { Starter } from './starter.js';

/** `perl`: absolute path. Throws when node-pty's addon isn't built. */
export function createLinuxHost(perl: string, starter: Starter, table: ProcessTable): PtyHost {
  const { addon } = loadAddon();
  const launching = { pool: new MasterPool(perl), starter, addon };
  const queue = new StartQueue();
  return {
    async spawn(spec: PtySpawn, events: PtyEvents): Promise<Pty> {
      findProgram(spec);
      return queue.run(async () => {
        const program = findProgram(spec); // again: it may have gone while the start waited
        const launched = await launch(launching, program, spec);
        return createPty(launched, addon, table, events);
      });
    },
  };
}
