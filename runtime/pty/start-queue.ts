// Spreads starts over turns of the loop: one start a turn, few unfinished at a time. Starting a process stops the main
// thread for 2 ms and more (the fork copies the page tables of a large server), so a burst of starts must leave room
// between them for an operator's echo. First come, first served; a full queue refuses. It knows nothing of processes.
import { PtySpawnError } from './port.js';

/** Starts that have not reached their program yet: more would only compete for the same cores. */
const UNFINISHED_STARTS = 4;
/** Waiting starts; the kernel gives out 4096 PTYs by default, so more could not succeed. */
const WAITING_STARTS = 4_096;

export class StartQueue {
  readonly #waiting: Array<() => void> = [];
  #unfinished = 0;
  #turnAsked = false;

  /** Runs `start` in a turn of its own. Rejects with spawn_failed when 4096 are waiting already. */
  run<Result>(start: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= WAITING_STARTS) {
      return Promise.reject(
        new PtySpawnError('spawn_failed', `${WAITING_STARTS} starts are waiting already`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        this.#unfinished += 1;
        start()
          .then(resolve, reject)
          .finally(() => {
            this.#unfinished -= 1;
            this.#askForTurn();
          });
      });
      this.#askForTurn();
    });
  }

  #askForTurn(): void {
    if (this.#turnAsked || this.#waiting.length === 0 || this.#unfinished >= UNFINISHED_STARTS) return;
    this.#turnAsked = true;
    setImmediate(() => {
      this.#turnAsked = false;
      this.#waiting.shift()?.();
      this.#askForTurn();
    });
  }
}
