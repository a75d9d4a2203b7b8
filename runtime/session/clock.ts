// The real clock and timers of the loop, behind the port that sessions take. Timers don't keep the process alive.
import type { Clock } from './session.js';

export function systemClock(): Clock {
  return {
    now: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
    later: (run) => {
      setImmediate(run);
    },
  };
}
