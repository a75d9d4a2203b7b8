// The thread that checkpoints: it moves pages from the write-ahead log into the database and does the fsyncs, which the
// main thread must not wait for. Always true: only PASSIVE checkpoints, so it holds no lock that a writer needs.

import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** Pages in the log when the last pass began. */
export interface LogReport {
  readonly pages: number;
}

/** The log begins anew only if nothing was written since a pass began; later passes are short and find that moment. */
const PASSES = 8;

const client = new Database((workerData as { file: string }).file, { timeout: 0, fileMustExist: true });
client.pragma('synchronous = NORMAL');
client.pragma('wal_autocheckpoint = 0');

function checkpoint(): LogReport {
  let pages = -1;
  for (let pass = 0; pass < PASSES; pass++) {
    const [row] = client.pragma('wal_checkpoint(PASSIVE)') as Array<{ log: number }>;
    const before = pages;
    pages = row?.log ?? -1;
    if (pages === before) break;
  }
  return { pages };
}

parentPort?.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'close') {
    client.close();
    parentPort?.close();
    return;
  }
  let report: LogReport = { pages: 0 };
  try {
    report = checkpoint();
  } catch {
    // Somebody else checkpoints, or the disk is full: the next request tries again.
  }
  parentPort?.postMessage(report);
});
