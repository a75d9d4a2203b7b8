// What becomes of stored requests when the runtime starts again (invariant I5). Always true: nothing is typed again; what
// was waiting has no byte written, what was being typed may have.

import type { Ending } from './event.js';

/** States of a request in the outbox. */
export const OUTBOX_STATES = ['waiting', 'sending', 'held', 'complete', 'indeterminate', 'failed'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** The ending of a request found in this state at start, or undefined when it had ended. */
export function endingAtStart(state: OutboxState, bytesWritten = 0): Ending | undefined {
  if (state === 'waiting') {
    return { state: 'failed', confirmed: false, reason: 'runtime_restarted', bytesWritten: 0 };
  }
  if (state === 'sending') {
    return { state: 'indeterminate', confirmed: false, reason: 'runtime_restarted', bytesWritten };
  }
  return undefined;
}
