// The screen worker's entry: one thread for the screens of all sessions. It only ties the message port, the clock and
// the timers of this thread to the turns; it holds no state of its own and ends when the host ends it.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from './message.js';
import { Turns } from './turn.js';

if (parentPort === null) throw new Error('the screen worker runs only as a worker thread');
const port = parentPort;
/** Behind the main thread where both want one core: a picture may come later than an echo. On Linux this thread's alone. */
const NICE = 5;
if (process.platform === 'linux') {
  try {
    setPriority(0, NICE);
  } catch {
    // not allowed here: it is only a wish
  }
}
let timer: NodeJS.Timeout | undefined;
const turns = new Turns({
  now: () => performance.now(),
  post: (message, transfer) => port.postMessage(message, transfer),
  soon: (turn) => setImmediate(turn),
  later: (turn, delayMs) => {
    clearTimeout(timer);
    timer = setTimeout(turn, delayMs);
  },
});
port.on('message', (message: ToWorker) => turns.receive(message));
