// What can go wrong, as one error type: a sentence for people, a reason for programs, what to do next, and the HTTP
// status when a server answered. Reasons of the server pass through unchanged; the SDK's own are SDK_REASONS.

/** Reasons that the SDK itself gives; listed in spec/sdk.md. */
export const SDK_REASONS = [
  'bad_url',
  'bad_options',
  'unreachable',
  'timeout',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'bad_request',
  'throttled',
  'unavailable',
  'server_error',
  'bad_answer',
  'no_credential',
  'attach_refused',
  'connection_lost',
  'closed',
  'not_attached',
] as const;

export type SdkReason = (typeof SDK_REASONS)[number];

export class SdkError extends Error {
  override readonly name = 'SdkError';
  /** One of SDK_REASONS, or a reason code of the server (spec/reasons.md). Compare this, never the message. */
  readonly reason: string;
  /** What a person can do; empty when there is nothing. */
  readonly next: string;
  /** HTTP status of the answer, when there was one. */
  readonly status: number | undefined;

  constructor(fault: { reason: string; message: string; next?: string; status?: number; cause?: unknown }) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.reason = fault.reason;
    this.next = fault.next ?? '';
    this.status = fault.status;
  }
}

interface StatusMeaning {
  readonly reason: SdkReason;
  readonly message: string;
  readonly next: string;
}

const BY_STATUS: Readonly<Record<number, StatusMeaning>> = {
  400: { reason: 'bad_request', message: 'the server refused the request as malformed', next: '' },
  401: {
    reason: 'unauthorized',
    message: 'the server did not accept the credential',
    next: 'Log in again, or mint a new token: it may be expired, revoked or for another session.',
  },
  403: {
    reason: 'forbidden',
    message: 'the server does not allow this',
    next: 'Use a credential with that right, or add the origin or host to the config.',
  },
  404: { reason: 'not_found', message: 'there is no such thing on the server', next: '' },
  409: { reason: 'conflict', message: 'the request does not fit the current state', next: '' },
  413: { reason: 'bad_request', message: 'the request is too large', next: 'Send less in one request.' },
  429: {
    reason: 'throttled',
    message: 'too many failed attempts from this address',
    next: 'Wait a few seconds; a right credential is never refused for this.',
  },
  503: {
    reason: 'unavailable',
    message: 'the server takes no new work now',
    next: 'It is shutting down or full; try again in a moment.',
  },
};

/** The error for an HTTP status, with what the body said when it said something. */
export function errorOfStatus(
  status: number,
  body: { error?: string; reason?: string; next?: string } | undefined,
): SdkError {
  const known = BY_STATUS[status];
  const reason = known?.reason ?? (status >= 500 ? 'server_error' : 'bad_request');
  return new SdkError({
    reason: body?.reason ?? reason,
    message: body?.error ?? known?.message ?? `the server answered with status ${status}`,
    next: body?.next ?? known?.next ?? (status >= 500 ? 'Look at the log of the runtime.' : ''),
    status,
  });
}
