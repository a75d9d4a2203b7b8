// Starts a program as leader of a new process session on a PTY whose master is ours, on Linux. Always true: the master
// is close-on-exec, so no child of this process inherits it; the leader has descriptors 0 to 2 and no others; the answer
// comes when the program itself runs, or says why it doesn't, and then nothing is left open. It reads no output.
import { closeSync } from 'node:fs';
import type { PtyAddon } from './addon.js';
import type { Master, MasterPool } from './master-pool.js';
import { type PtyExit, type PtySpawn, PtySpawnError } from './port.js';
import type { Starter } from './starter.js';

export interface Launched {
  readonly pid: number;
  readonly master: number;
  readonly ttyPath: string;
  /** Settles when the leader has ended; never rejects. */
  readonly exited: Promise<PtyExit>;
}

export interface Launching {
  readonly pool: MasterPool;
  readonly starter: Starter;
  readonly addon: PtyAddon;
}

/** Starts `program` for `spec`. Rejects with PtySpawnError spawn_failed. */
export async function launch(
  { pool, starter, addon }: Launching,
  program: string,
  spec: PtySpawn,
): Promise<Launched> {
  let master: Master;
  try {
    master = await pool.take();
  } catch (error) {
    throw new PtySpawnError('spawn_failed', `no PTY: ${(error as Error).message}`);
  }
  try {
    addon.resize(master.fd, spec.cols, spec.rows);
    const { pid, exited } = await starter.start(master.ttyPath, program, spec);
    return { pid, master: master.fd, ttyPath: master.ttyPath, exited };
  } catch (error) {
    closeSync(master.fd);
    if (error instanceof PtySpawnError) throw error;
    throw new PtySpawnError('spawn_failed', (error as Error).message);
  }
}
