// A refusal of Shepherd as a value: a code of the closed list, and a sentence where the code's own can't say it. Pure.
import { REASONS, type Reason } from '../../protocol/reason.js';
import { ShepherdError } from '../port.js';

export interface Refusal {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
}

export function refuse(reason: Reason, message: string = REASONS[reason].text): Refusal {
  return { ok: false, reason, message };
}

/** As an error for an HTTP answer. */
export function errorOf({ reason, message }: Pick<Refusal, 'reason' | 'message'>): ShepherdError {
  const { status, next } = REASONS[reason];
  // A body of another shape is a plain mistake on these routes, as on the runtime's own below /api.
  return new ShepherdError(reason, reason === 'invalid_body' ? 400 : status, message, next);
}
