// A screen worker that throws at the first bytes it gets, for the test of a worker that dies.
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../../runtime/screen/message.js';

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'bytes') throw new Error('planted');
});
