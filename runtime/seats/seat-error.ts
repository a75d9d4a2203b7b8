// Why the seats room refused or failed: one reason of the closed list and a sentence.
import { REASONS, type Reason } from '../../protocol/reason.js';

export class SeatError extends Error {
  constructor(
    readonly reason: Reason,
    message: string = REASONS[reason].text,
  ) {
    super(message);
  }
}

/** Any failure as a reason and a sentence; what has neither is `internal`. */
export function failureOf(error: unknown): { readonly reason: Reason; readonly message: string } {
  if (error instanceof Error) {
    const { reason } = error as Error & { reason?: unknown };
    if (typeof reason === 'string' && Object.hasOwn(REASONS, reason)) {
      return { reason: reason as Reason, message: error.message };
    }
    return { reason: 'internal', message: error.message };
  }
  return { reason: 'internal', message: String(error) };
}
