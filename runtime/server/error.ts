// How a refusal looks on the wire: a status, a sentence, a reason code, and the next step where there is one. The
// sentences of the attach contract are kept to the letter (1.3).
import type { ErrorBody } from '../../protocol/admin.js';
import { JournalError } from '../journal/port.js';
import { RegistryError, type RegistryReason } from '../session/registry-error.js';

export class HttpError extends Error {
  constructor(
    readonly statusCode: number,
    readonly reason: string,
    message: string,
    readonly next?: string,
  ) {
    super(message);
  }

  body(): ErrorBody {
    return { error: this.message, reason: this.reason, ...(this.next ? { next: this.next } : {}) };
  }
}

const REGISTRY: Readonly<Record<RegistryReason, readonly [number, string?]>> = {
  draining: [503, 'Wait until the runtime is back, then try again.'],
  session_exists: [409, 'Attach to it, or choose another name.'],
  session_missing: [404, 'List the sessions, or create it.'],
  session_dead: [409, 'Restart the session.'],
  capacity: [503, 'Kill a session, or raise max_sessions.'],
  command_not_found: [400, 'Check the command and the PATH that goes along.'],
  cwd_missing: [400, 'Check the folder.'],
  spawn_failed: [500, 'Look at the log of the runtime.'],
};

/** Any error as an HttpError; what is not ours is `internal error`, its text only in the log. */
export function httpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof RegistryError) {
    const [status, next] = REGISTRY[error.reason];
    return new HttpError(status, error.reason, error.message, next);
  }
  if (error instanceof JournalError) {
    return new HttpError(
      error.reason === 'unknown_record' ? 404 : 503,
      error.reason,
      error.message,
      error.next,
    );
  }
  return new HttpError(500, 'internal', 'internal error', 'Look at the log of the runtime.');
}
