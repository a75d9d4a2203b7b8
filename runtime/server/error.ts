// How a refusal looks on the wire: a reason of the closed list, its status, a sentence, and the next step. The sentences of
// the attach contract are kept to the letter (1.3).
import type { ErrorBody } from '../../protocol/admin.js';
import { REASONS, type Reason } from '../../protocol/reason.js';
import { JournalError } from '../journal/port.js';
import { SeatError } from '../seats/seat-error.js';
import { RegistryError } from '../session/registry-error.js';

export class HttpError extends Error {
  readonly statusCode: number;

  /** `message` says what the reason's own sentence can't. */
  constructor(
    readonly reason: Reason,
    message: string = REASONS[reason].text,
    statusCode?: number,
    /** A next step that names its object; the reason's own otherwise. */
    readonly next: string = REASONS[reason].next,
  ) {
    super(message);
    this.statusCode = statusCode ?? REASONS[reason].status;
  }

  body(): ErrorBody {
    return { error: this.message, reason: this.reason, next: this.next };
  }
}

/** Any error as an HttpError; what is not ours is `internal`, its text only in the log. */
export function httpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof SeatError) return new HttpError(error.reason, error.message);
  if (error instanceof RegistryError || error instanceof JournalError)
    return new HttpError(error.reason, error.message);
  return new HttpError('internal', 'internal error');
}
