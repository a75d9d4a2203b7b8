// One request over HTTP: submitted, and answered once with what became of it. Always true: a refusal, an earlier result of the
// same key and an outcome are all answers; a caller that has gone loses nothing, its outcome is in the outbox.
import type { Ending } from '../floor/event.js';
import type { Request, RequestInput } from '../floor/request.js';
import type { Credential } from '../journal/port.js';
import type { Seat } from '../seats/seat-book.js';
import type { Submissions } from '../seats/submissions.js';
import { answerOf, refusalOf } from './send.js';

export interface ReceiptWords {
  readonly warnings?: readonly string[];
  /** What the answer also tells of a request that has just ended. */
  readonly extras?: (request: Request, ending: Ending) => Parameters<typeof answerOf>[3];
}

export function receiptOf(
  submissions: Submissions,
  seat: Seat,
  input: RequestInput,
  credential: Credential,
  { warnings = [], extras }: ReceiptWords = {},
): Promise<ReturnType<typeof answerOf>> {
  return new Promise((resolve) => {
    const submitted = submissions.submit(seat, input, credential, (event) => {
      if (event.kind !== 'outcome') return;
      const { request, ending } = event;
      resolve(answerOf(request.id, ending, warnings, extras?.(request, ending)));
    });
    if (submitted.kind === 'refused') resolve(refusalOf(submitted.reason, submitted.field));
    else if (submitted.kind === 'known') resolve(answerOf(submitted.id, submitted.ending, warnings));
  });
}
